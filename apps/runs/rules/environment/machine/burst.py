"""The rate of commits fell during the run and did not come back."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.stats.analysis.cliff import CLIFF_RATIO, SIDE_MIN, find_cliff

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

BURST_SAMPLE_NS: Final = 100_000_000  # the interval in which a cliff is looked for


def check(facts: RunFacts) -> Figures | None:
    headline = facts.headline
    if headline is None or headline.workload.sample_ns != BURST_SAMPLE_NS:
        return None
    passes = [one.rate_samples for one in headline.workload.passes]
    cliff = find_cliff(list(chain.from_iterable(passes)))
    if cliff is None:
        return None
    per_s = 1e9 / BURST_SAMPLE_NS
    return {
        "commits": cliff.operations,
        "before_per_s": round(cliff.before * per_s),
        "after_per_s": round(cliff.after * per_s),
    }


RULE: Final = Rule(
    id="burst",
    version=2,
    kind=RuleKind.ENVIRONMENT,
    text="rate fell for good",
    why="The rate fell to {share:.0%} or less and stayed there, {side_s:g} seconds or more on "
    "each side: burst credits or a cache ran out.",
    why_figures={
        "share": CLIFF_RATIO,
        "side_s": SIDE_MIN / 10,
    },
    basis=ThresholdBasis.CONVENTION,
    remedy="Run the suite `deep`: its sustained write shows what remains.",
    finding="After {commits:,} commits the rate fell from {before_per_s:,} to {after_per_s:,} a "
    "second.",
    check=check,
)
