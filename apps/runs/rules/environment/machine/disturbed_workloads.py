"""Other programs disturbed workloads other than the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import STOP_OTHERS
from apps.runs.rules.rule import Rule, RuleKind
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    disturbed = [
        each.workload.id
        for each in facts.workloads
        if each.others.disturbs and each.workload.id != HEADLINE_WORKLOAD
    ]
    return {"workload": disturbed[0], "count": len(disturbed)} if disturbed else None


RULE: Final = Rule(
    id="disturbed-workloads",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.DISTURBED,
    text="partly disturbed",
    why="Other programs used the drive or the processors during other workloads, by the "
    "thresholds of other-io and other-cpu.",
    remedy=STOP_OTHERS,
    finding="Disturbed workloads: {count}, first {workload}.",
    check=check,
)
