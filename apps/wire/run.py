"""A run as typed values, which all code after the upload API uses.

The schema decides what a valid run is. msgspec only converts valid documents to these classes.
"""

from __future__ import annotations

from itertools import pairwise
from operator import ge
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from msgspec import Struct, convert, json, structs

from apps.wire.limits import BUCKETS_IN_ALL_MAX, ERRORS_MAX, SAMPLES_IN_ALL_MAX
from apps.wire.problems import Fault
from apps.wire.reading import read_strict
from apps.wire.schema import schema_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]  # a part of a document that the schema has passed


class BadRunError(ValueError):
    """A payload that is strict JSON but no valid run; `faults` has every place that is wrong."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{fault.pointer}: {fault.detail}" for fault in faults))
        self.faults = faults


class HistogramData(Struct, frozen=True):
    """A log128 histogram as sent: [bucket, count] pairs with rising buckets."""

    sum_ns: int
    min_ns: int
    max_ns: int
    counts: tuple[tuple[int, int], ...]


class OpenLoop(Struct, frozen=True):
    """A pass with arriving operations. Latencies count from when each operation was due."""

    purpose: str  # search: a trial of the search; load: at a share of the capacity
    offered_per_s: int
    p50_ns: int
    p99_ns: int
    lag_p99_ns: int  # how late the agent began operations


class DeviceTraffic(Struct, frozen=True):
    """What the devices below the filesystem did, for any program."""

    reads: int
    writes: int
    bytes_read: int
    bytes_written: int


class Pressure(Struct, frozen=True):
    """The time for which at least one task waited for each resource, in nanoseconds."""

    cpu_ns: int
    io_ns: int
    memory_ns: int


class Interference(Struct, frozen=True):
    """What else went on during a pass; None for what the system does not say."""

    device: DeviceTraffic | None
    other_cpu_ns: int | None  # of other programs, over all processors
    steal_ns: int | None  # given to other guests by the hypervisor, over all processors
    run_queue_ns: int | None  # threads of the agent were ready and had no processor, over all
    throttled_ns: int | None  # the agent's control group was stopped at its limit
    pressure: Pressure | None  # of the whole system
    own_pressure: Pressure | None  # of the agent's control group
    cpu_mhz: int | None  # of the slowest processor on which a writer ended


class Pass(Struct, frozen=True, omit_defaults=True):
    """One timed pass of a workload."""

    operations: int
    bytes: int
    elapsed_ns: int
    ended_by: str
    rate_samples: tuple[int, ...]  # operations finished in each whole interval
    open_loop: OpenLoop | None = (
        None  # None: a closed loop, where an operation begins when one before it has ended
    )
    interference: Interference | None = None  # None: nothing can be seen


class Engine(Struct, frozen=True):
    """How a workload was measured, which may be with less than its definition asks for."""

    kind: str  # psync, uring, uring-plain
    writers: int  # threads
    queue_depth: int  # of each thread
    effective_depth_milli: int  # by Little's law, in thousandths
    cpu_ns: int  # of the agent's process during the passes
    fallback: str | None  # why it is not the engine of the definition


class Workload(Struct, frozen=True):
    """What one workload of the suite did, over all its passes."""

    id: str
    version: int
    operations: int
    bytes: int
    elapsed_ns: int
    sample_ns: int
    passes: tuple[Pass, ...]
    histograms: dict[str, HistogramData]  # by side: write, sync, commit, read
    flushes: int | None
    device_bytes: int | None
    intent_log_commits: int | None = None  # of ZFS; None: another filesystem, or not counted
    engine: Engine | None = None
    repeated_passes: int = 0  # disturbed by others, thrown away and run again


class PcieLink(Struct, frozen=True):
    """The PCI Express link of a device: as trained, and at its best."""

    speed_mts: int  # megatransfers a second and lane
    width: int  # lanes
    speed_max_mts: int
    width_max: int


class Device(Struct, frozen=True, rename={"device_class": "class"}):
    """A block device under the file, as Linux reports it."""

    device_class: str
    transport: str
    vendor: str
    model: str
    firmware: str
    size_bytes: int
    rotational: bool | None
    write_cache: str  # write back, write through, unknown
    fua: bool | None
    pcie: PcieLink | None = None  # None: it has no link of its own
    volatile_write_cache: bool | None = None  # by the drive's own word, which NVMe gives to root
    driver: str | None = None  # of its SCSI host
    driver_write_cache: str | None = None  # as its driver read it; None: it does not say
    raid_volume: bool | None = None  # a RAID controller made it of others; None: nobody says


class Clock(Struct, frozen=True):
    """What the agent's clocks said. Shown and checked, never trusted."""

    wall_start_unix_us: int
    mono_elapsed_ns: int
    boottime_elapsed_ns: int
    source: str


class ControlGroupLimits(Struct, frozen=True):
    """The tightest limits of the agent's control groups; None where there is none."""

    cpu_milli: int | None  # thousandths of a processor
    read_bytes_per_s: int | None
    write_bytes_per_s: int | None
    read_ops_per_s: int | None
    write_ops_per_s: int | None


class Agent(Struct, frozen=True, rename={"sha256": "self_sha256"}):
    """The program that measured, as it reports itself."""

    version: str
    commit: str | None
    target: str
    sha256: str | None  # of its own file


class CloudMetadata(Struct, frozen=True):
    """What the cloud's metadata service answered; None where it did not."""

    provider: str  # slug of whose service answered: the firmware's provider, else openstack
    instance_type: str | None
    region: str | None  # or the zone, where the service names no region


class Environment(Struct, frozen=True):
    """The system and the filesystem of the measured file."""

    kernel: str
    arch: str
    cpu_model: str | None
    cpu_count: int
    virt: str
    fs: str
    mount_flags: tuple[str, ...]
    fs_size_bytes: int
    fs_free_bytes: int
    steal_permille: int | None  # of the processors' time, given to others by the hypervisor
    limits: ControlGroupLimits
    provider: str | None  # slug, by the firmware
    instance_type: str | None  # by the firmware
    cloud_product: str | None  # DMI product name
    ram_bytes: int
    container: str | None
    cloud_metadata: CloudMetadata | None = None  # None: not asked, or nobody answered


class Claim(Struct, frozen=True):
    """What the person claimed about the machine; None where nothing was claimed."""

    provider: str | None
    plan: str | None
    region: str | None


class SuiteReference(Struct, frozen=True):
    """Which suite ran."""

    id: str
    version: int
    sha256: str
    complete: bool


class RunPayload(Struct, frozen=True):
    """A run as its agent signed it, valid by the schema and the checks of `read_run`."""

    run_id: UUID
    challenge: str | None
    seed_proof: str | None
    agent: Agent
    suite: SuiteReference
    clock: Clock
    machine: str
    claim: Claim
    env: Environment
    stack: tuple[str, ...]
    devices: tuple[Device, ...]
    workloads: tuple[Workload, ...]


class KeptParts(Struct, frozen=True):
    """The parts of a payload that are kept as sent, with members that are only shown."""

    agent: Json
    clock: Json
    consent: Json
    devices: list[Json]
    env: Json
    stack: list[str]
    suite: Json


_RUN_DECODER: Final = json.Decoder(RunPayload)
_KEPT_DECODER: Final = json.Decoder(KeptParts)


class RunHead(Struct, frozen=True):
    """What the door asks of a run, which is valid in all of its parts."""

    run_id: UUID
    challenge: str | None
    suite: SuiteReference
    machine: str


def read_run(payload: bytes) -> RunPayload:
    """Return the run in a verified payload.

    Raises NotStrictJsonError if it is no strict JSON and BadRunError if it is no valid run.
    """
    return convert(_valid_document(payload), RunPayload)


def read_stored(payload: bytes) -> RunPayload:
    """Return the run in a payload that was checked before it was stored, in a sixth of the time.

    Raises msgspec.MsgspecError for bytes that cannot be those of a run.
    """
    return _RUN_DECODER.decode(payload)


def read_kept_parts(payload: bytes) -> Json:
    """Return the parts that are kept of a stored payload. Raises msgspec.MsgspecError."""
    return structs.asdict(_KEPT_DECODER.decode(payload))


def read_head(payload: bytes) -> RunHead:
    """Return the head of the run in a verified payload, which is checked as `read_run` does.

    Raises NotStrictJsonError and BadRunError.
    """
    return convert(_valid_document(payload), RunHead)


def _valid_document(payload: bytes) -> Json:
    document = read_strict(payload)
    faults = schema_faults(document, size_bytes=len(payload))
    if not faults and isinstance(document, dict):
        faults = tuple(_own_faults(document))[:ERRORS_MAX]
        if not faults:
            return document
    raise BadRunError(faults)


def _own_faults(run: Json) -> Iterator[Fault]:
    """Yield faults that a schema cannot express: totals, order and uniqueness."""
    yield from _total_faults(run["workloads"])
    seen: set[tuple[str, int]] = set()
    for place, workload in enumerate(run["workloads"]):
        identity = (workload["id"], workload["version"])
        if identity in seen:
            yield Fault(f"/workloads/{place}/id", "names a workload that was there before")
        seen.add(identity)
        for side, histogram in workload["histograms"].items():
            yield from _histogram_faults(histogram, f"/workloads/{place}/histograms/{side}")


def _total_faults(workloads: list[Json]) -> Iterator[Fault]:
    buckets = sum(len(h["counts"]) for each in workloads for h in each["histograms"].values())
    if buckets > BUCKETS_IN_ALL_MAX:
        yield Fault("/workloads", f"have {buckets} buckets in all, over {BUCKETS_IN_ALL_MAX}")
    samples = sum(len(one["rate_samples"]) for each in workloads for one in each["passes"])
    if samples > SAMPLES_IN_ALL_MAX:
        yield Fault("/workloads", f"have {samples} samples in all, over {SAMPLES_IN_ALL_MAX}")


def _histogram_faults(histogram: Json, pointer: str) -> Iterator[Fault]:
    if histogram["min_ns"] > histogram["max_ns"]:
        yield Fault(f"{pointer}/min_ns", "is larger than max_ns")
    buckets = [bucket for bucket, _ in histogram["counts"]]
    if any(map(ge, buckets, buckets[1:])):
        place = next(n for n, (low, high) in enumerate(pairwise(buckets), 1) if low >= high)
        yield Fault(f"{pointer}/counts/{place}/0", "must be larger than the bucket before it")
