"""A control group limits the agent's I/O, or leaves it less than one processor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.rules.rule import Rule, RuleKind
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


RULE: Final = Rule(
    id="limited-by-control-group",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    text="limited by a control group",
    explanation="A control group, as containers and units of systemd have, limits what the "
    "agent may read or write a second, or gives it less than one processor. The figures may "
    "be those of the limit.",
    threshold="Speaks where any limit of I/O is set, or less than one processor is left. How "
    "often the limit held the agent back is not reported.",
    origin="One writer keeps one processor busy at most, so less than one may slow it.",
    remedy="Measure outside of the container, or lift the limit for the run.",
    finding="At most {limits:list}.",
    cases={
        "reads": ("{count:,} read a second", "{count:,} reads a second"),
        "writes": ("{count:,} write a second", "{count:,} writes a second"),
        "bytes-read": ("{count:,} byte read a second", "{count:,} bytes read a second"),
        "bytes-written": ("{count:,} byte written a second", "{count:,} bytes written a second"),
        "processor": "{count:of_1000} of a processor",
    },
    check=check,
)
