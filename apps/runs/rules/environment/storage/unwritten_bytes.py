"""The devices wrote far less than was synced, so the syncs did not write.

Every workload of one writer that syncs each write has to move its bytes to the devices before it
goes on: the contents do not compress and nothing may be merged. Only filesystems and layers are
judged whose traffic was measured (`own_traffic`): they write what they are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import MEASURE_OUTSIDE
from apps.runs.rules.devices import is_counted
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.runs.rules.workloads import bystanders_of, syncs_each_time

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

WRITTEN_SHARE_MIN: Final = 0.5


def check(facts: RunFacts) -> Figures | None:
    devices = facts.run.devices
    if not devices or not all(map(is_counted, devices)):
        return None
    if bystanders_of(facts.run).own_traffic is None:
        return None
    for each in facts.one_at_a_time():
        synced, written = each.workload.bytes, each.workload.device_bytes
        if written is None or not syncs_each_time(each.definition):
            continue
        if written < synced * WRITTEN_SHARE_MIN:
            return {"workload": each.workload.id, "bytes": synced, "written": written}
    return None


RULE: Final = Rule(
    id="unwritten-bytes",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="syncs without writes",
    why=f"One writer synced each write, and the devices wrote under {WRITTEN_SHARE_MIN:.0%} of "
    "the bytes: a sandbox, a library or a layer kept them in memory. Only ext4 and XFS are "
    "judged.",
    basis=ThresholdBasis.MEASURED,
    remedy=MEASURE_OUTSIDE,
    finding="{workload}: {bytes} bytes were synced, and the devices wrote {written}.",
    check=check,
)
