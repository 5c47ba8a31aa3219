"""Lets staff look at agent keys; nothing is edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from apps.accounts.models import AgentKey

if TYPE_CHECKING:
    from django.http import HttpRequest

    ModelAdmin = admin.ModelAdmin[AgentKey]
else:
    ModelAdmin = admin.ModelAdmin  # generic to the type checker alone


@admin.register(AgentKey)
class AgentKeyAdmin(ModelAdmin):
    """Keys by the time at which they were first seen."""

    list_display = ("__str__", "state", "first_seen")
    list_filter = ("state",)
    search_fields = ("keyid__startswith",)
    readonly_fields = ("keyid", "state", "first_seen")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Keys enrol themselves."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: AgentKey | None = None) -> bool:
        """Nothing about a key is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: AgentKey | None = None) -> bool:
        """Envelopes stay verifiable only as long as their keys stay."""
        return False
