"""The state of the site: what waits, what came in last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.frame.htmx import no_store
from apps.pages.status.selectors import site_status

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Show how the site is doing at this moment: no cache keeps it."""
    return no_store(render(request, "pages/status/status.html", {"status": site_status()}))
