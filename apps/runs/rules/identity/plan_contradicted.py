"""The machine is not the plan that its owner claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.plans.placement import MEMORY_SHARE_MAX, MEMORY_SHARE_MIN
from apps.runs.figures import EACH
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import TELL_PLAN
from apps.runs.rules.identity import LIST_CASES, MACHINE_CASES, NETWORK_CASES
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    found = facts.placement.contradictions
    return {EACH: list(found)} if found else None


RULE: Final = Rule(
    id="plan-contradicted",
    version=2,
    kind=RuleKind.IDENTITY,
    keeps_out=KeepsOut.PLAN,
    text="not the claimed plan",
    why="Only the claim names the plan, and the machine is another: by architecture, hypervisor, "
    f"memory (not {MEMORY_SHARE_MIN:.0%} to {MEMORY_SHARE_MAX:.0%}), more vCPUs or less than "
    "half, or a drive, region or network that a complete list lacks.",
    basis=ThresholdBasis.CONVENTION,
    remedy=TELL_PLAN,
    cases={**MACHINE_CASES, **LIST_CASES, **NETWORK_CASES},
    check=check,
)
