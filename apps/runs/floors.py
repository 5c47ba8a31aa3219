"""Floors: how quick a durable commit and a read of each class of storage can be, and why.

The figures stand in apps/wire/judgement.v1.json: floors reasoned from physics, each beside the
quickest durable commit of one writer that anybody published for the class. A test works the
published ones out again.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from apps.drives.ladder import CLOUD_SSD
from apps.wire.judgement import Floor, judgement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.drives.models import DriveFamily, LadderClass

ANY: Final = "any"  # a device that nobody knows
CLOUD_LOCAL: Final = "cloud-local"  # of the class of cloud disks, those with no network in between


@cache
def floors() -> dict[str, Floor]:
    """Return every floor by its id, in the order of the file."""
    return {floor.id: floor for floor in judgement().floors}


def floor_of(expected: LadderClass | None, families: Sequence[DriveFamily | None]) -> Floor:
    """Return the floor of a class of drives; without a class that of any device.

    The ladder in the database has the last word on a class: it is what the catalogue brought when
    it was loaded last.
    """
    if expected is None:
        return floors()[ANY]
    if expected.slug == CLOUD_SSD and is_local(families):
        return floors()[CLOUD_LOCAL]
    known = floors().get(expected.slug)
    if known is None:
        known = replace(floors()[ANY], name=expected.name)
    return known if expected.floor_ns is None else replace(known, floor_ns=expected.floor_ns)


def is_local(families: Iterable[DriveFamily | None]) -> bool:
    """Whether some of these virtual disks may be local: then no network can be counted on."""
    return any(family is not None and "local" in family.form_factor for family in families)


__all__ = ["ANY", "CLOUD_LOCAL", "Floor", "floor_of", "floors", "is_local"]
