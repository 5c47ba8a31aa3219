"""Accepts runs: one transaction stores the bytes as they came and redeems their challenge."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, Q

from apps.accounts.attempts import forget_attempt
from apps.accounts.clock import database_now
from apps.intake.failpoints import reach
from apps.intake.models import Challenge
from apps.intake.opening import VerifiedEnvelope, open_run
from apps.intake.services.challenges import longest_run
from apps.intake.services.rate_limits import (
    check_upload_limits,
    count_upload,
    has_history,
    runs_before,
)
from apps.intake.services.tombstones import refuse_deleted
from apps.runs.models import ChallengeUse, Run, Upload, new_short_code
from apps.runs.packed.packing import deflated
from apps.runs.rules.history import CHALLENGES_PERIOD
from apps.wire import problems
from apps.wire.dsse import RUN_PAYLOAD_TYPE
from apps.wire.problems import Fault, Refusal
from apps.wire.reading import NotStrictJsonError
from apps.wire.run import BadRunError, RunPayload, read_run
from apps.wire.suites import suites

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from apps.accounts.models import AgentKey
    from apps.intake.networks import NetworkHashes


@dataclass(frozen=True, slots=True)
class AcceptedUpload:
    """A stored upload; it is new unless the same bytes had been stored before."""

    upload: Upload
    is_new: bool


def accept_run(*, raw: bytes, run_id: UUID, networks: NetworkHashes) -> AcceptedUpload:
    """Verify, read and store an uploaded envelope that came from these networks. Raises Refusal.

    When this returns the bytes are committed.
    """
    opened = open_run(raw, payload_type=RUN_PAYLOAD_TYPE)
    run = _read(opened.payload)
    if run.run_id != run_id:
        raise Refusal(
            problems.RUN_ID_MISMATCH,
            "The payload is of another run.",
            faults=(Fault("/run_id", "differs from the address"),),
        )
    counted: list[int] = []
    if _find(run_id) is None:
        counted = count_upload(opened.key, networks=networks, now=database_now())
    accepted = None
    try:
        accepted = _store(opened=opened, run=run, networks=networks)
    finally:
        if accepted is None or not accepted.is_new:
            forget_attempt(counted)  # only what is stored counts
    return accepted


@transaction.atomic(durable=True)
def _store(*, opened: VerifiedEnvelope, run: RunPayload, networks: NetworkHashes) -> AcceptedUpload:
    """Store a run once: of simultaneous uploads of it one inserts, and the others find its row."""
    reach("in-accept")
    now = database_now()
    digest = hashlib.sha256(opened.payload).digest()
    challenge = _locked_challenge(run)
    stored = _find(run.run_id)
    if stored is not None:
        return _same_bytes(stored, digest=digest, opened=opened)
    refuse_deleted(run.run_id)
    check_upload_limits(opened.key, now=now)
    upload = Upload(
        run_id=run.run_id,
        key=opened.key,
        packed_payload=deflated(opened.payload),
        signature=opened.signature,
        payload_sha256=digest,
        received_at=now,
        network=networks.uploader,
        network_provider=networks.provider,
        next_attempt_at=now,
        **_challenge_facts(run, challenge, opened=opened, now=now),
        **_challenge_counts(opened.key, run=run, networks=networks, now=now),
    )
    stored = _insert(upload)
    if stored is not None:
        return _same_bytes(stored, digest=digest, opened=opened)
    reach("after-insert")
    refuse_deleted(run.run_id)  # again: it may have been deleted while this waited to be stored
    if challenge is not None:
        Challenge.objects.filter(pk=challenge.pk).update(redeemed_at=now)
    return AcceptedUpload(upload=upload, is_new=True)


def _insert(upload: Upload) -> Upload | None:
    """Insert an upload; return the one of the same run that was first, if there is one."""
    try:
        with transaction.atomic():
            upload.save(force_insert=True)
    except IntegrityError:
        if (stored := _find(upload.run_id)) is not None:
            return stored
        upload.short_code = new_short_code()  # another run has it, which hardly ever happens
        upload.save(force_insert=True)
    return None


def _find(run_id: UUID) -> Upload | None:
    return Upload.objects.defer("packed_payload").filter(run_id=run_id).first()


def _locked_challenge(run: RunPayload) -> Challenge | None:
    """Return the challenge that a run names, locked until COMMIT so that it is redeemed once."""
    if run.challenge is None:
        return None
    return Challenge.objects.select_for_update().filter(pk=run.challenge).first()


def _challenge_facts(
    run: RunPayload, challenge: Challenge | None, *, opened: VerifiedEnvelope, now: datetime
) -> dict[str, object]:
    """Return the columns of an upload about its challenge. Raises Refusal for a misused one.

    An unknown challenge is accepted, because this database may have been restored from a backup.
    Nothing ties such a run to a time, so it is not ranked.
    """
    if run.challenge is None:
        return {"challenge_use": ChallengeUse.NONE}
    if challenge is None:
        return {"challenge_use": ChallengeUse.UNKNOWN}
    _check_challenge(run, challenge, opened=opened)
    in_time = now <= challenge.not_after
    return {
        "challenge_id": challenge.pk,
        "challenge_use": ChallengeUse.REDEEMED if in_time else ChallengeUse.EXPIRED,
        "challenge_issued_at": challenge.issued_at,
        "challenge_seed": challenge.seed,
    }


def _challenge_counts(
    key: AgentKey, *, run: RunPayload, networks: NetworkHashes, now: datetime
) -> dict[str, int]:
    """Return how many challenges the sender got lately, and how many of their runs never came.

    The sender is the key with every other key of its machine; for a key without history also the
    other keys without history in its network, since keys cost nothing.
    The challenge of this run counts as answered, even if it is late. Others count as abandoned as
    soon as their run must be over. Their expiry would be too late: a short suite fits many times
    into the life of a challenge, so somebody could run it often and upload only the best run.
    """
    same_machine = Run.objects.filter(machine=run.machine, upload__network=networks.uploader)
    mine = Q(key=key) | Q(key__in=same_machine.values("upload__key"))
    if not has_history(key.pk, now=now):
        mine |= Q(~Exists(runs_before(OuterRef("key_id"), now=now)), network=networks.quota)
    issued = Challenge.objects.filter(mine, issued_at__gt=now - CHALLENGES_PERIOD)
    is_over = Q(not_after__lt=now)
    for (suite_id, version), suite in suites().items():
        issued_before = now - longest_run(suite)
        is_over |= Q(suite=suite_id, suite_version=version, issued_at__lt=issued_before)
    is_abandoned = Q(redeemed_at=None) & is_over & ~Q(run_id=run.run_id)
    return issued.aggregate(
        challenges_issued=Count("pk"), challenges_abandoned=Count("pk", filter=is_abandoned)
    )


def _check_challenge(run: RunPayload, challenge: Challenge, *, opened: VerifiedEnvelope) -> None:
    at = "/challenge"
    if challenge.key_id != opened.key.pk:
        raise Refusal(
            problems.CHALLENGE_FOREIGN, "", faults=(Fault(at, "was issued to another key"),)
        )
    if challenge.redeemed_at is not None:
        raise Refusal(
            problems.CHALLENGE_REPLAYED, "", faults=(Fault(at, "was redeemed by another run"),)
        )
    issued_for = (challenge.run_id, challenge.suite, challenge.suite_version)
    if issued_for != (run.run_id, run.suite.id, run.suite.version):
        raise Refusal(
            problems.CHALLENGE_MISMATCH,
            "",
            faults=(Fault(at, "was issued for another run or suite"),),
        )


def _same_bytes(stored: Upload, *, digest: bytes, opened: VerifiedEnvelope) -> AcceptedUpload:
    if bytes(stored.payload_sha256) != digest or stored.key_id != opened.key.pk:
        raise Refusal(problems.RUN_ID_CONFLICT, "Other bytes are stored under this run id.")
    return AcceptedUpload(upload=stored, is_new=False)


def _read(payload: bytes) -> RunPayload:
    try:
        return read_run(payload)
    except NotStrictJsonError as error:
        raise Refusal(problems.BAD_JSON, "", faults=(Fault("", str(error)),)) from error
    except BadRunError as error:
        raise Refusal(problems.BAD_PAYLOAD, "", faults=error.faults) from error
