"""One checked run as typed values: after the door only these travel."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any
from uuid import UUID

from apps.wire.limits import ERRORS_MAX
from apps.wire.problems import Fault
from apps.wire.reading import read_strict
from apps.wire.schema import schema_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]  # a part of a document that the schema has passed


class BadRunError(ValueError):
    """A payload that is strict JSON but no run; carries every place that is wrong."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{fault.pointer}: {fault.detail}" for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class HistogramData:
    """A log128 histogram as sent: [bucket, count] pairs with rising buckets."""

    sum_ns: int
    min_ns: int
    max_ns: int
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A pass whose operations arrived by themselves. Latencies count from when each was due."""

    purpose: str  # search: a trial of the search; load: at a share of the capacity
    offered_per_s: int
    p50_ns: int
    p99_ns: int
    lag_p99_ns: int  # how late the agent began operations


@dataclass(frozen=True, slots=True)
class Pass:
    """One timed stretch of a workload."""

    operations: int
    bytes: int
    elapsed_ns: int
    ended_by: str
    rate_samples: tuple[int, ...]  # operations finished in each whole interval
    open_loop: OpenLoop | None  # None: one operation began when one before it had ended


@dataclass(frozen=True, slots=True)
class OtherIo:
    """What the device did in an interval in which the agent did nothing."""

    interval_ns: int
    reads: int
    writes: int
    bytes: int  # read and written


@dataclass(frozen=True, slots=True)
class Engine:
    """What measured a workload, which may be less than its definition asks for."""

    kind: str  # psync, uring, uring-plain
    writers: int  # threads
    queue_depth: int  # of each thread
    effective_depth_milli: int  # by Little's law, in thousandths
    cpu_ns: int  # of the agent's process during the passes
    fallback: str | None  # why it is not the engine that was asked for


@dataclass(frozen=True, slots=True)
class Workload:
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
    engine: Engine | None
    other_io: OtherIo | None  # in the idle moments right before the passes


@dataclass(frozen=True, slots=True)
class Device:
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
    volatile_write_cache: bool | None = None  # by the drive's own word, which NVMe gives to root


@dataclass(frozen=True, slots=True)
class Clock:
    """What the agent's clocks said. Shown and checked, never trusted."""

    wall_start_unix_us: int
    mono_elapsed_ns: int
    boottime_elapsed_ns: int
    source: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The tightest limits of the agent's control groups; None where there is none."""

    cpu_milli: int | None  # thousandths of a processor
    read_bytes_per_s: int | None
    write_bytes_per_s: int | None
    read_ops_per_s: int | None
    write_ops_per_s: int | None


@dataclass(frozen=True, slots=True)
class Agent:
    """The program that measured, by its own word."""

    version: str
    commit: str | None
    target: str
    sha256: str | None  # of its own file


@dataclass(frozen=True, slots=True)
class CloudMetadata:
    """What the cloud's metadata service said of the machine; None where it did not say."""

    provider: str  # slug of whose service answered: the firmware's provider, else openstack
    instance_type: str | None
    region: str | None  # or the zone, where the service names no region


@dataclass(frozen=True, slots=True)
class Environment:
    """Where the file lay."""

    kernel: str
    cpu_model: str | None
    virt: str
    fs: str
    mount_flags: tuple[str, ...]
    fs_size_bytes: int
    fs_free_bytes: int
    steal_permille: int | None  # of the processors' time, given to others by the hypervisor
    limits: Limits
    other_io: OtherIo
    cloud_metadata: CloudMetadata | None = None  # None: not asked, or nobody answered


@dataclass(frozen=True, slots=True)
class Claim:
    """What the person said about the machine; None where nothing was said."""

    provider: str | None
    plan: str | None
    region: str | None


@dataclass(frozen=True, slots=True)
class SuiteReference:
    """Which suite ran."""

    id: str
    version: int
    sha256: str
    complete: bool


@dataclass(frozen=True, slots=True)
class RunPayload:
    """A run as its agent signed it, checked against the schema and against itself."""

    run_id: UUID
    challenge: str | None
    seed_proof: str | None
    agent: Agent
    suite: SuiteReference
    publish_envelope: bool
    clock: Clock
    machine: str
    claim: Claim
    env: Environment
    stack: tuple[str, ...]
    devices: tuple[Device, ...]
    workloads: tuple[Workload, ...]
    document: Json  # the same, as sent, for what is only shown


def read_run(payload: bytes) -> RunPayload:
    """Return the run in a verified payload.

    Raises NotStrictJsonError where it is not strict JSON and BadRunError where it is no run.
    """
    document = read_strict(payload)
    faults = schema_faults(document, size_bytes=len(payload))
    if not faults and isinstance(document, dict):
        faults = tuple(_own_faults(document))[:ERRORS_MAX]
        if not faults:
            return _run(document)
    raise BadRunError(faults)


def _own_faults(run: Json) -> Iterator[Fault]:
    """Find what a schema cannot say: order and uniqueness."""
    seen: set[tuple[str, int]] = set()
    for place, workload in enumerate(run["workloads"]):
        identity = (workload["id"], workload["version"])
        if identity in seen:
            yield Fault(f"/workloads/{place}/id", "names a workload that was there before")
        seen.add(identity)
        for side, histogram in workload["histograms"].items():
            yield from _histogram_faults(histogram, f"/workloads/{place}/histograms/{side}")


def _histogram_faults(histogram: Json, pointer: str) -> Iterator[Fault]:
    if histogram["min_ns"] > histogram["max_ns"]:
        yield Fault(f"{pointer}/min_ns", "is larger than max_ns")
    counts = histogram["counts"]
    for place in range(1, len(counts)):
        if counts[place - 1][0] >= counts[place][0]:
            yield Fault(f"{pointer}/counts/{place}/0", "must be larger than the bucket before it")
            return


def _run(run: Json) -> RunPayload:
    clock, claim, suite = run["clock"], run["claim"], run["suite"]
    return RunPayload(
        run_id=UUID(run["run_id"]),
        challenge=run["challenge"],
        seed_proof=run["seed_proof"],
        agent=_agent(run["agent"]),
        suite=SuiteReference(
            id=suite["id"],
            version=suite["version"],
            sha256=suite["sha256"],
            complete=suite["complete"],
        ),
        publish_envelope=run["consent"]["publish_envelope"],
        clock=Clock(
            wall_start_unix_us=clock["wall_start_unix_us"],
            mono_elapsed_ns=clock["mono_elapsed_ns"],
            boottime_elapsed_ns=clock["boottime_elapsed_ns"],
            source=clock["source"],
        ),
        machine=run["machine"],
        claim=Claim(provider=claim["provider"], plan=claim["plan"], region=claim["region"]),
        env=_environment(run["env"]),
        stack=tuple(run["stack"]),
        devices=tuple(_device(device) for device in run["devices"]),
        workloads=tuple(_workload(workload) for workload in run["workloads"]),
        document=run,
    )


def _agent(agent: Json) -> Agent:
    return Agent(
        version=agent["version"],
        commit=agent["commit"],
        target=agent["target"],
        sha256=agent["self_sha256"],
    )


def _limits(limits: Json) -> Limits:
    return Limits(**{each.name: limits[each.name] for each in fields(Limits)})


def _environment(env: Json) -> Environment:
    return Environment(
        kernel=env["kernel"],
        cpu_model=env["cpu_model"],
        virt=env["virt"],
        fs=env["fs"],
        mount_flags=tuple(env["mount_flags"]),
        fs_size_bytes=env["fs_size_bytes"],
        fs_free_bytes=env["fs_free_bytes"],
        steal_permille=env["steal_permille"],
        limits=_limits(env["limits"]),
        other_io=_other_io(env["other_io"]),
        cloud_metadata=_cloud_metadata(env.get("cloud_metadata")),
    )


def _cloud_metadata(said: Json | None) -> CloudMetadata | None:
    if said is None:
        return None
    return CloudMetadata(
        provider=said["provider"],
        instance_type=said["instance_type"],
        region=said["region"],
    )


def _other_io(other: Json) -> OtherIo:
    return OtherIo(
        interval_ns=other["interval_ns"],
        reads=other["reads"],
        writes=other["writes"],
        bytes=other["bytes"],
    )


def _device(device: Json) -> Device:
    return Device(
        device_class=device["class"],
        transport=device["transport"],
        vendor=device["vendor"],
        model=device["model"],
        firmware=device["firmware"],
        size_bytes=device["size_bytes"],
        rotational=device["rotational"],
        write_cache=device["write_cache"],
        fua=device["fua"],
        volatile_write_cache=device["volatile_write_cache"],
    )


def _workload(workload: Json) -> Workload:
    return Workload(
        id=workload["id"],
        version=workload["version"],
        operations=workload["operations"],
        bytes=workload["bytes"],
        elapsed_ns=workload["elapsed_ns"],
        sample_ns=workload["sample_ns"],
        passes=tuple(_pass(each) for each in workload["passes"]),
        histograms={
            side: _histogram(histogram) for side, histogram in workload["histograms"].items()
        },
        flushes=workload["flushes"],
        device_bytes=workload["device_bytes"],
        engine=_engine(workload["engine"]) if "engine" in workload else None,
        other_io=_other_io(workload["other_io"]) if "other_io" in workload else None,
    )


def _engine(engine: Json) -> Engine:
    return Engine(
        kind=engine["kind"],
        writers=engine["writers"],
        queue_depth=engine["queue_depth"],
        effective_depth_milli=engine["effective_depth_milli"],
        cpu_ns=engine["cpu_ns"],
        fallback=engine["fallback"],
    )


def _pass(each: Json) -> Pass:
    return Pass(
        operations=each["operations"],
        bytes=each["bytes"],
        elapsed_ns=each["elapsed_ns"],
        ended_by=each["ended_by"],
        rate_samples=tuple(each["rate_samples"]),
        open_loop=_open_loop(each["open_loop"]) if "open_loop" in each else None,
    )


def _open_loop(loop: Json) -> OpenLoop:
    return OpenLoop(
        purpose=loop["purpose"],
        offered_per_s=loop["offered_per_s"],
        p50_ns=loop["p50_ns"],
        p99_ns=loop["p99_ns"],
        lag_p99_ns=loop["lag_p99_ns"],
    )


def _histogram(histogram: Json) -> HistogramData:
    return HistogramData(
        sum_ns=histogram["sum_ns"],
        min_ns=histogram["min_ns"],
        max_ns=histogram["max_ns"],
        counts=tuple((bucket, count) for bucket, count in histogram["counts"]),
    )
