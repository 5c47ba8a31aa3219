"""Builders: each makes one complete, valid thing, so that a test names only what matters."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any
from uuid import UUID

from apps.accounts.models import AgentKey
from apps.drives.models import DriveFamily, LadderClass
from apps.intake.models import Challenge
from apps.plans.models import Plan, Price, Provider
from apps.rankings.models import Evidence, ProviderStanding, Standing
from apps.runs.models import (
    ChallengeUse,
    Citation,
    ImportedFile,
    Label,
    Latency,
    Level,
    Measurement,
    Outcome,
    Run,
    Upload,
)
from apps.runs.packed.packing import deflated
from apps.runs.rules import RULES
from apps.wire.dsse import RUN_PAYLOAD_TYPE, signed
from apps.wire.seed import seed_proof
from apps.wire.suites import suites
from tests.support.sent import (
    SAMPLE_NS,
    Agent,
    Json,
    as_bytes,
    device,
    environment,
    histogram_json,
    payload,
    uuid7,
    workload,
)

__all__ = (  # beside the builders below
    "SAMPLE_NS",
    "Agent",
    "Json",
    "as_bytes",
    "device",
    "environment",
    "histogram_json",
    "payload",
    "uuid7",
    "workload",
)

NOON = datetime(2025, 6, 15, 12, 0, tzinfo=UTC)  # the tests' own time: always in the past
_numbers = count(1)


def number() -> int:
    """Return another number than ever before, for names that must differ."""
    return next(_numbers)


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
        "packed_payload": deflated(body),
        "signature": signed(body, payload_type=RUN_PAYLOAD_TYPE, key=agent.signing_key),
        "payload_sha256": hashlib.sha256(body).digest(),
        "received_at": NOON,
        "network": "1" * 32,
        "next_attempt_at": changes.get("received_at", NOON),
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


def output(**claimed: str) -> ImportedFile:
    """Return an output of fio without a job, with what its sender says of the machine."""
    document: Json = {
        "tool": "fio", "tool_version": None, "facts": {}, "notes": [], "jobs": [],
    }  # fmt: skip
    return ImportedFile.objects.create(
        run_id=uuid7(), content=b"", content_sha256=secrets.token_bytes(32), document=document,
        received_at=NOON, network="0" * 32, **claimed,
    )  # fmt: skip


def imported_run(**changes: Any) -> Run:
    """Return a run that was read from an output of fio 3.33, given in at NOON, unmeasured."""
    run_id = uuid7()
    file = ImportedFile.objects.create(
        run_id=run_id, content=b"", content_sha256=secrets.token_bytes(32), document={},
        received_at=changes.pop("received_at", NOON), network="0" * 32,
    )  # fmt: skip
    made = run(
        **{"id": run_id, "slug": str(run_id), "level": Level.IMPORTED, "imported_file": file,
           "measured_at": None, "in_standings": False, **changes}
    )  # fmt: skip
    citation(run=made, title="Output of fio 3.33", url="")
    return made


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
        "printed_curve": [[0.5, 1_000_000], [0.9, 1_050_000], [0.99, 1_200_000]],
    }
    of = changes.pop("measurement", None) or measurement()
    return Latency.objects.create(measurement=of, **{**fields, **changes})


def measurements_of(run: Run, *, suite: str) -> list[Measurement]:
    """Return a measurement of every workload of a suite, with a latency of each of its sides."""
    found = []
    for place, definition in enumerate(suites()[suite, 1].workloads):
        measured = measurement(
            run=run, workload=definition.id, title=definition.title,
            operation=definition.operation, sync=definition.sync,
            is_durable_single_writer=definition.is_durable_single_writer,
            rate_per_s=1000.0 * 2 ** (place % 7), writers=definition.writers, flushes=900,
            operations=1000, bytes=8_192_000, device_bytes=9_000_000, sample_ns=100_000_000,
            passes=[{"operations": 1000, "elapsed_ns": 500_000_000, "ended_by": "time",
                     "rate_samples": [210, 190, 240, 160, 200]}],
        )  # fmt: skip
        for side in definition.histograms:
            latency(measurement=measured, side=side, p50_ns=100_000 + 9_000 * place)
        found.append(measured)
    return found


def label(**changes: Any) -> Label:
    """Return a label that keeps nothing out of standings; of another rule it has no figures."""
    fields: Json = {"rule": "stolen-time", "outcome": Outcome.LABEL}
    fields |= {"run": changes.get("run") or run(), **changes}
    if fields["rule"] == "stolen-time":
        fields.setdefault("figures", {"steal_permille": 120})
    known = RULES.get(fields["rule"])
    fields.setdefault("rule_version", known.version if known else 1)
    return Label.objects.create(**fields)


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
    if changes.get("evidence") != Evidence.PUBLISHED and not changes.get("needs_runs"):
        fields |= {"tier": 1, "rank_low": 1, "rank_high": 1}
    fields["n_cell_uploaders"] = changes.get("n_uploaders", 1)
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
