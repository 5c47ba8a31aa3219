"""The shape of one line of published_results.jsonl: members, types and ranges.

Reading is strict: a member that is missing, unknown or of another type is refused. What a source
does not state is null. Latencies are microseconds, rates are per second, sizes are bytes.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from apps.runs.models import LOCATOR_CHARACTERS_MAX
from apps.wire.judgement import Member

RATE_MAX: Final = 10_000_000  # a second: above what any block device answers
MICROSECONDS_MAX: Final = 600_000_000  # ten minutes

Words = Annotated[str, Meta(min_length=1, pattern=r"\S")]
Slug = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=80)]
WorkloadId = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=64)]
Address = Annotated[str, Meta(pattern=r"^(https?://\S+)?$", max_length=400)]
Count = Annotated[int, Meta(ge=0)]
MonthOrNone = Annotated[str, Meta(pattern=r"^(\d{4}(-\d\d)?)?$")]
Positive = Annotated[int, Meta(ge=1)]
Rate = Annotated[float, Meta(ge=0, le=RATE_MAX)]
PositiveRate = Annotated[float, Meta(gt=0, le=RATE_MAX)]
Microseconds = Annotated[float, Meta(ge=0, le=MICROSECONDS_MAX)]
Statistic = Literal[
    "min", "avg", "max", "stdev", "p1", "p5", "p10", "p20", "p30", "p40", "p50", "p60", "p70",
    "p80", "p90", "p95", "p99", "p99_5", "p99_9", "p99_95", "p99_99",
]  # fmt: skip
Latencies = dict[Statistic, Microseconds | None]


class Locator(Member, frozen=True):
    """Where the figure stands, and what to search for there."""

    url: Address  # "" where the source itself has no address
    find: Annotated[Words, Meta(max_length=LOCATOR_CHARACTERS_MAX)]


class TimedWork(Member, frozen=True):
    """What was timed."""

    id: WorkloadId
    tool: Annotated[Words, Meta(max_length=32)]
    name: Words
    rw: Literal["read", "write", "randread", "randwrite", "randrw"] | None
    block_size_bytes: Annotated[int, Meta(ge=1, le=1 << 26)] | None
    direct: bool | None
    sync: Literal["none", "fsync", "fdatasync", "o_dsync", "o_sync"] | None  # null: by the program
    iodepth: Positive | None
    numjobs: Positive | None
    ioengine: Words | None
    size_bytes: Positive | None
    duration_s: Annotated[float, Meta(gt=0)] | None
    extra: dict[str, Any]


class Printed(Member, frozen=True):
    """A figure as its source prints it."""

    value: Annotated[float, Meta(gt=0)]
    unit: Words


class OfHosts(Member, frozen=True):
    """Between which figures the machines of one plan lie, of which the record is one."""

    low: Microseconds
    high: Microseconds
    hosts: Positive


class Metrics(Member, frozen=True):
    """The figures of one record. What is absent was not printed."""

    iops: PositiveRate | UnsetType = UNSET
    iops_min: Rate | UnsetType = UNSET
    iops_max: Rate | UnsetType = UNSET
    iops_stdev: Rate | UnsetType = UNSET
    iops_samples: Positive | UnsetType = UNSET
    iops_reported: Rate | UnsetType = UNSET
    iops_as_published: Words | UnsetType = UNSET
    iops_derived: bool | UnsetType = UNSET  # computed from a printed latency or bandwidth
    tps: PositiveRate | UnsetType = UNSET
    usecs_per_op_printed: Microseconds | UnsetType = UNSET
    avg_ms_printed: Microseconds | UnsetType = UNSET
    latency_ms_printed: Microseconds | UnsetType = UNSET
    latency_p50_ms_printed: Microseconds | UnsetType = UNSET
    p50_us_of_hosts: OfHosts | UnsetType = UNSET
    latency_avg_ms_printed: Microseconds | UnsetType = UNSET
    latency_avg_ms: Microseconds | UnsetType = UNSET
    lat_us: Latencies | UnsetType = UNSET
    slat_us: Latencies | UnsetType = UNSET
    clat_us: Latencies | UnsetType = UNSET
    sync_us: Latencies | UnsetType = UNSET
    bandwidth_bytes_per_s: Positive | UnsetType = UNSET
    bandwidth_as_published: Printed | UnsetType = UNSET
    bandwidth_basis: Words | UnsetType = UNSET  # set where the printed bandwidth cannot be used
    bw_kib_per_s: dict[str, float] | UnsetType = UNSET
    fsyncs_per_s: Rate | UnsetType = UNSET
    fsyncs_per_write: float | UnsetType = UNSET
    writes_issued: Count | UnsetType = UNSET
    syncs_issued: Count | UnsetType = UNSET
    events: Count | UnsetType = UNSET
    transactions: Count | UnsetType = UNSET
    failed_transactions: Count | UnsetType = UNSET
    initial_connection_ms: float | UnsetType = UNSET
    runtime_ms: Positive | UnsetType = UNSET
    cpu_usr_pct: float | UnsetType = UNSET
    cpu_sys_pct: float | UnsetType = UNSET
    ctx_switches: Count | UnsetType = UNSET
    disk_util_pct: float | UnsetType = UNSET
    geekbench6_single: Count | UnsetType = UNSET
    geekbench6_multi: Count | UnsetType = UNSET

    @property
    def rate_per_s(self) -> float | None:
        """Return the figure that the record is about, or None where it is no rate."""
        for rate in (self.iops, self.tps):
            if not isinstance(rate, UnsetType):
                return rate
        return None

    @property
    def rate_as_printed(self) -> str:
        """Return the rate as its source has it; pg_test_fsync prints three decimals."""
        if not isinstance(self.iops_as_published, UnsetType):
            return self.iops_as_published
        return f"{self.rate_per_s or 0:.3f}"

    def latencies(self, side: str) -> dict[str, float]:
        """Return the printed latencies of a side (`sync_us`, ...) in microseconds."""
        found = getattr(self, side)
        return {} if found is UNSET else {k: v for k, v in found.items() if v is not None}


class RecordShape(Member, frozen=True):
    """One line of the file."""

    id: Slug
    source: Slug
    locator: Locator
    confidence: Literal["high", "medium"]
    confidence_reason: Annotated[Words, Meta(max_length=120)] | None
    measured_on: date | None
    provider: Words | None
    plan: Words | None
    region: Annotated[Words, Meta(max_length=96)] | None
    machine: Words | None
    machine_label: Annotated[Words, Meta(max_length=200)]
    cpu: Annotated[Words, Meta(max_length=128)] | None
    drive_model: Annotated[Words, Meta(max_length=140)] | None
    drive_family: Words | None
    is_single_drive: bool | None
    storage_notes: Words | None
    os_kernel: Annotated[Words, Meta(max_length=128)] | None
    filesystem: Annotated[Words, Meta(max_length=64)] | None
    workload: TimedWork
    metrics: Metrics
    notes: Words | None
    warning: Words | None
    is_illustrative: bool
    is_kept_out: bool
    published: MonthOrNone | UnsetType = UNSET  # where a page grew after the month of its source


class SourceShape(Member, frozen=True):
    """One entry of published_sources.json."""

    title: Annotated[Words, Meta(max_length=300)]
    url: Annotated[str, Meta(pattern=r"^(https?://\S+)?$", max_length=200)]
    author: Annotated[str, Meta(max_length=120)]
    published: MonthOrNone


class WorkloadShape(Member, frozen=True):
    """One entry of published_workloads.json."""

    title: Annotated[Words, Meta(max_length=120)]
    short: Annotated[Words, Meta(max_length=40)]  # the same in about three words
    operation: Literal["commit", "read", "write", "transaction", "score", "ratio"]
    is_durable_single_writer: bool
    comparable_class: Literal[1, 2, 3]
