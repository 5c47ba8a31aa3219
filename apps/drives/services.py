"""Keeps what drives call themselves, and the patterns by which staff name them."""

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

NO_NAME: Final = "\x7f"  # what no drive calls itself: a pattern that takes it takes all
KEY_CHARACTERS: Final = 16  # of a SHA-256: 64 bits tell a million names apart
VendorModel = tuple[str, str]  # vendor and model


def key_of(*, vendor: str, model: str) -> str:
    """Return what stands for a name in an address."""
    return hashlib.sha256(f"{vendor}\t{model}".encode()).hexdigest()[:KEY_CHARACTERS]


def names_for(named: Mapping[VendorModel, DriveFamily | None]) -> dict[VendorModel, DriveName]:
    """Return the row of each vendor and model, made where there is none; nameless ones have none.

    Takes the families that the names mean now. Rows are written in one order, so that two workers
    cannot wait for each other.
    """
    wanted = {key_of(vendor=each[0], model=each[1]): each for each in named if any(each)}
    found = {row.key: row for row in DriveName.objects.filter(key__in=wanted)} if wanted else {}
    missing = sorted(wanted.keys() - found.keys())
    if missing:
        DriveName.objects.bulk_create(
            (
                DriveName(key=key, vendor=vendor, model=model, family=named[vendor, model])
                for key in missing
                for vendor, model in [wanted[key]]
            ),
            ignore_conflicts=True,
        )
        found |= {row.key: row for row in DriveName.objects.filter(key__in=missing)}
    for key in sorted(found):
        family = named[wanted[key]]
        _set_family(found[key], family.pk if family else None)
    return {wanted[key]: row for key, row in found.items()}


def recognise_names_again() -> list[DriveName]:
    """Look at every name with the patterns as they stand now; return those that mean another."""
    recogniser = current_recogniser()
    return [
        row
        for row in DriveName.objects.order_by("key")
        if _set_family(row, recogniser.recognise(vendor=row.vendor, model=row.model))
    ]


def refuse_pattern(pattern: str, *, family: DriveFamily, name: DriveName | None) -> None:
    """Raise AmbiguousPatternError or PatternError where a pattern of staff may not be taken.

    It must read as a pattern, name what it was written for, and claim no name of another family.
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
    if found := together.overlaps(of=family.slug):
        raise AmbiguousPatternError(
            "Two families would claim one name; narrow the pattern: " + "; ".join(map(str, found))
        )


def check_catalogue(families: Sequence[DriveFamily]) -> None:
    """Raise AmbiguousPatternError or PatternError where the patterns of a catalogue overlap."""
    refuse_ambiguous(patterns_of(families))


def let_patterns_give_way(families: Sequence[DriveFamily]) -> int:
    """Switch off the patterns of staff that a shipped catalogue now claims for another family.

    Those that fit again are switched on. Returns how many are off.
    """
    shipped = [(slug, pattern) for slug, _, pattern in patterns_of(families)]
    n_off = 0
    for row in DrivePattern.objects.order_by("pk"):
        others = [each for each in shipped if each[0] != row.family_id]
        overlaps = Patterns([(row.family_id, row.pattern), *others]).overlaps(of=row.family_id)
        reason = "; ".join(map(str, overlaps))
        n_off += bool(reason)
        if reason != row.gave_way:
            DrivePattern.objects.filter(pk=row.pk).update(gave_way=reason)
    return n_off


def _set_family(row: DriveName, slug: str | None) -> bool:
    """Bring the family of a name to what the catalogue says; tell whether it was another."""
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
