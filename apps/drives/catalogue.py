"""Reads the drive catalogue that ships with the product: families, sources, the fsync ladder."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from apps.drives.expected_class import expected_class
from apps.drives.models import DriveFamily, FamilySource, LadderClass
from apps.wire.judgement import judgement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DATA: Final = Path(__file__).parent / "data"
FAMILIES_FILE: Final = DATA / "drives.csv"
SOURCES_FILE: Final = DATA / "drive_sources.csv"
CITED: Final = "cited"  # the source of a row whose facts have theirs in drive_sources.csv
# What a data sheet states, by the names of the file; a row may have them from nowhere else.
STATED_FACTS: Final = {
    "interface": "interface",
    "protocol_gen": "protocol_generation",
    "form_factor": "form_factor",
    "nand": "nand",
    "dram": "dram",
    "plp": "plp",
    "released": "released",
    "capacities_gb": "capacities_gb",
    "rated_seq_read_mbps": "rated_seq_read_mbps",
    "rated_seq_write_mbps": "rated_seq_write_mbps",
    "rated_rand_read_iops": "rated_rand_read_iops",
    "rated_rand_write_iops": "rated_rand_write_iops",
    "endurance_dwpd": "endurance_dwpd",
}
_NOT_SLUG: Final = re.compile(r"[^a-z0-9]+")


def slug_of(name: str) -> str:
    """Return the address form of a name: lower case, runs of anything else become one dash."""
    return _NOT_SLUG.sub("-", name.lower()).strip("-")


def read_ladder() -> list[LadderClass]:
    """Return the classes of the ladder by their lower end, then by their upper end: they overlap.

    The rows are not saved. The claimed range is set only where another one was measured. A class
    has no floor where its range is that of processor instructions without a system call.
    """
    floors_ns = {floor.id: floor.floor_ns for floor in judgement().floors}
    rows = []
    for position, rung in enumerate(judgement().classes):
        typical, floor_ns = rung.typical, floors_ns[rung.slug]
        apart = rung.claimed if rung.measured else None
        rows.append(
            LadderClass(
                slug=rung.slug,
                name=rung.name,
                position=position,
                low_ns=typical.low_ns,
                high_ns=typical.high_ns,
                is_claim=rung.measured is None,
                claimed_low_ns=apart.low_ns if apart else None,
                claimed_high_ns=apart.high_ns if apart else None,
                floor_ns=floor_ns if floor_ns <= typical.low_ns else None,
                syncs_per_s_typical=rung.syncs_per_s_typical,
                source_title=rung.source_title,
                note=rung.reason,
            )
        )
    return rows


def read_families() -> list[DriveFamily]:
    """Return the families of drives.csv, each with its ladder class. The rows are not saved."""
    with FAMILIES_FILE.open(newline="", encoding="utf-8") as file:
        families = [_family(row) for row in csv.DictReader(file, strict=True)]
    sources = read_sources()
    for family in families:
        if family.source == CITED:
            own = [each for each in sources if each.family_id == family.slug]
            family.source = _cited(family, own)
    return families


def read_sources() -> list[FamilySource]:
    """Return the rows of drive_sources.csv in their order. The rows are not saved."""
    with SOURCES_FILE.open(newline="", encoding="utf-8") as file:
        return [
            FamilySource(
                family_id=slug_of(row["family"]),
                facts=row["field"],
                found=row["found"],
                agrees=row["agrees"],
                url=row["url"],
                locator=row["locator"],
                confidence=row["confidence"],
            )
            for row in csv.DictReader(file, strict=True)
        ]


def unsourced_facts(family: DriveFamily, sources: Iterable[FamilySource]) -> list[str]:
    """Return the facts of a family that it states and none of the sources confirms, by column.

    A source that says more does not confirm, and one that says otherwise does not either. Who
    states the generation of an interface states the interface.
    """
    confirmed = {
        fact
        for source in sources
        if source.agrees == FamilySource.Agreement.YES
        for fact in source.fact_names
    }
    if "protocol_gen" in confirmed:
        confirmed.add("interface")
    return [
        fact
        for fact, column in STATED_FACTS.items()
        if fact not in confirmed and getattr(family, column) not in {"", "unknown", None}
    ]


def _cited(family: DriveFamily, sources: Sequence[FamilySource]) -> str:
    """Return the source of a family in English: its documents, and what none of them states."""
    hosts = dict.fromkeys(urlsplit(source.url).netloc for source in sources)
    unsourced = unsourced_facts(family, sources)
    rest = f"; general knowledge: {', '.join(unsourced)}" if unsourced else ""
    return f"{CITED}: {', '.join(hosts)}{rest}"


def _family(row: dict[str, str]) -> DriveFamily:
    dwpd = row["endurance_dwpd"]
    family = DriveFamily(
        slug=slug_of(row["family"]),
        name=row["family"],
        vendor=row["vendor"],
        kind=row["kind"],
        segment=row["segment"],
        interface=row["interface"],
        protocol_generation=row["protocol_gen"],
        form_factor=row["form_factor"],
        nand=row["nand"],
        dram=row["dram"],
        plp=row["plp"],
        released=row["released"],
        match=row["match"],
        capacities_gb=row["capacities_gb"],
        rated_seq_read_mbps=_whole(row["rated_seq_read_mbps"]),
        rated_seq_write_mbps=_whole(row["rated_seq_write_mbps"]),
        rated_rand_read_iops=_whole(row["rated_rand_read_iops"]),
        rated_rand_write_iops=_whole(row["rated_rand_write_iops"]),
        endurance_dwpd=Decimal(dwpd).quantize(Decimal("0.01")) if dwpd else None,
        source=row["source"],
    )
    family.ladder_class_id = expected_class(family)
    return family


def _whole(text: str) -> int | None:
    return int(text) if text else None
