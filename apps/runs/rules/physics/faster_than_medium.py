"""The median or the mean commit of some workload is quicker than the floor of its medium.

A rate is that of the mean: of a median at the floor, with all commits below it quicker than any
medium, it would be twice what the medium can do.

All workloads of which each commit waits for a write and a sync of its own are judged, because a
layer may obey one sync call and ignore another. Of several writers on one file through the page
cache, one may find that another has written its block already. The size of a block matters little.
The workload that writes zeros is left out, because a layer that detects zeros need not write them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import P50_BELOW_ITS_FLOOR
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.wire.suites import WorkloadDefinition

ZEROS_WORKLOAD: Final = "write-64k-zeros"
MEAN: Final = "mean"  # by the rate: imported outputs rarely have a median


def check(facts: RunFacts) -> Figures | None:
    floor = facts.members.floor
    for each in facts.workloads:
        if not _waits_for_itself(each.definition) or each.workload.id == ZEROS_WORKLOAD:
            continue
        commits = each.histograms.get("commit")
        if commits is None:
            continue
        needed: Figures = {"class": floor.id, "floor_ns": floor.floor_ns}
        p50_ns = commits.percentile_ns(0.5)
        if p50_ns < floor.floor_ns:
            return {"workload": each.workload.id, "p50_ns": p50_ns, **needed}
        if commits.mean_ns < floor.floor_ns:
            return {CASE: MEAN, "mean_ns": commits.mean_ns, **needed}
    return None


def _waits_for_itself(definition: WorkloadDefinition | None) -> bool:
    """Return whether each commit of a workload waits for a write and a sync after it began."""
    if definition is None or definition.sync == "none":
        return False
    is_alone = definition.writers == 1 or definition.files == "own"
    return is_alone or not definition.page_cache or definition.operation == "group-commit"


RULE: Final = Rule(
    id="faster-than-medium",
    version=6,
    kind=RuleKind.PHYSICS,
    keeps_out=KeepsOut.RUN,
    text="faster than durable media — cache likely",
    why="Half of the commits of a workload, or their mean, took less than the floor of the "
    f"class: likely a volatile cache answered. Zeros ({ZEROS_WORKLOAD}) and several writers on "
    "one file through the page cache are not judged.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy="Look for a cache of the host, the controller or the hypervisor. If the drive is not "
    "the one that we recognised, tell us.",
    finding=P50_BELOW_ITS_FLOOR,
    cases={
        MEAN: "By its rate a commit took {mean_ns:us} µs; the floor is {floor_ns:us} µs "
        "({class:class}).",
    },
    check=check,
)
