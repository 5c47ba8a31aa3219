"""The search: a page of results, the same as a part, and a short list below the field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.pages.frame.htmx import page_or_part, wants_part
from apps.pages.frame.questions import QUESTIONS
from apps.pages.frame.search_entries import Compare, Index
from apps.pages.search.answers import answers_of, is_a_tool
from apps.pages.search.grammar import read_question
from apps.pages.search.ids import result_by_id
from apps.pages.search.query import QUERY_CHARACTERS_MAX, Query, read_query
from apps.pages.search.results import Results, results_of
from apps.pages.search.selectors.best import provider_names
from apps.pages.search.selectors.things import EXACT, LIKE, PLAN, nearest_of, search_things
from apps.pages.search.wanted import count_named
from apps.pages.show.address.ids import IdSearch

EXAMPLES = ("ax102", "990 pro", "gp3", "hetzner", "MZVL2512")
AS_LIST = "list"  # how the field in the frame asks for its short list


@require_safe
def search(request: HttpRequest, indexes: Sequence[Index], compare: Compare) -> HttpResponse:
    """Everything that was found: 6 queries, and for each guide among it two.

    A question in words has up to 20 more; a page that names one thing
    has 5 that count it, once an hour.
    """
    query = read_query(request.GET.get("q", ""))
    results = find(query, indexes, compare)
    context: dict[str, object] = {
        "address": reverse("pages:search"),
        "query": query,
        "results": results,
        "examples": EXAMPLES,
        "questions": QUESTIONS,
        "characters_max": QUERY_CHARACTERS_MAX,
    }
    if request.GET.get("as") == AS_LIST:
        return render(request, "pages/search/list.html", context)
    if not wants_part(request):  # a part is asked for while somebody types
        count_named(request, results.only)
    return page_or_part(request, "pages/search/search.html", "results", context)


def find(query: Query, indexes: Sequence[Index], compare: Compare) -> Results:
    """The run or the key whose id was typed, the answers to a question, or everything that fits.

    Where nothing fits, what the words name without those that every question has.
    """
    result = result_by_id(IdSearch.read(query.text))
    if result:
        return Results.of_one(result)
    hits = search_things(query)
    if any(hit.fit == EXACT for hit in hits):
        return results_of(query, hits, indexes)
    providers = provider_names()
    slugs = {name.casefold(): slug for slug, name in providers.items()}
    question = read_question(query.text, slugs)
    answers = answers_of(
        query.text, question, providers=providers, indexes=indexes, compare=compare
    )
    if answers and not (question.may_name or is_a_tool(query.text)):
        return Results(answers)
    if not answers and all(hit.fit == LIKE for hit in hits):
        named = read_query(question.named)
        hits_named = search_things(named) if named.words != query.words else []
        if question.is_of_price:  # drives have none
            hits_named = [hit for hit in hits_named if hit.kind == PLAN] or hits_named
        if hits_named:
            return replace(results_of(named, nearest_of(hits_named), ()), meant=named.text)
        if not hits and not (found := results_of(query, (), indexes)).groups:
            read = results_of(named, (), indexes)  # what it names may stand in a page
            return replace(read, meant=named.text) if read.groups else found
    return results_of(query, hits, indexes, is_answered=bool(answers)).after(answers)
