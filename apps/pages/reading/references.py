"""What others point at by address: the wire schema, the kinds of refusals, the icon."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from apps.wire.problems import PROBLEMS
from apps.wire.schema import SCHEMA_PATH


@require_safe
def schema_run_v1(_request: HttpRequest) -> HttpResponse:
    """The schema that every upload must fit, at its own address."""
    return HttpResponse(
        SCHEMA_PATH.read_bytes(),
        content_type="application/schema+json",
        headers={"Access-Control-Allow-Origin": "*"},
    )


@require_safe
def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """What a refusal of the API means: its `type` is the address of this page."""
    if slug not in PROBLEMS:
        raise Http404
    return render(request, "pages/reading/problem.html", {"problem": PROBLEMS[slug]})


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Where browsers look for it when a page names none, as those of the staff do."""
    return redirect(static("img/favicon.svg"))
