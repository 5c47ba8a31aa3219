"""What a comparison says in words beside its answer: title, reason, cost, basis, curves."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.drives.models import PowerLossProtection
from apps.pages.compare.comparison import Comparison
from apps.pages.compare.differences import Comparative, Quality, difference
from apps.pages.compare.figures import point_at
from apps.pages.compare.readings import month_price
from apps.pages.compare.selectors.ready import Asks, ReadyQuestion
from apps.pages.compare.table import MeasureCell, MeasureRow
from apps.pages.compare.things import Thing
from apps.pages.show import phrases, units
from apps.pages.show.dates import figure_day
from apps.pages.show.list_prices import caution
from apps.pages.show.words import level_words
from apps.plans.models import PriceKind
from apps.rankings.standing_columns import NOT_STATED
from apps.runs.models import Level
from apps.stats.figures import significant

PAIR = 2  # things between which one ratio says it all
WORKS_MAX = 3  # of one thing


def title_of(things: Sequence[Thing]) -> str:
    """The things by name: A against B, or A against B, C and D."""
    names = [thing.name for thing in things]
    if not names:
        return ""
    if len(names) == 1:
        return names[0]
    first, others = names[0], name_list(names[1:])
    return _("%(first)s against %(others)s") % {"first": first, "others": others}


def known_of(comparison: Comparison) -> str:
    """What is known of one thing: its figure, and with what else it was measured."""
    (thing,) = comparison.things
    if thing.figures is None:
        names = {"names": thing.name}
        return _("Nobody has measured %(names)s.") % names
    works = [
        phrases.with_name(each.title, f"{significant(thing.figures.rate_per_s)} /s")
        if each.is_current
        else each.title
        for each in comparison.choices[:WORKS_MAX]
    ]
    return phrases.with_name(level_words(thing.figures.level).word, phrases.join_clauses(works))


def question_of(question: ReadyQuestion) -> str:
    """A comparison that is ready, as people ask for it."""
    names = {"names": phrases.join_names(question.providers)}
    if question.asks is Asks.TWO_PLANS:
        return _("How far apart can two plans of %(names)s be?") % names
    if question.asks is Asks.PROVIDERS:
        return _("Whose storage commits fastest: %(names)s?") % names
    return _("What does power-loss protection change?")


def name_list(names: Sequence[str]) -> str:
    """Names as a list in a sentence."""
    if len(names) == 1:
        return names[0]
    return _("%(listed)s and %(last)s") % {
        "listed": phrases.join_names(names[:-1]),
        "last": names[-1],
    }


def with_interval(cell: MeasureCell) -> str:
    """A rate with its interval, for a sentence."""
    return f"{cell.text}{phrases.in_brackets(cell.small)}" if cell.bracket else cell.text


def reason_of(things: Sequence[Thing]) -> str:
    """Why two things may lie apart: what their drives do with a flush."""
    kinds = {thing.plp for thing in things if thing.figures}
    if kinds != {PowerLossProtection.FULL.value, PowerLossProtection.NONE.value}:
        return ""
    quick = name_list([each.name for each in things if each.plp == PowerLossProtection.FULL.value])
    slow = name_list([each.name for each in things if each.plp == PowerLossProtection.NONE.value])
    return _("With power-loss protection: %(quick)s; without: %(slow)s.") % {
        "quick": quick,
        "slow": slow,
    }


def price_caution(things: Sequence[Thing], cost: MeasureRow | None) -> str:
    """Which of the prices under the costs does not hold today."""
    costed = {cell.thing.ref for cell in cost.cells if cell.number is not None} if cost else set()
    priced = [(thing.name, thing.price) for thing in things if thing.ref in costed]
    return caution(priced) if len(priced) >= PAIR else ""


def price_sentence(things: Sequence[Thing], lines: Sequence[MeasureRow]) -> str:
    """Say which thing has the cheapest commits."""
    cost = next((line for line in lines if line.key == "cost_per_billion"), None)
    priced = [thing for thing in things if month_price(thing) is not None and not is_past(thing)]
    if cost is None or len(priced) < PAIR or len({thing.currency for thing in priced}) > 1:
        return ""
    by_cost = {cell.thing.ref: cell for cell in cost.cells if cell.number is not None}
    both = [each for each in priced if each.ref in by_cost and not is_out(each)]
    if len(both) < PAIR:
        return ""
    best, second = sorted(both, key=lambda thing: by_cost[thing.ref].number or 0)[:PAIR]
    if is_unsure(by_cost[best.ref], by_cost[second.ref]):
        return _("Which of them is the cheaper commit cannot be told.")
    return _("The commits of %(best)s cost least.") % {"best": best.name}


def is_past(thing: Thing) -> bool:
    """Whether a thing cannot be had any more at its price."""
    return thing.price is not None and thing.price.kind == PriceKind.SUPERSEDED


def is_unsure(one: MeasureCell, other: MeasureCell) -> bool:
    """Whether two costs cannot be told apart."""
    outcome = difference(one.value, other.value, Quality.COST).outcome
    return outcome in (Comparative.UNSURE, Comparative.RATIO)


def summary_of(sentence: str, chief: MeasureRow | None) -> str:
    """The comparison in plain words, for search engines and previews."""
    if chief is None:
        return sentence
    figures = [phrases.with_name(cell.thing.name, figure_of(cell)) for cell in chief.cells]
    return phrases.join_sentences((sentence, phrases.join_clauses(figures)))


def figure_of(cell: MeasureCell) -> str:
    """The figure of a cell where no picture and no warning stand beside it."""
    figure = with_interval(cell) or cell.small
    return figure + phrases.in_brackets(_("does not count")) if is_out(cell.thing) else figure


def is_out(thing: Thing) -> bool:
    """Whether a thing is a run that does not count."""
    return thing.figures is not None and thing.figures.is_out


def basis_of(thing: Thing) -> str:
    """How many stand behind the figures of a thing, since when, and where."""
    figures = thing.figures
    if figures is None:
        return ""
    day = figure_day(figures.measured_at, figures.run_slug)
    is_of_no_region = thing.ref.region == NOT_STATED
    region = figures.region or (_("region not stated") if is_of_no_region else "")
    parts = [figures.count, region, day, str(figures.interval)]
    return " · ".join(part for part in parts if part)


def curves_sentence(things: Sequence[Thing]) -> str:
    """The curves in figures, for those who do not see them."""
    return phrases.join_clauses(
        phrases.with_name(
            thing.name,
            phrases.join_facts(
                f"{name} {latency(value)}" for name, value in curve_percentiles(thing).items()
            ),
        )
        for thing in things
        if thing.figures and len(thing.figures.curve) > 1
    )


def curve_percentiles(thing: Thing) -> dict[str, int | None]:
    """The percentiles of a thing's curve, which pools the runs of all its uploaders."""
    figures = thing.figures
    if figures is None:
        return {}
    points = {"p50": 0.5, "p99": 0.99, "p99.99": 0.9999}
    return {name: point_at(figures.curve, q) for name, q in points.items()}


def are_pooled(things: Sequence[Thing]) -> bool:
    """Whether a curve that is drawn is of the runs of several uploaders as one."""
    return any(
        thing.figures is not None
        and thing.figures.n_uploaders > 1
        and thing.figures.level != Level.PUBLISHED
        and len(thing.figures.curve) > 1
        for thing in things
    )


def latency(value: int | None) -> str:
    return _("not stated") if value is None else units.latency(value)
