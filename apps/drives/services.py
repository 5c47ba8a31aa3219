"""Stores the names that drives report, and the patterns by which staff give them families."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from apps.drives.models import DriveName, DrivePattern
from apps.drives.overlaps import Patterns
from apps.drives.patterns import PatternError
from apps.drives.recognition import (
    AmbiguousPatternError,
    Recogniser,
    current_recogniser,
    patterns_of,
    refuse_ambiguous,
    stored_patterns,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apps.drives.models import DriveFamily

NO_NAME: Final = "\x7f"  # a name that no drive has: a pattern that matches it matches all
KEY_CHARACTERS: Final = 16  # of a SHA-256: 64 bits tell a million names apart
VendorModel = tuple[str, str]  # vendor and model


def key_of(*, vendor: str, model: str) -> str:
    """Return the key of a name for its address."""
    return hashlib.sha256(f"{vendor}\t{model}".encode()).hexdigest()[:KEY_CHARACTERS]


def names_for(named: Mapping[VendorModel, DriveFamily | None]) -> dict[VendorModel, DriveName]:
    """Return the row of each vendor and model, created if needed; empty names have none.

    `named` has the family that each name means now. Rows are written in one order, so that two
    workers cannot wait for each other.
    """
    names_by_key = {key_of(vendor=each[0], model=each[1]): each for each in named if any(each)}
    rows = (
        {row.key: row for row in DriveName.objects.filter(key__in=names_by_key)}
        if names_by_key
        else {}
    )
    missing = sorted(names_by_key.keys() - rows.keys())
    if missing:
        DriveName.objects.bulk_create(
            (
                DriveName(key=key, vendor=vendor, model=model, family=named[vendor, model])
                for key in missing
                for vendor, model in [names_by_key[key]]
            ),
            ignore_conflicts=True,
        )
        rows |= {row.key: row for row in DriveName.objects.filter(key__in=missing)}
    for key in sorted(rows):
        family = named[names_by_key[key]]
        _set_family(rows[key], family.pk if family else None)
    return {names_by_key[key]: row for key, row in rows.items()}


def recognise_names_again() -> list[DriveName]:
    """Recognise every name with the current patterns; return those with another family now."""
    recogniser = current_recogniser()
    return [
        row
        for row in DriveName.objects.order_by("key")
        if _set_family(row, recogniser.recognise(vendor=row.vendor, model=row.model))
    ]


def refuse_pattern(pattern: str, *, family: DriveFamily, name: DriveName | None) -> None:
    """Raise AmbiguousPatternError or PatternError for an unacceptable pattern of staff.

    It must be readable, match the name that it was written for, and claim no name of another
    family.
    """
    added = (family.slug, family.kind, pattern)
    if Recogniser((added,)).matches(NO_NAME):
        raise PatternError("The pattern claims every name: begin it with what the maker writes.")
    if (
        name is not None
        and Recogniser((added,)).recognise(vendor=name.vendor, model=name.model) != family.pk
    ):
        raise PatternError(
            f"The pattern does not name {name}, for which it is: a virtual disk is named by a "
            "virtual family alone, and the pattern must match the name from its beginning."
        )
    others = [each for each in stored_patterns() if each[0] != family.slug]
    together = Patterns([(each[0], each[2]) for each in (added, *others)])
    if overlaps := together.overlaps(family=family.slug):
        raise AmbiguousPatternError(
            "Two families would claim one name; narrow the pattern: "
            + "; ".join(map(str, overlaps))
        )


def check_catalogue(families: Sequence[DriveFamily]) -> None:
    """Raise AmbiguousPatternError or PatternError where the patterns of a catalogue overlap."""
    refuse_ambiguous(patterns_of(families))


def let_patterns_give_way(families: Sequence[DriveFamily]) -> int:
    """Switch off the patterns of staff that a shipped catalogue now claims for another family.

    Patterns without such an overlap are switched on again. Returns how many are off.
    """
    shipped = [(slug, pattern) for slug, _, pattern in patterns_of(families)]
    n_off = 0
    for row in DrivePattern.objects.order_by("pk"):
        others = [each for each in shipped if each[0] != row.family_id]
        overlaps = Patterns([(row.family_id, row.pattern), *others]).overlaps(family=row.family_id)
        reason = "; ".join(map(str, overlaps))
        n_off += bool(reason)
        if reason != row.gave_way:
            DrivePattern.objects.filter(pk=row.pk).update(gave_way=reason)
    return n_off


def _set_family(row: DriveName, slug: str | None) -> bool:
    """Set the family of a name; return whether it was another before."""
    if slug == row.family_id:
        return False
    row.family_id = slug
    row.save(update_fields=("family",))
    return True


__all__ = [
    "AmbiguousPatternError",
    "PatternError",
    "check_catalogue",
    "key_of",
    "let_patterns_give_way",
    "names_for",
    "recognise_names_again",
    "refuse_pattern",
]
