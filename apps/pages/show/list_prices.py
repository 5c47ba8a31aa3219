"""A list price as every page says it: of a month first, and of an hour where that was listed.

Its day is followed by what the price is: old, superseded, derived, a "from" price.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.show import phrases, units
from apps.plans.models import Price, PriceKind
from apps.plans.prices.kinds import kind_of
from apps.rankings.cost import monthly
from apps.words.facts import note_in_words

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from django.utils.functional import Promise

    from apps.rankings.advice.offers import Offer
    from apps.rankings.cost import PricedVolume

KINDS: Final[dict[PriceKind | None, Promise]] = {
    PriceKind.SUPERSEDED: gettext_lazy("superseded"),
    PriceKind.FROM: gettext_lazy("“from” price"),
    PriceKind.DERIVED: gettext_lazy("derived"),
    PriceKind.QUOTED: gettext_lazy("from an article"),
}


class ListPrice(NamedTuple):
    """A list price in words."""

    month: str
    hour: str  # empty where the price was listed by the month


def list_price(price: Price) -> ListPrice:
    """The price of a month, and that of an hour where the month is computed from it.

    A computed month is rounded: 730 hours are no month that anybody bills.
    """
    if price.period == Price.Period.MONTH:
        return ListPrice(units.list_price(price.amount, price.currency, price.period), "")
    month = units.money(monthly(price), price.currency)
    return ListPrice(
        units.with_period(month, Price.Period.MONTH),
        units.list_price(price.amount, price.currency, price.period),
    )


def as_listed(price: Price) -> str:
    """A price with the period that it was stated for, and that of one GiB or IOPS with its unit."""
    if not price.is_unit_price:
        return units.list_price(price.amount, price.currency, price.period)
    amount = units.list_amount(price.amount, price.currency)
    return units.with_period(f"{amount} /{price.unit}", price.period)


def volume_month(volume: PricedVolume) -> str:
    """What a volume costs a month as it is ordered."""
    return units.list_price(volume.bill.month, volume.bill.currency, Price.Period.MONTH)


def volume_size(gib: int) -> str:
    """How large a volume is that is ordered."""
    return f"{gib:,} GiB"


def volume_lines(volume: PricedVolume) -> tuple[str, ...]:
    """The order behind the price of a volume: its size, each unit price, their day and source."""
    parts = volume.bill.parts
    return (
        volume_size(volume.order.gib),
        *(as_listed(part.price) for part in parts),
        *filter(None, (note_in_words(parts[0].price.region),)),
        *_day_lines(volume.day, volume.kind),
        parts[0].price.source,
    )


def is_only_old(day: dt.date, kind: PriceKind | None) -> bool:
    """Whether a price may have changed: of a superseded one it is known."""
    return kind != PriceKind.SUPERSEDED and units.is_stale(day, timezone.now().date())


def price_standing(price: Price) -> str:
    """What must be said beside the day of a price; nothing beside a list price of these days."""
    kind = kind_of(price)
    old = _("old") if is_only_old(price.valid_from, kind) else ""
    return phrases.join_facts((old, KINDS.get(kind, ""), _dispute(price)))


def price_day_lines(price: Price) -> tuple[str, ...]:
    """The day of a price with its year, that it is old, and below it what it is."""
    return (*_day_lines(price.valid_from, kind_of(price)), *filter(None, (_dispute(price),)))


def _dispute(price: Price) -> str:
    """That a moderator doubts a price: it is shown, and nothing is computed with it."""
    return _("in dispute") if price.is_disputed else ""


def price_day(price: Price) -> str:
    """The day of a price in one line."""
    return phrases.join_facts(price_day_lines(price))


def _day_lines(valid_from: dt.date, kind: PriceKind | None) -> tuple[str, ...]:
    day = units.day(valid_from)
    first = phrases.join_facts((day, _("old"))) if is_only_old(valid_from, kind) else day
    return (first, str(KINDS[kind])) if kind else (first,)


def offer_day_lines(offer: Offer) -> tuple[str, ...]:
    """The day of the price of an offer, and what that price is."""
    return () if offer.price_day is None else _day_lines(offer.price_day, offer.price_kind)


def offer_day(offer: Offer) -> str:
    """The day of the price of an offer in one line."""
    return phrases.join_facts(offer_day_lines(offer))


def offer_size(offer: Offer) -> str:
    """How large the volume is that an offer is priced with; nothing where none is ordered."""
    if offer.ordered_gib is None:
        return ""
    return volume_size(offer.ordered_gib)


def caution(priced: Iterable[tuple[str, Price | None]]) -> str:
    """The sentence beside costs that are set against each other, where a price is not of today."""
    kinds = {name: kind_of(price) for name, price in priced if price is not None}
    return caution_on((name, kind) for name, kind in kinds.items() if kind)


def caution_on(kinds: Iterable[tuple[str, PriceKind]]) -> str:
    """That sentence on prices whose kinds are known."""
    names = [f"{name}{phrases.in_brackets(KINDS[kind])}" for name, kind in kinds]
    if not names:
        return ""
    return _("Not list prices of today: %(names)s.") % {"names": phrases.join_names(names)}
