"""Checks what measured: a workload that has a newer version, an agent that nobody can look up."""

from __future__ import annotations

import json
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Release:
    """A version of the agent."""

    commit: str | None  # that its binaries were built from; None: no binary was released
    binaries: dict[str, str]  # SHA-256 by target


@cache
def released_agents() -> dict[str, Release]:
    """Return the released versions; read once in a process."""
    rows = json.loads(AGENTS_FILE.read_text(encoding="utf-8"))
    return {version: Release(**row) for version, row in rows.items()}


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
    agent = facts.run.agent
    if agent.version not in released_agents():
        return f"Version {agent.version} is not one that this server knows."
    if agent.commit is None:
        return f"Version {agent.version} does not say from which commit it was built."
    return None


def another_binary(facts: RunFacts) -> str | None:
    """The program says that it is a released one, to the commit, and is another file.

    A program that somebody built from a commit of their own names that commit, and is not judged.
    """
    agent = facts.run.agent
    release = released_agents().get(agent.version)
    if release is None or agent.commit is None or agent.commit != release.commit:
        return None
    published = release.binaries.get(agent.target)
    if published is None or agent.sha256 == published:
        return None
    return (
        f"The program is not the binary of version {agent.version} for {agent.target}, which has "
        f"SHA-256 {published[:12]}…."
    )
