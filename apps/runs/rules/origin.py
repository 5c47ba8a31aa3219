"""Checks what measured: a workload that has a newer version, an agent that nobody can look up."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apps.wire.suites import suites

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts

AGENTS_FILE: Final = Path(__file__).parents[1] / "data" / "agents.json"


@cache
def newest_versions() -> dict[str, int]:
    """Return the newest version of each workload that a suite of ours has; read once a process."""
    newest: dict[str, int] = {}
    for suite in suites().values():
        for workload in suite.workloads:
            newest[workload.id] = max(workload.version, newest.get(workload.id, 0))
    return newest


@cache
def released_agents() -> dict[str, dict[str, str]]:
    """Return the released versions, each with the SHA-256 of its binaries by target."""
    found: dict[str, dict[str, str]] = json.loads(AGENTS_FILE.read_text(encoding="utf-8"))
    return found


def stale_workload(facts: RunFacts) -> str | None:
    """A workload was measured in a version that has a successor."""
    newest = newest_versions()
    old = [
        f"{each.sent.id} v{each.sent.version} (now v{newest[each.sent.id]})"
        for each in facts.measured
        if each.definition is not None and each.sent.version < newest[each.sent.id]
    ]
    return f"Measured in an older version: {', '.join(old)}." if old else None


def agent_unknown(facts: RunFacts) -> str | None:
    """Nobody can look up which program measured."""
    agent, released = facts.run.agent, released_agents()
    if agent.version not in released:
        return f"Version {agent.version} is not one that this server knows."
    if agent.commit is None:
        return f"Version {agent.version} does not say from which commit it was built."
    published = released[agent.version].get(agent.target)
    if published is not None and agent.sha256 != published:
        return f"The program is not the binary of version {agent.version} for {agent.target}."
    return None
