"""The workloads of a run: in groups, each a line with a page of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.run.useful_rate import limit_of, useful_of
from apps.pages.run.workload_purposes import (
    definition_of,
    has_several_writers,
    is_lasting,
    is_probe,
    is_search,
)
from apps.pages.show import phrases, units, words
from apps.pages.show.table.row import DOT, Row, RowEvidence, RowFigures
from apps.pages.show.table.rows import figures_of, trace_of
from apps.rankings.choice import headline_latency
from apps.runs.models import Measurement, Run
from apps.stats.analysis.slo import UsefulRate
from apps.stats.figures import significant
from apps.wire.suites import WorkloadDefinition
from apps.words.workloads import workload_title

DEPTH_MILLI = 1000
CLOCK_GAP = "clock-gap"  # counts readings of the clock, not operations of a device


ARRIVALS = gettext_lazy("Operations arrive at random; latency counts from when each was due.")
STALL_REMARK = gettext_lazy("of the time, in operations over ten medians long")


@dataclass(frozen=True, slots=True)
class WorkloadKind:
    """What a group of workloads asks, and which workloads those are."""

    key: str
    title: Promise
    holds: Callable[[WorkloadDefinition], bool] | None = None  # None: the rest, by their sync


KINDS = (
    WorkloadKind("commit", gettext_lazy("Durable writes")),
    WorkloadKind("writers", gettext_lazy("More writers"), holds=has_several_writers),
    WorkloadKind("medium", gettext_lazy("Without a sync: not durable")),
    WorkloadKind("slo", gettext_lazy("Below a latency limit"), holds=is_search),
    WorkloadKind("probe", gettext_lazy("Probes"), holds=is_probe),
    WorkloadKind("endurance", gettext_lazy("Sustained write"), holds=is_lasting),
)
BY_KEY = {kind.key: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class WorkloadRows:
    """The lines of one kind."""

    kind: WorkloadKind
    rows: tuple[Row, ...]


def kind_of(measurement: Measurement) -> WorkloadKind:
    """The kind by the definition; else by whether anything was made durable."""
    workload = definition_of(measurement)
    for kind in KINDS:
        if workload and kind.holds and kind.holds(workload):
            return kind
    is_durable = measurement.sync not in {"", "none"}
    return BY_KEY["commit" if is_durable else "medium"]


def groups_of(run: Run, measurements: Sequence[Measurement]) -> tuple[WorkloadRows, ...]:
    """Every measurement as a line below its kind; kinds without one are left out."""
    lines: dict[str, list[Row]] = {kind.key: [] for kind in KINDS}
    for each in measurements:
        lines[kind_of(each).key].append(row_of_workload(run, each))
    return tuple(WorkloadRows(kind, tuple(lines[kind.key])) for kind in KINDS if lines[kind.key])


def row_of_workload(run: Run, measurement: Measurement) -> Row:
    """One workload of a run, as a line of a board."""
    latency = headline_latency(measurement)
    figures = figures_of(run, measurement, latency)
    if limit_of(measurement) is not None:
        return row_of_search(run, measurement)
    low, high = measurement.rate_per_s_low, measurement.rate_per_s_high
    if measurement.operation == CLOCK_GAP:
        low = high = None
    return Row(
        key=workload_key(measurement),
        name=workload_title(measurement.workload, measurement.title),
        url=reverse("pages:run-workload", args=[run.slug, workload_key(measurement)]),
        under=measurement.workload,
        figures=RowFigures(
            rate_per_s=measurement.rate_per_s,
            is_commit=measurement.is_durable_single_writer,
            low=low,
            high=high,
            interval=words.INTERVALS["samples"] if low else "",
            p50_ns=latency.p50_ns if latency else None,
            p99_ns=latency.p99_ns if latency else None,
            side=words.SIDES.get(latency.side, "") if latency else "",
        ),
        evidence=RowEvidence(
            note=DOT.join(device_words(measurement)),
        ),
        trace=trace_of(figures) if figures else None,
    )


def row_of_search(run: Run, measurement: Measurement) -> Row:
    """A search with the rate that it found; its passes together would be no figure."""
    useful_rate = useful_of(measurement)
    return Row(
        key=workload_key(measurement),
        name=workload_title(measurement.workload, measurement.title),
        url=reverse("pages:run-workload", args=[run.slug, workload_key(measurement)]),
        under=measurement.workload,
        figures=RowFigures(
            rate_per_s=measurement.rate_per_s,
            low=measurement.rate_per_s_low,
            high=measurement.rate_per_s_high,
            interval=words.INTERVALS["repeats"],
        ),
        evidence=RowEvidence(
            note=capacity_words(useful_rate) if useful_rate else _("not finished"),
        ),
    )


def capacity_words(useful_rate: UsefulRate) -> str:
    """What the device does at most, whatever the latency."""
    return _("capacity %(rate)s a second") % {"rate": significant(useful_rate.capacity_per_s)}


def by_name(measurements: Iterable[Measurement]) -> dict[str, Measurement]:
    """Measurements by the name of their workload, each in the oldest version that there is."""
    return {each.workload: each for each in sorted(measurements, key=lambda each: -each.version)}


def workload_key(measurement: Measurement) -> str:
    """A workload's name with its version: the end of its address."""
    return f"{measurement.workload}-v{measurement.version}"


def device_words(measurement: Measurement) -> list[str]:
    """What an operation cost the device, where the kernel counted it and anything was written."""
    operations, written = measurement.operations, measurement.bytes
    parts = []
    if operations and measurement.flushes is not None and is_made_durable(measurement):
        each = significant(measurement.flushes / operations)
        parts.append(_("%(n)s flushes each") % {"n": each})
    if written and measurement.device_bytes is not None and is_made_durable(measurement):
        times = significant(measurement.device_bytes / written)
        parts.append(_("wrote %(times)s\u00d7") % {"times": times})
    return parts


def is_made_durable(measurement: Measurement) -> bool:
    """Whether it writes and makes durable what it wrote."""
    return measurement.sync not in {"", "none"}


def effective_depth(measurement: Measurement) -> float | None:
    """Operations that were in flight on average, by Little's law."""
    milli = measurement.engine.get("effective_depth_milli")
    return milli / DEPTH_MILLI if isinstance(milli, int) else None


def engine_words(measurement: Measurement) -> str:
    """What measured it, with how many threads, and why it was not what was asked for."""
    engine = measurement.engine
    if not engine:
        return ""
    threads, fallback = engine.get("writers"), engine.get("fallback")
    words = str(engine.get("kind"))
    if isinstance(threads, int) and threads > 1:
        words = f"{words} \u00d7 {threads}"
    return phrases.join_facts((words, fallback))


def depth_words(measurement: Measurement) -> str:
    """The depth that was reached beside the one that was asked for.

    Not of a search: where arrivals come by themselves, those that wait count as in flight.
    """
    depth, requested = effective_depth(measurement), measurement.queue_depth
    if depth is None or not requested or requested == 1 or limit_of(measurement) is not None:
        return ""
    return f"{significant(depth)} / {requested}"


def cpu_words(measurement: Measurement) -> str:
    """Processor time of an operation."""
    cpu_ns, operations = measurement.engine.get("cpu_ns"), measurement.operations
    if not isinstance(cpu_ns, int) or not operations:
        return ""
    return units.latency(cpu_ns / operations)
