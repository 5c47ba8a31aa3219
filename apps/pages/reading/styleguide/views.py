"""The styleguide: what the pages are made of, from the real tokens and the real parts."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.reading.styleguide import context as guide


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Every token and every part, with what to do and what not."""
    return render(request, "pages/styleguide/styleguide.html", guide.context())
