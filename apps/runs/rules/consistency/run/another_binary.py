"""The program names version and commit of a released agent, but its SHA-256 is another one.

A program that was built from any other commit is not judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.agents import released_agents
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
    explanation="The run names a released version of the agent and the commit that it was "
    "built from, and the SHA-256 of the program that measured is not that of the released "
    "binary. It was changed or damaged, or somebody built the same commit themselves.",
    threshold="Speaks where version, commit and target are those of a binary that this server "
    "knows, and the SHA-256 differs. A program of any other commit is not judged.",
    origin="A yes or no: the list of released agents in the repository.",
    remedy="Use the released binary. What you build yourself counts from a commit of your own, "
    "which it names.",
    finding="The program is not the binary of version {version} for {target}, which has SHA-256 "
    "{sha256:.12}….",
    check=check,
)
