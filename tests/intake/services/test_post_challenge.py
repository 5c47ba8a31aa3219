"""Challenges: single, bound to key, run and suite, and few enough to count."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import AgentKey
from apps.intake.models import Challenge
from apps.intake.services.challenges import (
    LIFETIME_MAX,
    lifetime_of,
)
from apps.intake.services.rate_limits import NEW_KEYS_PER_NETWORK, PER_KEY
from apps.wire.suites import Suite, WorkloadDefinition, find_suite
from tests import make
from tests.intake.conftest import Door, pointers_of, problem_of

pytestmark = pytest.mark.django_db


def issued(agent: make.Agent, count: int, **changes: object) -> None:
    """Store challenges that were issued half an hour ago."""
    then = timezone.now() - timedelta(minutes=30)
    for _ in range(count):
        make.challenge(agent=agent, issued_at=then, **changes)


def test_a_challenge_is_issued_for_a_run(door: Door, agent: make.Agent) -> None:
    run_id = make.uuid7()
    answer = door.ask(agent.challenge_request(run_id))
    assert answer.status_code == 201
    body = answer.json()
    assert re.fullmatch(r"c_[A-Za-z0-9_-]{22,64}", body["id"])
    assert re.fullmatch(r"[0-9a-f]{64}", body["seed"])
    suite = find_suite("quick", version=1)
    assert suite
    assert body["suite_sha256"] == suite.sha256
    issued_at = datetime.fromisoformat(body["issued_at"])
    assert datetime.fromisoformat(body["not_after"]) - issued_at == timedelta(minutes=30)
    challenge = Challenge.objects.get(pk=body["id"])
    assert (challenge.run_id, challenge.key_id) == (run_id, agent.keyid)


def test_asked_again_for_the_same_run_the_same_challenge_is_given(
    door: Door, agent: make.Agent
) -> None:
    run_id = make.uuid7()
    first = door.ask(agent.challenge_request(run_id))
    second = door.ask(agent.challenge_request(run_id))
    assert second.status_code == 200
    assert second.json() == first.json()


def test_a_redeemed_challenge_is_not_given_again(door: Door, agent: make.Agent) -> None:
    challenge = make.challenge(agent=agent, redeemed_at=make.NOON)
    answer = door.ask(agent.challenge_request(challenge.run_id))
    assert problem_of(answer) == (409, "challenge-replayed")


def test_a_run_has_one_suite(door: Door, agent: make.Agent) -> None:
    challenge = make.challenge(agent=agent, suite="thorough")
    answer = door.ask(agent.challenge_request(challenge.run_id))
    assert problem_of(answer) == (409, "challenge-mismatch")


def test_a_key_that_is_not_enrolled_gets_none(door: Door) -> None:
    answer = door.ask(make.Agent().challenge_request(make.uuid7()))
    assert problem_of(answer) == (404, "unknown-key")


def test_a_revoked_key_gets_none(door: Door, agent: make.Agent) -> None:
    AgentKey.objects.update(state=AgentKey.State.REVOKED, revoked_at=make.NOON)
    answer = door.ask(agent.challenge_request(make.uuid7()))
    assert problem_of(answer) == (403, "revoked-key")


def test_nobody_asks_in_the_name_of_another_key(door: Door, agent: make.Agent) -> None:
    thief = make.Agent()
    thief.keyid = agent.keyid
    answer = door.ask(thief.challenge_request(make.uuid7()))
    assert problem_of(answer) == (403, "bad-signature")


def test_an_unknown_suite_has_no_challenge(door: Door, agent: make.Agent) -> None:
    answer = door.ask(agent.challenge_request(make.uuid7(), suite_version=99))
    assert problem_of(answer) == (422, "unknown-suite")
    assert pointers_of(answer) == ["/suite"]


def test_a_bad_request_is_refused_at_its_place(door: Door, agent: make.Agent) -> None:
    answer = door.ask(agent.challenge_request(make.uuid7(), run_id="5"))
    assert problem_of(answer) == (422, "bad-payload")
    assert pointers_of(answer) == ["/run_id"]


def test_a_run_is_no_request(door: Door, agent: make.Agent) -> None:
    answer = door.ask(agent.seal({"schema": "fsyncmark.run/1"}))
    assert problem_of(answer) == (415, "unknown-payload-type")


def test_a_key_has_its_share_of_an_hour(door: Door, agent: make.Agent) -> None:
    issued(agent, PER_KEY)
    answer = door.ask(agent.challenge_request(make.uuid7()))
    assert problem_of(answer) == (429, "too-many-requests")
    assert 1780 <= int(answer.headers["Retry-After"]) <= 1800
    other = make.Agent()
    other.enrolled()
    assert door.ask(other.challenge_request(make.uuid7())).status_code == 201


def test_a_share_is_had_again_after_an_hour(door: Door, agent: make.Agent) -> None:
    issued(agent, PER_KEY)
    Challenge.objects.update(issued_at=timezone.now() - timedelta(minutes=61))
    assert door.ask(agent.challenge_request(make.uuid7())).status_code == 201


def test_a_network_has_its_share_whatever_its_keys(
    door: Door, agent: make.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_NETWORK", 2)
    assert NEW_KEYS_PER_NETWORK > PER_KEY
    for _ in range(2):
        neighbour = make.Agent()
        neighbour.enrolled()
        asked = neighbour.challenge_request(make.uuid7())
        assert door.ask(asked, REMOTE_ADDR="198.51.100.7").status_code == 201
    asked = agent.challenge_request(make.uuid7())
    refused = door.ask(asked, REMOTE_ADDR="198.51.100.200")
    assert problem_of(refused) == (429, "too-many-requests")
    assert door.ask(asked, REMOTE_ADDR="198.51.101.7").status_code == 201


def test_two_requests_at_once_get_one_challenge(
    door: Door, agent: make.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other request's challenge is committed after this one looked and before it inserts."""
    run_id = make.uuid7()

    def other_request_wins(*_: object, **__: object) -> None:
        make.challenge(agent=agent, run_id=run_id)

    monkeypatch.setattr(
        "apps.intake.services.challenges.check_challenge_limits", other_request_wins
    )
    answer = door.ask(agent.challenge_request(run_id))
    assert answer.status_code == 200
    assert answer.json()["id"] == Challenge.objects.get().pk


def test_a_challenge_lives_four_times_its_suite_within_bounds() -> None:
    quick = find_suite("quick", version=1)
    assert quick
    assert lifetime_of(quick) == timedelta(minutes=30)
    assert lifetime_of(suite_of(seconds=1000)) == timedelta(seconds=4000)
    assert lifetime_of(suite_of(seconds=100_000)) == LIFETIME_MAX


def suite_of(*, seconds: int) -> Suite:
    one = WorkloadDefinition(
        id="one", version=1, title="One", operation="commit", sync="fdatasync", block_bytes=8192,
        file_state="overwritten", file_bytes=1 << 26, area_bytes=1 << 26, access="sequential",
        page_cache=True, writers=1, queue_depth=1, passes=1, warm_up_ns=0,
        warm_up_bytes_max=0, pass_ns_min=0, pass_operations_min=0, pass_ns_max=seconds * 10**9,
        pass_bytes_max=1 << 30, histograms=("commit",),
    )  # fmt: skip
    return Suite(id="long", version=1, title="Long", sha256="0" * 64, workloads=(one,))
