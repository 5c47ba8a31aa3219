"""The version of the agent is not known here, or it does not name its commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.rules.agents import released_agents
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


RULE: Final = Rule(
    id="agent-unknown",
    version=2,
    kind=RuleKind.ENVIRONMENT,
    text="agent not known",
    explanation="Nobody can look up the program that measured: its version is not known here, "
    "or it does not say from which commit it was built. Trivially faked, so it shows accidents "
    "and not intentions.",
    threshold="Speaks where the version is not known, or no commit is named.",
    origin="A yes or no: the list of released agents in the repository.",
    remedy="Use a released agent, or `./run agent`, which states the commit.",
    cases={
        "version": "Version {version} is not one that this server knows.",
        "commit": "Version {version} does not say from which commit it was built.",
    },
    check=check,
)
