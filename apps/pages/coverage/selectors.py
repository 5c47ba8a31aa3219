"""What has been measured and what not: plans by provider, drives by maker, each by state."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
    Window,
)
from django.db.models.functions import RowNumber

from apps.drives.models import DriveFamily
from apps.interest.kinds import DRIVE, PLAN
from apps.interest.selectors import times_looked_for
from apps.pages.show.table.paging import Pages, paging
from apps.plans.models import Plan, Price
from apps.plans.prices.renting import measurement_price
from apps.plans.selectors import newest_prices
from apps.rankings.choice import choice_order, evidence_order
from apps.rankings.cost import pick_price
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import COMMIT_STANDINGS
from apps.runs.models import Level, Run
from apps.runs.published.services import published_before
from apps.runs.selectors import COMMITS
from apps.stats.standings.gates import RANKED_UPLOADERS_MIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from apps.plans.prices.renting import MeasurementPrice

# Providers change drives within a year or two: what is older describes machines of another time.
STALE_AGE: Final = timedelta(days=365)
ROWS_A_PAGE: Final = 10  # each has a command to copy; more would not fit the budget of a phone
RANKED, FEW, PUBLISHED, NOBODY = "ranked", "few", "published", "nobody"
MANAGED: Final = "managed"  # kind of plan
STALE = "stale"  # of those with figures; no state of its own
STATES: Final = (RANKED, FEW, PUBLISHED, NOBODY)


@dataclass(frozen=True, slots=True)
class CoverageQuery:
    """The state of the page. Empty text means "any"."""

    of: str = "plans"  # or drives
    owner: str = ""  # slug of a provider, or a maker
    kind: str = ""
    state: str = NOBODY
    page: int = 1


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """How many plans of a provider, or drives of a maker, are in each state."""

    owner: str
    name: str
    counts: dict[str, int]
    stale: int

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def is_begun(self) -> bool:
        """Whether anybody measured any of them."""
        return self.counts[NOBODY] < self.total


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One plan or drive of the list, with what is missing until it ranks."""

    thing: Any
    standing: Any  # that stands for it, where it is measured at all
    last: date | None  # when it was last measured, by what stands for it
    last_run: str = ""  # the slug of that run, whose page says whose key signed it
    price: Price | None = None
    cost: MeasurementPrice | None = None  # of a measurement, where it is rented for an hour

    @property
    def uploaders(self) -> int:
        """How many people measured it."""
        return self.standing.n_uploaders if self.standing else 0

    @property
    def uploaders_missing(self) -> int:
        """How many more people are needed until it ranks."""
        return max(0, RANKED_UPLOADERS_MIN - self.uploaders)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Everything on the page."""

    lines: tuple[OwnerRow, ...]
    sums: OwnerRow
    kinds: dict[str, int]  # how many of each kind there are, whatever kind is asked for
    rows: tuple[CoverageRow, ...]
    pages: Pages


def read_coverage(query: CoverageQuery, *, now: datetime) -> Coverage:
    """The matrix and one page of the list: 4 queries."""
    things = _drives() if query.of == "drives" else _plans()
    with_states = _with_states(things, board=query.of, now=now)
    owner, name = ("vendor", "vendor") if query.of == "drives" else ("provider", "provider__name")
    grouped = list(
        with_states.values(hit_owner=F(owner), hit_name=F(name), hit_kind=_kind(query.of))
        .annotate(n=Count("pk"), hit_state=F("state"), hit_stale=F("is_stale"))
        .order_by("hit_name", "hit_kind")
    )
    kinds: dict[str, int] = defaultdict(int)
    for row in grouped:
        kinds[row["hit_kind"]] += row["n"]
    lines = _lines(row for row in grouped if query.kind in ("", row["hit_kind"]))
    matching = with_states.filter(_condition(query, owner))
    pages, cut = paging(total=matching.count(), page=query.page, size=ROWS_A_PAGE)
    looked_for = times_looked_for(DRIVE if query.of == "drives" else PLAN)
    order = ("-looked_for", *_turns(owner, name, query.of))
    page = list(matching.annotate(looked_for=looked_for).order_by(*order)[cut])
    return Coverage(
        lines=tuple(lines),
        sums=_sum(lines),
        kinds=dict(sorted(kinds.items(), key=lambda each: -each[1])),
        rows=_waiting(page, board=query.of),
        pages=pages,
    )


def _turns(owner: str, name: str, board: str) -> tuple[Any, ...]:
    """One of each owner, then a second of each: of plans the smallest, which most people have.

    Nobody can log in to a managed service and run the agent there: those are an owner's last.
    """
    is_managed = Case(When(kind=MANAGED, then=Value(1)), default=Value(0)).asc()
    is_small = is_managed, F("vcpus").asc(nulls_last=True), F("ram_gb").asc()
    by = () if board == "drives" else is_small
    turn = Window(RowNumber(), partition_by=F(owner), order_by=(*by, F("name").asc()))
    return turn, name, "name"


def _plans() -> QuerySet[Any]:
    """Plans that somebody can rent."""
    return Plan.objects.rentable().select_related("provider").prefetch_related(newest_prices())


def _drives() -> QuerySet[Any]:
    """Drive families that somebody can hold in the hand."""
    return DriveFamily.objects.exclude(kind="virtual")


def _kind(board: str) -> F:
    return F("interface") if board == "drives" else F("kind")


def _with_states(things: QuerySet[Any], *, board: str, now: datetime) -> QuerySet[Any]:
    """Add the state of each, and whether its newest figure is old. Examples count for nothing.

    A thing is old where all its durable commits of one writer are: by the day that is stated, else
    by the month of the article. A figure with neither is never called old.
    """
    column = "drive_family" if board == "drives" else "plan"
    standings = COMMIT_STANDINGS.filter(**{column: OuterRef("pk")})
    measured = standings.filter(evidence=Evidence.MEASURED)
    counting = Run.objects.filter(
        Exists(COMMITS),
        Q(in_standings=True) | Q(level=Level.PUBLISHED, is_kept_out=False),
        is_example=False,
        **{column: OuterRef("pk")},
        **({"is_single_drive": True} if board == "drives" else {"plan_in_doubt": False}),
    )
    a_year_ago = now - STALE_AGE
    is_undated = Q(measured_at=None) & ~Q(slug__in=published_before(f"{a_year_ago:%Y-%m}"))
    maybe_fresh = counting.filter(is_undated | Q(measured_at__gte=a_year_ago))
    with_states: QuerySet[Any] = things.annotate(
        state=Case(
            When(Exists(measured.filter(tier__isnull=False)), then=Value(RANKED)),
            When(Exists(measured), then=Value(FEW)),
            When(Exists(standings.filter(evidence=Evidence.PUBLISHED)), then=Value(PUBLISHED)),
            default=Value(NOBODY),
            output_field=CharField(),
        )
    ).annotate(
        is_stale=ExpressionWrapper(
            ~Q(state=NOBODY) & Exists(counting) & ~Exists(maybe_fresh), output_field=BooleanField()
        )
    )
    return with_states


def _condition(query: CoverageQuery, owner: str) -> Q:
    condition = Q(is_stale=True) if query.state == STALE else Q(state=query.state)
    if query.owner:
        condition &= Q(**{owner: query.owner})
    if query.kind:
        condition &= Q(**{_kind(query.of).name: query.kind})
    return condition


def _lines(rows: Iterable[dict[str, Any]]) -> list[OwnerRow]:
    """The rows of the matrix, the owner of the most that nobody measured first."""
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: dict.fromkeys(STATES, 0))
    stale: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        key = row["hit_owner"], row["hit_name"]
        counts[key][row["hit_state"]] += row["n"]
        stale[key] += row["n"] if row["hit_stale"] else 0
    lines = [OwnerRow(*key, counts=of, stale=stale[key]) for key, of in counts.items()]
    return sorted(lines, key=lambda line: (-line.counts[NOBODY], line.name))


def _sum(lines: Sequence[OwnerRow]) -> OwnerRow:
    counts = {state: sum(line.counts[state] for line in lines) for state in STATES}
    return OwnerRow("", "", counts=counts, stale=sum(line.stale for line in lines))


def _waiting(things: Sequence[Any], *, board: str) -> tuple[CoverageRow, ...]:
    """The rows of the list with the standing that stands for each: one query."""
    column = "drive_family_id" if board == "drives" else "plan_id"
    newest = Run.objects.filter(slug=OuterRef("newest_run_slug")).values("measured_at")[:1]
    rows: dict[str, Standing] = {}
    standings = (
        COMMIT_STANDINGS.filter(~Q(evidence=Evidence.EXAMPLE))
        .filter(**{f"{column}__in": [thing.pk for thing in things]})
        .annotate(measured_at=newest)
        .defer("curve", "points")
        .order_by(evidence_order(), *choice_order())
    )
    for row in standings if things else ():
        rows.setdefault(getattr(row, column), row)
    return tuple(_waiting_row(thing, rows.get(thing.pk)) for thing in things)


def _waiting_row(thing: Any, standing: Any) -> CoverageRow:
    prices = getattr(thing, "list_prices", [])
    is_measured = standing is not None and standing.evidence == Evidence.MEASURED
    measured_at = standing.measured_at if standing is not None else None
    return CoverageRow(
        thing=thing,
        standing=standing if is_measured else None,
        last=measured_at.date() if measured_at else None,
        last_run=standing.newest_run_slug if measured_at else "",
        price=pick_price(prices),
        cost=measurement_price(thing, prices) if prices else None,
    )
