"""Recognises the drive family of a reported vendor and model.

The strings come from strangers, so all patterns run as one RE2 set, in time linear in the length of
the string.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import re2
from django.db import connection

from apps.drives.models import DriveFamily, DrivePattern
from apps.drives.overlaps import Overlap, Patterns
from apps.memory import remembered

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXT_CHARACTERS_MAX: Final = 160  # a vendor and a model of 64 characters each, and then some
_NO_VENDOR: Final = frozenset({"", "ATA", "NVME"})  # what buses report without a vendor
# Vendors of virtual disks, whose model never names a physical drive.
_VIRTUAL_VENDORS: Final = frozenset(
    {
        "ALIBABA", "AMAZON", "DO", "GOOGLE", "HC", "IET", "LINODE", "LIO-ORG", "MSFT", "NUTANIX",
        "ORACLE", "QEMU", "SCW", "VBOX", "VIRTIO", "VMWARE", "VMWARE,", "XEN",
    }
)  # fmt: skip
_VIRTUAL_STARTS: Final = ("QEMU", "VBOX", "VMWARE", "VIRTUAL", "VIRTIO", "MSFT", "XEN")
# Asked for every run: put together by Django it took four times as long, most of that in Python.
_DIGEST: Final = r"""
    SELECT md5(concat(
        (SELECT string_agg(concat_ws(E'\t', slug, kind, match), E'\n' ORDER BY slug)
            FROM drives_drivefamily WHERE match <> ''),
        E'\n\n',
        (SELECT string_agg(concat_ws(E'\t', family_id, pattern), E'\n' ORDER BY family_id, pattern)
            FROM drives_drivepattern WHERE gave_way = '')
    ))
"""
FamilyPattern = tuple[str, str, str]  # slug, kind, pattern


class AmbiguousPatternError(ValueError):
    """Two families claim one string, or a pattern does not compile: the catalogue is wrong."""


class Recogniser:
    """The patterns of all families, compiled together."""

    def __init__(self, families: tuple[FamilyPattern, ...]) -> None:
        """Take (slug, kind, pattern) triples; raise where a pattern does not compile.

        A family may have several patterns.
        """
        options = re2.Options()
        options.case_sensitive = False
        options.log_errors = False
        self._families = families
        self._set = re2.Set.SearchSet(options)
        for slug, _, pattern in families:
            try:
                self._set.Add(pattern)
            except re2.error as error:
                raise AmbiguousPatternError(f"pattern of {slug}: {error}") from error
        if families:
            self._set.Compile()

    def matches(self, text: str) -> list[tuple[str, str]]:
        """Return (slug, kind) of every family with a pattern that matches in the text."""
        text = text[:TEXT_CHARACTERS_MAX].strip()
        if not text or not self._families:
            return []
        matching = (self._families[index][:2] for index in self._set.Match(text) or ())
        return list(dict.fromkeys(matching))

    def recognise(self, *, vendor: str, model: str) -> str | None:
        """Return the slug of the one family that fits, or None where none or several do.

        The vendor decides between clouds that share a model ("Volume"). If nothing matches with the
        vendor, which may be that of a server maker, the model alone is tried, for physical drives.
        """
        vendor, model = vendor.strip(), model.strip()
        has_vendor = vendor.upper() not in _NO_VENDOR
        matching = [] if has_vendor else self.matches(model)
        # With ATA too, since some names that were cut are certain on SATA only.
        if not matching and vendor:
            matching = self.matches(f"{vendor} {model}")
        if not matching and has_vendor:
            matching = [family for family in self.matches(model) if family[1] != "virtual"]
        if _is_virtual(vendor=vendor, model=model):
            matching = [family for family in matching if family[1] == "virtual"]
        return matching[0][0] if len(matching) == 1 else None


def refuse_ambiguous(families: Iterable[FamilyPattern]) -> None:
    """Raise AmbiguousPatternError where any name that may exist is claimed by two families.

    The error lists such names. Patterns that do not compile, or that use more than
    `apps.drives.patterns` knows, are refused too (PatternError).
    """
    families = tuple(families)
    Recogniser(families)
    if overlaps := _overlaps(families):
        raise AmbiguousPatternError(
            "Patterns of drive families overlap; narrow one of each pair in drives.csv: "
            + "; ".join(map(str, overlaps))
        )


def patterns_of(families: Iterable[DriveFamily]) -> list[FamilyPattern]:
    """Return the (slug, kind, pattern) triples of the families that have a pattern."""
    return [(row.slug, row.kind, row.match) for row in families if row.match]


def recognise(*, vendor: str, model: str) -> str | None:
    """Return the slug of the drive family that reported itself so, or None."""
    return current_recogniser().recognise(vendor=vendor, model=model)


@remembered
def current_recogniser() -> Recogniser:
    """Return the compiled patterns of the database, those that ship and those of staff.

    A digest by PostgreSQL, which takes a millisecond, shows whether they changed. So a worker that
    runs for months follows the catalogue, and compiles it once.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DIGEST)
        (digest,) = cursor.fetchone()
    return _compiled(digest)


def stored_patterns() -> list[FamilyPattern]:
    """Return the triples of all families in the database, then those of the patterns of staff."""
    shipped = DriveFamily.objects.exclude(match="").order_by("slug")
    patterns = DrivePattern.objects.current().order_by("family_id", "pattern")
    return [
        *shipped.values_list("slug", "kind", "match"),
        *patterns.values_list("family_id", "family__kind", "pattern"),
    ]


@lru_cache(maxsize=1)  # takes a second; the shipped patterns are always the same
def _overlaps(families: tuple[FamilyPattern, ...]) -> list[Overlap]:
    return Patterns((slug, pattern) for slug, _, pattern in families).overlaps()


@lru_cache(maxsize=1)  # a process needs only the current catalogue
def _compiled(_digest: str) -> Recogniser:
    return Recogniser(tuple(stored_patterns()))


def _is_virtual(*, vendor: str, model: str) -> bool:
    return vendor.upper() in _VIRTUAL_VENDORS or model.upper().startswith(_VIRTUAL_STARTS)
