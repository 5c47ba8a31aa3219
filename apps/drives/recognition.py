"""Names the drive family behind a reported vendor and model.

The strings come from strangers' machines, so all patterns run as one RE2 set: one pass, in time
linear in the length of the string, whatever the string is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import re2
from django.contrib.postgres.aggregates import StringAgg
from django.db.models import TextField, Value
from django.db.models.functions import MD5, Concat

from apps.drives.models import DriveFamily

TEXT_CHARACTERS_MAX: Final = 160  # a vendor and a model of 64 characters each, and then some
_NO_VENDOR: Final = frozenset({"", "ATA", "NVME"})  # what buses put where no vendor is known
# Who makes virtual disks: whatever such a disk calls itself, it is not one physical model.
_VIRTUAL_VENDORS: Final = frozenset(
    {
        "ALIBABA", "AMAZON", "DO", "GOOGLE", "HC", "IET", "LINODE", "LIO-ORG", "MSFT", "NUTANIX",
        "ORACLE", "QEMU", "SCW", "VBOX", "VIRTIO", "VMWARE", "VMWARE,", "XEN",
    }
)  # fmt: skip
_VIRTUAL_STARTS: Final = ("QEMU", "VBOX", "VMWARE", "VIRTUAL", "VIRTIO", "MSFT", "XEN")


class AmbiguousPatternError(ValueError):
    """Two families claim one string, or a pattern does not compile: the catalogue is wrong."""


class Recogniser:
    """The patterns of all families, compiled together."""

    def __init__(self, families: tuple[tuple[str, str, str], ...]) -> None:
        """Take (slug, kind, pattern) triples; raise where a pattern does not compile."""
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
        """Return (slug, kind) of every family whose pattern is found in the text."""
        text = text[:TEXT_CHARACTERS_MAX].strip()
        if not text or not self._families:
            return []
        return [self._families[index][:2] for index in self._set.Match(text) or ()]

    def recognise(self, *, vendor: str, model: str) -> str | None:
        """Return the slug of the one family that fits, or None where none or several do.

        The vendor decides where clouds share a model ("Volume"). A vendor that a pattern does not
        know, such as a server maker's, is left out in a second look, for physical drives alone.
        """
        vendor, model = vendor.strip(), model.strip()
        has_vendor = vendor.upper() not in _NO_VENDOR
        found = self.matches(f"{vendor} {model}" if has_vendor else model)
        if not found and has_vendor:
            found = [family for family in self.matches(model) if family[1] != "virtual"]
        if _is_virtual(vendor=vendor, model=model):
            found = [family for family in found if family[1] == "virtual"]
        return found[0][0] if len(found) == 1 else None


def recognise(*, vendor: str, model: str) -> str | None:
    """Return the slug of the drive family that reported itself so, or None."""
    return current_recogniser().recognise(vendor=vendor, model=model)


def current_recogniser() -> Recogniser:
    """Return the compiled patterns of the families in the database as they stand now.

    PostgreSQL tells by a digest whether they changed (under a millisecond), so that a worker that
    runs for months follows the catalogue and compiles it once.
    """
    row = Concat("slug", Value("\t"), "kind", Value("\t"), "match", output_field=TextField())
    rows = StringAgg(row, delimiter="\n", order_by="slug")
    digest = DriveFamily.objects.aggregate(digest=MD5(rows))["digest"]
    return _compiled(digest or "")


@lru_cache(maxsize=1)  # the one catalogue of this process; another digest takes its place
def _compiled(_digest: str) -> Recogniser:
    rows = DriveFamily.objects.exclude(match="").order_by("slug")
    return Recogniser(tuple(rows.values_list("slug", "kind", "match")))


def _is_virtual(*, vendor: str, model: str) -> bool:
    return vendor.upper() in _VIRTUAL_VENDORS or model.upper().startswith(_VIRTUAL_STARTS)
