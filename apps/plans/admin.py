"""Lets staff write down what a provider answers; all else of it is the catalogue's."""

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
    """Providers by name; those that answered can be listed alone."""

    list_display = ("name", "note_on", "note_by")
    list_filter = (("note_on", admin.EmptyFieldListFilter),)
    search_fields = ("name", "slug")
    fields = ("slug", "name", "url", *FIELDS)
    readonly_fields = ("slug", "name", "url")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Providers come with the catalogue."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Provider | None = None) -> bool:
        """Providers go with the catalogue too."""
        return False
