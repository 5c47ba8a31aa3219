"""What agents send: whole runs whose figures fit each other, and keys that sign them."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections import Counter
from functools import cache
from itertools import count
from typing import Any
from uuid import UUID

import numpy as np
from nacl.signing import SigningKey

from apps.accounts.models import AgentKey
from apps.stats.histogram import Histogram
from apps.wire.dsse import (
    CHALLENGE_PAYLOAD_TYPE,
    KEY_PAYLOAD_TYPE,
    LOGIN_PAYLOAD_TYPE,
    ROTATION_PAYLOAD_TYPE,
    RUN_PAYLOAD_TYPE,
    WITHDRAWAL_PAYLOAD_TYPE,
    seal,
)
from apps.wire.keys import keyid_of
from apps.wire.seed import seed_proof
from apps.wire.suites import WorkloadDefinition, find_suite

SAMPLE_NS = 100_000_000
SERVER = "testserver"  # the name by which Django's test client asks

Json = dict[str, Any]


def uuid7() -> UUID:
    """Return a new UUID of version 7 (RFC 9562), as agents make them."""
    value = int(time.time() * 1000) << 80 | 0x7 << 76 | secrets.randbits(12) << 64
    return UUID(int=value | 0b10 << 62 | secrets.randbits(62))


def histogram_json(values_ns: list[int], *, operations: int = 0, passes: int = 1) -> Json:
    """Return a log128 histogram as agents send it.

    It has these latencies, in turn for so many operations (0: each once), in each of the passes.
    """
    rounds, rest = divmod(operations or len(values_ns), len(values_ns))
    times_of: Counter[int] = Counter()
    total_ns = 0
    for part, times in ((values_ns, rounds * passes), (values_ns[:rest], passes)):
        if part and times:
            histogram = Histogram.from_values(part)
            total_ns += histogram.sum_ns * times
            for bucket, count_of in zip(histogram.buckets, histogram.counts, strict=True):
                times_of[int(bucket)] += int(count_of) * times
    timed = values_ns if rounds else values_ns[:rest]
    return {
        "kind": "log128",
        "sum_ns": total_ns,
        "min_ns": min(timed),
        "max_ns": max(timed),
        "counts": [list(pair) for pair in sorted(times_of.items())],
    }


_runs = count(1)


@cache
def _latencies_ns(latency_ns: int, operations: int) -> tuple[list[int], list[int]]:
    """Return (writes, syncs): a write takes 1 % of a commit, and every fiftieth sync ten times."""
    write_ns = max(latency_ns // 100, 1)
    syncs = [
        (latency_ns - write_ns) * (10 if place % 50 == 49 else 1) + place % 50 * 7
        for place in range(operations)
    ]
    return [write_ns] * operations, syncs


def workload(
    definition: WorkloadDefinition, *, latency_ns: int, operations: int = 1000, jitter_ns: int = 0
) -> Json:
    """Return a workload whose figures fit each other.

    Each pass has so many operations, again and again until it may end. `jitter_ns` is what the
    longest sync of each takes longer: two runs are never alike.
    """
    writes, syncs = _latencies_ns(latency_ns, operations)
    syncs = [*syncs[:-1], syncs[-1] + jitter_ns]
    whole = [write + sync for write, sync in zip(writes, syncs, strict=True)]
    is_commit = "commit" in definition.histograms  # else a write is a whole operation
    sides = {
        "write": writes if is_commit else whole,
        "sync": syncs,
        "commit": whole,
        "read": whole,
    }
    operations, ended_by = _operations(definition, whole)
    histograms = {
        side: histogram_json(sides[side], operations=operations, passes=definition.passes)
        for side in definition.histograms
    }
    elapsed_ns, samples = _samples(whole, operations)
    passes = definition.passes
    return {
        "id": definition.id,
        "version": definition.version,
        "operations": operations * passes,
        "bytes": operations * passes * definition.block_bytes,
        "elapsed_ns": elapsed_ns * passes,
        "sample_ns": SAMPLE_NS,
        "passes": [
            {
                "operations": operations,
                "bytes": operations * definition.block_bytes,
                "elapsed_ns": elapsed_ns,
                "ended_by": ended_by,
                "rate_samples": samples,
                "interference": quiet(operations * definition.block_bytes),
            }
            for _ in range(passes)
        ],
        "histograms": histograms,
        "flushes": operations * passes if definition.sync != "none" else 0,
        "device_bytes": operations * passes * definition.block_bytes,
        "engine": {
            "kind": "psync",
            "writers": definition.writers,
            "queue_depth": definition.queue_depth,
            "effective_depth_milli": depth_milli(histograms, elapsed_ns * passes),
            "cpu_ns": 1000 * operations * passes,
            "fallback": None,
        },
    }


def depth_milli(histograms: Json, elapsed_ns: int) -> int:
    """Return the effective queue depth of these histograms in thousandths, as agents compute it."""
    wholes = [histograms["commit"]] if "commit" in histograms else list(histograms.values())
    return int(sum(whole["sum_ns"] for whole in wholes) * 1000 // elapsed_ns)


def quiet(bytes_moved: int) -> Json:
    """Return what an agent sees during a pass that moves so much, alone on its machine."""
    traffic = {"reads": 0, "writes": 1, "bytes_read": 0, "bytes_written": bytes_moved}
    pressure = {"cpu_ns": 0, "io_ns": 1_000_000, "memory_ns": 0}
    return {
        "device": traffic,
        "other_cpu_ns": 0,
        "steal_ns": 0,
        "run_queue_ns": 0,
        "throttled_ns": None,
        "pressure": pressure,
        "own_pressure": None,
        "cpu_mhz": None,
    }


def _operations(definition: WorkloadDefinition, latencies_ns: list[int]) -> tuple[int, str]:
    """Return after how many operations, with these latencies in turn, a pass ends, and why."""
    ends = np.cumsum(latencies_ns)

    def reached(ns: int) -> int:
        rounds, rest = divmod(max(ns, 1), int(ends[-1]))
        return rounds * len(ends) + (int(np.searchsorted(ends, rest)) + 1 if rest else 0)

    by = {
        "time": max(reached(definition.pass_ns_min), definition.pass_operations_min),
        "bytes": -(-definition.pass_bytes_max // max(definition.block_bytes, 1)),
        "time-limit": reached(definition.pass_ns_max),
    }
    ended_by = min(by, key=lambda reason: by[reason])
    return by[ended_by], ended_by


def _samples(latencies_ns: list[int], operations: int) -> tuple[int, list[int]]:
    """Return the elapsed time and how many operations ended in each whole interval."""
    ends = np.cumsum(np.resize(np.array(latencies_ns, dtype=np.int64), operations))
    intervals = int(ends[-1]) // SAMPLE_NS
    samples = np.bincount(ends // SAMPLE_NS, minlength=intervals + 1)[:intervals]
    return int(ends[-1]), samples.tolist()


def device(**changes: Any) -> Json:
    """Return a datacenter NVMe drive with power-loss protection, as the kernel reports it."""
    return {
        "class": "nvme",
        "transport": "pcie",
        "vendor": "",
        "model": "SAMSUNG MZQL23T8HCLS-00A07",
        "firmware": "GDC5602Q",
        "size_bytes": 3_840_755_982_336,
        "rotational": False,
        "write_cache": "write back",
        "fua": True,
        "scheduler": "none",
        "logical_block_bytes": 512,
        "physical_block_bytes": 4096,
        "queue_depth": 1023,
        "pcie": {"speed_mts": 16000, "width": 4, "speed_max_mts": 16000, "width_max": 4},
        "volatile_write_cache": None,
        "wear_percent": None,
        **changes,
    }


def environment(**changes: Any) -> Json:
    """Return a quiet physical machine with ext4."""
    return {
        "os": "linux",
        "kernel": "6.8.0-45-generic",
        "arch": "x86_64",
        "cpu_model": "AMD EPYC 9454P 48-Core Processor",
        "cpu_count": 96,
        "ram_bytes": 137_438_953_472,
        "virt": "none",
        "cloud_vendor": "Hetzner",
        "cloud_product": "AX162",
        "provider": None,
        "instance_type": None,
        "container": None,
        "cpu_governor": "performance",
        "steal_permille": 0,
        "limits": {
            "cpu_milli": None,
            "memory_bytes": None,
            "io_weight": None,
            "read_bytes_per_s": None,
            "write_bytes_per_s": None,
            "read_ops_per_s": None,
            "write_ops_per_s": None,
        },
        "fs": "ext4",
        "mount_flags": ["relatime"],
        "fs_size_bytes": 3_700_000_000_000,
        "fs_free_bytes": 3_000_000_000_000,
        **changes,
    }


def payload(
    *,
    run_id: UUID | None = None,
    seed: bytes | None = None,
    latency_ns: int = 40_000,
    operations: int = 1000,
    **changes: Any,
) -> Json:
    """Return a complete run of the quick suite whose figures fit each other.

    `latency_ns` is most commits' latency; `seed` is that of the challenge named in `changes`.
    """
    suite = find_suite("quick", version=1)
    assert suite
    jitter_ns = next(_runs)
    workloads = [
        workload(definition, latency_ns=latency_ns, operations=operations, jitter_ns=jitter_ns)
        for definition in suite.workloads
    ]
    elapsed_ns = sum(each["elapsed_ns"] for each in workloads) + 2_000_000_000
    return {
        "schema": "fsyncmark.run/1",
        "run_id": str(run_id or uuid7()),
        "challenge": None,
        "seed_proof": seed_proof(seed) if seed else None,
        "agent": {
            "version": "0.1.0",
            "commit": "0123456789abcdef0123456789abcdef01234567",
            "target": "x86_64-unknown-linux-musl",
            "self_sha256": "a" * 64,
        },
        "suite": {"id": suite.id, "version": 1, "sha256": suite.sha256, "complete": True},
        "consent": {"terms": 1, "publish_envelope": True},
        "clock": {
            "wall_start_unix_us": 1_795_262_400_000_000,  # microseconds
            "mono_elapsed_ns": elapsed_ns,
            "boottime_elapsed_ns": elapsed_ns,
            "source": "tsc",
            "read_cost_ns": 24,
        },
        "machine": "0123456789abcdef0123456789abcdef",
        "claim": {"provider": None, "plan": None, "region": None},
        "env": environment(),
        "stack": ["ext4", "partition", "nvme"],
        "devices": [device()],
        "workloads": workloads,
        **changes,
    }


def as_bytes(document: Json) -> bytes:
    """Return a document in the form in which agents sign it."""
    return json.dumps(document, separators=(",", ":")).encode()


class Agent:
    """An agent's key and what it signs."""

    def __init__(self, seed: bytes | None = None) -> None:
        self.signing_key = SigningKey(seed) if seed else SigningKey.generate()
        self.public_key = bytes(self.signing_key.verify_key)
        self.keyid = keyid_of(self.public_key)

    def seal(self, document: Json | bytes, *, payload_type: str = RUN_PAYLOAD_TYPE) -> bytes:
        """Return the envelope of a document."""
        body = document if isinstance(document, bytes) else as_bytes(document)
        return seal(body, payload_type=payload_type, keyid=self.keyid, key=self.signing_key)

    def key_statement(self, **changes: Any) -> bytes:
        """Return the envelope that enrols the key."""
        text = base64.b64encode(self.public_key).decode()
        return self.seal(
            {"schema": "fsyncmark.key/1", "public_key": text, **changes},
            payload_type=KEY_PAYLOAD_TYPE,
        )

    def challenge_request(self, run_id: UUID, /, **changes: Any) -> bytes:
        """Return the envelope that asks for a challenge."""
        return self.seal(
            {
                "schema": "fsyncmark.challenge/1",
                "run_id": str(run_id),
                "suite": "quick",
                "suite_version": 1,
                **changes,
            },
            payload_type=CHALLENGE_PAYLOAD_TYPE,
        )

    def login_poll(self, device_code: str, /, **changes: Any) -> bytes:
        """Return the envelope that asks how a login stands."""
        poll = {
            "schema": "fsyncmark.key-login/1",
            "server": SERVER,
            "device_code": device_code,
            "keyid": self.keyid,
        }
        return self.seal({**poll, **changes}, payload_type=LOGIN_PAYLOAD_TYPE)

    def withdrawal(self, run_id: UUID, /, *, at: int = 0, **changes: Any) -> bytes:
        """Return the envelope that withdraws a run, at this nanosecond or now."""
        statement = {
            "schema": "fsyncmark.withdrawal/1",
            "server": SERVER,
            "run_id": str(run_id),
            "withdrawn": True,
            "reason": "the wrong disk",
            "issued_at_unix_ns": at or time.time_ns(),
        }
        return self.seal({**statement, **changes}, payload_type=WITHDRAWAL_PAYLOAD_TYPE)

    def rotation(self, new: Agent, /, **changes: Any) -> bytes:
        """Return the envelope by which a new key replaces this one, signed by both."""
        rotation = {
            "schema": "fsyncmark.key-rotation/1",
            "server": SERVER,
            "old": self.keyid,
            "new": new.keyid,
        }
        return sealed_by(self, new, {**rotation, **changes}, payload_type=ROTATION_PAYLOAD_TYPE)

    def enrolled(self) -> AgentKey:
        """Return the key's row, stored if it was not."""
        key, _ = AgentKey.objects.get_or_create(
            keyid=self.keyid, defaults={"public_key": self.public_key}
        )
        return key


def sealed_by(first: Agent, second: Agent, document: Json, *, payload_type: str) -> bytes:
    """Return the envelope of a document with the signatures of two keys."""
    one, two = (
        json.loads(each.seal(document, payload_type=payload_type)) for each in (first, second)
    )
    return as_bytes({**one, "signatures": [*one["signatures"], *two["signatures"]]})
