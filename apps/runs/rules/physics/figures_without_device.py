"""Ten thousand commits, and none took half again as long as the median: no device does that.

A machine is interrupted by its own clock hundreds of times a second, its journal commits every few
seconds, and every kind of storage waits for itself now and then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import hundredths
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import TELL_MACHINE
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

COMMITS_MIN: Final = 10_000
LONGEST_PER_MEDIAN_MIN: Final = 1.5


def check(facts: RunFacts) -> Figures | None:
    commits = facts.headline.histograms.get("commit") if facts.headline else None
    if commits is None or commits.count < COMMITS_MIN:
        return None
    p50_ns = commits.percentile_ns(0.5)
    if commits.max_ns >= p50_ns * LONGEST_PER_MEDIAN_MIN:
        return None
    return {"commits": commits.count, "times_hundredths": hundredths(commits.max_ns / p50_ns)}


RULE: Final = Rule(
    id="figures-without-device",
    version=1,
    kind=RuleKind.PHYSICS,
    keeps_out=KeepsOut.WEIGHT,
    text="no device in the figures",
    why=f"Of {COMMITS_MIN:,} commits or more none took {LONGEST_PER_MEDIAN_MIN:g} times the "
    "median: every device waits now and then. A stub and made-up figures look like that.",
    basis=ThresholdBasis.MEASURED,
    remedy=TELL_MACHINE,
    finding="The longest of {commits:,} commits took {times_hundredths:hundredths} times the "
    "median.",
    check=check,
)
