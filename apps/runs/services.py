"""Makes runs of uploads: the same rows every time from the same stored bytes."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.accounts.models import Ticket
from apps.memory import remembering
from apps.plans.held import shown_region
from apps.plans.placement import PlacementClaim
from apps.plans.services import shown_claim
from apps.runs.clouds.proofs import is_placed
from apps.runs.flush_verdict import flush_facts, judge_flushes
from apps.runs.ladder.classes import class_of
from apps.runs.locks import hold_alone, hold_shared
from apps.runs.measurements import latencies_of, measurement_of
from apps.runs.members import Members, read_members, rows_of
from apps.runs.models import (
    ChallengeUse,
    CloudProof,
    KeepsOut,
    Label,
    Measurement,
    Run,
    RunRuling,
)
from apps.runs.packed.copying import copy_rows, give_ids
from apps.runs.placement import place, region_of
from apps.runs.rules import RULES, RuleKind, judge, label_of, outcome_of
from apps.runs.rules.history import figures_sha256, histories_of, sent_of
from apps.runs.rules.peers.far_from_peers import RULE as FAR_FROM_PEERS
from apps.runs.rules.peers.far_from_peers import far_from_peers
from apps.runs.rules.run_facts import RunFacts
from apps.runs.rules.workloads import READ_FLOOR_WORKLOAD, measured_workloads, p50_ns_of
from apps.runs.trust.levels import COUNTING, level_of
from apps.runs.trust.ownership import is_claimed, owner_of, uploader_of
from apps.wire.judgement import JUDGEMENT_FILE
from apps.wire.run import RunPayload, read_kept_parts, read_stored
from apps.wire.suites import Suite, find_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from apps.plans.placement import Placement
    from apps.runs.figures import Figures
    from apps.runs.models import Latency, Level, Upload
    from apps.runs.rules import Rule

_OWN_VERSION = 14  # raise it when the same bytes give other rows for another reason than these
_VERSION_CHARACTERS = 16  # of a SHA-256 in hexadecimal: 64 bits
_LOCK = "fsyncmark.runs"
_BATCH = 500  # rows a statement
_PEERS_AT_ONCE = 5_000  # runs a statement: of a cell of millions it would have 130 MB


def normaliser_version(rules: Iterable[Rule], *, judgement: bytes) -> str:
    """Return the version of a normaliser with these rules and figures: a digest in hexadecimal.

    A digest and no sum of versions, which would stay the same where one rule gets a new version and
    another one is removed. `judgement` is the file of the figures by which rules and verdict judge.
    """
    versions = sorted((rule.id, rule.version) for rule in rules)
    figures = hashlib.sha256(judgement).hexdigest()
    digest = hashlib.sha256(json.dumps([_OWN_VERSION, versions, figures]).encode())
    return digest.hexdigest()[:_VERSION_CHARACTERS]


# What made the rows of a run; stale_runs puts runs of another version back into the queue.
NORMALISER_VERSION = normaliser_version(RULES.values(), judgement=JUDGEMENT_FILE.read_bytes())


_PEERS = Label.objects.filter(rule=FAR_FROM_PEERS.id, rule_version=FAR_FROM_PEERS.version)


@dataclass(frozen=True, slots=True)
class Beside:
    """What the database has beside the bytes of an upload."""

    rulings: dict[str, RunRuling]  # by kind, without releases
    released: set[str]  # rules
    has_proof: bool  # a document of a provider
    tickets: list[Ticket]  # that were shown for its id, by whatever key
    peers: (
        Figures | None
    )  # by which it lies far from the others of its cell, when that was computed


@dataclass(frozen=True, slots=True)
class MadeRun:
    """The unsaved rows of one run."""

    run: Run
    members: Members
    measurements: list[Measurement]
    latencies: list[Latency]  # of all measurements
    labels: list[Label]


@transaction.atomic
def record_run(*, upload: Upload) -> Run:
    """Normalise a stored upload; rows that were made of it before are replaced.

    It reads the stored upload, the catalogue, what people decided, and the runs that came before.
    """
    hold_shared(_LOCK)
    beside = _beside([upload.run_id])[upload.run_id]
    Run.objects.filter(pk=upload.run_id).delete()
    made = _make(upload, beside, has_history=True)
    _store([made])
    return made.run


@transaction.atomic
def record_without_history(uploads: Sequence[Upload]) -> None:
    """Normalise uploads that have no rows yet, as if none had come before them.

    The catalogue is asked once for all of them.
    """
    hold_shared(_LOCK)
    beside = _beside([upload.run_id for upload in uploads])
    with remembering():
        _store([_make(upload, beside[upload.run_id], has_history=False) for upload in uploads])


def rulings_of(run_id: UUID) -> tuple[dict[str, RunRuling], set[str]]:
    """Return what was decided about a run: by kind, and the rules that it is released from."""
    beside = _beside([run_id])[run_id]
    return beside.rulings, beside.released


def _beside(run_ids: Sequence[UUID]) -> dict[UUID, Beside]:
    """Return what lies beside each of these uploads: 4 queries."""
    proven = set(CloudProof.objects.filter(pk__in=run_ids).values_list("pk", flat=True))
    peers = dict(_PEERS.filter(run__in=run_ids).values_list("run_id", "figures"))
    beside = {
        run_id: Beside({}, set(), run_id in proven, [], peers.get(run_id)) for run_id in run_ids
    }
    for row in RunRuling.objects.filter(run_id__in=run_ids):
        if row.kind == RunRuling.Kind.RELEASED:
            beside[row.run_id].released.add(row.rule)
        else:
            beside[row.run_id].rulings[row.kind] = row
    for ticket in Ticket.objects.filter(run_id__in=run_ids):
        if ticket.run_id is not None:
            beside[ticket.run_id].tickets.append(ticket)
    return beside


def _make(upload: Upload, beside: Beside, *, has_history: bool) -> MadeRun:
    payload = upload.payload
    facts = replace(_facts(upload, read_stored(payload)), rulings=beside.rulings)
    run = _run(upload, facts, beside.tickets, kept=read_kept_parts(payload))
    sent = sent_of(run, upload, facts.headline)
    history = histories_of([sent])[sent.run_id] if has_history else sent.without_history
    facts = replace(facts, history=history)
    labels = judge(facts, released=beside.released)
    if beside.peers is not None:  # it stays until the cell is computed again
        is_released = FAR_FROM_PEERS.id in beside.released
        labels.append(label_of(FAR_FROM_PEERS, beside.peers, is_released=is_released))
    run.level = _level_of(run, upload, labels, has_proof=beside.has_proof)
    _set_judgement(run, facts, labels)
    measurements = [measurement_of(each, run=run) for each in facts.workloads]
    _keep_reads_out(measurements, labels)
    _keep_others_out(measurements, facts.suite)
    run.has_commit = any(each.is_durable_single_writer for each in measurements)
    latencies = [
        latency
        for each, measurement in zip(facts.workloads, measurements, strict=True)
        for latency in latencies_of(each, measurement=measurement)
    ]
    for label in labels:
        label.run = run
    return MadeRun(run, facts.members, measurements, latencies, labels)


def _store(made: Sequence[MadeRun]) -> None:
    """Store the rows of these runs, table by table."""
    measurements = [each for one in made for each in one.measurements]
    give_ids(measurements)
    latencies = [each for one in made for each in one.latencies]
    for latency in latencies:
        latency.measurement_id = latency.measurement.pk
    copy_rows([one.run for one in made])
    copy_rows([row for one in made for row in rows_of(one.members, run=one.run)])
    copy_rows(measurements)
    copy_rows(latencies)
    copy_rows([each for one in made for each in one.labels])


@transaction.atomic
def label_peers(scores: Mapping[UUID, float], *, uploaders: int) -> None:
    """Label those runs of a cell whose uploader lies far from the others.

    Call it whenever a cell was computed. `scores` has for each run of the cell the modified z-score
    of its uploader in ln(rate); `uploaders` is their number. Unchanged labels are not written
    again. A run that is being replaced meanwhile is left alone.
    """
    findings = {
        run_id: figures
        for run_id, score in scores.items()
        if (figures := far_from_peers(modified_z=score, uploaders=uploaders)) is not None
    }
    run_ids = sorted(scores)
    for begin in range(0, len(run_ids), _PEERS_AT_ONCE):
        _label_some(run_ids[begin : begin + _PEERS_AT_ONCE], findings)


def _label_some(run_ids: Sequence[UUID], findings: Mapping[UUID, Figures]) -> None:
    """Give these runs the labels that were found, and take them from the others."""
    runs = Run.objects.select_for_update().filter(pk__in=run_ids).order_by("pk")
    runs_by_id = {run.pk: run for run in runs.only("pk", "outcome")}
    peers = Label.objects.filter(rule=FAR_FROM_PEERS.id, run__in=runs_by_id)
    stored = dict(peers.values_list("run_id", "figures"))
    changed = [pk for pk in runs_by_id if stored.get(pk) != findings.get(pk)]
    peers.filter(run__in=changed).delete()
    of_rule = RunRuling.objects.filter(kind=RunRuling.Kind.RELEASED, rule=FAR_FROM_PEERS.id)
    released = set(of_rule.filter(run_id__in=changed).values_list("run_id", flat=True))
    labels = [
        label_of(FAR_FROM_PEERS, findings[pk], is_released=pk in released)
        for pk in changed
        if pk in findings
    ]
    for pk, label in zip((pk for pk in changed if pk in findings), labels, strict=True):
        label.run_id = pk
    Label.objects.bulk_create(labels)
    _set_outcomes([runs_by_id[pk] for pk in changed])


def _set_outcomes(runs: Sequence[Run]) -> None:
    """Set the outcome of these runs by their stored labels, with two queries."""
    if not runs:
        return
    labels: dict[UUID, list[Label]] = defaultdict(list)
    for label in Label.objects.filter(run__in=runs):
        labels[label.run_id].append(label)
    for run in runs:
        run.outcome = outcome_of(labels[run.pk])
    Run.objects.bulk_update(runs, ["outcome"], batch_size=_BATCH)


def hold_all_runs() -> None:
    """Keep other transactions from recording runs until this one ends."""
    hold_alone(_LOCK)


def _level_of(run: Run, upload: Upload, labels: Iterable[Label], *, has_proof: bool) -> Level:
    is_consistent = not any(
        RULES[label.rule].kind is RuleKind.CONSISTENCY and not label.is_released for label in labels
    )
    return level_of(
        is_fresh=upload.challenge_use == ChallengeUse.REDEEMED,
        is_consistent=is_consistent,
        is_placed=has_proof and is_placed(run, upload),
        is_lab=bool(upload.key.lab_setup_url),
    )


def _facts(upload: Upload, payload: RunPayload) -> RunFacts:
    seed = upload.challenge_seed
    workloads = measured_workloads(payload)
    members = read_members(
        payload.devices,
        virtualisation=payload.env.virt,
        read_p50_ns=p50_ns_of(workloads, READ_FLOOR_WORKLOAD, "read"),
    )
    return RunFacts(
        run=payload,
        workloads=workloads,
        suite=_known_suite(payload),
        members=members,
        placement=place(
            payload,
            members=members,
            received_at=upload.received_at,
            network_provider=upload.network_provider,
        ),
        challenge_use=upload.challenge_use,
        challenge_issued_at=upload.challenge_issued_at,
        challenge_seed=None if seed is None else bytes(seed),
        received_at=upload.received_at,
        compromised_since=upload.key.compromised_since,
    )


def _known_suite(payload: RunPayload) -> Suite | None:
    suite = find_suite(payload.suite.id, version=payload.suite.version)
    return suite if suite and suite.sha256 == payload.suite.sha256 else None


def _set_judgement(run: Run, facts: RunFacts, labels: list[Label]) -> None:
    """Set outcome, flush verdict, and whether the run of this level counts in standings."""
    run.outcome = outcome_of(labels)
    run.is_kept_out = any(label.keeps_run_out for label in labels)
    run.is_listed = not facts.rulings
    run.in_standings = run.level in COUNTING and not run.is_kept_out
    run.plan_in_doubt = any(label.keeps_out == KeepsOut.PLAN for label in labels)
    judgement = judge_flushes(flush_facts(facts))
    if judgement is not None:
        run.flush_verdict, run.flush_reasons = judgement.verdict, list(judgement.reasons)


def _keep_reads_out(measurements: list[Measurement], labels: list[Label]) -> None:
    """Keep what reads out of standings, but not the commits, if a label says so."""
    if any(label.keeps_out == KeepsOut.READS for label in labels):
        for measurement in measurements:
            measurement.is_ranked &= measurement.operation not in ("read", "mix")


def _keep_others_out(measurements: list[Measurement], suite: Suite | None) -> None:
    """Keep workloads that are no part of the suite out of standings.

    Nothing asks of them how many passes they had, or that these ran to their end.
    """
    of_suite = {(each.id, each.version) for each in suite.workloads} if suite else set()
    for measurement in measurements:
        measurement.is_ranked &= (measurement.workload, measurement.version) in of_suite


def _run(
    upload: Upload, facts: RunFacts, tickets: Iterable[Ticket], *, kept: dict[str, Any]
) -> Run:
    payload, members = facts.run, facts.members
    owner = owner_of(upload, tickets, plan=facts.placement.plan.pk)
    return Run(
        id=upload.run_id,
        slug=str(upload.run_id),
        upload=upload,
        measured_at=upload.received_at,
        suite=payload.suite.id,
        suite_version=payload.suite.version,
        suite_complete=payload.suite.complete,
        agent_version=payload.agent.version,
        **_place_columns(payload, facts.placement, received_at=upload.received_at),
        machine=payload.machine,
        uploader=uploader_of(owner=owner, network=upload.network),
        is_claimed=is_claimed(upload, owner),
        filesystem=payload.env.fs,
        kernel=payload.env.kernel,
        cpu_model=payload.env.cpu_model or "",
        environment=kept,
        figures_sha256=figures_sha256(facts.headline),
        normaliser_version=NORMALISER_VERSION,
        is_example=upload.is_example,
        **_drive_columns(members),
        measured_class_id=class_of(facts.commit_p50_ns),
    )


def _place_columns(
    payload: RunPayload, placed: Placement, *, received_at: datetime
) -> dict[str, object]:
    claim = PlacementClaim(provider=payload.claim.provider, plan=payload.claim.plan)
    shown = shown_claim(claim, plan=placed.plan, day=received_at.date())
    provider = placed.plan.provider_id
    return {
        "provider_id": provider,
        "plan": placed.plan,
        "claimed_provider": shown.provider or "",
        "claimed_plan": shown.plan or "",
        "claimed_region": shown_region(payload.claim.region or "", provider=provider),
        "region": shown_region(region_of(payload), provider=provider),
        "seen_provider": payload.env.provider or "",
        "seen_instance_type": payload.env.instance_type or "",
        "plan_basis": placed.basis,
        "placement_conflicts": placed.disagreements,
    }


def _drive_columns(members: Members) -> dict[str, object]:
    return {
        "drive_family": members.family,
        "drive_reported": members.reported_name,
        "drive_firmware": members.firmware,
        "is_single_drive": members.is_single,
        "expected_class": members.expected,
    }
