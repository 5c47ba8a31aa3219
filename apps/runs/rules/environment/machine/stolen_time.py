"""The hypervisor gave much of the processors' time to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.common_words import AT_OTHER_HOURS
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

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
    why=f"Over {STEAL_PERMILLE_MAX / 10:g} % of the processors' time went to other machines: a "
    "slow commit is not the disk's alone.",
    basis=ThresholdBasis.CONVENTION,
    remedy=AT_OTHER_HOURS,
    finding="{steal_permille:percent} % of the processors' time went to other machines.",
    check=check,
)
