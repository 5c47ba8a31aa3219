"""What the agent of a made-up visit would have sent: a whole run of the quick suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from apps.stats.histogram import Histogram
from apps.wire.suites import find_suite

if TYPE_CHECKING:
    from uuid import UUID

    from numpy.random import Generator

    from apps.intake.examples.world import Visit
    from apps.wire.suites import Suite, WorkloadDefinition

SAMPLE_NS: Final = 100_000_000
OPERATIONS: Final = 320  # in each pass: enough for a p99, and quickly made
DEVIATION: Final = 0.08  # of commits, in ln
SLOW_SHARE: Final = 0.012  # of commits that take the tail's time
WRITE_SHARE: Final = 0.02  # of a commit, before its sync
# How long an operation of a workload takes, in commits of 8 KiB with fdatasync.
FACTORS: Final = {"commit-8k-fsync": 1.25, "commit-8k-dsync": 0.97, "randread-4k-qd1": 0.35}

Json = dict[str, Any]


def document(visit: Visit, *, run_id: UUID, seed_proof: str | None, challenge: str | None) -> Json:
    """Return the payload of a visit; its figures fit each other."""
    suite = find_suite("quick", version=1)
    if suite is None:
        raise AssertionError("this product has a quick suite")
    generator = np.random.default_rng(run_id.int % (1 << 64))
    workloads = [_workload(generator, each, visit) for each in suite.workloads]
    elapsed_ns = sum(each["elapsed_ns"] for each in workloads) + 1_000_000_000
    return {
        "schema": "fsyncmark.run/1",
        "run_id": str(run_id),
        "challenge": challenge,
        "seed_proof": seed_proof,
        "agent": {
            "version": "0.1.0",
            "commit": "0" * 40,
            "target": "x86_64-unknown-linux-musl",
            "self_sha256": "0" * 64,
        },
        "suite": _named(suite),
        "consent": {"terms": 1, "publish_envelope": True},
        "clock": {
            "wall_start_unix_us": int(visit.at.timestamp() * 1e6) - elapsed_ns // 1000,
            "mono_elapsed_ns": elapsed_ns,
            "boottime_elapsed_ns": elapsed_ns,
            "source": "tsc" if visit.storage.virt == "none" else "kvm-clock",
            "read_cost_ns": 24,
        },
        "machine": f"{visit.uploader:016x}{visit.machine:016x}",
        "claim": {
            "provider": visit.plan.provider.name,
            "plan": visit.plan.name,
            "region": visit.region or None,
        },
        "env": _environment(visit),
        "stack": ["ext4", "partition", "nvme"],
        "devices": [_device(visit)],
        "workloads": workloads,
    }


def _named(suite: Suite) -> Json:
    return {"id": suite.id, "version": suite.version, "sha256": suite.sha256, "complete": True}


def _workload(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> Json:
    """Return a workload with OPERATIONS in each pass, each pass drawn for itself."""
    typical_ns = visit.commit_ns * FACTORS.get(definition.id, 1.0)
    drawn = [
        _latencies(generator, typical_ns, visit.storage.tail) for _ in range(definition.passes)
    ]
    whole = np.concatenate(drawn)
    writes = np.maximum((whole * WRITE_SHARE).astype(np.int64), 1)
    sides = {"write": writes, "sync": whole - writes, "commit": whole, "read": whole}
    operations = OPERATIONS * definition.passes
    passes = [_pass(latencies, definition) for latencies in drawn]
    return {
        "id": definition.id,
        "version": definition.version,
        "operations": operations,
        "bytes": operations * definition.block_bytes,
        "elapsed_ns": sum(each["elapsed_ns"] for each in passes),
        "sample_ns": SAMPLE_NS,
        "passes": passes,
        "histograms": {side: _histogram(sides[side]) for side in definition.histograms},
        "flushes": operations if definition.sync != "none" else 0,
        "device_bytes": operations * definition.block_bytes,
        "engine": {
            "kind": "psync",
            "writers": definition.writers,
            "queue_depth": definition.queue_depth,
            "effective_depth_milli": 1000 * definition.writers * definition.queue_depth,
            "cpu_ns": 9000 * operations,
            "fallback": None,
        },
        "other_io": {"interval_ns": SAMPLE_NS, "reads": 0, "writes": 0, "bytes": 0},
    }


def _latencies(generator: Generator, typical_ns: float, tail: float) -> np.ndarray[Any, Any]:
    latencies = typical_ns * np.exp(generator.normal(0, DEVIATION, OPERATIONS))
    is_slow = generator.uniform(size=OPERATIONS) < SLOW_SHARE
    latencies[is_slow] *= tail * np.exp(generator.normal(0, 0.3, int(is_slow.sum())))
    return np.maximum(latencies.astype(np.int64), 100)


def _pass(latencies: np.ndarray[Any, Any], definition: WorkloadDefinition) -> Json:
    ends = np.cumsum(latencies)
    elapsed_ns = int(ends[-1])
    samples = np.bincount(ends // SAMPLE_NS, minlength=1)[: elapsed_ns // SAMPLE_NS]
    return {
        "operations": OPERATIONS,
        "bytes": OPERATIONS * definition.block_bytes,
        "elapsed_ns": elapsed_ns,
        "ended_by": "time",
        "rate_samples": [int(count) for count in samples],
    }


def _histogram(values_ns: np.ndarray[Any, Any]) -> Json:
    histogram = Histogram.of(values_ns.tolist())
    return {
        "kind": "log128",
        "sum_ns": histogram.sum_ns,
        "min_ns": histogram.min_ns,
        "max_ns": histogram.max_ns,
        "counts": [list(pair) for pair in zip(histogram.buckets, histogram.counts, strict=True)],
    }


def _device(visit: Visit) -> Json:
    return {
        "vendor": "",
        "firmware": "1.0",
        "size_bytes": 3_840_755_982_336,
        "rotational": False,
        "scheduler": "none",
        "logical_block_bytes": 512,
        "physical_block_bytes": 4096,
        "queue_depth": 1023,
        "pcie": {"speed_mts": 16000, "width": 4, "speed_max_mts": 16000, "width_max": 4},
        "volatile_write_cache": None,
        "wear_percent": None,
        "write_cache": "write back",
        **visit.storage.device,
    }


def _environment(visit: Visit) -> Json:
    return {
        "os": "linux",
        "kernel": "6.8.0-45-generic",
        "arch": "aarch64" if visit.plan.arch == "arm64" else "x86_64",
        "cpu_model": visit.plan.cpu or None,
        "cpu_count": visit.plan.vcpus or 16,
        "ram_bytes": int(float(visit.plan.ram_gb or 64) * (1 << 30)),
        "virt": visit.storage.virt,
        "cloud_vendor": None,
        "cloud_product": None,
        "provider": None,
        "instance_type": None,
        "container": None,
        "cpu_governor": "performance",
        "steal_permille": 0,
        "limits": dict.fromkeys((
            "cpu_milli", "memory_bytes", "io_weight", "read_bytes_per_s", "write_bytes_per_s",
            "read_ops_per_s", "write_ops_per_s",
        )),
        "fs": "ext4",
        "mount_flags": ["relatime"],
        "fs_size_bytes": 3_700_000_000_000,
        "fs_free_bytes": 3_000_000_000_000,
        "other_io": {"interval_ns": 1_000_000_000, "reads": 0, "writes": 1, "bytes": 4096},
    }  # fmt: skip
