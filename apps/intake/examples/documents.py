"""What the agent of a made-up visit would have sent: a whole run of its suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from apps.intake.examples.figures import figures
from apps.wire.suites import find_suite

if TYPE_CHECKING:
    from uuid import UUID

    from apps.intake.examples.world import Visit
    from apps.wire.suites import Suite

Json = dict[str, Any]


def document(visit: Visit, *, run_id: UUID, seed_proof: str | None, challenge: str | None) -> Json:
    """Return the payload of a visit; its figures fit each other."""
    suite = find_suite(visit.suite, version=1)
    if suite is None:
        raise AssertionError(f"this product has a suite {visit.suite}")
    generator = np.random.default_rng(run_id.int % (1 << 64))
    workloads = [figures(generator, each, visit) for each in suite.workloads]
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
