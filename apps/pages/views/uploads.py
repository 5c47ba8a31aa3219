"""Where is my run: the state of an upload, or of the newest uploads of a key."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def uploads(request: HttpRequest) -> HttpResponse:
    """Stub."""
    return render(request, "pages/uploads.html", {})
