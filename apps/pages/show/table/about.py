"""What stands behind the mark of a row: how many, which interval, which price, which warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from apps.pages.show import dates, phrases
from apps.pages.show.list_prices import as_listed, price_day, volume_lines

if TYPE_CHECKING:
    from apps.pages.show.table.row import Row


class AboutLine(NamedTuple):
    """One fact behind a figure of a row."""

    of: str  # rate, price or source
    text: str


def about_of(row: Row) -> tuple[AboutLine, ...]:
    """The provenance of a row; nothing where there is none."""
    lines = (
        (_("Rate"), _rate(row)),
        (_("Measured"), _day(row)),
        (_("Work"), row.workload_note),
        (_("Price"), _price(row)),
        (_("Note"), row.warning),
    )
    return tuple(AboutLine(of, text) for of, text in lines if text)


def _rate(row: Row) -> str:
    return phrases.join_facts((row.evidence.words, row.figures.interval))


def _day(row: Row) -> str:
    """The day of the newest run; nothing where it was not looked up."""
    facts = row.facts
    if facts is None or not (facts.measured_on or facts.source):
        return ""
    return dates.figure_day(facts.measured_on, facts.newest_run)


def _price(row: Row) -> str:
    price = row.cost.price
    if row.cost.volume is not None:
        alone = _("The price is without a server.")
        return phrases.join_sentences((alone, phrases.join_facts(volume_lines(row.cost.volume))))
    if price is None:
        return ""
    return phrases.join_facts((row.cost.note, as_listed(price), price_day(price), price.source))
