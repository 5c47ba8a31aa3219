"""Stub."""

from django.http import HttpRequest, HttpResponse


def coverage(request: HttpRequest) -> HttpResponse:
    """Stub."""
    return HttpResponse("")
