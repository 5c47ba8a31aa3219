"""Other programs used the processors during a pass of the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import STOP_OTHERS, THEIR_SHARE
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.stats.analysis.interference import CPU_SHARE_MILLI_MAX

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    headline = facts.headline
    if headline is None or not headline.others.disturbs_cpu:
        return None
    return {"share_permille": headline.others.cpu_permille}


RULE: Final = Rule(
    id="other-cpu",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="others used the processors",
    why="Other programs had over {share:.0%} of the processors during a pass of "
    "the headline. Stolen time is not in it.",
    why_figures={"share": CPU_SHARE_MILLI_MAX / 1000},
    basis=ThresholdBasis.CONVENTION,
    remedy=STOP_OTHERS,
    finding=THEIR_SHARE,
    check=check,
)
