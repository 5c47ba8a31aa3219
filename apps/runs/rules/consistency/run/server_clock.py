"""A run cannot last longer than the time between its challenge and its upload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import CHECK_CLOCK
from apps.runs.rules.consistency import CLOCK_TOLERANCE
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    server_ns = facts.server_elapsed_ns
    if server_ns is None:
        return None
    clock = facts.run.clock
    agent_ns = max(clock.mono_elapsed_ns, clock.boottime_elapsed_ns)
    if agent_ns <= server_ns * CLOCK_TOLERANCE:
        return None
    return {"agent_ns": agent_ns, "server_ns": server_ns}


RULE: Final = Rule(
    id="server-clock",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="longer than our clock allows",
    why=f"The run lasted over {CLOCK_TOLERANCE - 1:.0%} longer than the time between challenge "
    "and upload by the server's clock.",
    basis=ThresholdBasis.CONVENTION,
    remedy=CHECK_CLOCK,
    finding="The run took {agent_ns} ns by its own clock, {server_ns} ns by ours.",
    check=check,
)
