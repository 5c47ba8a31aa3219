"""A control group limits the agent's I/O, or leaves it less than one processor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.rule import Kind, Rule
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts

CPU_MILLI_MIN: Final = thresholds().limits.cpu_milli_min.value


def check(facts: RunFacts) -> str | None:
    limits = facts.run.env.limits
    found = [
        f"{amount:,} {what}"
        for amount, what in (
            (limits.read_ops_per_s, "reads a second"),
            (limits.write_ops_per_s, "writes a second"),
            (limits.read_bytes_per_s, "bytes read a second"),
            (limits.write_bytes_per_s, "bytes written a second"),
        )
        if amount is not None
    ]
    if limits.cpu_milli is not None and limits.cpu_milli < CPU_MILLI_MIN:
        found.append(f"{limits.cpu_milli / CPU_MILLI_MIN:g} of a processor")
    return f"At most {', '.join(found)}." if found else None


RULE: Final = Rule(
    id="limited-by-control-group",
    version=1,
    kind=Kind.ENVIRONMENT,
    place=14,
    text="limited by a control group",
    explanation="A control group, as containers and units of systemd have, limits what the "
    "agent may read or write a second, or gives it less than one processor. The figures may "
    "be those of the limit.",
    border="Speaks where any limit of I/O is set, or less than one processor is left. How "
    "often the limit held the agent back is not reported.",
    origin="One writer keeps one processor busy at most, so less than one may slow it.",
    remedy="Measure outside of the container, or lift the limit for the run.",
    check=check,
)
