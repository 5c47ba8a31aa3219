"""The suite of the run is one of this server's, with the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import USE_RELEASED
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    if facts.suite is None:
        stated = facts.run.suite
        return {"suite": stated.id, "version": stated.version, "sha256": stated.sha256}
    return None


RULE: Final = Rule(
    id="suite-unknown",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="suite not known here",
    why="This server does not know the suite's definition, so its figures compare with nothing.",
    remedy=USE_RELEASED,
    finding="Suite {suite} version {version}, SHA-256 {sha256:.12}….",
    check=check,
)
