"""ZFS was told to heed no sync: its intent log was committed for almost none of them.

fsync returns at once where the property `sync` is `disabled`, and so does zil_commit, before it
counts (zfs_fsync, zil_commit_flags of OpenZFS). With `standard` there is one commit for a sync,
with `always` one more for each write. A log that is suspended waits for the transaction group and
is counted apart, which the agent adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.runs.rules.workloads import syncs_each_time
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

MISSING_PER_COMMIT_BELOW: Final = thresholds().flushes.missing_per_commit_below.value


def check(facts: RunFacts) -> Figures | None:
    for each in facts.one_at_a_time():
        commits, syncs = each.workload.intent_log_commits, each.workload.operations
        if commits is None or not syncs_each_time(each.definition):
            continue
        if commits < syncs * MISSING_PER_COMMIT_BELOW:
            return {"workload": each.workload.id, "syncs": syncs, "count": commits}
    return None


RULE: Final = Rule(
    id="zfs-sync-disabled",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="ZFS heeds no sync",
    why="One writer's syncs came to fewer than {commits_per_sync:g} commits of the intent log "
    "each: the dataset has sync=disabled.",
    why_figures={"commits_per_sync": MISSING_PER_COMMIT_BELOW},
    basis=ThresholdBasis.DOCUMENTED,
    source="https://openzfs.github.io/openzfs-docs/man/master/7/zfsprops.7.html",
    remedy="Run zfs inherit sync DATASET and measure again.",
    finding="{workload}: {syncs} syncs, {count} commits of the intent log.",
    check=check,
)
