"""The passes of the headline lie further apart than the engine's own repeats do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.rule import Rule, RuleKind
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
    explanation="The passes of the headline lie far apart: the figure depends on the moment "
    "when it was taken.",
    threshold="Speaks where slowest and fastest pass are over {spread:.0%} of their median apart.",
    threshold_figures={"spread": UNSTEADY_SPREAD},
    origin="The engine repeats itself with a coefficient of variation of 2.4 % on a drive that "
    "is left alone; three values lie 4.12 standard deviations apart once in a hundred runs.",
    remedy="Measure several times, at several hours: machines count with their median.",
    finding="From the slowest pass to the fastest it is {spread_percent}% of their median, "
    "{median_per_s:,} commits a second; up to {steady_percent}% is steady.",
    check=check,
)
