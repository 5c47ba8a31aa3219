"""Two to six plans, drives or runs beside each other; the same as CSV and JSON."""

from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.pages.compare import exports, pictures
from apps.pages.compare import words as compare_words
from apps.pages.compare.answer import (
    Contender,
    answer_of,
    contenders_of,
    contenders_of_rows,
    is_told_apart,
    kin_line,
    work_line,
)
from apps.pages.compare.comparison import Comparison, comparison_of
from apps.pages.compare.contexts import (
    AddLink,
    CompareContext,
    ComparisonContext,
    OffersContext,
    ReadyComparison,
    SourceLink,
    ThingColumn,
)
from apps.pages.compare.query import (
    THINGS_MAX,
    THINGS_MIN,
    CompareQuery,
    ref_in,
)
from apps.pages.compare.readings import price_note
from apps.pages.compare.selectors.comparison import read_comparison
from apps.pages.compare.selectors.names import NamedThing, find_things, is_named
from apps.pages.compare.selectors.ready import (
    ReadyQuestion,
    answers_to,
    first_things,
    read_leads,
    ready_questions,
)
from apps.pages.compare.selectors.suggestions import nearest, suggestions
from apps.pages.compare.surroundings import surroundings_of
from apps.pages.compare.table import Tables, lines_of, money_lines, role_of, useful_lines
from apps.pages.compare.things import Thing, ThingFigures
from apps.pages.frame.htmx import page_or_part, wants_part
from apps.pages.frame.search_entries import Compared
from apps.pages.show.address.references import Ref, RefKind
from apps.pages.show.phrases import translate
from apps.pages.show.table.row import DOT
from apps.plans.naming import base_name
from apps.rankings.models import Standing
from apps.rankings.selectors import with_volume_prices
from apps.words.workloads import COMPARABLE

CANONICAL_KEYS = ("on", "base", "workload", "evidence")  # these make it another page


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """What the address asks to compare; with fewer than two things, what could be."""
    query = CompareQuery.read(request.GET)
    address = reverse("pages:compare")
    if (ref := ref_in(query.add)) is not None:
        return HttpResponseRedirect(address + query.with_thing(ref).address)
    if wants_part(request):  # somebody types: nothing but what the words can mean
        matches = find_things(query).offers
        part: OffersContext = {
            "query": query,
            "offers": add_links(matches, query),
            "address": address,
        }
        return page_or_part(request, "pages/compare/choose.html", "offers", part)
    comparison = comparison_of(query, read_comparison(query))
    if (only := only_match(comparison.offers, query)) is not None:
        return HttpResponseRedirect(address + query.with_thing(only.ref).address)
    of_things = query.only(tuple(thing.ref for thing in comparison.things))
    context: CompareContext = {
        "query": query,
        "refs": [str(ref) for ref in of_things.on],
        "address": address,
        "things_max": THINGS_MAX,
        "missing": (*map(str, comparison.missing), *query.unread),
        "offers": add_links(comparison.offers, of_things),
        **comparison_context(comparison, of_things),
    }
    is_comparison = len(comparison.things) >= THINGS_MIN
    template = "pages/compare/compare.html" if is_comparison else "pages/compare/choose.html"
    return page_or_part(request, template, "offers", context)


def only_match(matches: tuple[NamedThing, ...], query: CompareQuery) -> NamedThing | None:
    """The one thing that the words can mean: the only one, or the only one of this very name.

    For a plan that nobody measured its variant with the most runs, as in the search.
    """
    exact = [each for each in matches if is_named(each, query.add)]
    one = exact if len(exact) == 1 else list(matches)
    if len(one) == 1 and not one[0].n_runs:
        variants = [each for each in matches if base_name(each.name) == one[0].name]
        one = [max((one[0], *variants), key=lambda each: each.n_runs)]
    return one[0] if len(one) == 1 and not query.is_full else None


def add_links(matches: tuple[NamedThing, ...], query: CompareQuery) -> list[AddLink]:
    """What can be added, each with the address of the comparison with it."""
    address = reverse("pages:compare")
    return [
        AddLink(each, address + query.with_thing(each.ref).address)
        for each in matches
        if each.ref not in {ref.thing for ref in query.on}
    ]


def comparison_context(comparison: Comparison, query: CompareQuery) -> ComparisonContext:
    """What the page shows of things that are there."""
    title = compare_words.title_of(comparison.things)
    context: ComparisonContext = {
        "comparison": comparison,
        "title": title,
        **addresses_of(query),
        "columns": columns_of(comparison.things, query),
        "is_comparison": len(comparison.things) >= THINGS_MIN,
        "canonical_keys": CANONICAL_KEYS,
    }
    if not comparison.things:
        return {**context, **start_context()}
    if len(comparison.things) < THINGS_MIN:
        return {**context, **partners_of_one(comparison, query)}
    base = base_of(comparison.things, query)
    kin = kin_of(comparison)
    tables = tables_of(comparison, base, has_kin=bool(kin))
    contenders = contenders_of(comparison.things, kin)
    near = query.only(tuple(kin_ref(ref, kin) for ref in query.on))
    answer = answer_of(contenders)
    curves = pictures.curves_of(comparison.things)
    surroundings = surroundings_of(comparison.things)
    return {
        **context,
        "answer": answer,
        "shared_marks": pictures.shared_marks(contenders),
        "base": base,
        "tables": tables,
        "is_pair": len(comparison.things) == THINGS_MIN,
        "work_line": work_line(contenders),
        "kin_line": kin_line(contenders),
        "sources": sources_of(contenders),
        "near_url": reverse("pages:compare") + near.address,
        "reason": compare_words.reason_of(comparison.things),
        "price_sentence": compare_words.price_sentence(comparison.things, tables.money),
        "price_caution": compare_words.price_caution(comparison.things, tables.cost),
        "summary": compare_words.summary_of(answer.sentence, tables.chief),
        "ladder": pictures.ladder_of(contenders),
        "curves": {"curves": curves},
        # a thing without a curve would be missing in the picture: the marks show each
        "has_all_curves": comparison.is_of_one_work and len(curves) == len(comparison.things),
        "curves_are_pooled": compare_words.are_pooled(comparison.things),
        "curves_say": compare_words.curves_sentence(comparison.things),
        "bars": pictures.bars_of(tables.cost),
        "surroundings": surroundings,
        "currencies": sorted({thing.currency for thing in comparison.things if thing.currency}),
    }


def addresses_of(query: CompareQuery) -> ComparisonContext:
    """The addresses of the page, its figures and the card of its things, whichever row is meant."""
    of_things = CompareQuery(on=tuple(dict.fromkeys(ref.thing for ref in query.on)))
    page_path = reverse("pages:compare") + query.address
    return {
        "page_path": page_path,
        "link": settings.SITE_URL + page_path,
        "card_path": reverse("badges:card-compare-svg") + of_things.address,
        "csv_url": reverse("files:compare-csv") + query.address,
        "json_url": reverse("files:compare-json") + query.address,
    }


def partners_of_one(comparison: Comparison, query: CompareQuery) -> ComparisonContext:
    """What is known of a single thing, and what it can be compared with."""
    found = suggestions(comparison.shape, comparison.things[0])
    return {
        "known": compare_words.known_of(comparison),
        "suggestions": add_links(found.offers, query),
        "are_of_its_work": found.are_of_its_work,
    }


def start_context() -> ComparisonContext:
    """What a reader who names nothing is offered: comparisons that are ready, and things to tick.

    Three queries.
    """
    leads = read_leads()
    of_boards = ((_("Plans"), leads.plans), (_("Drives"), leads.drives))
    questions = ready_questions(leads)
    answered = zip(questions, answers_to(questions), strict=True)
    return {
        "ready": [
            ready_comparison(question, contenders)
            for question, rows in answered
            if is_told_apart(contenders := contenders_of_rows(rows))
        ],
        "first": [
            (DOT.join((head, translate(COMPARABLE[comparable][0]))), things)
            for head, rows in of_boards
            for comparable, things in first_things(rows).items()
        ],
    }


def ready_comparison(question: ReadyQuestion, contenders: Sequence[Contender]) -> ReadyComparison:
    """The answer to a question, as the page of its comparison gives it."""
    return ReadyComparison(
        text=compare_words.question_of(question),
        url=reverse("pages:compare") + CompareQuery(on=question.on).address,
        answer=answer_of(contenders),
        ladder=pictures.ladder_of(contenders),
    )


def kin_ref(ref: Ref, kin: dict[Ref, Standing]) -> Ref:
    """What stands for a thing, else the thing itself."""
    return Ref(RefKind.PLAN, kin[ref].plan_id or "") if ref in kin else ref


def kin_of(comparison: Comparison) -> dict[Ref, Standing]:
    """What stands for things that nobody measured, where fewer than two have a figure."""
    n_figures = sum(thing.figures is not None for thing in comparison.things)
    return {} if n_figures >= THINGS_MIN else nearest(comparison.things)


def base_of(things: tuple[Thing, ...], query: CompareQuery) -> Thing:
    """The baseline: as asked, else the first that has figures."""
    base = next((thing for thing in things if thing.ref == query.base), None)
    return base or next((thing for thing in things if thing.figures), things[0])


def tables_of(comparison: Comparison, base: Thing, *, has_kin: bool = False) -> Tables:
    """Every line of the comparison; where something stands for a thing, what several have."""
    tables = Tables(
        figures=lines_of(comparison.things, base),
        useful=useful_lines(comparison.useful, comparison.things, base),
        money=money_lines(comparison.things, base),
    )
    return tables.of_several if has_kin else tables


def columns_of(things: tuple[Thing, ...], query: CompareQuery) -> list[ThingColumn]:
    """The things with the addresses that move, remove or choose them."""
    address = reverse("pages:compare")
    base = base_of(things, query).ref if things else None

    def moved(ref: Ref, place: int) -> str:
        return address + query.moved(ref, -1).address if place else ""

    return [
        ThingColumn(
            thing=thing,
            role=role_of(place),
            basis=compare_words.basis_of(thing),
            price_note=price_note(thing),
            run_url=run_url_of(thing.figures),
            is_base=thing.ref == base,
            base_url=address + query.based_on(thing.ref).address,
            remove_url=address + query.without(thing.ref).address,
            left_url=moved(thing.ref, place),
        )
        for place, thing in enumerate(things)
    ]


def run_url_of(figures: ThingFigures | None) -> str:
    """The page of the newest run behind the figures of a thing."""
    slug = figures.run_slug if figures else ""
    return reverse("pages:run", args=[slug]) if slug else ""


def sources_of(contenders: Sequence[Contender]) -> list[SourceLink]:
    """Where the figures of the answer come from."""
    links = (SourceLink(each.name, run_url_of(each.figures)) for each in contenders)
    return [link for link in links if link.url]


def said_of(things: Sequence[str]) -> Compared:
    """The answer of a comparison, how sure it is, and what differs between the works: 8 queries."""
    query = CompareQuery(on=tuple(ref for each in things if (ref := Ref.read(each))))
    rows = read_comparison(query)
    comparison = comparison_of(query, rows)
    contenders = contenders_of(comparison.things, kin_of(comparison))
    answer = answer_of(contenders)
    with_volume_prices(rows.standings.values())
    lines = answer.sentence, answer.sure, kin_line(contenders), work_line(contenders)
    return Compared(
        lines=tuple(each for each in lines if each),
        standings={str(ref): standing for ref, standing in rows.standings.items()},
    )


def export_of(
    request: HttpRequest,
) -> tuple[Comparison, Thing | None, list[exports.ExportRow], str]:
    """The comparison of an address as rows, and the address of its page."""
    query = CompareQuery.read(request.GET)
    comparison = comparison_of(query, read_comparison(query))
    query = query.only(tuple(thing.ref for thing in comparison.things))
    address = settings.SITE_URL + reverse("pages:compare") + query.address
    if not comparison.things:
        return comparison, None, [], address
    base = base_of(comparison.things, query)
    lines = tables_of(comparison, base).all
    return comparison, base, exports.rows_of(lines, comparison.shape, settings.SITE_URL), address


@require_safe
def compare_csv(request: HttpRequest) -> HttpResponse:
    """The figures of the page, one a row."""
    *_, rows, _address = export_of(request)
    return HttpResponse(
        exports.as_csv(rows),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": 'attachment; filename="fsyncmark-compare.csv"',
            "Access-Control-Allow-Origin": "*",
        },
    )


@require_safe
def compare_json(request: HttpRequest) -> JsonResponse:
    """The figures of a comparison as one JSON document."""
    comparison, base, rows, address = export_of(request)
    document = exports.document_of(comparison.things, base, rows, address)
    return JsonResponse(document, headers={"Access-Control-Allow-Origin": "*"})
