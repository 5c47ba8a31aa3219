"""Lets staff look at drive families and add what the shipped catalogue does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from apps.drives.catalogue import slug_of
from apps.drives.expected_class import expected_class
from apps.drives.models import DriveFamily

if TYPE_CHECKING:
    from django.forms import ModelForm
    from django.http import HttpRequest

    FamilyModelAdmin = admin.ModelAdmin[DriveFamily]
else:
    FamilyModelAdmin = admin.ModelAdmin  # generic to the type checker alone


@admin.register(DriveFamily)
class DriveFamilyAdmin(FamilyModelAdmin):
    """Drive families. Shipped ones are read-only, as the next load would undo a change."""

    list_display = ("name", "kind", "interface", "plp", "is_shipped")
    list_filter = ("is_shipped", "kind", "interface")
    search_fields = ("name", "slug", "vendor")
    # Patterns of staff have rows of their own, and the class follows from the facts.
    exclude = ("slug", "match", "ladder_class", "is_shipped")

    def has_change_permission(self, request: HttpRequest, obj: DriveFamily | None = None) -> bool:
        """Allow changes of families that staff added."""
        return (obj is None or not obj.is_shipped) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: DriveFamily | None = None) -> bool:
        """Allow deleting a family that staff added; the database keeps one that is in use."""
        is_own = obj is not None and not obj.is_shipped
        return is_own and super().has_delete_permission(request, obj)

    def save_model(
        self, _request: HttpRequest, obj: DriveFamily, _form: ModelForm[DriveFamily], change: Any
    ) -> None:
        """Set the slug of a new family, and the ladder class by its facts."""
        if not change:
            obj.slug, obj.is_shipped = slug_of(obj.name), False
        obj.ladder_class_id = expected_class(obj)
        obj.save()
