"""The best of the plans or drives that a question is about, and whose names a question may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Q

from apps.pages.search.grammar import DRIVES, PLANS
from apps.plans.models import NOT_FOR_RENT, PriceKind, Provider
from apps.plans.prices.currencies import EURO, RatesError
from apps.plans.prices.rates import current_rates
from apps.rankings.advice.engine import advise
from apps.rankings.advice.needs import Need, NeedError
from apps.rankings.advice.selectors import candidates_for, with_sources
from apps.rankings.advice.software import BY_ID
from apps.rankings.choice import evidence_place, headline
from apps.rankings.cost import monthly
from apps.rankings.selectors import FOR_RENT, REAL_COMMITS, with_volume_prices
from apps.rankings.standing_columns import PLAN_KIND
from apps.stats.standings.confidence import Confidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apps.pages.search.grammar import Budget, Question
    from apps.plans.prices.currencies import RateTable
    from apps.rankings.advice.engine import PlanAnswer
    from apps.rankings.advice.software import Software
    from apps.rankings.models import Standing

ANY_SOFTWARE: Final = "commits"
NS_A_MS: Final = 1_000_000
# Filters of the boards, by their names in an address, as columns of a standing.
COLUMNS: Final[Mapping[tuple[str, str], str]] = {
    (PLANS, "provider"): "plan__provider",
    (PLANS, "kind"): "plan__kind",
    (PLANS, "plp"): "plp",
    (DRIVES, "storage"): "drive_family__interface",
    (DRIVES, "segment"): "drive_family__segment",
    (DRIVES, "plp"): "drive_family__plp",
    (DRIVES, "media"): "ladder_class",
}
OF_BOARD: Final[Mapping[str, Q]] = {
    PLANS: FOR_RENT & Q(plan__isnull=False),
    DRIVES: Q(drive_family__isnull=False) & ~Q(drive_family__kind="virtual"),
}


def provider_names() -> dict[str, str]:
    """Names of all providers for rent by their slugs: one query."""
    rented = Provider.objects.exclude(slug__in=NOT_FOR_RENT)
    return dict(rented.values_list("slug", "name"))


def condition_of(question: Question) -> Q:
    """What a standing must be to be of the board and the filters that are asked for."""
    filters = Q(
        **{
            f"{COLUMNS[question.board, key]}__in": _held_by(key, value)
            for key, value in question.filters.items()
        }
    )
    if len(question.providers) > 1:  # no board narrows to several
        filters &= Q(plan__provider__in=question.providers)
    return OF_BOARD[question.board] & filters


def _held_by(key: str, value: str) -> Iterable[str]:
    return PLAN_KIND.held_by(value) if key == "kind" else (value,)


def best_of(question: Question) -> list[Standing]:
    """Plans or drives of what is asked for, by rate or by cost: at most three queries."""
    return in_order(leads_of(question), question)


def within_budget(leads: Sequence[Standing], question: Question) -> list[Standing]:
    """Those of plans whose month costs no more than the budget, all without one: one query."""
    budget = question.budget
    if budget is None or question.board != PLANS:
        return list(leads)
    rates = current_rates()
    return [row for row in leads if _is_within(row, budget, rates)]


def _is_within(row: Standing, budget: Budget, rates: RateTable) -> bool:
    if row.price is None:
        return False
    try:
        month = rates.convert(monthly(row.price), source=row.price.currency, target=budget.currency)
    except RatesError:
        return False
    return month <= budget.amount


def in_order(leads: Sequence[Standing], question: Question) -> list[Standing]:
    """These in the order of the board that the answer leads to: at most one query.

    Measured goes before published. By cost those that can be rented at their price.
    """
    if question.is_of_cost:
        rates = current_rates()
        costs = {row.pk: cost for row in leads if (cost := _euros(row, rates)) is not None}
        return sorted((row for row in leads if row.pk in costs), key=lambda row: costs[row.pk])
    return sorted(leads, key=lambda row: (evidence_place(row), -row.rate_per_s))


def leads_of(question: Question) -> list[Standing]:
    """What was measured or published of what is asked for, volumes with a price: two queries."""
    rows = (
        with_sources(REAL_COMMITS.filter(condition_of(question)))
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .defer("points")
    )
    of_things: dict[str, list[Standing]] = {}
    for row in rows:
        of_things.setdefault(row.plan_id or row.drive_family_id or "", []).append(row)
    return with_volume_prices(
        [lead for each in of_things.values() if (lead := headline(each)) is not None]
    )


def has_past_price(row: Standing) -> bool:
    """Whether a plan cannot be rented any more at its price."""
    return row.price is not None and row.price.kind == PriceKind.SUPERSEDED


def _euros(row: Standing, rates: RateTable) -> float | None:
    """What a billion commits cost, at a price at which the plan can be rented."""
    if row.cost_per_billion is None or row.price is None or has_past_price(row):
        return None
    try:
        return float(rates.convert(row.cost_per_billion, source=row.currency, target=EURO))
    except RatesError:
        return None


def software_of(question: Question) -> Software:
    """The software that is asked for, as the advisor knows it."""
    return BY_ID[(question.software.advisor if question.software else "") or ANY_SOFTWARE]


def rate_of(question: Question) -> int:
    """The rate that is asked for, else that which the advisor assumes for the software."""
    rate = question.needed_per_s
    return software_of(question).rate_per_s if rate is None else rate


def advised(question: Question, *, kind: str = "") -> list[PlanAnswer]:
    """The measured plans that may carry what is asked for, in the advisor's order: five queries.

    What keeps its data comes before what a stop empties. `kind` where the question names none.
    """
    try:
        need = Need(
            software=software_of(question),
            rate_per_s=rate_of(question),
            p99_ns_max=round(float(question.p99_ms) * NS_A_MS) if question.p99_ms else None,
            kind=question.filters.get("kind", kind),
            providers=frozenset(question.providers),
            currency=question.budget.currency if question.budget else EURO,
        )
    except NeedError:
        return []
    answers = advise(need, candidates_for(need, rates=current_rates()))
    reaching = [each for each in answers if each.figure is not None and _reaches(each)]
    enough = [each for each in reaching if not each.falls_short]
    return sorted(enough or reaching, key=lambda each: each.candidate.is_ephemeral)


def _reaches(answer: PlanAnswer) -> bool:
    return not answer.sure.fails and answer.sure.confidence is not Confidence.UNLIKELY
