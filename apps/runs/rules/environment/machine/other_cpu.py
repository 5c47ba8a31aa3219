"""Other programs used the processors during a pass of the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.rule import Rule, RuleKind
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
    explanation="During a pass other programs of the same system computed: commits may have waited "
    "for a processor, which is not the drive's doing.",
    threshold="Speaks above {share_permille:percent} % of the time of all processors during any "
    "pass of the headline. Stolen time is not in it: it belongs to the plan.",
    threshold_figures={"share_permille": CPU_SHARE_MILLI_MAX},
    origin="A convention: an idle system with its services takes a hundredth.",
    remedy="Stop the other programs and measure again, or let the agent wait until they stop.",
    finding="Other programs had {share_permille:percent} % of the processors during a pass.",
    check=check,
)
