"""The kernel counts what such disks do, and the run has no count."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut
from apps.runs.rules.devices import COUNTED_CLASSES, is_counted
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

COUNTS_SINCE: Final = (5, 5)  # the fields 16 and 17 of /proc/diskstats
WITHOUT_COUNT: Final = frozenset({"nvme-multipath", "unknown"})  # layers


def check(facts: RunFacts) -> Figures | None:
    devices, headline = facts.members.devices, facts.headline
    if headline is None or not devices:
        return None
    if not all(map(is_counted, devices)) or not WITHOUT_COUNT.isdisjoint(facts.run.stack):
        return None
    kernel = re.match(r"(\d+)\.(\d+)", facts.run.env.kernel)
    if kernel is None or (int(kernel[1]), int(kernel[2])) < COUNTS_SINCE:
        return None
    if headline.workload.flushes is None:
        return {CASE: "flushes", "kernel": facts.run.env.kernel}
    return {CASE: "bytes"} if headline.workload.device_bytes is None else None


_MISSING: Final = "Flushes or bytes were not reported."

RULE: Final = Rule(
    id="counters-hidden",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="counters hidden",
    why=f"Since Linux {COUNTS_SINCE[0]}.{COUNTS_SINCE[1]} flushes and bytes of such disks are "
    f"counted ({', '.join(sorted(COUNTED_CLASSES))}), and they are missing: a container or "
    "queue/iostats hides them.",
    basis=ThresholdBasis.DOCUMENTED,
    source="https://docs.kernel.org/admin-guide/iostats.html",
    remedy="Write 1 into queue/iostats of the disk, or measure outside of the container.",
    cases={"flushes": _MISSING, "bytes": _MISSING},
    check=check,
)
