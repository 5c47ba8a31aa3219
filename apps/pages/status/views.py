"""The state of the site: what waits, what came in last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.frame.htmx import no_store
from apps.pages.status.selectors import site_status

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

REPLICA: Final = "fsyncmark.replica"  # in a request's environ: whether it is away, and its lag in s


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Show how the site is doing at this moment: no cache keeps it."""
    is_away, lag_s = request.META.get(REPLICA, (None, None))
    context = {"status": site_status(), "replica_is_away": is_away, "replica_lag_s": lag_s}
    return no_store(render(request, "pages/status/status.html", context))
