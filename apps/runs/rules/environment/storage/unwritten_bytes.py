"""The devices wrote far less than was synced, so the syncs did not write.

Every workload of one writer that syncs each write has to move its bytes to the devices before it
goes on: the contents do not compress and nothing may be merged. Only filesystems and layers are
judged whose traffic was measured (`own_traffic`): they write what they are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.devices import is_counted
from apps.runs.rules.rule import Rule, RuleKind
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
    explanation="The syncs were acknowledged, and the devices wrote far fewer bytes meanwhile: "
    "something answered the calls and kept the data in memory, as a sandbox, a module or a layer "
    "of tests does.",
    threshold=f"Speaks below {WRITTEN_SHARE_MIN:.0%} of the bytes of a workload with one writer "
    "and a sync after each write, on ext4 and XFS over layers that write what they are given.",
    origin="A sync may end only when its bytes are written, so that the devices write all of them "
    "and some metadata; 100.0 % and more was measured on ext4. Half of it leaves room for a "
    "counter that lags.",
    remedy="Measure without the sandbox, the preloaded library or the layer in between.",
    finding="{workload}: {bytes} bytes were synced, and the devices wrote {written}.",
    check=check,
)
