"""The way to a badge: name a plan, a drive or a run, see the badge, copy it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.embed import selectors
from apps.pages.embed.words import subject_of


@require_safe
def embed(request: HttpRequest) -> HttpResponse:
    """A badge that was asked for by `of`, those that `q` finds, or an example."""
    text = request.GET.get("q", "").replace("\0", "")[: selectors.TEXT_MAX].strip()
    asked = request.GET.get("of", "")
    thing = subject_of(selectors.read_of(asked))
    found = [subject_of(match) for match in selectors.search(text)]
    if thing is None and not asked and len(found) == 1:
        thing = found[0]
    context = {
        "q": text,
        "asked": asked,
        "thing": thing,
        "found": found,
        "example": None if thing or text else subject_of(selectors.example()),
    }
    return render(request, "pages/embed/embed.html", context)
