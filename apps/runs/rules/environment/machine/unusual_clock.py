"""The clock source is slow, or not known to be steady."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.common_words import CHECK_CLOCK
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

CLOCK_SOURCES: Final = frozenset(thresholds().surroundings.steady_clock_sources.value)


def check(facts: RunFacts) -> Figures | None:
    source = facts.run.clock.source
    return {"source": source} if source not in CLOCK_SOURCES else None


RULE: Final = Rule(
    id="unusual-clock",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    text="unusual clock",
    why="The clock source is none of {sources}, which blurs short latencies.",
    why_figures={"sources": ", ".join(sorted(CLOCK_SOURCES))},
    basis=ThresholdBasis.DOCUMENTED,
    remedy=CHECK_CLOCK,
    finding="The clock source is {source}.",
    check=check,
)
