"""Builders: each makes one complete, valid thing, so that a test names only what matters."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from itertools import count
from typing import Any
from uuid import UUID

from nacl.signing import SigningKey

from apps.accounts.models import AgentKey
from apps.drives.models import DriveFamily, LadderClass
from apps.intake.models import Challenge
from apps.plans.models import Plan, Price, Provider
from apps.rankings.models import Evidence, ProviderStanding, Standing
from apps.runs.models import (
    ChallengeUse,
    Citation,
    Label,
    Latency,
    Level,
    Measurement,
    Run,
    Upload,
)
from apps.stats.histogram import Histogram
from apps.wire.dsse import (
    CHALLENGE_PAYLOAD_TYPE,
    KEY_PAYLOAD_TYPE,
    RUN_PAYLOAD_TYPE,
    seal,
)
from apps.wire.keys import keyid_of
from apps.wire.seed import seed_proof
from apps.wire.suites import WorkloadDefinition, find_suite

NOON = datetime(2025, 6, 15, 12, 0, tzinfo=UTC)  # the tests' own time: always in the past
SAMPLE_NS = 500_000_000
_numbers = count(1)

Json = dict[str, Any]


def number() -> int:
    """Return another number than ever before, for names that must differ."""
    return next(_numbers)


def uuid7() -> UUID:
    """Return a new UUID of version 7 (RFC 9562), as agents make them."""
    value = int(time.time() * 1000) << 80 | 0x7 << 76 | secrets.randbits(12) << 64
    return UUID(int=value | 0b10 << 62 | secrets.randbits(62))


# --- what agents send --------------------------------------------------------------------------


def histogram_json(values_ns: list[int]) -> Json:
    """Return a log128 histogram as agents send it."""
    histogram = Histogram.of(values_ns)
    return {
        "kind": "log128",
        "sum_ns": histogram.sum_ns,
        "min_ns": histogram.min_ns,
        "max_ns": histogram.max_ns,
        "counts": [list(pair) for pair in zip(histogram.buckets, histogram.counts, strict=True)],
    }


@cache
def _latencies_ns(latency_ns: int, operations: int) -> tuple[list[int], list[int]]:
    """Return (writes, syncs): a write takes 1 % of a commit, and every fiftieth sync ten times."""
    write_ns = max(latency_ns // 100, 1)
    syncs = [
        (latency_ns - write_ns) * (10 if place % 50 == 49 else 1) + place % 50 * 7
        for place in range(operations)
    ]
    return [write_ns] * operations, syncs


def workload(definition: WorkloadDefinition, *, latency_ns: int, operations: int = 1000) -> Json:
    """Return a workload whose figures fit each other, with so many operations in each pass."""
    writes, syncs = _latencies_ns(latency_ns, operations)
    whole = [write + sync for write, sync in zip(writes, syncs, strict=True)]
    sides = {"write": writes, "sync": syncs, "commit": whole, "read": whole}
    elapsed_ns, samples = _samples(whole)
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
                "ended_by": "time",
                "rate_samples": samples,
            }
            for _ in range(passes)
        ],
        "histograms": {
            side: histogram_json(sides[side] * passes) for side in definition.histograms
        },
        "flushes": operations * passes if definition.sync != "none" else 0,
        "device_bytes": operations * passes * definition.block_bytes,
    }


def _samples(latencies_ns: list[int]) -> tuple[int, list[int]]:
    """Return the elapsed time and how many operations ended in each whole interval."""
    elapsed_ns, ends = 0, []
    for latency_ns in latencies_ns:
        elapsed_ns += latency_ns
        ends.append(elapsed_ns)
    samples = [0] * (elapsed_ns // SAMPLE_NS)
    for end in ends:
        if end // SAMPLE_NS < len(samples):
            samples[end // SAMPLE_NS] += 1
    return elapsed_ns, samples


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
        "fs": "ext4",
        "mount_flags": ["relatime"],
        "fs_size_bytes": 3_700_000_000_000,
        "fs_free_bytes": 3_000_000_000_000,
        "other_io": {"interval_ns": 1_000_000_000, "reads": 0, "writes": 1, "bytes": 4096},
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
    workloads = [
        workload(definition, latency_ns=latency_ns, operations=operations)
        for definition in suite.workloads
    ]
    elapsed_ns = sum(each["elapsed_ns"] for each in workloads) + 1_000_000_000
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

    def enrolled(self) -> AgentKey:
        """Return the key's row, stored if it was not."""
        key, _ = AgentKey.objects.get_or_create(
            keyid=self.keyid, defaults={"public_key": self.public_key}
        )
        return key


# --- rows --------------------------------------------------------------------------------------


def agent_key(**changes: Any) -> AgentKey:
    """Return the stored key of a new agent."""
    agent = Agent()
    return AgentKey.objects.create(
        **{"keyid": agent.keyid, "public_key": agent.public_key, **changes}
    )


def challenge(*, agent: Agent | None = None, **changes: Any) -> Challenge:
    """Return an open challenge that was issued a minute before NOON."""
    fields: Json = {
        "id": f"c_{secrets.token_urlsafe(24)}",
        "key": (agent or Agent()).enrolled(),
        "run_id": uuid7(),
        "seed": secrets.token_bytes(32),
        "suite": "quick",
        "suite_version": 1,
        "network": "0" * 32,
        "issued_at": NOON - timedelta(minutes=1),
        "not_after": NOON + timedelta(minutes=29),
    }
    return Challenge.objects.create(**{**fields, **changes})


def upload(
    document: Json | None = None,
    *,
    agent: Agent | None = None,
    witnessed: bool = False,
    **changes: Any,
) -> Upload:
    """Return a stored upload of a run, received at NOON and waiting.

    `witnessed` gives it a challenge that was redeemed in time, and its document the proof.
    """
    agent = agent or Agent()
    run_id = UUID(document["run_id"]) if document else uuid7()
    answered: Json = {}
    seed = hashlib.sha256(run_id.bytes).digest()
    if witnessed:
        answered = {"challenge": f"c_{run_id.hex}", "seed_proof": seed_proof(seed)}
    body = as_bytes({**(document or payload(run_id=run_id)), **answered})
    fields: Json = {
        "run_id": run_id,
        "key": agent.enrolled(),
        "envelope": agent.seal(body),
        "payload": body,
        "payload_sha256": hashlib.sha256(body).digest(),
        "received_at": NOON,
        "network": "1" * 32,
        "next_attempt_at": NOON,
    }
    if witnessed:
        fields |= {
            "challenge_id": answered["challenge"],
            "challenge_use": ChallengeUse.REDEEMED,
            "challenge_issued_at": NOON - timedelta(minutes=5),
            "challenge_seed": seed,
        }
    return Upload.objects.create(**{**fields, **changes})


def ladder_class(**changes: Any) -> LadderClass:
    """Return a rung for NVMe with power-loss protection."""
    place = number()
    fields: Json = {
        "slug": f"class-{place}",
        "name": f"Class {place}",
        "position": place,
        "low_ns": 10_000,
        "high_ns": 50_000,
        "floor_ns": 8_000,
        "source_title": "A source",
    }
    return LadderClass.objects.create(**{**fields, **changes})


def drive_family(**changes: Any) -> DriveFamily:
    """Return a physical NVMe family that no pattern recognises."""
    place = number()
    fields: Json = {
        "slug": f"family-{place}",
        "name": f"Family {place}",
        "vendor": "Vendor",
        "kind": "ssd",
        "interface": "nvme",
        "plp": "full",
        "source": "a datasheet",
    }
    return DriveFamily.objects.create(**{**fields, **changes})


def provider(**changes: Any) -> Provider:
    """Return a provider."""
    place = number()
    return Provider.objects.create(
        **{"slug": f"provider-{place}", "name": f"Provider {place}", **changes}
    )


def plan(**changes: Any) -> Plan:
    """Return a listed plan."""
    place = number()
    owner = changes.pop("provider", None) or provider()
    fields: Json = {"slug": f"{owner.slug}-plan-{place}", "name": f"Plan {place}"}
    return Plan.objects.create(provider=owner, **{**fields, **changes})


def price(**changes: Any) -> Price:
    """Return a monthly price of 73 EUR, which is 0.10 an hour."""
    fields: Json = {
        "currency": "EUR",
        "amount": Decimal("73.00"),
        "period": Price.Period.MONTH,
        "valid_from": date(2026, 11, 1),
        "source": "a price list",
    }
    rented = changes.pop("plan", None) or plan()
    return Price.objects.create(plan=rented, **{**fields, **changes})


def run(**changes: Any) -> Run:
    """Return a witnessed run that counts, without measurements."""
    run_id = uuid7()
    fields: Json = {
        "id": run_id,
        "slug": str(run_id),
        "level": Level.WITNESSED,
        "measured_at": NOON,
        "suite": "quick",
        "suite_version": 1,
        "agent_version": "0.1.0",
        "machine": f"{number():032x}",
        "uploader": f"network:{number():032x}",
        "filesystem": "ext4",
        "kernel": "6.8",
        "in_standings": True,
    }
    return Run.objects.create(**{**fields, **changes})


def citation(**changes: Any) -> Citation:
    """Return the citation of a published run."""
    cited = changes.pop("run", None) or run(level=Level.PUBLISHED, in_standings=False)
    return Citation.objects.create(
        **{"run": cited, "title": "A title", "url": "https://example.org/article", **changes}
    )


def measurement(**changes: Any) -> Measurement:
    """Return the headline workload of a run at 1,000 commits a second."""
    fields: Json = {
        "workload": "commit-8k",
        "version": 1,
        "title": "8 KiB overwrite, fdatasync after each",
        "operation": "commit",
        "sync": "fdatasync",
        "block_bytes": 8192,
        "is_direct": False,
        "queue_depth": 1,
        "operations": 12_000,
        "bytes": 12_000 * 8192,
        "elapsed_ns": 12_000_000_000,
        "rate_per_s": 1000.0,
        "is_durable_single_writer": True,
    }
    measured = changes.pop("run", None) or run()
    return Measurement.objects.create(run=measured, **{**fields, **changes})


def latency(**changes: Any) -> Latency:
    """Return the commit latencies of a measurement: 1 ms nearly always."""
    fields: Json = {
        "side": "commit",
        "count": 12_000,
        "sum_ns": 12_000_000_000,
        "mean_ns": 1_000_000,
        "min_ns": 900_000,
        "p50_ns": 1_000_000,
        "p90_ns": 1_050_000,
        "p99_ns": 1_200_000,
        "p999_ns": 2_000_000,
        "p9999_ns": 3_000_000,
        "max_ns": 4_000_000,
        "curve": [[0.5, 1_000_000], [0.99, 1_200_000]],
    }
    of = changes.pop("measurement", None) or measurement()
    return Latency.objects.create(measurement=of, **{**fields, **changes})


def label(**changes: Any) -> Label:
    """Return a note on a run."""
    fields: Json = {
        "rule": "other-io",
        "outcome": Label.Outcome.NOTE,
        "text": "other I/O",
        "detail": "300 other operations a second.",
    }
    labelled = changes.pop("run", None) or run()
    return Label.objects.create(run=labelled, **{**fields, **changes})


def standing(**changes: Any) -> Standing:
    """Return the measured standing of a plan at 1,000 commits a second."""
    fields: Json = {
        "evidence": Evidence.MEASURED,
        "workload": "commit-8k",
        "version": 1,
        "workload_title": "8 KiB overwrite, fdatasync after each",
        "rate_per_s": 1000.0,
        "p50_ns": 1_000_000,
        "p99_ns": 1_200_000,
        "latency_side": "commit",
        "n_runs": 1,
        "n_machines": 1,
        "n_uploaders": 1,
        "newest_run_slug": "a-run",
    }
    if "drive_family" not in changes and "plan" not in changes:
        changes["plan"] = plan()
    return Standing.objects.create(**{**fields, **changes})


def provider_standing(**changes: Any) -> ProviderStanding:
    """Return the standing of a provider by its one plan."""
    best = changes.pop("best", None) or standing()
    assert best.plan
    fields: Json = {
        "provider": best.plan.provider,
        "evidence": best.evidence,
        "workload": best.workload,
        "version": best.version,
        "n_plans": 1,
    }
    return ProviderStanding.objects.create(best=best, **{**fields, **changes})
