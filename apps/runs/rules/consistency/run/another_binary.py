"""The program names version and commit of a released agent, but its SHA-256 is another one.

A program that was built from any other commit is not judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.agents import released_agents
from apps.runs.rules.common_words import USE_RELEASED
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    agent = facts.run.agent
    release = released_agents().get(agent.version)
    if release is None or agent.commit is None or agent.commit != release.commit:
        return None
    published = release.binaries.get(agent.target)
    if published is None or agent.sha256 == published:
        return None
    return {"version": agent.version, "target": agent.target, "sha256": published}


RULE: Final = Rule(
    id="another-binary",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="not the released program",
    why="Version, commit and target are those of a released binary, and the SHA-256 is not: "
    "somebody changed, damaged or rebuilt it.",
    remedy=USE_RELEASED,
    finding="The released binary of {version} for {target} has SHA-256 {sha256:.12}….",
    check=check,
)
