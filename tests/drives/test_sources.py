"""Which document states which fact of a family: the files as they ship, and how they are read."""

from __future__ import annotations

import csv
from collections import defaultdict
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import pytest

from apps.drives.catalogue import (
    CITED,
    FAMILIES_FILE,
    SOURCES_FILE,
    STATED_FACTS,
    read_families,
    read_sources,
    slug_of,
    unsourced_facts,
)
from apps.drives.models import DriveFamily, FamilySource, PowerLossProtection

if TYPE_CHECKING:
    from pathlib import Path

GENERAL: Final = "datasheet (general knowledge)"
# What a document may state besides the columns of drives.csv.
MORE_FACTS: Final = {"controller", "slc_cache", "recording"}
# Columns with one short value: a source that agrees has it before its colon.
COMPARED: Final = {"plp", "nand", "dram", "interface", "protocol_gen", "released", "segment"}
Row = dict[str, str]


def rows_of(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


FAMILIES: Final = {row["family"]: row for row in rows_of(FAMILIES_FILE)}
SOURCES: Final = rows_of(SOURCES_FILE)


def sources_by_family() -> dict[str, list[FamilySource]]:
    found = defaultdict(list)
    for source in read_sources():
        found[source.family_id].append(source)
    return found


def values_in(found: str) -> str:
    return found.partition(":")[0]


def test_every_source_names_a_family_a_fact_an_address_and_a_place_there() -> None:
    facts = {*FAMILIES["Samsung 990 PRO"], *MORE_FACTS} - {"family", "source"}
    for row in SOURCES:
        address = urlsplit(row["url"])
        assert row["family"] in FAMILIES, row
        assert set(row["field"].split(";")) <= facts, row
        assert address.scheme in {"http", "https"}, row
        assert "." in address.netloc, row
        assert row["found"], row
        assert row["locator"], row
        assert row["agrees"] in FamilySource.Agreement.values, row
        assert row["confidence"] in {"high", "medium"}, row
        assert all(value == value.strip() for value in row.values()), row
    assert len(SOURCES) > 1_100
    assert len({tuple(row.values()) for row in SOURCES}) == len(SOURCES)


def test_what_agrees_has_the_value_of_the_catalogue_and_what_contradicts_has_another() -> None:
    compared = [row for row in SOURCES if row["field"] in COMPARED]
    for row in compared:
        is_same = values_in(row["found"]) == FAMILIES[row["family"]][row["field"]]
        if row["agrees"] != FamilySource.Agreement.ADDS:
            assert is_same == (row["agrees"] == FamilySource.Agreement.YES), row
    assert len(compared) > 300


def test_no_protection_without_a_document() -> None:
    sources = sources_by_family()
    stated = 0
    for family in read_families():
        if family.plp == PowerLossProtection.UNKNOWN:
            continue
        own = [
            values_in(source.found)
            for source in sources[family.slug]
            if source.facts == "plp" and source.agrees == FamilySource.Agreement.YES
        ]
        assert set(own) == {family.plp}, family.slug
        stated += 1
    assert stated > 50


def test_a_list_of_protected_drives_is_no_proof_that_all_of_the_cache_survives() -> None:
    for row in SOURCES:
        is_listed = row["field"] == "plp" and "openzfs" in row["url"]
        if is_listed and row["agrees"] == FamilySource.Agreement.YES:
            assert values_in(row["found"]) != PowerLossProtection.FULL, row


def test_no_row_is_general_knowledge_where_a_document_states_a_fact() -> None:
    sources = sources_by_family()
    for name, row in FAMILIES.items():
        confirmed = [
            source
            for source in sources[slug_of(name)]
            if source.agrees != FamilySource.Agreement.NO
            and STATED_FACTS.keys() & source.fact_names
        ]
        if row["source"] == GENERAL:
            assert confirmed == [], name
        if row["source"] == CITED:
            assert sources[slug_of(name)], name


def test_a_cited_family_lists_its_documents_and_what_none_of_them_states() -> None:
    families = {family.slug: family for family in read_families()}
    bg3 = families["kioxia-bg3"]
    assert bg3.source.startswith("cited: www.kitguru.net, ")
    assert "; general knowledge: " in bg3.source
    assert "protocol_gen" not in bg3.source
    for slug, own in sources_by_family().items():
        source = families[slug].source
        if source.startswith(f"{CITED}:"):
            _, _, rest = source.partition("; general knowledge: ")
            named = rest.split(", ") if rest else []
            assert named == unsourced_facts(families[slug], own), slug


@pytest.mark.parametrize(
    ("agrees", "unsourced"),
    [
        ("yes", ["dram"]),
        ("adds", ["nand", "dram"]),
        ("no", ["nand", "dram"]),
    ],
)
def test_only_what_agrees_confirms(agrees: str, unsourced: list[str]) -> None:
    family = DriveFamily(slug="one", nand="tlc", dram="yes", plp="unknown")
    source = FamilySource(family=family, facts="nand;released", found="tlc", agrees=agrees)
    assert unsourced_facts(family, [source]) == unsourced


def test_a_source_says_what_it_is_of() -> None:
    source = FamilySource(family_id="one", facts="nand;dram", found="tlc")
    assert str(source) == "one nand;dram: tlc"
