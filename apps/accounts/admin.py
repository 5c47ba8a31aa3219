"""Lets staff look at agent keys; nothing is edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from apps.accounts.models import AgentKey

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest

    AnyModelAdmin = admin.ModelAdmin[Model]
else:
    AnyModelAdmin = admin.ModelAdmin  # generic to the type checker alone


class ReadOnlyAdmin(AnyModelAdmin):
    """Shows rows that nobody may write by hand: agents signed and sent them."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False


@admin.register(AgentKey)
class AgentKeyAdmin(ReadOnlyAdmin):
    """Keys by the time at which they were first seen."""

    list_display = ("__str__", "state", "first_seen")
    list_filter = ("state",)
    search_fields = ("keyid__startswith",)
    exclude = ("public_key", "lab_setup_url")
