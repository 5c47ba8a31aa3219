"""Stub."""

from django.http import HttpRequest, HttpResponse


def search(request: HttpRequest) -> HttpResponse:
    """Stub."""
    return HttpResponse("")
