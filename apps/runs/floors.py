"""Floors: how quick a durable commit and a read of each class of storage can be, and why.

data/floors.json holds the figures: floors reasoned from physics, each beside the quickest durable
commit of one writer that anybody published for the class. A test works the published ones out
again and holds the floors of the ladder to the same file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apps.drives.ladder import CLOUD_SSD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.drives.models import DriveFamily
    from apps.runs.members import Members

FLOORS_FILE: Final = Path(__file__).parent / "data" / "floors.json"
ANY: Final = "any"  # a device that nobody knows
CLOUD_LOCAL: Final = "cloud-local"  # of the class of cloud disks, those with no network in between


@dataclass(frozen=True, slots=True)
class Floor:
    """The quickest that a class can be. Latencies in nanoseconds."""

    id: str  # of a class of the ladder, CLOUD_LOCAL or ANY
    name: str
    floor_ns: int  # of the median commit
    reason: str
    lowest_published_ns: int | None  # 1 / rate: no source prints the median of a whole commit
    lowest_published_run: str | None  # its slug
    read_floor_ns: int | None  # of the median read of 4 KiB; None: reads go through no device


@cache
def floors() -> dict[str, Floor]:
    """Return every floor by its id, in the order of the ladder; read once in a process."""
    rows = json.loads(FLOORS_FILE.read_text(encoding="utf-8"))
    return {row["id"]: Floor(**row) for row in rows}


def floor_of(members: Members) -> Floor:
    """Return the floor of what a run was measured on; of members that differ, that of any device.

    The ladder in the database has the last word on a class: it is what the catalogue brought when
    it was loaded last.
    """
    expected = members.expected
    if expected is None:
        return floors()[ANY]
    if expected.slug == CLOUD_SSD and is_local(members.families):
        return floors()[CLOUD_LOCAL]
    known = floors().get(expected.slug)
    if known is None:
        known = replace(floors()[ANY], name=expected.name)
    return known if expected.floor_ns is None else replace(known, floor_ns=expected.floor_ns)


def is_local(families: Iterable[DriveFamily | None]) -> bool:
    """Whether some of these virtual disks may be local: then no network can be counted on."""
    return any(family is not None and "local" in family.form_factor for family in families)
