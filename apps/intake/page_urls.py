"""Addresses of the pages that take uploads, in every language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import URLPattern, path

from apps.intake import import_views

if TYPE_CHECKING:
    from apps.intake.import_views import StandOf


def import_urls(stand_of: StandOf) -> tuple[list[URLPattern], str]:
    """Return the addresses and their namespace, for `include`.

    `stand_of` says where an output stands: the pages know that, and the door does not know them.
    """
    return [
        path("import/", import_views.import_page, {"stand_of": stand_of}, name="import"),
        path("import/names/", import_views.catalogue_names, name="names"),
    ], "uploads"
