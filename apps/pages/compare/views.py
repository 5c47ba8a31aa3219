"""Two to six plans, drives or runs beside each other; the same as CSV and JSON."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.pages.compare import exports, pictures
from apps.pages.compare import words as saying
from apps.pages.compare.comparison import Comparison, comparison_of
from apps.pages.compare.contexts import (
    AddLink,
    CompareContext,
    ComparisonContext,
    NearestContext,
    OffersContext,
    ThingColumn,
)
from apps.pages.compare.query import (
    THINGS_MAX,
    THINGS_MIN,
    CompareQuery,
    ref_in,
)
from apps.pages.compare.selectors.comparison import read_comparison
from apps.pages.compare.selectors.names import NamedThing, find_things, is_named
from apps.pages.compare.selectors.suggestions import Nearest, nearest, suggestions
from apps.pages.compare.surroundings import surroundings_of
from apps.pages.compare.table import Tables, lines_of, money_lines, role_of, useful_lines
from apps.pages.compare.things import Thing
from apps.pages.frame.htmx import page_or_part, wants_part
from apps.pages.show.address.references import Ref
from apps.pages.show.table.rows import row_of_standing
from apps.pages.show.workload_words import workload_title
from apps.stats.ranks import APART_MIN

CANONICAL_KEYS = ("on", "base", "workload", "evidence")  # these make it another page


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """What the address asks to compare; with fewer than two things, what could be."""
    asked = CompareQuery.read(request.GET)
    address = reverse("pages:compare")
    if (ref := ref_in(asked.add)) is not None:
        return HttpResponseRedirect(address + asked.with_thing(ref).address)
    if wants_part(request):  # somebody types: nothing but what the words can mean
        matches = find_things(asked).offers
        part: OffersContext = {
            "asked": asked,
            "offers": add_links(matches, asked),
            "address": address,
        }
        return page_or_part(request, "pages/compare/layout.html", "offers", part)
    found = comparison_of(asked, read_comparison(asked))
    if (only := only_match(found.offers, asked)) is not None:
        return HttpResponseRedirect(address + asked.with_thing(only.ref).address)
    asked_things = asked.only(tuple(thing.ref for thing in found.things))
    context: CompareContext = {
        "asked": asked,
        "kept": [str(ref) for ref in asked_things.on],
        "address": address,
        "things_max": THINGS_MAX,
        "missing": (*map(str, found.missing), *asked.unread),
        "offers": add_links(found.offers, asked_things),
        **comparison_context(found, asked_things),
    }
    is_comparison = len(found.things) >= THINGS_MIN
    template = "pages/compare/compare.html" if is_comparison else "pages/compare/choose.html"
    return page_or_part(request, template, "offers", context)


def only_match(found: tuple[NamedThing, ...], asked: CompareQuery) -> NamedThing | None:
    """The one thing that the words can mean: the only one, or the only one of this very name."""
    exact = [each for each in found if is_named(each, asked.add)]
    one = exact if len(exact) == 1 else list(found)
    return one[0] if len(one) == 1 and not asked.is_full else None


def add_links(found: tuple[NamedThing, ...], asked: CompareQuery) -> list[AddLink]:
    """What can be added, each with the address of the comparison with it."""
    address = reverse("pages:compare")
    return [
        AddLink(each, address + asked.with_thing(each.ref).address)
        for each in found
        if each.ref not in {ref.thing for ref in asked.on}
    ]


def comparison_context(found: Comparison, asked: CompareQuery) -> ComparisonContext:
    """What the page shows of things that are there."""
    title = saying.title_of(found.things)
    page_path = reverse("pages:compare") + asked.address
    context: ComparisonContext = {
        "found": found,
        "title": title,
        "page_path": page_path,
        "link": settings.SITE_URL + page_path,
        "columns": columns_of(found.things, asked),
        "is_comparison": len(found.things) >= THINGS_MIN,
        "canonical_keys": CANONICAL_KEYS,
    }
    if len(found.things) < THINGS_MIN:
        context["suggestions"] = add_links(suggestions(found.shape, found.things), asked)
        return context
    base = base_of(found.things, asked)
    tables = tables_of(found, base)
    return {
        **context,
        **nearest_context(found),
        "base": base,
        "tables": tables,
        "is_pair": len(found.things) == THINGS_MIN,
        "ratios": saying.ratios_of(tables.all),
        "verdicts": saying.verdict_of(tables.chief),
        "known": saying.known_of(found.things, found.choices),
        "one_machine": saying.one_machine_of(found.things),
        "reason": saying.reason_of(found.things),
        "price_sentence": saying.price_words(found.things, tables.money),
        "summary": saying.summary_of(found.things, tables.chief, found.title),
        "curves": pictures.curves_of(found.things),
        "draws_won": saying.of_ten(APART_MIN),
        "curves_are_pooled": saying.are_pooled(found.things),
        "curves_say": saying.curves_sentence(found.things),
        "bars": pictures.bars_of(tables.cost),
        "surroundings": surroundings_of(found.things),
        "currencies": sorted({thing.currency for thing in found.things if thing.currency}),
        "csv_url": reverse("files:compare-csv") + asked.address,
        "json_url": reverse("files:compare-json") + asked.address,
    }


def nearest_context(found: Comparison) -> NearestContext:
    """Where nothing is in common, the nearest comparison that there is."""
    near: Nearest | None = None if found.is_common else nearest(found.things)
    if near is None:
        return {}
    url = reverse("pages:compare") + CompareQuery(on=near.refs).address
    return {
        "near_url": url,
        "near_title": saying.title_of_names(near.names),
        "near_workload": workload_title(near.rows[0].workload, near.rows[0].workload_title),
        "near_rows": [row_of_standing(row, is_drawn=False) for row in near.rows],
    }


def base_of(things: tuple[Thing, ...], asked: CompareQuery) -> Thing:
    """The baseline: as asked, else the first that has figures."""
    wanted = next((thing for thing in things if thing.ref == asked.base), None)
    return wanted or next((thing for thing in things if thing.figures), things[0])


def tables_of(found: Comparison, base: Thing) -> Tables:
    """Every line of the comparison."""
    return Tables(
        figures=lines_of(found.things, base),
        useful=useful_lines(found.useful, found.things, base),
        money=money_lines(found.things, base),
    )


def columns_of(things: tuple[Thing, ...], asked: CompareQuery) -> list[ThingColumn]:
    """The things with the addresses that move, remove or choose them."""
    address = reverse("pages:compare")
    base = base_of(things, asked).ref if things else None

    def moved(ref: Ref, place: int, step: int) -> str:
        is_inside = 0 <= place + step < len(things)
        return address + asked.moved(ref, step).address if is_inside else ""

    return [
        ThingColumn(
            thing=thing,
            role=role_of(place),
            basis=saying.basis_of(thing),
            is_base=thing.ref == base,
            base_url=address + asked.based_on(thing.ref).address,
            remove_url=address + asked.without(thing.ref).address,
            left_url=moved(thing.ref, place, -1),
            right_url=moved(thing.ref, place, 1),
        )
        for place, thing in enumerate(things)
    ]


def export_of(request: HttpRequest) -> tuple[Comparison, Thing | None, list[exports.Row], str]:
    """The comparison of an address as rows, and the address of its page."""
    asked = CompareQuery.read(request.GET)
    found = comparison_of(asked, read_comparison(asked))
    asked = asked.only(tuple(thing.ref for thing in found.things))
    address = settings.SITE_URL + reverse("pages:compare") + asked.address
    if not found.things:
        return found, None, [], address
    base = base_of(found.things, asked)
    lines = tables_of(found, base).all
    return found, base, exports.rows_of(lines, found.shape, settings.SITE_URL), address


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
    found, base, rows, address = export_of(request)
    document = exports.document_of(found.things, base, rows, address)
    return JsonResponse(document, headers={"Access-Control-Allow-Origin": "*"})
