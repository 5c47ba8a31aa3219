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
from apps.runs.rules.rule import Rule, RuleKind

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
    explanation="The median commit is quicker than this class of storage can make data "
    "durable. A cache that a power cut would empty has probably answered. Of a device that "
    "nobody knows, the floor is that of the quickest there is; of a drive whose protection no "
    "document states, that of a protected one.",
    threshold="Speaks where half of the commits of any workload, or all of them on average, took "
    "less than the floor of the class, as the table says: each of them waits for its own write and "
    "sync, or for those of its group. Several writers on one file through the page cache are left "
    f"out, since one may write another's block, and so are zeros ({ZEROS_WORKLOAD}), which a layer "
    "may detect. Of an imported output the mean of its quickest commits counts, 1 / rate.",
    origin="Each floor is reasoned from what has to happen before a medium may answer. Beside "
    "it stands the quickest durable commit of one writer that anybody published for the "
    "class, as 1 / rate: every floor lies below it.",
    remedy="Look for a cache of the host, a RAID controller or the hypervisor. If the drive "
    "is not the one that we recognised, tell us.",
    finding="{workload}: half of the commits took {p50_ns:us} µs or less; {class:class} needs "
    "{floor_ns:us} µs.",
    cases={
        MEAN: "By its rate a commit took {mean_ns:us} µs on average; {class:class} needs "
        "{floor_ns:us} µs.",
    },
    check=check,
)
