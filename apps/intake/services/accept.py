"""Accepts runs: one transaction stores the bytes as they came and redeems their challenge."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, connection, transaction

from apps.accounts.attempts import forget_attempt
from apps.accounts.clock import database_now
from apps.intake.failpoints import reach
from apps.intake.models import Challenge
from apps.intake.opening import VerifiedEnvelope, open_run
from apps.intake.services.challenges import longest_run
from apps.intake.services.rate_limits import (
    HISTORY_AGE,
    check_upload_limits,
    count_upload,
    has_history,
)
from apps.intake.services.tombstones import refuse_deleted
from apps.runs.models import ChallengeUse, Upload
from apps.runs.packed.packing import deflated
from apps.runs.rules.history import CHALLENGES_PERIOD
from apps.wire import problems
from apps.wire.dsse import RUN_PAYLOAD_TYPE
from apps.wire.problems import Fault, Refusal
from apps.wire.reading import NotStrictJsonError
from apps.wire.run import BadRunError, RunHead, read_head
from apps.wire.suites import suites

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from apps.accounts.models import AgentKey
    from apps.intake.networks import NetworkHashes

# Written out: making it of expressions took a quarter of an upload's time on the processor.
_COUNT_CHALLENGES: Final = """
    SELECT count(*), count(*) FILTER (WHERE redeemed_at IS NULL AND run_id <> %(run)s AND (
        not_after < %(now)s OR EXISTS (
            SELECT FROM unnest(%(suites)s::text[], %(versions)s::int[], %(begun)s::timestamptz[])
                AS one (suite, version, begun)
            WHERE one.suite = challenge.suite AND version = suite_version AND issued_at < begun)))
    FROM intake_challenge AS challenge
    WHERE issued_at > %(since)s AND (
        key_id = %(key)s
        OR key_id IN (
            SELECT upload.key_id
            FROM runs_run JOIN runs_upload AS upload ON upload.run_id = upload_id
            WHERE machine = %(machine)s AND upload.network = %(network)s)
        OR %(is_new)s AND network = %(quota)s AND NOT EXISTS (
            SELECT FROM runs_upload AS upload
            WHERE upload.key_id = challenge.key_id AND received_at < %(history)s))
"""


@dataclass(frozen=True, slots=True)
class AcceptedUpload:
    """A stored upload; it is new unless the same bytes had been stored before."""

    upload: Upload
    is_new: bool


@dataclass(frozen=True, slots=True)
class UploadSender:
    """Where an upload comes from, whether its key has history, and when it came."""

    networks: NetworkHashes
    is_known: bool
    now: datetime  # by the database


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
    stored = _find(run_id)
    if stored is not None:
        return _same_bytes(stored, opened=opened)
    now = database_now()
    sender = UploadSender(networks, is_known=has_history(opened.key.pk, now=now), now=now)
    counted = count_upload(networks=networks, is_known=sender.is_known, now=now)
    accepted = None
    try:
        accepted = _store_once(opened=opened, run=run, sender=sender)
    finally:
        if accepted is None or not accepted.is_new:
            forget_attempt(counted)  # only what is stored counts
    return accepted


def _store_once(*, opened: VerifiedEnvelope, run: RunHead, sender: UploadSender) -> AcceptedUpload:
    """Store a run: of simultaneous uploads of it one inserts, and the others find its row."""
    try:
        return _store(opened=opened, run=run, sender=sender)
    except (IntegrityError, Refusal) as error:
        if (stored := _find(run.run_id)) is not None:
            return _same_bytes(stored, opened=opened)
        refuse_deleted(run.run_id)
        if isinstance(error, Refusal):
            raise
    # another run has its short code, which hardly ever happens: the next one is drawn anew
    return _store(opened=opened, run=run, sender=sender)


@transaction.atomic(durable=True)
def _store(*, opened: VerifiedEnvelope, run: RunHead, sender: UploadSender) -> AcceptedUpload:
    """Insert an upload and redeem its challenge. Raises IntegrityError for one that is there."""
    reach("in-accept")
    now, networks = sender.now, sender.networks
    challenge = _locked_challenge(run)
    check_upload_limits(opened.key, now=now)
    upload = Upload(
        run_id=run.run_id,
        key=opened.key,
        packed_payload=deflated(opened.payload),
        signature=opened.signature,
        payload_sha256=hashlib.sha256(opened.payload).digest(),
        received_at=now,
        network=networks.uploader,
        network_provider=networks.provider,
        next_attempt_at=now,
        **_challenge_facts(run, challenge, opened=opened, now=now),
        **_challenge_counts(opened.key, run=run, sender=sender),
    )
    upload.save(force_insert=True)
    reach("after-insert")
    refuse_deleted(run.run_id)  # here: it may have been deleted while this waited to be stored
    if challenge is not None:
        Challenge.objects.filter(pk=challenge.pk).update(redeemed_at=now)
    return AcceptedUpload(upload=upload, is_new=True)


def _find(run_id: UUID) -> Upload | None:
    return Upload.objects.defer("packed_payload").filter(run_id=run_id).first()


def _locked_challenge(run: RunHead) -> Challenge | None:
    """Return the challenge that a run names, locked until COMMIT so that it is redeemed once."""
    if run.challenge is None:
        return None
    return Challenge.objects.select_for_update().filter(pk=run.challenge).first()


def _challenge_facts(
    run: RunHead, challenge: Challenge | None, *, opened: VerifiedEnvelope, now: datetime
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


def _challenge_counts(key: AgentKey, *, run: RunHead, sender: UploadSender) -> dict[str, int]:
    """Return how many challenges the sender got lately, and how many of their runs never came.

    The sender is the key with every other key of its machine; for a key without history also the
    other keys without history in its network, since keys cost nothing.
    The challenge of this run counts as answered, even if it is late. Others count as abandoned as
    soon as their run must be over. Their expiry would be too late: a short suite fits many times
    into the life of a challenge, so somebody could run it often and upload only the best run.
    """
    now = sender.now
    ends = [(each, now - longest_run(suite)) for each, suite in suites().items()]
    values: dict[str, Any] = {
        "key": key.pk, "machine": run.machine, "network": sender.networks.uploader,
        "is_new": not sender.is_known, "quota": sender.networks.quota, "run": run.run_id,
        "now": now, "since": now - CHALLENGES_PERIOD, "history": now - HISTORY_AGE,
        "suites": [suite for (suite, _), _ in ends],
        "versions": [version for (_, version), _ in ends],
        "begun": [begun for _, begun in ends],
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_CHALLENGES, values)
        issued, abandoned = cursor.fetchone()
    return {"challenges_issued": issued, "challenges_abandoned": abandoned}


def _check_challenge(run: RunHead, challenge: Challenge, *, opened: VerifiedEnvelope) -> None:
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


def _same_bytes(stored: Upload, *, opened: VerifiedEnvelope) -> AcceptedUpload:
    digest = hashlib.sha256(opened.payload).digest()
    if bytes(stored.payload_sha256) != digest or stored.key_id != opened.key.pk:
        raise Refusal(problems.RUN_ID_CONFLICT, "Other bytes are stored under this run id.")
    return AcceptedUpload(upload=stored, is_new=False)


def _read(payload: bytes) -> RunHead:
    try:
        return read_head(payload)
    except NotStrictJsonError as error:
        raise Refusal(problems.BAD_JSON, "", faults=(Fault("", str(error)),)) from error
    except BadRunError as error:
        raise Refusal(problems.BAD_PAYLOAD, "", faults=error.faults) from error
