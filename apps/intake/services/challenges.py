"""Issues challenges: one for each key and run, and a limited number an hour."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from apps.accounts.clock import database_now
from apps.accounts.credit.tickets import use_ticket
from apps.intake.models import Challenge
from apps.intake.services.rate_limits import check_challenge_limits
from apps.intake.services.tombstones import refuse_deleted
from apps.wire import problems
from apps.wire.challenge import BadChallengeRequestError, ChallengeRequest, read_challenge_request
from apps.wire.problems import Fault, Refusal
from apps.wire.seed import SEED_BYTES
from apps.wire.suites import Suite, find_suite

if TYPE_CHECKING:
    from apps.accounts.credit.tickets import ShownTicket
    from apps.intake.opening import VerifiedEnvelope

LIFETIME_MIN = timedelta(minutes=30)  # a slow disk fills its files for a long time
LIFETIME_MAX = timedelta(hours=24)
LIFETIME_DURATIONS = 4  # times the longest timed part of the suite
ID_BYTES = 24  # of randomness in a challenge's id, 32 characters


@dataclass(frozen=True, slots=True)
class IssuedChallenge:
    """A challenge, whether it is new, and what became of the ticket that came with its request."""

    challenge: Challenge
    is_new: bool
    ticket: ShownTicket | None


def issue_challenge(*, opened: VerifiedEnvelope, quota_network: str) -> IssuedChallenge:
    """Return the challenge for a signed request. Raises Refusal.

    A repeated request for a run gets the same challenge, since the first response may have been
    lost. Its time runs from when it was first issued. No ticket costs anybody their challenge.
    """
    request = _read(opened.payload)
    challenge, is_new = _challenge_for(request, opened, quota_network)
    ticket = None
    if request.ticket is not None:
        ticket = use_ticket(request.ticket, key=opened.key, run_id=request.run_id)
    return IssuedChallenge(challenge, is_new, ticket)


def _challenge_for(
    request: ChallengeRequest, opened: VerifiedEnvelope, quota_network: str
) -> tuple[Challenge, bool]:
    suite = find_suite(request.suite, version=request.suite_version)
    if suite is None:
        raise Refusal(
            problems.UNKNOWN_SUITE,
            f"There is no suite {request.suite} version {request.suite_version} here.",
            faults=(Fault("/suite", "is not a suite of this server"),),
        )
    refuse_deleted(request.run_id)
    issued = Challenge.objects.filter(key=opened.key, run_id=request.run_id)
    if (challenge := issued.first()) is not None:
        return _again(challenge, request), False
    now = database_now()
    check_challenge_limits(opened.key, network=quota_network, now=now)
    try:
        with transaction.atomic():
            return _issue(opened, request, suite, quota_network, now), True
    except IntegrityError:  # the same request came twice at once
        return _again(issued.get(), request), False


def longest_run(suite: Suite) -> timedelta:
    """Return how long a run of this suite may take, with the time to fill its files."""
    return LIFETIME_DURATIONS * timedelta(microseconds=suite.duration_ns_max / 1000)


def lifetime_of(suite: Suite) -> timedelta:
    """Return how long a challenge for this suite may be redeemed in time."""
    return min(max(longest_run(suite), LIFETIME_MIN), LIFETIME_MAX)


def _issue(
    opened: VerifiedEnvelope,
    request: ChallengeRequest,
    suite: Suite,
    quota_network: str,
    now: datetime,
) -> Challenge:
    return Challenge.objects.create(
        id=f"c_{secrets.token_urlsafe(ID_BYTES)}",
        key=opened.key,
        run_id=request.run_id,
        seed=secrets.token_bytes(SEED_BYTES),
        suite=request.suite,
        suite_version=request.suite_version,
        network=quota_network,
        issued_at=now,
        not_after=now + lifetime_of(suite),
    )


def _again(challenge: Challenge, request: ChallengeRequest) -> Challenge:
    if challenge.redeemed_at is not None:
        raise Refusal(problems.CHALLENGE_REPLAYED, "The run of this challenge was uploaded.")
    if (challenge.suite, challenge.suite_version) != (request.suite, request.suite_version):
        raise Refusal(problems.CHALLENGE_MISMATCH, "It was issued for another suite.")
    return challenge


def _read(payload: bytes) -> ChallengeRequest:
    try:
        return read_challenge_request(payload)
    except BadChallengeRequestError as error:
        raise Refusal(problems.BAD_PAYLOAD, "", faults=(error.fault,)) from error
