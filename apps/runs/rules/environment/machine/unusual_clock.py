"""The clock source is slow, or not known to be steady."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.rule import Rule, RuleKind
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
    explanation="The kernel's clock source is slow to read or not known to be steady, which "
    "blurs short latencies.",
    threshold="Speaks where it is none of {sources:list}.",
    threshold_figures={"sources": sorted(CLOCK_SOURCES)},
    origin="The clock sources that a program reads without a system call.",
    remedy="Look at /sys/devices/system/clocksource: a machine falls back to a slow source "
    "when its time-stamp counters disagree.",
    finding="The clock source is {source}.",
    check=check,
)
