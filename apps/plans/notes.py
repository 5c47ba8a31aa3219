"""Notes of providers: one that staff entered stays until the catalogue has a newer one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.plans.models import Provider

if TYPE_CHECKING:
    from collections.abc import Iterable

FIELDS: Final = ("note", "note_by", "note_on")


def with_stored_notes(shipped: Iterable[Provider]) -> list[Provider]:
    """Return the providers of the catalogue, each with the newer of its note and the stored note.

    If both have the same date, that of the catalogue is taken. Rows are not saved. One query.
    """
    stored = {row.pk: row for row in Provider.objects.exclude(note="")}
    providers = list(shipped)
    for provider in providers:
        old = stored.get(provider.pk)
        if old is None or old.note_on is None:
            continue
        if provider.note_on is None or old.note_on > provider.note_on:
            for name in FIELDS:
                setattr(provider, name, getattr(old, name))
    return providers
