"""Other programs disturbed workloads other than the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
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
    explanation="During passes of workloads beside the headline other programs used the drive or "
    "the processors. What they disturbed is shown and does not count.",
    threshold="Speaks where the share of others is one at which the run would not count, were it "
    "the headline's.",
    origin="The thresholds of other-io and other-cpu.",
    remedy="Stop the other programs and measure again, or let the agent wait until they stop.",
    finding=(
        "Others disturbed {workload}.",
        "Others disturbed {count} workloads; the first is {workload}.",
    ),
    check=check,
)
