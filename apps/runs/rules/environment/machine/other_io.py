"""Other processes used the drive before the run or between its passes, so probably during it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.rules.rule import Rule, RuleKind
from apps.stats.analysis.other_io import (
    OTHERS_SHARE_MILLI_MAX,
    is_marked,
    others_share_milli,
    written_share,
)

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

OTHER_IO_SHARE_MAX: Final = OTHERS_SHARE_MILLI_MAX / 1000  # of the run's own rate
OTHER_IO_PER_SECOND_MIN: Final = 5.0  # a system log writes that much


def check(facts: RunFacts) -> Figures | None:
    if (share := _others_share_milli(facts)) is not None and is_marked(share):
        return {CASE: "share", "share_permille": share}
    other = facts.run.env.other_io
    if not other.interval_ns:
        return None
    per_second = (other.reads + other.writes) * 1e9 / other.interval_ns
    own = (facts.headline.rate_per_s if facts.headline else None) or 0.0
    if per_second <= max(own * OTHER_IO_SHARE_MAX, OTHER_IO_PER_SECOND_MIN):
        return None
    return {CASE: "idle", "operations_per_s": round(per_second)}


def _others_share_milli(facts: RunFacts) -> int | None:
    """Return the thousandths of the written bytes that others wrote, if they went on as before."""
    written = [
        (each.workload, each.workload.other_io)
        for each in facts.workloads
        if each.workload.other_io and each.workload.device_bytes and each.definition
        and each.definition.operation != "read"
    ]  # fmt: skip
    return others_share_milli(
        idle_ns=sum(idle.interval_ns for _, idle in written),
        idle_bytes=sum(
            written_share(moved_bytes=idle.bytes, reads=idle.reads, writes=idle.writes)
            for _, idle in written
        ),
        elapsed_ns=sum(workload.elapsed_ns for workload, _ in written),
        device_bytes=sum(workload.device_bytes or 0 for workload, _ in written),
    )


RULE: Final = Rule(
    id="other-io",
    version=2,
    kind=RuleKind.ENVIRONMENT,
    text="other I/O",
    explanation="Something else used the drive just before the run or between its passes.",
    threshold=f"Speaks above {OTHERS_SHARE_MILLI_MAX / 10:g} % of what the drive wrote, or of the "
    f"run's own rate and {OTHER_IO_PER_SECOND_MIN:g} operations a second.",
    origin="From 5 % on neighbours show in p99; a system log alone writes a few times a second.",
    remedy="Measure on a quiet machine to see what the drive can do.",
    cases={
        "share": "{share_permille:percent} % of what the device wrote was probably not this run's.",
        "idle": "{operations_per_s} other operations a second in an idle interval before the run.",
    },
    check=check,
)
