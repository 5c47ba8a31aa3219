"""The drive lottery as lines: how many uploaders got something, and where their rates lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.draw.axis import AxisPlace, place_of_rate
from apps.pages.draw.trace import FLIP_AT_PERCENT, Span
from apps.pages.show import words
from apps.pages.show.phrases import join_facts
from apps.pages.things.words import share_words

if TYPE_CHECKING:
    from apps.pages.things.selectors.spread import MachineSpread, OutcomeSummary
    from apps.rankings.models import Standing


@dataclass(frozen=True, slots=True)
class LotteryRow:
    """One line: what was got, by what share of the uploaders, and their rates in the field."""

    outcome: OutcomeSummary
    name: str
    under: str
    url: str  # empty: what was got has no page
    plp: str
    share_words: str
    counts: str  # of machines and runs
    share_percent: str  # as an SVG length
    place: AxisPlace
    span: Span

    @property
    def label_is_left(self) -> bool:
        """Whether the figure stands left of the mark."""
        return self.span.end.percent > FLIP_AT_PERCENT


def lottery_rows(spread: MachineSpread, lead: Standing) -> tuple[LotteryRow, ...]:
    """The lines of the lottery behind a standing: of a plan the drives, of a drive the plans."""
    if not any(outcome.item.slug for outcome in spread.lottery):
        return ()  # a sentence says it
    return tuple(_row(outcome, spread.n_uploaders, lead) for outcome in spread.lottery)


def _row(outcome: OutcomeSummary, total: int, lead: Standing) -> LotteryRow:
    item = outcome.item
    if lead.plan_id:
        name = item.name or _("not stated")
        under = str(words.plp_words(item.more)) if item.slug else ""
        page, plp = "pages:drive", item.more
    else:
        name = item.name or _("not stated")
        under, page, plp = item.more, "pages:plan", lead.plp
    return LotteryRow(
        outcome=outcome,
        name=name,
        under=under,
        url=reverse(page, args=[item.slug]) if item.slug else "",
        plp=plp,
        share_words=share_words(outcome, total, lead),
        counts=join_facts(
            (words.count(outcome.n_machines, "machine"), words.count(outcome.n_runs, "run"))
        ),
        share_percent=f"{float(outcome.share) * 100:.1f}%",
        place=place_of_rate(outcome.rate_per_s),
        span=Span(place_of_rate(outcome.high_per_s), place_of_rate(outcome.low_per_s)),
    )
