"""Stores the made-up year as uploads that are marked as examples, and removes all of it again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.db import transaction
from nacl.signing import SigningKey

from apps.accounts.models import AgentKey
from apps.intake.examples.documents import document
from apps.intake.examples.world import SEED, Visit, visits
from apps.rankings.services import refresh_all
from apps.runs.locks import hold_alone
from apps.runs.models import SHORT_ALPHABET, SHORT_CHARACTERS, ChallengeUse, Run, Upload
from apps.runs.packed.packing import deflated
from apps.runs.services import record_run
from apps.wire.dsse import RUN_PAYLOAD_TYPE, signed
from apps.wire.keys import keyid_of
from apps.wire.seed import seed_proof

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

CHALLENGE_AGE: Final = timedelta(minutes=3)  # before the run began
_LOCK: Final = "fsyncmark.examples"


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends the runs of one made-up uploader."""

    signer: SigningKey
    key: AgentKey
    network: str


@transaction.atomic
def load(*, runs: int, until: datetime, tell: Callable[[int], None]) -> int:
    """Put so many example runs in the place of those that are there; return how many were made.

    In one transaction: whoever stops or kills it finds what was there before. `tell` hears of each
    run. Two loads take turns, and a load waits for the server to give up one that was killed.
    """
    hold_alone(_LOCK)
    _remove()
    sender_of = cache(_sender)
    made = 0
    for made, visit in enumerate(visits(runs=runs, until=until), start=1):
        record_run(upload=_upload(visit, made, sender_of(visit.uploader)))
        tell(made)
    refresh_all()
    return made


@transaction.atomic
def remove() -> int:
    """Remove every example with its key, and compute the standings without them."""
    hold_alone(_LOCK)
    removed = _remove()
    refresh_all()
    return removed


def _remove() -> int:
    examples = Upload.objects.filter(is_example=True)
    keys = set(examples.values_list("key", flat=True))
    Run.objects.filter(upload__is_example=True).delete()
    removed, _ = examples.delete()
    AgentKey.objects.filter(pk__in=keys, uploads__isnull=True).delete()
    return removed


def _sender(uploader: int) -> Sender:
    signer = SigningKey(hashlib.sha256(f"{SEED} uploader {uploader}".encode()).digest())
    public_key = bytes(signer.verify_key)
    key, _ = AgentKey.objects.get_or_create(
        keyid=keyid_of(public_key), defaults={"public_key": public_key}
    )
    network = hashlib.sha256(f"{SEED} network {uploader}".encode()).hexdigest()[:32]
    return Sender(signer, key, network)


def _upload(visit: Visit, number: int, sender: Sender) -> Upload:
    run_id = _run_id(visit, number)
    seed = hashlib.sha256(run_id.bytes).digest()
    challenge = f"c_{run_id.hex}" if visit.is_witnessed else None
    proof = seed_proof(seed) if visit.is_witnessed else None
    sent = document(visit, run_id=run_id, seed_proof=proof, challenge=challenge)
    body = json.dumps(sent, separators=(",", ":")).encode()
    began_at = visit.at - timedelta(microseconds=sent["clock"]["mono_elapsed_ns"] // 1000)
    answered = {
        "challenge_id": challenge,
        "challenge_use": ChallengeUse.REDEEMED,
        "challenge_issued_at": began_at - CHALLENGE_AGE,
        "challenge_seed": seed,
    }
    return Upload.objects.create(
        run_id=run_id,
        key=sender.key,
        packed_payload=deflated(body),
        signature=signed(body, payload_type=RUN_PAYLOAD_TYPE, key=sender.signer),
        payload_sha256=hashlib.sha256(body).digest(),
        received_at=visit.at,
        network=sender.network,
        next_attempt_at=visit.at,
        state=Upload.State.DONE,
        short_code=_short_code(run_id),
        is_example=True,
        **(answered if visit.is_witnessed else {}),
    )


def _short_code(run_id: UUID) -> str:
    """Return the name of a short address: the same each time for the same run."""
    digest = hashlib.sha256(run_id.bytes).digest()
    return "".join(SHORT_ALPHABET[byte % len(SHORT_ALPHABET)] for byte in digest[:SHORT_CHARACTERS])


def _run_id(visit: Visit, number: int) -> UUID:
    """Return a version 7 UUID of that time: the same each time the same year is made."""
    digest = hashlib.sha256(f"{SEED} run {number}".encode()).digest()
    random = int.from_bytes(digest[:10], "big")
    value = int(visit.at.timestamp() * 1000) << 80 | 0x7 << 76 | (random & 0xFFF) << 64
    return UUID(int=value | 0b10 << 62 | random >> 18)
