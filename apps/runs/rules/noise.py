"""Checks what else went on: stolen processor time, limits, a rate that did not hold."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from apps.stats.cliff import find_cliff
from apps.stats.repeats import UNSTEADY_SPREAD, spread_of

if TYPE_CHECKING:
    from apps.runs.rules.facts import Measured, RunFacts

STEAL_PERMILLE_MAX: Final = (
    100  # a tenth of the processors' time: then latencies are not the disk's
)
CPU_MILLI_MIN: Final = 1000  # one writer keeps one processor busy
BURST_SAMPLE_NS: Final = 100_000_000  # the interval in which a cliff is looked for


def stolen_time(facts: RunFacts) -> str | None:
    """The hypervisor gave much of the processors' time to others."""
    steal = facts.run.env.steal_permille
    if steal is None or steal <= STEAL_PERMILLE_MAX:
        return None
    return f"{steal / 10:g} % of the processors' time went to other machines."


def limited_by_control_group(facts: RunFacts) -> str | None:
    """A control group limits the agent's I/O, or leaves it less than one processor."""
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


def unsteady_passes(facts: RunFacts) -> str | None:
    """The passes of the headline lie further apart than the engine's own repeats do."""
    headline = facts.headline
    spread = spread_of(_pass_rates(headline)) if headline else None
    if spread is None or not spread.is_unsteady:
        return None
    return (
        f"From the slowest pass to the fastest it is {spread.spread:.0%} of their median, "
        f"{spread.median_per_s:,.0f} commits a second; up to {UNSTEADY_SPREAD:.0%} is steady."
    )


def burst(facts: RunFacts) -> str | None:
    """The rate of commits fell during the run and did not come back."""
    headline = facts.headline
    if headline is None or headline.sent.sample_ns != BURST_SAMPLE_NS:
        return None
    passes = [one.rate_samples for one in headline.sent.passes]
    cliff = find_cliff(list(chain.from_iterable(passes)))
    if cliff is None:
        return None
    per_s = 1e9 / BURST_SAMPLE_NS
    return (
        f"After {cliff.operations:,} commits the rate fell from {cliff.before * per_s:,.0f} to "
        f"{cliff.after * per_s:,.0f} a second and stayed there."
    )


def _pass_rates(measured: Measured) -> list[float]:
    passes = measured.sent.passes
    return [one.operations * 1e9 / one.elapsed_ns for one in passes if one.elapsed_ns]
