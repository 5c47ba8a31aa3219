"""What agents say of keys and runs: logins, rotations, withdrawals, and a provider's word.

Attempts are counted for the key whose signature holds, and for the network where none does.
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeVar

from django.db import transaction

from apps.accounts.attempts import (
    LOGINS,
    STATEMENTS_OF_KEY,
    STATEMENTS_OF_NETWORK,
    AttemptLimit,
    TooManyAttemptsError,
    count_attempt,
)
from apps.accounts.clock import database_now
from apps.accounts.linking.logins import NewLogin, PollAnswer, begin_login, poll_login
from apps.accounts.models import AgentKey, Attempt
from apps.accounts.selectors import keys_by_id, stands_in
from apps.accounts.services import SOMEBODY_ELSES, KeyRefusedError, rotate_key
from apps.intake.opening import check_in_use, open_placement, open_rotation, open_statement
from apps.intake.services.tombstones import refuse_deleted
from apps.runs.models import ChallengeUse, CloudProof, RunRuling, Upload
from apps.runs.rulings import lift_ruling, rule_on_run
from apps.runs.stale_runs import requeue
from apps.wire import problems
from apps.wire.dsse import (
    LOGIN_PAYLOAD_TYPE,
    PLACEMENT_PAYLOAD_TYPE,
    ROTATION_PAYLOAD_TYPE,
    WITHDRAWAL_PAYLOAD_TYPE,
)
from apps.wire.problems import Fault, Refusal
from apps.wire.statements import (
    BadStatementError,
    Withdrawal,
    read_login_poll,
    read_login_request,
    read_placement,
    read_rotation,
    read_withdrawal,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from apps.intake.networks import NetworkHashes
    from apps.wire.problems import ProblemType
    from apps.wire.statements import PlacementStatement

Read = TypeVar("Read")

# A clock that is ahead by more would keep its owner from any later statement until it is over.
AHEAD_MAX: Final = timedelta(days=1)
# An agent sends the document behind its run; later it could be of another machine.
PLACEMENT_PERIOD: Final = timedelta(days=1)


def begin(raw: bytes, *, networks: NetworkHashes, sender: str | None) -> NewLogin:
    """Begin the login of an enrolled key; nothing is signed yet. Raises Refusal.

    What a key with history asks counts for that key, of which `sender` is the id.
    """
    if sender is None:
        _count(Attempt.Kind.LOGIN, "network", networks.quota, LOGINS)
    else:
        _count(Attempt.Kind.LOGIN, "key", sender, LOGINS)
    request = _read(read_login_request, raw)
    key = keys_by_id([request.keyid]).get(request.keyid)
    if key is None:
        raise Refusal(problems.UNKNOWN_KEY, "No key of this id is enrolled here.")
    check_in_use(key)
    return begin_login(
        key,
        agent_version=request.agent_version,
        network=networks.quota,
        network_provider=networks.provider,
    )


def poll(raw: bytes, *, server: str) -> PollAnswer:
    """Return how a login stands, asked by its key. Raises Refusal."""
    opened = open_statement(raw, payload_type=LOGIN_PAYLOAD_TYPE)
    asked = _read(read_login_poll, opened.payload)
    _check_server(asked.server, server)
    _check_signer(asked.keyid, opened.key)
    answer = poll_login(opened.key, device_code=asked.device_code)
    if answer.is_too_fast:
        raise Refusal(problems.SLOW_DOWN, "", retry_after_s=answer.interval_s)
    return answer


def rotate(raw: bytes, *, old: str, server: str, networks: NetworkHashes) -> AgentKey:
    """Let the second of two signing keys stand in for the first. Raises Refusal."""
    with _unsigned_counted(networks):
        payload, keys = open_rotation(raw, payload_type=ROTATION_PAYLOAD_TYPE)
    rotation = _read(read_rotation, payload)
    _check_server(rotation.server, server)
    _check_address(rotation.old, old, at="/old", problem=problems.KEYID_MISMATCH)
    if {rotation.old, rotation.new} != keys.keys():
        fault = Fault("/signatures", "are of other keys")
        raise Refusal(problems.BAD_SIGNATURE, "", faults=(fault,))
    _count(Attempt.Kind.STATEMENT, "key", old, STATEMENTS_OF_KEY)
    try:
        return rotate_key(keys[rotation.old], keys[rotation.new])
    except KeyRefusedError as error:
        keys[rotation.old].refresh_from_db(fields=("state",))
        check_in_use(keys[rotation.old])
        whose = "It has another owner." if error.reason == SOMEBODY_ELSES else ""
        raise Refusal(problems.KEY_CONFLICT, whose) from error


def withdraw(raw: bytes, *, run_id: UUID, server: str, networks: NetworkHashes) -> Withdrawal:
    """Withdraw a run, or take that back, by a statement of its key. Raises Refusal."""
    with _unsigned_counted(networks):
        opened = open_statement(raw, payload_type=WITHDRAWAL_PAYLOAD_TYPE)
    statement = _read(read_withdrawal, opened.payload)
    _check_server(statement.server, server)
    _check_address(statement.run_id, run_id, at="/run_id", problem=problems.RUN_ID_MISMATCH)
    _count(Attempt.Kind.STATEMENT, "key", opened.key.pk, STATEMENTS_OF_KEY)
    _apply(statement, key=opened.key)
    return statement


def place(raw: bytes, *, run_id: UUID, networks: NetworkHashes) -> CloudProof:
    """Keep what a provider signed about the machine of a run until a worker checks it.

    The same statement again changes nothing. Raises Refusal.
    """
    with _unsigned_counted(networks):
        opened = open_placement(raw, payload_type=PLACEMENT_PAYLOAD_TYPE)
    statement = _read(read_placement, opened.payload)
    _check_address(statement.run_id, run_id, at="/run_id", problem=problems.RUN_ID_MISMATCH)
    _count(Attempt.Kind.STATEMENT, "key", opened.key.pk, STATEMENTS_OF_KEY)
    digest = hashlib.sha256(opened.payload).hexdigest()
    return _keep(statement, key=opened.key, digest=digest)


@transaction.atomic
def _keep(statement: PlacementStatement, *, key: AgentKey, digest: str) -> CloudProof:
    uploads = Upload.objects.filter(pk=statement.run_id)
    upload = uploads.select_for_update(no_key=True).defer("packed_payload").first()
    if upload is None:
        refuse_deleted(statement.run_id)
        raise Refusal(problems.NOT_FOUND, "No run of this id was sent here.")
    _check_own(upload, key)
    _check_answered(upload, statement.challenge)
    stored = _proof_of(statement.run_id)
    if stored is not None and stored.sent_sha256 == digest:
        return stored
    if stored is not None:
        raise Refusal(problems.PLACEMENT_CONFLICT, "")
    if (now := database_now()) > upload.received_at + PLACEMENT_PERIOD:
        raise Refusal(problems.PLACEMENT_LATE, "")
    proof = CloudProof.objects.create(
        run_id=statement.run_id,
        sent_sha256=digest,
        provider=statement.provider,
        received_at=now,
        document=statement.document,
        signature=statement.signature,
    )
    requeue(uploads)
    return proof


@transaction.atomic
def _apply(statement: Withdrawal, *, key: AgentKey) -> None:
    """Store a statement that is newer than the last one about its run."""
    uploads = Upload.objects.filter(pk=statement.run_id)
    locked = uploads.select_for_update(no_key=True).only("key_id", "stated_at_unix_ns").first()
    if locked is None:
        refuse_deleted(statement.run_id)
        raise Refusal(problems.NOT_FOUND, "No run of this id was sent here.")
    if not stands_in(key.pk, of=locked.key_id):
        raise Refusal(problems.NOT_YOUR_RUN, "")
    _check_is_news(statement, last_ns=locked.stated_at_unix_ns)
    uploads.update(stated_at_unix_ns=statement.issued_at_unix_ns)
    if statement.withdrawn:
        rule_on_run(statement.run_id, RunRuling.Kind.WITHDRAWN, statement.reason)
    else:
        lift_ruling(statement.run_id, RunRuling.Kind.WITHDRAWN)


def _check_own(upload: Upload, key: AgentKey) -> None:
    if upload.key_id != key.pk:
        raise Refusal(problems.NOT_YOUR_RUN, "")


def _check_answered(upload: Upload, challenge: str) -> None:
    if upload.challenge_use != ChallengeUse.REDEEMED or upload.challenge_id != challenge:
        fault = Fault("/challenge", "is not the one that the run answered in time")
        raise Refusal(problems.CHALLENGE_MISMATCH, "", faults=(fault,))


def _proof_of(run_id: UUID) -> CloudProof | None:
    return CloudProof.objects.filter(pk=run_id).first()


def _check_is_news(statement: Withdrawal, *, last_ns: int) -> None:
    latest_ns = int((database_now() + AHEAD_MAX).timestamp() * 1e9)
    if not last_ns < statement.issued_at_unix_ns <= latest_ns:
        fault = Fault("/issued_at_unix_ns", "is not later than the last one, or in the future")
        raise Refusal(problems.STATEMENT_REPLAYED, "", faults=(fault,))


def _check_signer(stated: str, signer: AgentKey) -> None:
    if stated != signer.pk:
        fault = Fault("/keyid", "is not the key that signed")
        raise Refusal(problems.KEYID_MISMATCH, "", faults=(fault,))


def _check_address(stated: str | UUID, asked: str | UUID, *, at: str, problem: ProblemType) -> None:
    if stated != asked:
        raise Refusal(problem, "", faults=(Fault(at, "differs from the address"),))


def _check_server(stated: str, asked: str) -> None:
    """Refuse what was signed for another server, and passed on by it."""
    if stated != asked:
        fault = Fault("/server", f"is not {asked}")
        raise Refusal(problems.OTHER_SERVER, "", faults=(fault,))


@contextmanager
def _unsigned_counted(networks: NetworkHashes) -> Iterator[None]:
    """Count for its network what no key signed: it keeps no honest key of that network out."""
    try:
        yield
    except Refusal:
        _count(Attempt.Kind.STATEMENT, "network", networks.quota, STATEMENTS_OF_NETWORK)
        raise


def _count(kind: str, whose: str, name: str, limit: AttemptLimit) -> None:
    try:
        count_attempt(kind, {f"{whose}:{name}": limit})
    except TooManyAttemptsError as error:
        raise Refusal(
            problems.TOO_MANY_REQUESTS,
            f"This {whose} asked {limit.most} times.",
            retry_after_s=error.retry_after_s,
        ) from error


def _read(reader: Callable[[bytes], Read], payload: bytes) -> Read:
    try:
        return reader(payload)
    except BadStatementError as error:
        raise Refusal(problems.BAD_STATEMENT, "", faults=(error.fault,)) from error
