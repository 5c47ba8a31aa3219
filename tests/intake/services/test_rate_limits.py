"""The share of an hour that a key and a network have of the door for runs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.intake.services.rate_limits import PER_KEY, RATE_LIMIT_PERIOD, check_rate_limits
from apps.runs.models import Upload
from apps.wire.problems import Refusal
from tests import make
from tests.intake.conftest import Answer, Door, problem_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def full(agent: make.Agent) -> make.Agent:
    """A key that sent its share half an hour ago."""
    now = timezone.now()
    for _ in range(PER_KEY):
        make.upload(agent=agent, received_at=now - timedelta(minutes=30))
    return agent


def send(door: Door, agent: make.Agent, **extra: str) -> Answer:
    document = make.payload()
    return door.put_run(document["run_id"], agent.seal(document), **extra)


def test_a_key_has_its_share_of_an_hour(door: Door, full: make.Agent) -> None:
    answer = send(door, full)
    assert problem_of(answer) == (429, "too-many-requests")
    assert 1780 <= int(answer.headers["Retry-After"]) <= 1800
    assert Upload.objects.count() == PER_KEY
    other = make.Agent()
    other.enrolled()
    assert send(door, other).status_code == 201


def test_a_share_is_had_again_after_an_hour(door: Door, full: make.Agent) -> None:
    Upload.objects.update(received_at=timezone.now() - timedelta(minutes=61))
    assert send(door, full).status_code == 201


def test_whose_share_is_free_in_less_than_a_second_waits_a_second(full: make.Agent) -> None:
    things = Upload.objects.all()
    free_at = things.earliest("received_at").received_at + RATE_LIMIT_PERIOD
    now = free_at - timedelta(milliseconds=400)
    with pytest.raises(Refusal) as refused:
        check_rate_limits(things, key_id=full.keyid, network="", dated_by="received_at", now=now)
    assert refused.value.retry_after_s == 1


def test_what_was_stored_is_acknowledged_again(door: Door, full: make.Agent) -> None:
    stored = Upload.objects.all()[0]
    answer = door.put_run(str(stored.run_id), bytes(stored.envelope))
    assert answer.status_code == 200


def test_a_network_has_its_share_whatever_its_keys(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.PER_NETWORK", 2)
    neighbours = [make.Agent() for _ in range(3)]
    for neighbour in neighbours:
        neighbour.enrolled()
    for neighbour in neighbours[:2]:
        assert send(door, neighbour, REMOTE_ADDR="198.51.100.7").status_code == 201
    refused = send(door, neighbours[2], REMOTE_ADDR="198.51.100.200")
    assert problem_of(refused) == (429, "too-many-requests")
    assert send(door, neighbours[2], REMOTE_ADDR="198.51.101.7").status_code == 201
