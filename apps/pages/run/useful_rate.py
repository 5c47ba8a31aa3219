"""Searches for a useful rate: what their passes say, in place of a rate over all of them."""

from apps.runs.models import Measurement
from apps.stats.analysis.slo import SearchPass, UsefulRate, useful_rate
from apps.wire.suites import p99_limit_of

STOPPED = frozenset({"interrupted", "error"})


def limit_of(measurement: Measurement) -> int | None:
    """The limit of p99 below which this workload looks for a rate, nanoseconds; None of others."""
    return p99_limit_of(measurement.workload, version=measurement.version)


def useful_of(measurement: Measurement) -> UsefulRate | None:
    """What a finished search says."""
    limit_ns = limit_of(measurement)
    if limit_ns is None:
        return None
    return useful_rate(passes_of(measurement), p99_ns_max=limit_ns)


def passes_of(measurement: Measurement) -> list[SearchPass]:
    """The whole passes of a search."""
    return [
        SearchPass(
            operations=each["operations"],
            elapsed_ns=each["elapsed_ns"],
            purpose=each.get("open_loop", {}).get("purpose"),
            offered_per_s=each.get("open_loop", {}).get("offered_per_s", 0),
            p99_ns=each.get("open_loop", {}).get("p99_ns", 0),
            lag_p99_ns=each.get("open_loop", {}).get("lag_p99_ns", 0),
        )
        for each in measurement.passes
        if each.get("ended_by") not in STOPPED
    ]
