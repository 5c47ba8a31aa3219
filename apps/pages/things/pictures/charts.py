"""Charts of plans, drives and providers: the figures and the words that the scripts draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.show import units, words
from apps.pages.show.phrases import in_brackets, join_facts, join_names, with_name
from apps.pages.things import words as thing_words
from apps.pages.things.selectors.months import changes_of
from apps.plans.models import Price
from apps.plans.prices.currencies import CURRENCY_SIGNS
from apps.rankings.standings.months import MONTHS_A_YEAR
from apps.stats.figures import significant

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from apps.pages.show.charts import JsonValue
    from apps.pages.things.pictures.frontier import Frontier, PricedPlan
    from apps.pages.things.selectors.months import Month

MONTHS_MIN = 2  # fewer are no line


def months_data(months: Sequence[Month]) -> dict[str, JsonValue]:
    """What the script draws of the rate over months; x counts months from the first one."""
    first = months[0].first_day
    points: list[JsonValue] = [
        {
            "x": months_between(first, month.first_day),
            "name": thing_words.month_name(month),
            "y": round(month.rate_per_s, 1),
            "low": None if month.low_per_s is None else round(month.low_per_s, 1),
            "high": None if month.high_per_s is None else round(month.high_per_s, 1),
            "says": month_says(month),
        }
        for month in months
    ]
    changes: list[JsonValue] = [
        {"x": months_between(first, change.first_day), "says": change.after}
        for change in changes_of(months)
    ]
    return {
        "months": points,
        "changes": changes,
        "unit": "/s",
        "band": _("Middle half"),
    }


def months_between(first: date, later: date) -> int:
    """How many months one lies after the other."""
    return (later.year - first.year) * MONTHS_A_YEAR + later.month - first.month


def month_says(month: Month) -> str:
    """A month in words."""
    rate = f"{significant(month.rate_per_s)} /s"
    if month.low_per_s is not None and month.high_per_s is not None:
        rate += f" ({significant(month.low_per_s)}\u2013{significant(month.high_per_s)})"
    counts = words.count(month.n_uploaders, "uploader"), words.count(month.n_runs, "run")
    return with_name(thing_words.month_name(month), join_facts((rate, *counts)))


def frontier_data(frontier: Frontier) -> dict[str, JsonValue]:
    """What the script draws of price against commits."""
    points: list[JsonValue] = [
        {
            "name": offer.name,
            "x": round(float(offer.month), 4),
            "y": round(offer.rate_per_s, 2),
            "low": round(offer.low, 2) if offer.low else None,
            "high": round(offer.high, 2) if offer.high else None,
            "on": offer.is_on_frontier,
            "class": offer.comparable,
            "gone": offer.is_gone,
            "says": offer_says(offer, frontier.currency),
        }
        for offer in frontier.offers
    ]
    return {
        "points": points,
        "x": f"{_('Price a month')}{in_brackets(frontier.currency)}",
        "y": _("Durable commits/s"),
        "sign": CURRENCY_SIGNS.get(frontier.currency, ""),
        "code": "" if CURRENCY_SIGNS.get(frontier.currency) else f" {frontier.currency}",
    }


def offer_says(offer: PricedPlan, currency: str) -> str:
    """A plan in words."""
    month = units.with_period(units.money(offer.month, currency), Price.Period.MONTH)
    gone = _("superseded") if offer.is_gone else ""
    rate = f"{significant(offer.rate_per_s)} /s"
    return with_name(offer.name, join_facts((month, gone, rate, offer.work)))


def frontier_says(frontier: Frontier) -> str:
    """The chart for those who do not see it."""
    names = join_names(offer.name for offer in frontier.on_it)
    return with_name(_("Most commits for the rent"), names)
