"""The share of an hour that a key and a network have of the door for runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from apps.accounts.models import AgentKey
from apps.intake.services.rate_limits import PER_KEY, RATE_LIMIT_PERIOD, check_upload_limits
from apps.runs.models import Upload
from apps.wire.problems import Refusal
from tests import make
from tests.intake.conftest import Answer, Door, problem_of
from tests.support.accounts.people import claim

if TYPE_CHECKING:
    from django.contrib.auth.models import User

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
        check_upload_limits(AgentKey.objects.get(pk=full.keyid), now=now)
    assert refused.value.retry_after_s == 1


def test_what_was_stored_is_acknowledged_again(door: Door, full: make.Agent) -> None:
    stored = Upload.objects.all()[0]
    answer = door.put_run(str(stored.run_id), stored.envelope)
    assert answer.status_code == 200


def test_a_network_has_its_share_whatever_its_keys(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_NETWORK", 2)
    neighbours = [make.Agent() for _ in range(3)]
    for neighbour in neighbours:
        neighbour.enrolled()
    for neighbour in neighbours[:2]:
        assert send(door, neighbour, REMOTE_ADDR="198.51.100.7").status_code == 201
    refused = send(door, neighbours[2], REMOTE_ADDR="198.51.100.200")
    assert problem_of(refused) == (429, "too-many-requests")
    assert send(door, neighbours[2], REMOTE_ADDR="198.51.101.7").status_code == 201


def known(*, days: int = 2) -> make.Agent:
    """Return an agent that sent a run so many days ago."""
    agent = make.Agent()
    make.upload(agent=agent, received_at=timezone.now() - timedelta(days=days))
    return agent


def new() -> make.Agent:
    agent = make.Agent()
    agent.enrolled()
    return agent


def test_keys_with_history_have_a_part_of_their_own(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_NETWORK", 1)
    monkeypatch.setattr("apps.intake.services.rate_limits.KNOWN_KEYS_PER_NETWORK", 2)
    assert [send(door, each).status_code for each in (new(), new())] == [201, 429]
    assert [send(door, known()).status_code for _ in range(3)] == [201, 201, 429]


def test_an_account_has_its_share_whatever_its_keys(
    door: Door, person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.PER_ACCOUNT", 2)
    agents = [new() for _ in range(3)]
    for agent in agents:
        claim(AgentKey.objects.get(pk=agent.keyid), person)
    assert [send(door, each).status_code for each in agents] == [201, 201, 429]
    assert send(door, new()).status_code == 201


def test_a_link_of_a_site_has_its_share_and_the_site_a_larger_one(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_NETWORK", 1)
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_SITE", 2)

    def sent_from(link: int) -> int:
        return send(door, new(), REMOTE_ADDR=f"2001:db8:1:{link:x}::1").status_code

    assert [sent_from(link) for link in (1, 1, 2, 3)] == [201, 429, 201, 429]
    assert send(door, known(), REMOTE_ADDR="2001:db8:1:3::1").status_code == 201


def test_only_what_is_stored_counts(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_NETWORK", 2)
    agent, document = new(), make.payload()
    for _ in range(3):
        assert door.put_run(document["run_id"], agent.seal(document)).status_code in (200, 201)
    other = {**document, "agent": {**document["agent"], "version": "9.9.9"}}
    for _ in range(3):
        assert door.put_run(document["run_id"], agent.seal(other)).status_code == 409
    assert send(door, agent).status_code == 201
