"""Syncs did not become flushes, on drives that report a volatile cache.

The kernel drops flushes on write-through drives, which is honest, so only a certain "write
back" on every drive is judged. A forced write (FUA) saves the flush only of an O_DSYNC
overwrite past the page cache (fs/iomap/direct-io.c), which no workload does: through the page
cache O_DSYNC ends in the filesystem's fsync, and a journal forces its commit block after a
flush (fs/jbd2/commit.c). Syncs that wait side by side share a flush, as group commits do: only
one writer needs one for each. A sync with nothing to write needs none: btrfs returns at once.

Everything else calls it missing flushes: the figure, and the agent's note and verdict
`flushes-missing`. The rule keeps its id, as all rules do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_BACK
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import LOOK_BELOW
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.runs.rules.workloads import syncs_each_time
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

MISSING_PER_COMMIT_BELOW: Final = thresholds().flushes.missing_per_commit_below.value


def check(facts: RunFacts) -> Figures | None:
    devices = facts.members.devices
    if not devices or any(device.write_cache != WRITE_BACK for device in devices):
        return None
    for each in facts.one_at_a_time():
        if not syncs_each_time(each.definition):
            continue
        flushes, syncs = each.workload.flushes, each.workload.operations
        if flushes is not None and flushes < syncs * MISSING_PER_COMMIT_BELOW:
            return {"workload": each.workload.id, "syncs": syncs, "count": flushes}
    return None


RULE: Final = Rule(
    id="few-flushes",
    version=4,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="syncs without flushes",
    why="Every drive reports a volatile cache and finished fewer than {flushes_per_sync:g} "
    "flushes a sync. One writer needs one for each sync.",
    why_figures={"flushes_per_sync": MISSING_PER_COMMIT_BELOW},
    basis=ThresholdBasis.DOCUMENTED,
    source="https://docs.kernel.org/admin-guide/iostats.html",
    remedy=LOOK_BELOW,
    finding="{workload}: {syncs} syncs, {count} flushes.",
    check=check,
)
