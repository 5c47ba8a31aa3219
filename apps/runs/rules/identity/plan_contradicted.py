"""The machine is not the plan that its owner claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.plans.placement import MEMORY_SHARE_MAX, MEMORY_SHARE_MIN
from apps.runs.figures import EACH
from apps.runs.models import KeepsOut
from apps.runs.rules.identity import LIST_CASES, MACHINE_CASES, NETWORK_CASES
from apps.runs.rules.rule import Rule, RuleKind

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
    explanation="Only the claim names the plan, and the machine is not as that plan is sold. What "
    "was measured may be true of the machine and of its drive.",
    threshold="Speaks where the machine has another architecture than the plan, more than its "
    "vCPUs or less than half of them, memory outside of "
    f"{MEMORY_SHARE_MIN:.0%} to {MEMORY_SHARE_MAX:.0%} of what is sold, a hypervisor where a "
    "dedicated server is sold, or none where a virtual machine is; and where the catalogue has all "
    "drives, regions or networks of a plan, at another one.",
    origin="Kernel and firmware keep up to a quarter of a small machine's memory, and by a "
    "gigabyte providers mean 10^9 or 2^30 bytes. Half of the processors is no conflict, since "
    "hyper-threading can be off.",
    remedy="Name provider and plan as the invoice does and measure again. If the catalogue of "
    "plans is wrong, tell us.",
    cases={**MACHINE_CASES, **LIST_CASES, **NETWORK_CASES},
    check=check,
)
