"""A workload was measured in a version that has a successor."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.rules.common_words import USE_RELEASED
from apps.runs.rules.rule import Rule, RuleKind
from apps.wire.suites import suites

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    newest = newest_versions()
    old: list[Figures] = [
        {
            CASE: "workload",
            "workload": each.workload.id,
            "version": each.workload.version,
            "newest": newest[each.workload.id],
        }
        for each in facts.workloads
        if each.definition is not None and each.workload.version < newest[each.workload.id]
    ]
    return {"workloads": old} if old else None


@cache
def newest_versions() -> dict[str, int]:
    """Return the newest version of each workload that a suite of ours has; read once a process."""
    newest: dict[str, int] = {}
    for suite in suites().values():
        for workload in suite.workloads:
            newest[workload.id] = max(workload.version, newest.get(workload.id, 0))
    return newest


RULE: Final = Rule(
    id="stale-workload",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    text="older workload",
    why="A newer version of the workload exists, and versions are never compared.",
    remedy=USE_RELEASED,
    finding="Measured in an older version: {workloads:list}.",
    cases={
        "workload": "{workload} v{version} (now v{newest})",
    },
    check=check,
)
