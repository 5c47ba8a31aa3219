"""A control group limits the agent's I/O, or leaves it less than one processor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.rules.common_words import MEASURE_OUTSIDE
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

CPU_MILLI_MIN: Final = thresholds().limits.cpu_milli_min.value


def check(facts: RunFacts) -> Figures | None:
    limits = facts.run.env.limits
    is_slow = limits.cpu_milli is not None and limits.cpu_milli < CPU_MILLI_MIN
    limits_set: list[Figures] = [
        {CASE: case, "count": amount}
        for case, amount in (
            ("reads", limits.read_ops_per_s),
            ("writes", limits.write_ops_per_s),
            ("bytes-read", limits.read_bytes_per_s),
            ("bytes-written", limits.write_bytes_per_s),
            ("processor", limits.cpu_milli if is_slow else None),
        )
        if amount is not None
    ]
    return {"limits": limits_set} if limits_set else None


_OPERATIONS: Final = "{count:,} operations/s"
_BYTES: Final = "{count:,} bytes/s"

RULE: Final = Rule(
    id="limited-by-control-group",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    text="limited by a control group",
    why="A control group limits I/O or leaves less than one processor. How often the limit held "
    "the agent back is not known.",
    basis=ThresholdBasis.DOCUMENTED,
    source="https://docs.kernel.org/admin-guide/cgroup-v2.html",
    remedy=MEASURE_OUTSIDE,
    finding="At most {limits:list}.",
    cases={
        "reads": _OPERATIONS,
        "writes": _OPERATIONS,
        "bytes-read": _BYTES,
        "bytes-written": _BYTES,
        "processor": "{count:of_1000} of a processor",
    },
    check=check,
)
