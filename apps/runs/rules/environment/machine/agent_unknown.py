"""The version of the agent is not known here, or it does not name its commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.rules.agents import released_agents
from apps.runs.rules.common_words import USE_RELEASED
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    agent = facts.run.agent
    if agent.version not in released_agents():
        return {CASE: "version", "version": agent.version}
    if agent.commit is None:
        return {CASE: "commit", "version": agent.version}
    return None


_VERSION: Final = "The version is {version}."

RULE: Final = Rule(
    id="agent-unknown",
    version=2,
    kind=RuleKind.ENVIRONMENT,
    text="agent not known",
    why="This server does not know the version, or it names no commit: nobody can look up the "
    "program.",
    remedy=USE_RELEASED,
    cases={
        "version": _VERSION,
        "commit": _VERSION,
    },
    check=check,
)
