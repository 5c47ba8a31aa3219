"""A standing in words: its rate, its interval, how many stand behind it, and when."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from apps.pages.show import dates, units
from apps.pages.show.phrases import in_brackets, join_facts, with_name
from apps.pages.show.words import count, is_made_up
from apps.rankings.models import Evidence, Standing
from apps.runs.published.comparable import OVERWRITE, WITH_METADATA, comparable_class
from apps.stats.figures import significant
from apps.words.workloads import workload_short

DURABLE: Final = frozenset({OVERWRITE, WITH_METADATA})  # classes of comparable durable work


def real_else_examples(standings: Iterable[Standing]) -> list[Standing]:
    """These without examples; examples too where nothing else is known."""
    rows = list(standings)
    return [each for each in rows if each.evidence != Evidence.EXAMPLE] or rows


def rests_on(lead: Standing) -> str:
    """How many stand behind a standing."""
    if lead.evidence == Evidence.PUBLISHED:
        return count(lead.n_runs, "published run")
    counts = (count(lead.n_machines, "machine"), count(lead.n_uploaders, "uploader"))
    if is_made_up(lead.evidence):
        return join_facts((_("made-up example"), *counts))
    return join_facts(counts)


def interval_words(lead: Standing) -> str:
    """The interval of a standing in figures; nothing where it has none."""
    low, high = lead.rate_per_s_low, lead.rate_per_s_high
    if not low or not high:
        return _("no interval")
    return f"{significant(low)}\u2013{significant(high)} /s"


def figures_of(lead: Standing, newest: datetime | None) -> dict[str, str]:
    """The rate of a standing with its interval, n and day, for a sentence."""
    return {
        "rate": significant(lead.rate_per_s),
        "n": rests_on(lead),
        "interval": interval_words(lead),
        "when": dates.figure_day(newest, lead.newest_run_slug),
    }


def others_words(lead: Standing, others: Iterable[Standing], *, is_of_p99: bool = False) -> str:
    """How far the other figures of the class of a lead lie apart, and how many authors have them.

    With `is_of_p99` by their p99, of classes 1 and 2 together, which may stand in one list, with
    the work where it is another one; else by their rate. An article and the repository of its
    author are one source.
    """
    own = frozenset({comparable_class(lead.workload)})
    if is_of_p99:
        own = DURABLE if own.issubset(DURABLE) else own
    alike = [
        each
        for each in others
        if comparable_class(each.workload) in own and (each.p99_ns or not is_of_p99)
    ]
    if not alike:
        return ""
    sources = {author_of(each) for each in alike} - {None}
    spread = _p99s(lead, alike) if is_of_p99 else rates_between(alike)
    facts = spread, count(len(sources), "source") if sources else ""
    return with_name(_("Other comparable runs"), join_facts(facts))


def rates_between(standings: Iterable[Standing]) -> str:
    """Between which rates some lie; one figure where they are alike."""
    rates = [each.rate_per_s for each in standings]
    ends = dict.fromkeys((significant(min(rates)), significant(max(rates))))
    return "\u2013".join(ends) + " /s"


def _p99s(lead: Standing, alike: Iterable[Standing]) -> str:
    timed = sorted((each.p99_ns, each.workload) for each in alike if each.p99_ns)
    ends = dict.fromkeys(
        units.latency(p99_ns) + (in_brackets(workload_short(work)) if work != lead.workload else "")
        for p99_ns, work in (timed[0], timed[-1])
    )
    return "p99 " + "\u2013".join(ends)


def author_of(standing: Standing) -> str | None:
    """Who published a figure: its author, else the title of its source."""
    return getattr(standing, "source_author", "") or getattr(standing, "source_title", None)
