"""Boards: standings filtered, ordered, numbered and paged in the database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from string import ascii_lowercase
from typing import TypeVar

from django.db.models import (
    BooleanField,
    Case,
    DecimalField,
    Exists,
    Expression,
    ExpressionWrapper,
    F,
    IntegerField,
    OrderBy,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast, Coalesce, RowNumber

from apps.drives.models import DriveFamily
from apps.pages import words
from apps.pages.filters import NOT_STATED, BoardQuery, Sort
from apps.pages.rows import Row, row_of_standing
from apps.pages.selectors.choices import Choice, region_choices, workload_choices
from apps.pages.selectors.paging import Pages, paging
from apps.pages.workload_words import workload_note, workload_title
from apps.plans.models import Plan, Price, Provider
from apps.plans.rates import per_euro
from apps.rankings.models import Evidence, ProviderStanding, Standing

Ranked = TypeVar("Ranked", Standing, ProviderStanding)

ROWS_A_PAGE = 50  # what a reader scans before giving up
NEEDS_A_PAGE = 20  # the list below the board is a by-product of it

EVIDENCE_PLACE = Case(
    When(evidence=Evidence.MEASURED, then=Value(0)), default=Value(1), output_field=IntegerField()
)
WORKLOAD_PLACE = Case(
    *(When(workload=name, then=Value(place)) for place, name in enumerate(words.BOARD_ORDER)),
    default=Value(len(words.BOARD_ORDER)),
    output_field=IntegerField(),
)
COMMIT_STANDINGS = Standing.objects.filter(is_durable_single_writer=True)
# Of equals the first by address: the order must not depend on the database.
ROW = (F("plan").asc(), F("drive_family").asc(), F("region_group").asc(), F("variant").asc())
GROUP = (EVIDENCE_PLACE, WORKLOAD_PLACE, F("workload"), F("version"))


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that may be compared: one workload, one kind of evidence."""

    workload: str
    title: str
    note: str
    evidence: str
    rows: tuple[Row, ...]
    footnotes: tuple[tuple[str, str], ...] = ()  # letter and warning


def make_group(*, workload: str, title: str, evidence: str, rows: Sequence[Row]) -> Group:
    """A group whose warnings stand once below its rows, by letter."""
    letters: dict[str, str] = {}
    for row in rows:
        if row.warning and row.warning not in letters:
            letters[row.warning] = ascii_lowercase[len(letters) % len(ascii_lowercase)]
    return Group(
        workload=workload,
        title=workload_title(workload, title),
        note=workload_note(workload),
        evidence=evidence,
        rows=tuple(replace(row, footnote=letters.get(row.warning, "")) for row in rows),
        footnotes=tuple((letter, warning) for warning, letter in letters.items()),
    )


@dataclass(frozen=True, slots=True)
class Board:
    """A board as it is shown."""

    groups: tuple[Group, ...]
    pages: Pages
    workloads: tuple[Choice, ...]
    providers: tuple[Choice, ...]
    regions: tuple[Choice, ...]
    needs: tuple[Plan | DriveFamily | Provider, ...]
    needs_pages: Pages

    @property
    def holds_useful(self) -> bool:
        """Whether its rates are useful IOPS."""
        return holds_useful(self.groups)


def holds_useful(groups: Sequence[Group]) -> bool:
    """Whether a rate in these groups is one of useful IOPS, which cost by the month."""
    return any(row.p99_limit_ns is not None for group in groups for row in group.rows)


def sort_order(sort: str, prefix: str = "") -> tuple[Expression, ...]:
    """Best first by one column; what is not known comes last, and what does not rank after all.

    By cost, as by rate, what rests on little is drawn towards its class first.
    """
    unranked = OrderBy(
        ExpressionWrapper(Q(**{f"{prefix}tier__isnull": True}), output_field=BooleanField())
    )
    ordered = (f"{prefix}order_rate_per_s", f"{prefix}rate_per_s")
    rate = Coalesce(*ordered).desc()
    if sort == Sort.P99:
        return unranked, F(f"{prefix}p99_ns").asc(nulls_last=True), rate
    if sort == Sort.COST:  # of several currencies by the euro; one without a rate comes last
        # Useful IOPS have a price a month alone; one group never holds both.
        listed = Coalesce(f"{prefix}cost_per_billion", f"{prefix}price_month_per_1000")
        shrunk = F(f"{prefix}rate_per_s") / Coalesce(*ordered)
        cost = (
            listed
            / per_euro(f"{prefix}currency")
            * Cast(shrunk, DecimalField(max_digits=20, decimal_places=8))
        )
        return unranked, OrderBy(cost, nulls_last=True), rate
    return unranked, rate


def storage_is(storage: str, column: str) -> Q:
    """The filter for a kind of storage, where "not stated" is a kind too."""
    return Q(**{column: "" if storage == NOT_STATED else storage})


def plan_filter(query: BoardQuery, prefix: str = "") -> Q:
    """What a reader asked of plans, on a table that reaches them through `prefix`."""
    wanted = Q()
    if query.provider:
        wanted &= Q(**{f"{prefix}provider_id": query.provider})
    if query.storage:
        wanted &= storage_is(query.storage, f"{prefix}storage_kind")
    for word in query.q.split():
        wanted &= (
            Q(**{f"{prefix}name__icontains": word})
            | Q(**{f"{prefix}provider__name__icontains": word})
            | Q(**{f"{prefix}drive_family_hint__icontains": word})
        )
    return wanted


def drive_filter(query: BoardQuery, prefix: str = "") -> Q:
    """What a reader asked of drive families."""
    wanted = Q()
    if query.storage:
        wanted &= storage_is(query.storage, f"{prefix}interface")
    if query.plp:
        wanted &= Q(**{f"{prefix}plp": query.plp})
    for word in query.q.split():
        wanted &= Q(**{f"{prefix}name__icontains": word}) | Q(
            **{f"{prefix}vendor__icontains": word}
        )
    return wanted


def workload_is(query: BoardQuery, prefix: str = "") -> Q:
    """The workload asked for; without one, those that time durable commits of one writer."""
    if query.workload:
        return Q(workload=query.workload)
    return Q(**{f"{prefix}is_durable_single_writer": True})


def standing_filter(query: BoardQuery) -> Q:
    """What a reader asked of the standings themselves."""
    wanted = workload_is(query)
    if query.evidence:
        wanted &= Q(evidence=query.evidence)
    if query.plp == "unknown":
        wanted &= Q(plp__in=("", "unknown"))
    elif query.plp:
        wanted &= Q(plp=query.plp)
    if query.region:
        wanted &= Q(region_group="" if query.region == NOT_STATED else query.region)
    return wanted


def one_page(standings: QuerySet[Standing], query: BoardQuery) -> tuple[tuple[Group, ...], Pages]:
    """Order, number and cut: two queries. By cost and p99 rows are sorted and have no place."""
    pages, cut = paging(total=standings.count(), page=query.page, size=ROWS_A_PAGE)
    order = (*sort_order(query.sort), *ROW)
    place = Window(
        RowNumber(),
        partition_by=[F("evidence"), F("workload"), F("version")],
        order_by=list(order),
    )
    numbered = (
        standings.annotate(
            number=place if query.sort == Sort.RATE else Value(None, output_field=IntegerField())
        )
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .order_by(*GROUP, *order)[cut]
    )
    return grouped(numbered), pages


def grouped(standings: QuerySet[Standing] | Sequence[Standing]) -> tuple[Group, ...]:
    """Standings in order, as groups of rows."""
    return groups_of(standings, title=lambda each: each.workload_title, row=numbered_row)


def groups_of(
    ordered: Iterable[Ranked], *, title: Callable[[Ranked], str], row: Callable[[Ranked], Row]
) -> tuple[Group, ...]:
    """What is in order, as groups of rows of one evidence and one version of a workload."""
    groups = []
    for (evidence, workload, _), members in groupby(
        ordered, key=lambda each: (each.evidence, each.workload, each.version)
    ):
        block = list(members)
        rows = [row(each) for each in block]
        groups.append(
            make_group(workload=workload, title=title(block[0]), evidence=evidence, rows=rows)
        )
    return tuple(groups)


def numbered_row(standing: Standing) -> Row:
    """A row with its position where it ranks: published figures and too few runs do not."""
    row = row_of_standing(standing)
    is_ranked = standing.tier is not None
    return replace(row, number=getattr(standing, "number", None)) if is_ranked else row


def plans_board(query: BoardQuery) -> Board:
    """Plans with a standing, and below them the listed plans that nobody measured: 6 queries."""
    all_standings = Standing.objects.filter(plan__isnull=False)
    wanted = all_standings.filter(standing_filter(query), plan_filter(query, "plan__"))
    groups, pages = one_page(wanted, query)
    facets = set(
        all_standings.values_list(
            "workload",
            "workload_title",
            "plan__provider_id",
            "plan__provider__name",
            "region_group",
        ).distinct()
    )
    waiting = (
        Plan.objects.filter(plan_filter(query), is_listed=True)
        .filter(~Exists(COMMIT_STANDINGS.filter(plan=OuterRef("pk"))))
        .select_related("provider")
        .prefetch_related(newest_prices())
        .order_by("provider__name", "name")
    )
    if query.plp or query.workload or query.evidence or query.region:
        waiting = waiting.none()  # nobody knows this of a plan without a run
    needs_pages, cut = paging(total=waiting.count(), page=query.needs, size=NEEDS_A_PAGE)
    providers = {(slug or "", name or "") for _, _, slug, name, _ in facets}
    return Board(
        groups=groups,
        pages=pages,
        workloads=workload_choices({(workload, title) for workload, title, *_ in facets}),
        providers=tuple(
            Choice(slug, name) for slug, name in sorted(providers, key=lambda each: each[1])
        ),
        regions=region_choices({group or NOT_STATED for *_, group in facets}),
        needs=tuple(waiting[cut]),
        needs_pages=needs_pages,
    )


def newest_prices() -> Prefetch[str, QuerySet[Price], str]:
    """Whole-server prices of plans, the newest first."""
    return Prefetch(
        "prices",
        queryset=Price.objects.filter(is_unit_price=False).order_by("-valid_from", "amount"),
        to_attr="list_prices",
    )


def drives_board(query: BoardQuery) -> Board:
    """Drive families with a standing, and those without: 5 queries."""
    all_standings = Standing.objects.filter(drive_family__isnull=False)
    wanted = all_standings.filter(
        standing_filter(replace(query, plp="")), drive_filter(query, "drive_family__")
    )
    groups, pages = one_page(wanted, query)
    workloads = set(all_standings.values_list("workload", "workload_title").distinct())
    waiting = (
        DriveFamily.objects.filter(drive_filter(query))
        .exclude(kind="virtual")
        .filter(~Exists(COMMIT_STANDINGS.filter(drive_family=OuterRef("pk"))))
        .order_by("vendor", "name")
    )
    if query.workload or query.evidence:
        waiting = waiting.none()
    needs_pages, cut = paging(total=waiting.count(), page=query.needs, size=NEEDS_A_PAGE)
    return Board(
        groups=groups,
        pages=pages,
        workloads=workload_choices(workloads),
        providers=(),
        regions=(),
        needs=tuple(waiting[cut]),
        needs_pages=needs_pages,
    )
