"""Lets staff enter the note of a provider; everything else of it comes from the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from apps.plans.models import Provider
from apps.plans.notes import FIELDS

if TYPE_CHECKING:
    from django.http import HttpRequest

    ProviderModelAdmin = admin.ModelAdmin[Provider]
else:
    ProviderModelAdmin = admin.ModelAdmin  # generic to the type checker alone


@admin.register(Provider)
class ProviderAdmin(ProviderModelAdmin):
    """Providers by name, with a filter for those that have a note."""

    list_display = ("name", "note_on", "note_by")
    list_filter = (("note_on", admin.EmptyFieldListFilter),)
    search_fields = ("name", "slug")
    fields = ("slug", "name", "url", *FIELDS)
    readonly_fields = ("slug", "name", "url")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """The catalogue adds providers."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Provider | None = None) -> bool:
        """The catalogue removes providers."""
        return False
