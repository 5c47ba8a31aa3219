"""The table of runs: one row a measurement, with its histograms.

What names a machine, a network or a person is no column; what may be shown is what the API shows.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from django.db.models import BooleanField, Case, Value, When

from apps.rankings.dumps.tables import (
    FLAG,
    MOMENT,
    RATE,
    TEXT,
    TEXTS,
    WHOLE,
    DumpColumn,
    DumpTable,
)
from apps.rankings.standings.drafts import PLP_UNKNOWN
from apps.rankings.standings.points import COUNTS, IS_A_PART, p99_bounds
from apps.runs.models import EXAMPLE, KeepsOut, Label, Latency, Level, Measurement
from apps.runs.trust.levels import COUNTING, evidence_of
from apps.runs.trust.licences import CC0, CITED, licence_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import Q

ROWS_A_READ: Final = 1_000  # all in memory: some 20 MB with their histograms
# What excludes a measurement that no rule does.
BELOW_WITNESSED: Final = "level"
NOT_OF_ITS_SUITE: Final = "suite"
BY_ITS_RECORD: Final = "record"
_OF_ONE_WORKLOAD: Final = frozenset({KeepsOut.READS, KeepsOut.DISTURBED})

# The columns that are read as they are, with the path from a measurement.
_READ: Final = {
    "run": (TEXT, "run__slug"),
    "measured_at": (MOMENT, "run__measured_at"),
    "suite": (TEXT, "run__suite"),
    "suite_version": (WHOLE, "run__suite_version"),
    "suite_complete": (FLAG, "run__suite_complete"),
    "agent_version": (TEXT, "run__agent_version"),
    "provider": (TEXT, "run__provider"),
    "plan": (TEXT, "run__plan"),
    "plan_provider": (TEXT, "run__plan__provider"),
    "plan_in_doubt": (FLAG, "run__plan_in_doubt"),
    "region": (TEXT, "run__region"),
    "drive": (TEXT, "run__drive_family"),
    "drive_reported": (TEXT, "run__drive_reported"),
    "drive_firmware": (TEXT, "run__drive_firmware"),
    "is_single_drive": (FLAG, "run__is_single_drive"),
    "expected_class": (TEXT, "run__expected_class"),
    "measured_class": (TEXT, "run__measured_class"),
    "filesystem": (TEXT, "run__filesystem"),
    "kernel": (TEXT, "run__kernel"),
    "cpu_model": (TEXT, "run__cpu_model"),
    "outcome": (TEXT, "run__outcome"),
    "flush_verdict": (TEXT, "run__flush_verdict"),
    "workload": (TEXT, "workload"),
    "version": (WHOLE, "version"),
    "title": (TEXT, "title"),
    "tool": (TEXT, "tool"),
    "operation": (TEXT, "operation"),
    "sync": (TEXT, "sync"),
    "block_bytes": (WHOLE, "block_bytes"),
    "is_direct": (FLAG, "is_direct"),
    "writers": (WHOLE, "writers"),
    "queue_depth": (WHOLE, "queue_depth"),
    "is_durable_single_writer": (FLAG, "is_durable_single_writer"),
    "operations": (WHOLE, "operations"),
    "bytes": (WHOLE, "bytes"),
    "elapsed_ns": (WHOLE, "elapsed_ns"),
    "rate_per_s": (RATE, "rate_per_s"),
    "rate_per_s_low": (RATE, "rate_per_s_low"),
    "rate_per_s_high": (RATE, "rate_per_s_high"),
    "slowest_part_per_s": (RATE, "slowest_part_per_s"),
    "fastest_part_per_s": (RATE, "fastest_part_per_s"),
    "bandwidth_bytes_per_s": (WHOLE, "bandwidth_bytes_per_s"),
    "flushes": (WHOLE, "flushes"),
    "device_bytes": (WHOLE, "device_bytes"),
    "stall_share_milli": (WHOLE, "stall_share_milli"),
    "others_device_permille": (WHOLE, "others_device_permille"),
    "others_cpu_permille": (WHOLE, "others_cpu_permille"),
}
_ALSO_READ: Final = (
    "pk", "run_id", "run__level", "run__is_example", "counts", "is_ranked",
    "run__drive_family__name", "run__drive_family__plp", "run__citation__title",
    "run__citation__url", "run__citation__warning", "run__citation__is_illustrative",
)  # fmt: skip
LATENCIES: Final = pa.list_(
    pa.struct(
        [
            ("side", TEXT),
            ("is_part", FLAG),
            *((name, WHOLE) for name in (
                "count", "sum_ns", "mean_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns",
                "p9999_ns", "max_ns",
            )),
            ("buckets", pa.list_(pa.int32())),
            ("counts", pa.list_(WHOLE)),
            ("curve", pa.list_(pa.list_(RATE))),
        ]
    )
)  # fmt: skip
_LATENCY_FIELDS: Final = tuple(
    each.name
    for each in LATENCIES.value_type
    if each.name not in ("is_part", "buckets", "counts", "curve")
)
RUNS: Final = DumpTable(
    "runs",
    "One row a measurement: a workload of a run, with its latencies and histograms.",
    (
        DumpColumn("run_id", TEXT),
        DumpColumn("level", TEXT, "How much can be defended about the run; /method/ says each."),
        DumpColumn("evidence", TEXT),
        *(DumpColumn(name, kind) for name, (kind, _) in _READ.items()),
        DumpColumn("drive_name", TEXT, "Of its family, else as the machine reports it."),
        DumpColumn("plp", TEXT, "Power-loss protection of the drive family."),
        DumpColumn("counts", FLAG, "Whether it counts in standings while it is recent."),
        DumpColumn(
            "excluded_by",
            TEXTS,
            "Ids of the rules that keep it out of standings. Where none does: "
            f"{BELOW_WITNESSED}, its level does not count; {NOT_OF_ITS_SUITE}, its suite does not "
            f"rank the workload; {BY_ITS_RECORD}, the run is kept out for what came later.",
        ),
        DumpColumn("labels", TEXTS, "Ids of all rules that found something in the run."),
        DumpColumn("source_title", TEXT, "Of a published figure."),
        DumpColumn("source_url", TEXT),
        DumpColumn("warning", TEXT, "What a reader of the figure must know."),
        DumpColumn("is_illustrative", FLAG, "Its source calls its figures a sample."),
        DumpColumn("p99_bound_ns", WHOLE, "Of a commit of which the source times two parts."),
        DumpColumn(
            "licence", TEXT, f"{CC0} of uploads; {CITED}: a fact of the source that is named."
        ),
        DumpColumn(
            "latencies",
            LATENCIES,
            "One for each side. The histogram is log-linear, 128 buckets an octave; is_part: the "
            "side is a part of the durable commit and not its latency.",
        ),
    ),
    key=("run", "workload", "version"),
    is_large=True,
    rows_a_group=ROWS_A_READ,
)


def rows_of_runs() -> Iterator[dict[str, Any]]:
    """Yield the rows of the table, workload by workload and there thing by thing."""
    listed = Measurement.objects.filter(run__is_listed=True)
    workloads = listed.order_by("workload", "version").values_list("workload", "version").distinct()
    for workload, version in list(workloads):
        of_workload = listed.filter(workload=workload, version=version)
        ordered = of_workload.order_by("run__plan", "run__drive_family", "run__slug")
        ids = list(ordered.values_list("pk", flat=True))
        for first in range(0, len(ids), ROWS_A_READ):
            yield from _rows(ids[first : first + ROWS_A_READ])


def _rows(ids: Sequence[int]) -> list[dict[str, Any]]:
    measured = Measurement.objects.filter(pk__in=ids).annotate(counts=_whether(COUNTS))
    paths = (*(path for _, path in _READ.values()), *_ALSO_READ)
    by_id = {row["pk"]: row for row in measured.values(*paths)}
    rows = [by_id[each] for each in ids]
    labels = _labels({row["run_id"] for row in rows})
    latencies = _latencies(ids)
    bounds = p99_bounds(
        row["pk"]
        for row in rows
        if row["run__level"] == Level.PUBLISHED and row["is_durable_single_writer"]
    )
    return [
        {
            **{name: row[path] for name, (_, path) in _READ.items()},
            **_facts(row, labels[row["run_id"]]),
            "p99_bound_ns": bounds.get(row["pk"]),
            "latencies": latencies[row["pk"]],
        }
        for row in rows
    ]


def _facts(row: dict[str, Any], labels: Sequence[Label]) -> dict[str, Any]:
    level = EXAMPLE if row["run__is_example"] else row["run__level"]
    evidence = evidence_of(level)
    return {
        "run_id": str(row["run_id"]),
        "level": level,
        "evidence": evidence,
        "drive_name": row["run__drive_family__name"] or row["run__drive_reported"],
        "plp": row["run__drive_family__plp"] or PLP_UNKNOWN,
        "counts": row["counts"],
        "excluded_by": [] if row["counts"] else _excluding(row, labels),
        "labels": [label.rule for label in labels],
        "source_title": row["run__citation__title"],
        "source_url": row["run__citation__url"],
        "warning": row["run__citation__warning"] or "",
        "is_illustrative": bool(row["run__citation__is_illustrative"]),
        "licence": licence_of(evidence),
    }


def _excluding(row: dict[str, Any], labels: Sequence[Label]) -> list[str]:
    """Return what keeps a measurement out: rules, or what does without one."""
    kinds = {KeepsOut.RUN} if row["is_ranked"] else {KeepsOut.RUN, *_OF_ONE_WORKLOAD}
    rules = [each.rule for each in labels if each.keeps_out in kinds and not each.is_released]
    return rules or [_without_a_rule(row)]


def _without_a_rule(row: dict[str, Any]) -> str:
    if row["run__level"] == Level.PUBLISHED:
        return BY_ITS_RECORD
    if row["run__level"] not in COUNTING:
        return BELOW_WITNESSED
    return BY_ITS_RECORD if row["is_ranked"] else NOT_OF_ITS_SUITE


def _labels(runs: set[Any]) -> dict[Any, list[Label]]:
    labels: dict[Any, list[Label]] = defaultdict(list)
    for label in Label.objects.filter(run__in=runs).order_by("run", "rule"):
        labels[label.run_id].append(label)
    return labels


def _latencies(measurements: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    found = Latency.objects.filter(measurement__in=measurements).annotate(
        is_part=_whether(IS_A_PART)
    )
    columns = ("measurement_id", "histogram", "printed_curve", "is_part", *_LATENCY_FIELDS)
    for row in found.order_by("measurement", "side").values(*columns):
        buckets, counts = row.pop("histogram") or ([], [])
        curve = row.pop("printed_curve")
        rows[row.pop("measurement_id")].append(
            {**row, "buckets": buckets, "counts": counts, "curve": curve}
        )
    return rows


def _whether(condition: Q) -> Case:
    return Case(
        When(condition, then=Value(True)), default=Value(False), output_field=BooleanField()
    )
