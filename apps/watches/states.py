"""What a watcher is told of a plan: its figure, its tier, its price; and what changed in it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from apps.plans.models import Price
from apps.rankings.choice import headline
from apps.rankings.cost import pick_price
from apps.rankings.models import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from decimal import Decimal

# A median moves with every run: a change that a reader would act on is worth a mail.
RATE_CHANGE_MIN: Final = 0.05


@dataclass(frozen=True, slots=True)
class PlanState:
    """What stands of a plan on a day; all of it fits into JSON."""

    rate_per_s: float | None = None  # None: nobody measured its commits
    workload: str = ""
    evidence: str = ""
    tier: int | None = None  # None: too few uploaders to be ranked
    price: str = ""  # "4.15 EUR a month"; empty: no list price

    def as_json(self) -> dict[str, Any]:
        """Return what is stored of it."""
        return asdict(self)

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> PlanState:
        """Return what was stored; members that this version does not know are left out."""
        return cls(**{name: stored[name] for name in cls.__slots__ if name in stored})


def states_of(slugs: Iterable[str]) -> dict[str, PlanState]:
    """Return the state of each plan by its slug: two queries."""
    wanted = list(slugs)
    standings: dict[str, list[Standing]] = defaultdict(list)
    rows = Standing.objects.filter(plan__in=wanted).select_related("plan").order_by("pk")
    for each in rows:
        standings[str(each.plan_id)].append(each)
    prices: dict[str, list[Price]] = defaultdict(list)
    for price in Price.objects.filter(plan__in=wanted).order_by("-valid_from", "pk"):
        prices[price.plan_id].append(price)
    return {slug: _state(standings[slug], prices[slug]) for slug in wanted}


def changes(before: PlanState, after: PlanState) -> list[str]:
    """Return a sentence for each thing that changed, in the language in force."""
    found = [_rate_change(before, after)]
    if before.tier != after.tier and after.rate_per_s is not None:
        found.append(_tier_change(before.tier, after.tier))
    if before.price != after.price:
        values = {"before": before.price or _("none"), "after": after.price or _("none")}
        found.append(_("List price: %(before)s → %(after)s") % values)
    return [each for each in found if each]


def _state(standings: Sequence[Standing], prices: Sequence[Price]) -> PlanState:
    lead = headline(standings)
    price = pick_price(prices)
    stated = f"{_amount(price.amount)} {price.currency}/{price.period}" if price else ""
    if lead is None:
        return PlanState(price=stated)
    return PlanState(
        rate_per_s=lead.rate_per_s,
        workload=lead.workload,
        evidence=lead.evidence,
        tier=lead.tier,
        price=stated,
    )


def _rate_change(before: PlanState, after: PlanState) -> str:
    old, new = before.rate_per_s, after.rate_per_s
    if new is None:
        return "" if old is None else _("No measurement of it counts any more.")
    if old is None:
        return _("Measured for the first time: %(rate)s commits/s") % {"rate": f"{new:,.0f}"}
    is_other_work = (before.workload, before.evidence) != (after.workload, after.evidence)
    if not is_other_work and abs(new - old) < RATE_CHANGE_MIN * old:
        return ""
    values = {"before": f"{old:,.0f}", "after": f"{new:,.0f}"}
    if is_other_work:
        return _("Commits/s: %(before)s → %(after)s, of other work or evidence") % values
    return _("Commits/s: %(before)s → %(after)s") % values


def _tier_change(before: int | None, after: int | None) -> str:
    unranked = _("not ranked")
    values = {"before": before or unranked, "after": after or unranked}
    return _("Tier: %(before)s → %(after)s") % values


def _amount(amount: Decimal) -> str:
    """An amount without the zeros that the column adds; two decimals at least."""
    whole = f"{amount:f}".rstrip("0")
    head, _point, decimals = whole.partition(".")
    return f"{head}.{decimals:0<2}"
