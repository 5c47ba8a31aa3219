"""The hypervisor gave much of the processors' time to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

STEAL_PERMILLE_MAX: Final = 100  # above it latencies are not only the disk's


def check(facts: RunFacts) -> Figures | None:
    steal = facts.run.env.steal_permille
    if steal is None or steal <= STEAL_PERMILLE_MAX:
        return None
    return {"steal_permille": steal}


RULE: Final = Rule(
    id="stolen-time",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    text="processor time stolen",
    explanation="The hypervisor gave processor time that this machine wanted to others. A "
    "latency then counts waiting for a processor too.",
    threshold=f"Speaks above {STEAL_PERMILLE_MAX / 10:g} % of the processors' time.",
    origin="A convention. Stolen time is a share of the time in which a processor was wanted, "
    "and a writer that waits for the disk wants little; at a tenth of it nobody knows how much "
    "of a slow commit was the disk's.",
    remedy="Measure again at another hour. If it stays, it is what the plan gives.",
    finding="{steal_permille:percent} % of the processors' time went to other machines.",
    check=check,
)
