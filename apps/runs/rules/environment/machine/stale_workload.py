"""A workload was measured in a version that has a successor."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
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
    explanation="A workload was measured in a version that has a successor. Versions are "
    "never compared: the run counts on the board of its own version.",
    threshold="Speaks where this server knows a newer version of the same workload.",
    origin="A yes or no: the suites that this server ships with.",
    remedy="Measure again with a newer agent to stand on the newest board.",
    finding="Measured in an older version: {workloads:list}.",
    cases={
        "workload": "{workload} v{version} (now v{newest})",
    },
    check=check,
)
