"""The passes of the headline lie further apart than the engine's own repeats do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.common_words import AT_OTHER_HOURS
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.stats.analysis.repeats import UNSTEADY_SPREAD, repeat_spread

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.runs.rules.workloads import MeasuredWorkload


def check(facts: RunFacts) -> Figures | None:
    headline = facts.headline
    spread = repeat_spread(_pass_rates(headline)) if headline else None
    if spread is None or not spread.is_unsteady:
        return None
    return {
        "spread_percent": round(spread.spread * 100),
        "median_per_s": round(spread.median_per_s),
        "steady_percent": round(UNSTEADY_SPREAD * 100),
    }


def _pass_rates(measured: MeasuredWorkload) -> list[float]:
    passes = measured.workload.passes
    return [one.operations * 1e9 / one.elapsed_ns for one in passes if one.elapsed_ns]


RULE: Final = Rule(
    id="unsteady-passes",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    text="unsteady",
    why="Slowest and fastest pass lie over {spread:.0%} of their median apart: the figure depends "
    "on the moment.",
    why_figures={"spread": UNSTEADY_SPREAD},
    basis=ThresholdBasis.MEASURED,
    remedy=AT_OTHER_HOURS,
    finding="The passes lie {spread_percent}% of their median apart, {median_per_s:,} commits/s.",
    check=check,
)
