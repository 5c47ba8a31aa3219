"""Numbers that lie: one page, an anchor for each, with pictures from what was really measured."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.guides.lies.all import LIES
from apps.pages.guides.recordings import recordings
from apps.runs.rules import RULES


@require_safe
def lies(request: HttpRequest) -> HttpResponse:
    """Every lie with its picture. No query: the figures lie beside the code."""
    lies_with_pictures = [(lie, lie.picture, [RULES[rule] for rule in lie.rules]) for lie in LIES]
    return render(
        request, "pages/guides/lies.html", {"lies": lies_with_pictures, "recorded": recordings()}
    )
