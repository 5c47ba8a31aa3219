"""What the agent of a made-up visit would have sent: a whole run of its suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from apps.intake.examples.figures import figures
from apps.intake.examples.machines import clock_of, environment, machine_of
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
    elapsed_ns = sum(each["elapsed_ns"] for each in workloads) + _beside_ns(suite, visit)
    return {
        "schema": "fsyncmark.run/1",
        "run_id": str(run_id),
        "challenge": challenge,
        "seed_proof": seed_proof,
        "agent": {
            "version": "0.1.0",
            "commit": "0" * 40,
            "target": f"{machine_of(visit)}-unknown-linux-musl",
            "self_sha256": "0" * 64,
        },
        "suite": _suite_name(suite),
        "consent": {"terms": 1, "publish_envelope": True},
        "clock": {
            "wall_start_unix_us": int(visit.at.timestamp() * 1e6) - elapsed_ns // 1000,
            "mono_elapsed_ns": elapsed_ns,
            "boottime_elapsed_ns": elapsed_ns,
            "source": clock_of(visit),
            "read_cost_ns": 24,
        },
        "machine": f"{visit.uploader:016x}{crc32(visit.plan.slug.encode()):08x}{visit.machine:08x}",
        "claim": {
            "provider": visit.plan.provider.name,
            "plan": visit.plan.name,
            "region": visit.region or None,
        },
        "env": environment(generator, visit),
        "stack": ["ext4", "partition", visit.storage.device["class"]],
        "devices": [_device(visit)],
        "workloads": workloads,
    }


def _beside_ns(suite: Suite, visit: Visit) -> int:
    """How long warm-ups take, and writing the files before: the largest of them is used by all."""
    warm_up_ns = sum(each.passes * each.warm_up_ns for each in suite.workloads)
    file_bytes = max(each.file_bytes for each in suite.workloads)
    return warm_up_ns + file_bytes * 1_000_000_000 // visit.storage.storage_class.bytes_per_s


def _suite_name(suite: Suite) -> Json:
    return {"id": suite.id, "version": suite.version, "sha256": suite.sha256, "complete": True}


def _device(visit: Visit) -> Json:
    return {
        "vendor": "",
        "rotational": False,
        "scheduler": "none",
        "logical_block_bytes": 512,
        "physical_block_bytes": 512,
        "pcie": None,
        "volatile_write_cache": None,
        "wear_percent": None,
        **visit.storage.device,
    }
