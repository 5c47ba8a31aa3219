"""Floors: the shortest possible durable commit and read of each class of storage.

The figures are in apps/wire/judgement.v1.json. Each floor is reasoned from physics and has beside
it the quickest durable commit of one writer that was published for the class. A test computes the
published ones again.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from apps.drives.expected_class import CLOUD_SSD, possible_classes
from apps.wire.judgement import Floor, judgement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.drives.models import DriveFamily, LadderClass

ANY: Final = "any"  # of a device whose class is not known
CLOUD_LOCAL: Final = "cloud-local"  # of cloud disks without a network in between


@cache
def floors() -> dict[str, Floor]:
    """Return every floor by its id, in the order of the file."""
    return {floor.id: floor for floor in judgement().floors}


def floor_of(expected: LadderClass | None, families: Sequence[DriveFamily | None]) -> Floor:
    """Return the floor of a class of drives, or that of any device without a class.

    Drives whose protection nobody states have that of protected ones on their interface. The floor
    of a class in the database overrides the file, as the loaded catalogue decides.
    """
    if expected is None:
        return floors()[_quickest_class(families) or ANY]
    if expected.slug == CLOUD_SSD and is_local(families):
        return floors()[CLOUD_LOCAL]
    floor = floors().get(expected.slug)
    if floor is None:
        floor = replace(floors()[ANY], name=expected.name)
    return floor if expected.floor_ns is None else replace(floor, floor_ns=expected.floor_ns)


def _quickest_class(families: Iterable[DriveFamily | None]) -> str | None:
    """Return the quickest class that all drives may be of; None where one is not known."""
    quickest = {next(iter(possible_classes(each)), None) if each else None for each in families}
    return quickest.pop() if len(quickest) == 1 else None


def is_local(families: Iterable[DriveFamily | None]) -> bool:
    """Whether one of these virtual disks may be local, without a network in between."""
    return any(family is not None and "local" in family.form_factor for family in families)


__all__ = ["ANY", "CLOUD_LOCAL", "Floor", "floor_of", "floors", "is_local"]
