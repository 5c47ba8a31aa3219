"""What a comparison says in words: its title, the great ratios, the verdict in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.drives.models import PowerLossProtection
from apps.pages.compare.differences import (
    TWICE,
    Comparative,
    Difference,
    Quality,
    difference,
)
from apps.pages.compare.figures import point_at
from apps.pages.compare.readings import month_price
from apps.pages.compare.table import MeasureCell, MeasureRow
from apps.pages.compare.things import Thing, WorkloadChoice
from apps.pages.show import phrases, units
from apps.pages.show.address.references import RefKind
from apps.pages.show.dates import figure_day
from apps.pages.show.list_prices import caution
from apps.plans.models import PriceKind
from apps.rankings.standing_columns import NOT_STATED
from apps.runs.models import Level

PAIR = 2  # things between which one ratio says it all
WORKLOADS_NAMED_MAX = 3  # in a sentence; the list of workloads has the rest


@dataclass(frozen=True, slots=True)
class Ratio:
    """One great figure: how far apart two things are, and in what."""

    times: str
    what: str
    is_chief: bool


def title_of(things: Sequence[Thing]) -> str:
    """The things by name: A against B, or A against B, C and D."""
    return title_of_names([thing.name for thing in things])


def title_of_names(names: Sequence[str]) -> str:
    """Names as a title."""
    if not names:
        return ""
    if len(names) == 1:
        return names[0]
    first, others = names[0], name_list(names[1:])
    return _("%(first)s against %(others)s") % {"first": first, "others": others}


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


def base_of(line: MeasureRow) -> MeasureCell:
    """The cell of the baseline."""
    return next(cell for cell in line.cells if cell.is_base)


def workload_sentences(
    things: Sequence[Thing], choices: Sequence[WorkloadChoice]
) -> tuple[str, ...]:
    """The workloads that each thing has figures of, for things that have none in common."""
    return tuple(
        sentence
        for thing in things
        for sentence in workload_sentences_of(
            thing, [each for each in choices if has_figures(each, thing)]
        )
    )


def has_figures(choice: WorkloadChoice, thing: Thing) -> bool:
    """Whether a thing has figures under a workload."""
    return choice.shape in thing.shapes


def workload_sentences_of(thing: Thing, choices: Sequence[WorkloadChoice]) -> tuple[str, ...]:
    """The workloads that one thing has figures of; made-up figures are in a sentence of their own.

    `choices` are the workloads under which the thing has figures.
    """
    real = [choice.title for choice in choices if not choice.shape.is_made_up]
    n_made_up = len(choices) - len(real)
    names = {"name": thing.name, "workloads": _("; ").join(real[:WORKLOADS_NAMED_MAX])}
    if not real:
        sentence = _("%(name)s: no figure of its own yet.") % names
    elif len(real) > WORKLOADS_NAMED_MAX:
        names["n"] = str(len(real) - WORKLOADS_NAMED_MAX)
        sentence = _("%(name)s has figures of %(workloads)s, and %(n)s more.") % names
    else:
        sentence = _("%(name)s has figures of %(workloads)s only.") % names
    if not n_made_up:
        return (sentence,)
    made_up = ngettext(
        "Its figures under %(n)s workload are a made-up example and not counted here.",
        "Its figures under %(n)s workloads are made-up examples and not counted here.",
        n_made_up,
    )
    return sentence, made_up % {"n": n_made_up}


def ratios_of(lines: Sequence[MeasureRow]) -> tuple[Ratio, ...]:
    """Of two things: how far apart their rates are, and what a commit costs on them."""
    words = {
        "rate": _("apart in durable commits a second, one writer"),
        "p9999": _("apart in the slowest of 10,000 commits"),
        "cost_per_billion": _("apart in what a billion commits cost"),
    }
    ratios = []
    for line in lines:
        if line.key not in words or len(line.cells) != PAIR or line.other is None:
            continue
        difference = line.other.difference
        if difference.outcome in (Comparative.BETTER, Comparative.WORSE) or is_great(difference):
            ratios.append(Ratio(difference.times, words[line.key], is_chief=line.key == "rate"))
    ordered = sorted(ratios, key=lambda each: not each.is_chief)
    return tuple(ordered if len(ordered) <= PAIR else (ordered[0], ordered[-1]))


def is_great(difference: Difference) -> bool:
    """Whether a ratio without an interval is so large that it is worth a great figure."""
    if difference.outcome != Comparative.RATIO or difference.ratio is None or difference.is_of_few:
        return False
    return max(difference.ratio, 1 / difference.ratio) >= TWICE


def verdict_of(chief: MeasureRow | None) -> tuple[str, ...]:
    """One sentence for each thing against the baseline, with figures and intervals."""
    if chief is None:
        return ()
    base = base_of(chief)
    if len([cell for cell in chief.cells if cell.text]) < PAIR:
        return ()
    if not base.text:
        return (
            _(
                "%(name)s has no figure under this workload: choose another baseline to see "
                "differences."
            )
            % {"name": base.thing.name},
        )
    return tuple(one_verdict(cell, base) for cell in chief.cells if not cell.is_base)


def one_verdict(cell: MeasureCell, base: MeasureCell) -> str:
    """A thing against the baseline."""
    names = {
        "name": cell.thing.name,
        "base": base.thing.name,
        "rate": with_interval(cell),
        "base_rate": with_interval(base),
        "times": cell.difference.times,
    }
    outcome = cell.difference.outcome
    if outcome == Comparative.UNKNOWN:
        return _("Nobody has measured %(name)s under this workload.") % names
    if outcome in (Comparative.UNSURE, Comparative.SAME):
        return (
            _("%(name)s and %(base)s cannot be told apart: %(rate)s and %(base_rate)s a second.")
            % names
        )
    if outcome == Comparative.RATIO:
        return (
            _(
                "%(name)s makes %(rate)s a second and %(base)s %(base_rate)s: too few people "
                "measured them to say which is faster."
            )
            % names
        )
    if outcome == Comparative.BETTER:
        return (
            _(
                "%(name)s makes %(rate)s a second, %(times)s\u00d7 as many as %(base)s with "
                "%(base_rate)s."
            )
            % names
        )
    return (
        _(
            "%(name)s makes %(rate)s a second; %(base)s makes %(base_rate)s, %(times)s\u00d7 as "
            "many."
        )
        % names
    )


def reason_of(things: Sequence[Thing]) -> str:
    """Why two things may lie apart: what their drives do with a flush."""
    kinds = {thing.plp for thing in things if thing.figures}
    if kinds != {PowerLossProtection.FULL.value, PowerLossProtection.NONE.value}:
        return ""
    quick = name_list([each.name for each in things if each.plp == PowerLossProtection.FULL.value])
    slow = name_list([each.name for each in things if each.plp == PowerLossProtection.NONE.value])
    return _(
        "A drive with power-loss protection may answer a flush from its memory (%(quick)s); one "
        "without has to program its flash first (%(slow)s)."
    ) % {"quick": quick, "slow": slow}


def one_machine_of(things: Sequence[Thing]) -> str:
    """Which figures say nothing of other machines: those of one machine, or of one article.

    The range of the repeats or half seconds of one machine is no interval of a plan.
    """
    with_figures = [thing for thing in things if thing.figures]
    lone = [thing for thing in with_figures if thing.figures and thing.figures.is_of_one_machine]
    if not lone or len(with_figures) < PAIR:
        return ""
    if len(lone) < len(with_figures):
        return ngettext(
            "%(names)s rests on one machine: others of the same plan or drive may differ by more "
            "than is shown here.",
            "%(names)s rest on one machine each: others of the same plans or drives may differ by "
            "more than is shown here.",
            len(lone),
        ) % {"names": name_list([thing.name for thing in lone])}
    if not any(thing.figures and thing.figures.low for thing in lone):
        return _("One machine each, and no range of its figures: other machines may differ.")
    if all(thing.ref.kind == RefKind.PLAN for thing in lone):
        return _(
            "One machine each: other machines of these plans may differ by more than these ranges."
        )
    return _(
        "One machine each: others of the same plans or drives may differ by more than these ranges."
    )


def price_words(things: Sequence[Thing], lines: Sequence[MeasureRow]) -> str:
    """Which is the cheaper commit, and which of the prices under it does not hold today."""
    cost = next((line for line in lines if line.key == "cost_per_billion"), None)
    costed = {cell.thing.ref for cell in cost.cells if cell.number is not None} if cost else set()
    priced = [(thing.name, thing.price) for thing in things if thing.ref in costed]
    doubt = caution(priced) if len(priced) >= PAIR else ""
    return phrases.join_sentences((price_sentence(things, lines), doubt))


def price_sentence(things: Sequence[Thing], lines: Sequence[MeasureRow]) -> str:
    """Say which thing is the cheapest to rent, and which has the cheapest commits."""
    cost = next((line for line in lines if line.key == "cost_per_billion"), None)
    priced = [thing for thing in things if month_price(thing) is not None and not is_past(thing)]
    if cost is None or len(priced) < PAIR or len({thing.currency for thing in priced}) > 1:
        return ""
    by_cost = {cell.thing.ref: cell for cell in cost.cells if cell.number is not None}
    both = [thing for thing in priced if thing.ref in by_cost]
    if len(both) < PAIR:
        return ""
    cheap = min(both, key=lambda thing: month_price(thing) or 0)
    best, second = sorted(both, key=lambda thing: by_cost[thing.ref].number or 0)[:PAIR]
    rent_is_equal = len({month_price(thing) for thing in both}) == 1
    rival = second if rent_is_equal or cheap.ref == best.ref else cheap
    if is_unsure(by_cost[best.ref], by_cost[rival.ref]):
        return _("Which of them is the cheaper commit cannot be told.")
    if rent_is_equal:
        return _("They rent for the same; the commits of %(best)s cost least.") % {
            "best": best.name
        }
    if cheap.ref == best.ref:
        return _("%(name)s is the cheapest to rent, and its commits cost least.") % {
            "name": best.name
        }
    return _("%(cheap)s is the cheapest to rent; the commits of %(best)s cost less.") % {
        "cheap": cheap.name,
        "best": best.name,
    }


def is_past(thing: Thing) -> bool:
    """Whether a thing cannot be had any more at its price."""
    return thing.price is not None and thing.price.kind == PriceKind.SUPERSEDED


def is_unsure(one: MeasureCell, other: MeasureCell) -> bool:
    """Whether two costs cannot be told apart."""
    outcome = difference(one.value, other.value, Quality.COST).outcome
    return outcome in (Comparative.UNSURE, Comparative.RATIO)


def summary_of(things: Sequence[Thing], chief: MeasureRow | None, workload: str) -> str:
    """The comparison in one plain sentence, for search engines and previews."""
    if chief is None:
        return title_of(things)
    figures = [f"{cell.thing.name} {figure_of(cell)}" for cell in chief.cells]
    return _("%(measure)s, %(workload)s: %(figures)s") % {
        "measure": chief.title, "workload": workload, "figures": phrases.join_clauses(figures),
    }  # fmt: skip


def figure_of(cell: MeasureCell) -> str:
    """The figure of a cell where no picture and no warning stand beside it."""
    figure = with_interval(cell) or cell.small
    is_out = cell.thing.figures is not None and cell.thing.figures.is_out
    return figure + phrases.in_brackets(_("does not count")) if is_out else figure


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
    """A sentence for those who do not see the curves."""
    curves = [
        _("%(name)s: p50 %(p50)s, p99 %(p99)s, p99.99 %(p9999)s")
        % {
            "name": thing.name,
            **{key: latency(value) for key, value in curve_percentiles(thing).items()},
        }
        for thing in things
        if thing.figures and len(thing.figures.curve) > 1
    ]
    return _("Latency percentile curves. %(curves)s.") % {"curves": phrases.join_clauses(curves)}


def curve_percentiles(thing: Thing) -> dict[str, int | None]:
    """The percentiles of a thing's curve, which pools the runs of all its uploaders."""
    figures = thing.figures
    if figures is None:
        return {}
    points = {"p50": 0.5, "p99": 0.99, "p9999": 0.9999}
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
