"""The search: a page of results, the same as a part, and a short list below the field."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.pages.frame.htmx import page_or_part
from apps.pages.frame.search_entries import Index
from apps.pages.search.ids import result_by_id
from apps.pages.search.query import QUERY_CHARACTERS_MAX, read_query
from apps.pages.search.results import Results, results_of
from apps.pages.search.selectors import search_things
from apps.pages.show.address.ids import IdSearch

EXAMPLES = ("ax102", "990 pro", "gp3", "hetzner", "MZVL2512")
AS_LIST = "list"  # how the field in the frame asks for its short list


@require_safe
def search(request: HttpRequest, indexes: Sequence[Index]) -> HttpResponse:
    """The run or the key whose id was typed, else everything that fits: 5 queries."""
    query = read_query(request.GET.get("q", ""))
    result = result_by_id(IdSearch.read(query.text))
    results = Results.of_one(result) if result else results_of(query, search_things(query), indexes)
    context: dict[str, object] = {
        "address": reverse("pages:search"),
        "query": query,
        "results": results,
        "examples": EXAMPLES,
        "characters_max": QUERY_CHARACTERS_MAX,
    }
    if request.GET.get("as") == AS_LIST:
        return render(request, "pages/search/list.html", context)
    return page_or_part(request, "pages/search/search.html", "results", context)
