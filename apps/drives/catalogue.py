"""Reads the drive catalogue that ships with the product: families and the fsync ladder."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from pathlib import Path
from typing import Final

from apps.drives.expected_class import expected_class
from apps.drives.models import DriveFamily, LadderClass
from apps.wire.judgement import judgement

DATA: Final = Path(__file__).parent / "data"
FAMILIES_FILE: Final = DATA / "drives.csv"
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
        return [_family(row) for row in csv.DictReader(file, strict=True)]


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
