"""The page of each plan, drive family and provider."""

from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from apps.drives.models import DriveFamily
from apps.pages.draw.curve import draw_curve
from apps.pages.draw.dots import draw_strip
from apps.pages.draw.lanes import Lanes
from apps.pages.frame.structured import DateRange
from apps.pages.show import phrases, words
from apps.pages.show.address.query_string import page_number
from apps.pages.show.answer import Answer
from apps.pages.show.standings import others_words
from apps.pages.show.table.paging import pager_of
from apps.pages.show.table.row import Row
from apps.pages.show.table.rows import figures_of_standing, row_of_standing
from apps.pages.show.words import badge_alt_of
from apps.pages.things import catalogue_facts
from apps.pages.things import words as thing_words
from apps.pages.things.contexts import (
    DriveContext,
    LeadContext,
    MonthsContext,
    PageLinks,
    PlanContext,
    ProviderContext,
    SpreadContext,
    ThingSummaryContext,
)
from apps.pages.things.decisions import RunLine, line_of
from apps.pages.things.fitness import fitness_of
from apps.pages.things.kin import (
    KinLine,
    Nearest,
    answer_of_neighbours,
    class_near,
    lines_below,
    nearest_of,
)
from apps.pages.things.lottery import lottery_rows
from apps.pages.things.pictures import charts as thing_charts
from apps.pages.things.pictures.frontier import frontier_of
from apps.pages.things.pictures.lanes import kin_lanes, others_of, own_lanes, plan_lanes
from apps.pages.things.price_history import AtRate, price_histories, price_lines
from apps.pages.things.selectors import things
from apps.pages.things.selectors.kin import Kin
from apps.pages.things.selectors.months import Month
from apps.pages.things.selectors.runs import RunEntriesQuery, RunEntry
from apps.pages.things.selectors.spread import MachineSpread
from apps.pages.things.standing_rows import Workloads, best_of, plan_groups, workloads_of
from apps.rankings.cost import pick_price
from apps.rankings.models import Standing
from apps.words import confidence
from apps.words.standings import kinds_words, warnings_of

OLTP_GUIDE = "oltp"


@require_safe
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """One plan."""
    details = things.find_plan(slug, RunEntriesQuery.read(request.GET))
    if details is None:
        raise Http404("no such plan")
    at_rate = rate_of(details.summary.lead)
    workloads = workloads_of(details.summary.standings)
    nearest = nearest_of_summary(details.summary, details.kin)
    near = nearest.answer if nearest else neighbours_of(details.summary, details.kin)
    context: PlanContext = {
        **thing_summary_context(details.summary, workloads, details.kin, of_a_plan=True),
        **page_links("plan", slug, best_of(workloads.first, details.summary.lead)),
        "head": thing_words.plan_head(
            details.plan,
            details.summary.lead,
            details.summary.lead_newest,
            near=near,
            shown=thing_words.shown_words(details.summary.runs.query),
        ),
        "answer": thing_words.lead_answer(lead) if (lead := details.summary.lead) else None,
        "plan": details.plan,
        "nearest": nearest,
        "near": near,
        "kin": kin_below(details.summary, details.kin, nearest),
        "facts": (
            *catalogue_facts.plan_facts(details.plan, pick_price(details.prices)),
            *catalogue_facts.reporting_facts(details.challenges),
        ),
        "price_lines": price_lines(details.prices, at_rate=at_rate),
        "histories": price_histories(details.prices, today=timezone.now().date(), at_rate=at_rate),
        "badge_alt": badge_alt_of(details.plan.name),
    }
    return render(request, "pages/things/plan.html", context)


@require_safe
def drive(request: HttpRequest, slug: str) -> HttpResponse:
    """One drive family."""
    details = things.find_drive(slug, RunEntriesQuery.read(request.GET))
    if details is None:
        raise Http404("no such drive family")
    summary, family = details.summary, details.drive
    nearest = nearest_of_summary(summary, details.kin)
    class_kin = () if nearest else of_class(family, details.kin)
    fitness = (
        None
        if family.is_virtual
        else fitness_of(
            family,
            details.nearest,
            possible=details.possible,
            near=neighbours_of(summary, class_kin),
        )
    )
    workloads = workloads_of(summary.standings)
    context: DriveContext = {
        **thing_summary_context(summary, workloads, details.kin, of_a_plan=False),
        **page_links("drive", slug, best_of(workloads.first, summary.lead)),
        "drive": family,
        "head": thing_words.drive_head(
            family, fitness, shown=thing_words.shown_words(summary.runs.query)
        ),
        "answer": fitness.answer if fitness else None,
        "fitness": fitness,
        "is_by_other": bool(fitness and fitness.judged != summary.lead),
        "is_of_many": summary.is_of_many,
        "nearest": nearest,
        "kin": kin_below(summary, details.kin, nearest),
        "plp": words.plp_words(family.plp),
        "gap": gap_of(details),
        "guide_url": reverse("pages:guide", args=[OLTP_GUIDE]),
        "facts": catalogue_facts.drive_facts(family, details.sources, details.possible),
        "source_lines": catalogue_facts.source_lines(details.sources),
        "badge_alt": badge_alt_of(family.name),
    }
    return render(request, "pages/things/drive.html", context)


def thing_summary_context(
    summary: things.ThingSummary, workloads: Workloads, kin: Sequence[Kin], *, of_a_plan: bool
) -> ThingSummaryContext:
    """What the pages of plans and drives share: curve, machines, lottery, months, runs."""
    lead, months = summary.lead, summary.months
    best = best_of(workloads.first, lead)
    if best is not None and lead is not None and lead.kinds:  # the answer says what people got
        said = kinds_words(lead.kinds)
        others = (each for each in warnings_of(lead) if each != said)
        best = replace(best, warning=phrases.join_sentences(others))
    context: ThingSummaryContext = {
        "summary": summary,
        "workloads": workloads,
        "n_else": workloads.count - (lead is not None),
        "below": place_of_others(summary),
        "dataset_days": DateRange(months[0].first_day if months else None, summary.newest),
        "best": best,
        "lead": lead,
        "is_without_commits": lead is None,
        "is_made_up": lead is not None and words.is_made_up(lead.evidence),
        "lines": lines_of(summary.runs.agent_runs, lead, of_a_plan=of_a_plan),
        "published_lines": lines_of(summary.runs.published, lead, of_a_plan=of_a_plan),
        "imported_lines": lines_of(summary.runs.imported, lead, of_a_plan=of_a_plan),
        "runs_pager": pager_of(
            summary.runs.pages, lambda page: summary.runs.query.address(page=page)
        ),
    }
    if lead is None or best is None:
        lanes = kin_lanes(summary.standings, kin)
        return {**context, "lanes": lanes, "rung": class_near(kin)}
    return {
        **context,
        **lead_context(lead, summary.standings, kin),
        **spread_context(summary.spread, lead),
        **months_context(summary.months, of_a_plan=of_a_plan),
    }


def lead_context(lead: Standing, standings: Sequence[Standing], kin: Sequence[Kin]) -> LeadContext:
    """What is said of the standing at the head of the page."""
    curve = draw_curve(figures_of_standing(lead)) if things.has_curve(lead) else None
    return {
        "covers": thing_words.covers_words(lead),
        "curve": curve,
        "lanes": None if curve else own_lanes(lead, standings, kin),
        "rung": lead.ladder_class,
        "others_words": others_words(lead, others_of(lead, standings)),
        "why_words": confidence.why_of(lead),
    }


def nearest_of_summary(summary: things.ThingSummary, kin: Sequence[Kin]) -> Nearest | None:
    """The answer by the nearest kin, where there is none by a figure of the thing itself."""
    if summary.lead is not None:
        return None
    return nearest_of(kin, has_other_work=bool(summary.standings))


def neighbours_of(summary: things.ThingSummary, kin: Sequence[Kin]) -> Answer | None:
    """What all kin come to, where there is no figure of the thing itself."""
    if summary.lead is not None:
        return None
    return answer_of_neighbours(kin, has_other_work=bool(summary.standings))


def kin_below(
    summary: things.ThingSummary, kin: Sequence[Kin], nearest: Nearest | None
) -> tuple[KinLine, ...]:
    """The kin in words; none where the page leads with a figure of the thing itself."""
    return lines_below(kin, nearest) if summary.lead is None else ()


def of_class(drive: DriveFamily, kin: Sequence[Kin]) -> list[Kin]:
    """Those of the kin that are drives of its class."""
    drives = ((each, each.standing.drive_family) for each in kin)
    own = drive.ladder_class_id
    return [each for each, other in drives if own and other and other.ladder_class_id == own]


def months_context(months: tuple[Month, ...], *, of_a_plan: bool) -> MonthsContext:
    """What the chart of the months needs; nothing without months."""
    if not months:
        return {}
    is_long = len(months) >= thing_charts.MONTHS_MIN
    return {
        "months": months,
        "months_words": thing_words.months_words(months),
        "changes_words": thing_words.changes_words(months) if of_a_plan else "",
        "months_data": thing_charts.months_data(months) if is_long else None,
    }


def spread_context(spread: MachineSpread, lead: Standing) -> SpreadContext:
    """What the machines and the lottery of a standing need; nothing of one that none measured."""
    if not spread.uploaders:
        return {}
    return {
        "strip": draw_strip(
            spread.uploaders,
            rate_per_s=lead.rate_per_s,
            low=lead.rate_per_s_low,
            high=lead.rate_per_s_high,
            sentence=thing_words.strip_words(spread, lead),
        ),
        "spread": spread,
        "cut_words": thing_words.cut_words(spread, lead),
        "lottery_words": thing_words.lottery_words(spread, lead),
        "lottery_rows": lottery_rows(spread, lead),
    }


def place_of_others(summary: things.ThingSummary) -> str:
    """Where the page shows what there is besides commits of one writer; empty: nothing."""
    runs = summary.runs
    is_shown = {
        "#figures": summary.standings,
        "#runs": runs.has_any,
        "#published": runs.published,
        "#imports": runs.imported,
    }
    return next((place for place, has_rows in is_shown.items() if has_rows), "")


def lines_of(
    runs: Sequence[RunEntry], lead: Standing | None, *, of_a_plan: bool
) -> tuple[RunLine, ...]:
    """Runs as lines with their decisions."""
    changed_since = lead.changed_since if lead else None
    return tuple(line_of(run, changed_since=changed_since, of_a_plan=of_a_plan) for run in runs)


def page_links(kind: str, slug: str, best: Row | None) -> PageLinks:
    """Where a page leads: to a comparison, to the same figures as JSON, to its place on a board."""
    board = reverse(f"pages:{kind}s")
    return {
        "kind": kind,
        "compare_url": f"{reverse('pages:compare')}?{urlencode({'on': f'{kind}:{slug}'})}",
        "api_path": reverse(f"api:{kind}", args=[slug]),
        "board_url": f"{board}?{urlencode({'row': best.key})}#{best.key}" if best else "",
        "page_path": reverse(f"pages:{kind}", args=[slug]),
        "badge_path": reverse(f"badges:{kind}", args=[slug]),
    }


def rate_of(lead: Standing | None) -> AtRate | None:
    """The rate by which commits are costed."""
    if lead is None:
        return None
    return AtRate(lead.rate_per_s, lead.rate_per_s_low, lead.rate_per_s_high)


def gap_of(details: things.DriveDetails) -> float | None:
    """How many times what one writer gets a drive is rated for; nothing where one is not known."""
    lead, rated = details.summary.lead, details.drive.rated_rand_write_iops
    if lead is None or not rated:
        return None
    return rated / lead.rate_per_s


def lanes_of_provider(details: things.ProviderDetails, fastest: Standing | None) -> Lanes | None:
    """The plans of a provider, else the kin of its cheapest one."""
    return plan_lanes(details.plans, fastest) if fastest else kin_lanes((), details.kin)


def needs_page_address(page: int) -> str:
    """The query string of a page of what waits for a first run."""
    return f"?needs={page}#needs" if page > 1 else "?#needs"


@require_safe
def provider(request: HttpRequest, slug: str) -> HttpResponse:
    """One provider."""
    details = things.find_provider(slug, page_number(request.GET.get("needs", "")))
    if details is None:
        raise Http404("no such provider")
    frontier = frontier_of(details.plans, details.rates)
    fastest = thing_words.fastest_of(details.plans)
    groups = plan_groups(details.plans[: things.PLAN_ROWS_MAX])
    context: ProviderContext = {
        "details": details,
        "groups": groups,
        "answer": thing_words.provider_answer(fastest, details.plans),
        "lanes": lanes_of_provider(details, fastest) if not frontier else None,
        "rung": class_near(details.kin),
        "kin": lines_below(details.kin, None),
        "best": row_of_standing(fastest, is_drawn=False) if fastest else None,
        "why_words": confidence.why_of(fastest) if fastest else "",
        "dataset_days": DateRange(None, details.newest),
        "head": thing_words.provider_head(details.provider, needs_page=details.needs_pages.number),
        "provider": details.provider,
        "address": reverse("pages:provider", args=[slug]),
        "board_url": f"{reverse('pages:plans')}?{urlencode({'provider': slug})}",
        "api_path": reverse("api:provider", args=[slug]),
        "badge_path": reverse("badges:provider", args=[slug]),
        "badge_alt": badge_alt_of(details.provider.name),
        "about_url": reverse("pages:about"),
        "has_contact": bool(settings.SITE_CONTACT),
        "frontier": frontier,
        "frontier_data": thing_charts.frontier_data(frontier) if frontier else None,
        "frontier_says": thing_charts.frontier_says(frontier) if frontier else "",
        "needs_pager": pager_of(details.needs_pages, needs_page_address),
    }
    return render(request, "pages/things/provider.html", context)
