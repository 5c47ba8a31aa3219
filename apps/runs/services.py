"""Makes runs from uploads: the stored bytes in, rows out, the same rows every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.drives.models import LadderClass
from apps.plans.services import place_claim
from apps.runs.locks import hold_alone, hold_shared
from apps.runs.measurements import latencies_of, measurement_of
from apps.runs.members import Members, read_members
from apps.runs.models import ChallengeUse, Label, Latency, Level, Measurement, Run
from apps.runs.rules import RULES, Kind, judge
from apps.runs.rules.facts import RunFacts
from apps.stats.ladder import Rung, rung_of
from apps.wire.run import RunPayload, read_run
from apps.wire.suites import Suite, find_suite

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.runs.models import Upload

NORMALISER_VERSION = 2  # rises when the same bytes become other rows
_LOCK = "fsyncmark.runs"
ENVIRONMENT_PARTS = ("agent", "clock", "consent", "devices", "env", "stack", "suite")


@transaction.atomic
def record_run(*, upload: Upload) -> Run:
    """Normalise a stored upload; the rows of an earlier time are replaced.

    Needs nothing but the stored bytes, what the door noted beside them, and the catalogue.
    """
    hold_shared(_LOCK)
    payload = read_run(bytes(upload.payload))
    facts = _facts(upload, payload)
    labels = judge(facts)
    Run.objects.filter(pk=upload.run_id).delete()
    run = _run(upload, facts, labels)
    run.save(force_insert=True)
    measurements = [measurement_of(each, run=run) for each in facts.measured]
    Measurement.objects.bulk_create(measurements)
    Latency.objects.bulk_create(
        latency
        for each, measurement in zip(facts.measured, measurements, strict=True)
        for latency in latencies_of(each, measurement=measurement)
    )
    for label in labels:
        label.run = run
    Label.objects.bulk_create(labels)
    return run


def hold_all_runs() -> None:
    """Keep everybody else from recording runs until this transaction ends."""
    hold_alone(_LOCK)


def level_from(facts: RunFacts, labels: Iterable[Label]) -> Level:
    """Return Witnessed for a run that answered our challenge in time with figures that fit."""
    is_consistent = not any(RULES[label.rule].kind is Kind.CONSISTENCY for label in labels)
    is_fresh = facts.challenge_use == ChallengeUse.REDEEMED
    return Level.WITNESSED if is_fresh and is_consistent else Level.SIGNED


def _facts(upload: Upload, payload: RunPayload) -> RunFacts:
    seed = upload.challenge_seed
    return RunFacts(
        run=payload,
        suite=_known_suite(payload),
        members=read_members(payload.devices, virtualisation=payload.env.virt),
        challenge_use=upload.challenge_use,
        challenge_issued_at=upload.challenge_issued_at,
        challenge_seed=None if seed is None else bytes(seed),
        received_at=upload.received_at,
    )


def _known_suite(payload: RunPayload) -> Suite | None:
    suite = find_suite(payload.suite.id, version=payload.suite.version)
    return suite if suite and suite.sha256 == payload.suite.sha256 else None


def _run(upload: Upload, facts: RunFacts, labels: list[Label]) -> Run:
    payload, members, level = facts.run, facts.members, level_from(facts, labels)
    plan = place_claim(
        provider=payload.claim.provider,
        plan=payload.claim.plan,
        device_name=members.spoken_name,
    )
    is_excluded = any(label.outcome == Label.Outcome.EXCLUDE for label in labels)
    return Run(
        id=upload.run_id,
        slug=str(upload.run_id),
        upload=upload,
        level=level,
        measured_at=upload.received_at,
        suite=payload.suite.id,
        suite_version=payload.suite.version,
        suite_complete=payload.suite.complete,
        agent_version=payload.agent_version,
        provider_id=plan.provider_id,
        plan=plan,
        claimed_provider=payload.claim.provider or "",
        claimed_plan=payload.claim.plan or "",
        claimed_region=payload.claim.region or "",
        machine=payload.machine,
        uploader=f"network:{upload.network}",
        filesystem=payload.env.fs,
        kernel=payload.env.kernel,
        cpu_model=payload.env.cpu_model or "",
        environment={part: payload.document[part] for part in ENVIRONMENT_PARTS},
        in_standings=level is Level.WITNESSED and not is_excluded,
        normaliser_version=NORMALISER_VERSION,
        **_drive_columns(members),
        measured_class_id=_measured_class(facts.commit_p50_ns),
    )


def _drive_columns(members: Members) -> dict[str, object]:
    return {
        "drive_family": members.family,
        "drive_reported": members.reported,
        "drive_firmware": members.firmware,
        "is_single_drive": members.is_single,
        "expected_class": members.expected,
    }


def _measured_class(commit_p50_ns: int | None) -> str | None:
    if commit_p50_ns is None:
        return None
    rungs = [
        Rung(slug=row.slug, low_ns=row.low_ns, high_ns=row.high_ns)
        for row in LadderClass.objects.all()
    ]
    rung = rung_of(commit_p50_ns, rungs)
    return rung.slug if rung else None
