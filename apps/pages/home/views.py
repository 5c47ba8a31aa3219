"""The first page: what this is and why to care, in one screen; after a run, where it stands."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.home.selectors import read_home

SLUG_MAX = 80  # characters of a run's address


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, in one screen; `run` puts one run on the ladder."""
    slug = request.GET.get("run", "").replace("\0", "")[:SLUG_MAX]
    return render(request, "pages/home/home.html", {"home": read_home(slug), "asked_run": slug})
