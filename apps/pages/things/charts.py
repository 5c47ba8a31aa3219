"""Charts of plans, drives and providers: the figures and the words that the scripts draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.show import units, words
from apps.pages.show.phrases import join_names
from apps.pages.things import words as thing_words
from apps.pages.things.selectors.months import MONTHS_A_YEAR, changes_of
from apps.plans.prices.currencies import CURRENCY_SIGNS
from apps.stats.figures import significant

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from apps.pages.show.charts import JsonValue
    from apps.pages.things.frontier import Frontier, PricedPlan
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
        "unit": _("commits/s"),
        "band": _("middle half of uploaders"),
    }


def months_between(first: date, later: date) -> int:
    """How many months one lies after the other."""
    return (later.year - first.year) * MONTHS_A_YEAR + later.month - first.month


def month_says(month: Month) -> str:
    """A month in words."""
    figures = {
        "month": thing_words.month_name(month),
        "rate": significant(month.rate_per_s),
        "uploaders": words.count(month.n_uploaders, "uploader"),
        "runs": words.count(month.n_runs, "run"),
    }
    if month.low_per_s is None or month.high_per_s is None:
        return _("%(month)s: %(rate)s a second, %(uploaders)s, %(runs)s") % figures
    figures |= {"low": significant(month.low_per_s), "high": significant(month.high_per_s)}
    return (
        _("%(month)s: %(rate)s a second, middle half %(low)s to %(high)s, %(uploaders)s, %(runs)s")
        % figures
    )


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
            "says": offer_says(offer, frontier.currency),
        }
        for offer in frontier.offers
    ]
    return {
        "points": points,
        "x": _("price a month, %(currency)s") % {"currency": frontier.currency},
        "y": _("durable commits a second"),
        "sign": CURRENCY_SIGNS.get(frontier.currency, ""),
        "code": "" if CURRENCY_SIGNS.get(frontier.currency) else f" {frontier.currency}",
    }


def offer_says(offer: PricedPlan, currency: str) -> str:
    """A plan in words."""
    return _("%(name)s: %(price)s a month, %(rate)s durable commits a second") % {
        "name": offer.name,
        "price": units.money(offer.month, currency),
        "rate": significant(offer.rate_per_s),
    }


def frontier_says(frontier: Frontier) -> str:
    """The chart for those who do not see it."""
    names = join_names(offer.name for offer in frontier.on_it)
    return _("Price a month against durable commits a second. On the frontier: %(names)s") % {
        "names": names
    }
