"""What a plan cost a year ago, and what it costs now, with the days and sources of both prices."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.show import units
from apps.pages.show.list_prices import KINDS, as_listed
from apps.pages.show.phrases import join_facts, with_name
from apps.plans.models import Price, PriceKind
from apps.rankings.cost import holds, monthly, pick_price
from apps.stats.figures import significant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

A_YEAR: Final = timedelta(days=365)


def then_and_now(plans: Iterable[str], *, today: date) -> dict[str, tuple[str, ...]]:
    """Say both prices of each plan, given by its slug, and how many times one is the other.

    Where no price is known that stood a year ago, the oldest; nothing where none is known at all.
    One query.
    """
    of_plans: dict[str, list[Price]] = {plan: [] for plan in plans}
    for price in Price.objects.filter(plan__in=of_plans):
        of_plans[price.plan_id].append(price)
    return {plan: _lines(prices, today) for plan, prices in of_plans.items()}


def _lines(prices: Sequence[Price], today: date) -> tuple[str, ...]:
    now = pick_price(prices)
    if now is None:
        return ()
    then = _price_of(prices, today - A_YEAR, like=now)
    if then is None or then == now:
        return (_price_words(now),)
    return _price_words(now, _times(then, now)), _price_words(then)


def _price_of(prices: Sequence[Price], day: date, *, like: Price) -> Price | None:
    """The newest price that stood on a day, else the oldest, where and in what `like` is."""
    region = like.region.partition(";")[0]
    alike = [
        each for each in prices if each.currency == like.currency and holds(each.region, region)
    ]
    known = [each for each in alike if each.valid_from <= day]
    first = min((each.valid_from for each in alike), default=None)
    newest = max((each.valid_from for each in known), default=first)
    return pick_price((each for each in alike if each.valid_from == newest), region=region)


def _times(then: Price, now: Price) -> str:
    if monthly(then) == monthly(now):
        return _("unchanged")
    if not monthly(then):
        return ""
    times = significant(float(monthly(now) / monthly(then)), 2)
    return _("%(times)s times as much") % {"times": times}


def _price_words(price: Price, times: str = "") -> str:
    is_past = price.kind == PriceKind.SUPERSEDED
    facts = [as_listed(price), KINDS[PriceKind.SUPERSEDED] if is_past else "", times, price.source]
    return with_name(units.day(price.valid_from), join_facts(facts))
