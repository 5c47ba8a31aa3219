"""A neighbour uses up what a network may ask: who is known gets in, and nobody in their name."""

from __future__ import annotations

import json
import time
from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from apps.accounts.attempts import LOGINS as LOGINS_MOST
from apps.config.edge import routes
from apps.intake.services.senders import CLOCKS_DIFFER_S
from apps.wire.dsse import SENDER_PAYLOAD_TYPE, pae
from tests import make
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.attacks.conftest import Weakened
    from tests.intake.conftest import Answer, Door

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
CHALLENGES = "/api/v1/challenges"
LOGINS = "/api/v1/key-logins"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A network may be refused twice an hour, and begin two logins."""
    monkeypatch.setattr("apps.intake.services.key_statements.LOGINS", replace(LOGINS_MOST, most=2))
    most = routes.WRITES.refusals
    forget_cache()
    object.__setattr__(routes.WRITES, "refusals", 2)
    yield
    object.__setattr__(routes.WRITES, "refusals", most)
    forget_cache()


@pytest.fixture
def known() -> make.Agent:
    """An agent that sent a run two days ago."""
    agent = make.Agent()
    make.upload(agent=agent, received_at=timezone.now() - timedelta(days=2))
    return agent


def header(
    agent: make.Agent, path: str = CHALLENGES, *, server: str = "testserver", at: int = 0
) -> dict[str, str]:
    """Return what an agent says of itself."""
    stated_s = at or int(time.time())
    body = f"{server}\n{path}\n{stated_s}".encode()
    signature = agent.signing_key.sign(pae(SENDER_PAYLOAD_TYPE, body)).signature
    return {"HTTP_FSYNCMARK_SENDER": f"{agent.keyid} {stated_s} {b64encode(signature).decode()}"}


def exhaust(door: Door) -> None:
    """Send what is refused until the network may send nothing more."""
    answers = [door.ask(b"{").status_code for _ in range(4)]
    assert answers == [400, 400, 400, 429]


def ask(door: Door, agent: make.Agent, **extra: str) -> int:
    return door.ask(agent.challenge_request(make.uuid7()), **extra).status_code


def begin(door: Door, agent: make.Agent, **extra: str) -> Answer:
    body = json.dumps({"keyid": agent.keyid, "agent_version": "1.0.0"}).encode()
    return door.send("POST", LOGINS, body, content_type="application/json", **extra)


def test_a_neighbour_who_is_refused_without_end_keeps_no_known_key_out(
    weakened: Weakened, door: Door, known: make.Agent
) -> None:
    exhaust(door)
    assert ask(door, known) == 429, "nobody knows that it is this key"
    assert ask(door, known, **header(known)) == 201
    with weakened.without_share_of_keys_with_history():
        assert ask(door, known, **header(known)) == 429


def test_a_neighbour_who_begins_logins_keeps_no_known_key_out(
    weakened: Weakened, door: Door, known: make.Agent
) -> None:
    new = make.Agent()
    new.enrolled()
    assert [begin(door, new).status_code for _ in range(3)] == [201, 201, 429]
    assert begin(door, known, **header(known, LOGINS)).status_code == 201
    with weakened.without_share_of_keys_with_history():
        assert begin(door, known, **header(known, LOGINS)).status_code == 429


def test_a_neighbour_who_sends_runs_keeps_no_known_key_out(
    weakened: Weakened, door: Door, known: make.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_NETWORK", 2)

    def send(agent: make.Agent) -> int:
        agent.enrolled()
        document = make.payload()
        return door.put_run(document["run_id"], agent.seal(document)).status_code

    assert [send(make.Agent()) for _ in range(3)] == [201, 201, 429]
    assert send(known) == 201
    with weakened.without_share_of_keys_with_history():
        assert send(known) == 429


def test_a_key_of_the_neighbours_own_is_not_known(weakened: Weakened, door: Door) -> None:
    own = make.Agent()
    make.upload(agent=own, received_at=timezone.now() - timedelta(hours=1))
    exhaust(door)
    assert ask(door, own, **header(own)) == 429
    with weakened.with_senders_of_new_keys():
        assert ask(door, own, **header(own)) == 201


def test_nobody_is_let_in_by_the_name_of_a_known_key(
    weakened: Weakened, door: Door, known: make.Agent
) -> None:
    own = make.Agent()
    own.enrolled()
    exhaust(door)
    stolen = header(own)["HTTP_FSYNCMARK_SENDER"].replace(own.keyid, known.keyid)
    assert ask(door, own, HTTP_FSYNCMARK_SENDER=stolen) == 429
    with weakened.with_senders_as_stated():
        assert ask(door, own, HTTP_FSYNCMARK_SENDER=stolen) == 201


@pytest.mark.parametrize(
    ("path", "server"), [(LOGINS, "testserver"), (CHALLENGES, "other.example.org")]
)
def test_what_a_known_key_signed_for_elsewhere_lets_nobody_in(
    weakened: Weakened, door: Door, known: make.Agent, path: str, server: str
) -> None:
    exhaust(door)
    elsewhere = header(known, path, server=server)
    assert ask(door, known, **elsewhere) == 429
    with weakened.with_senders_as_stated():
        assert ask(door, known, **elsewhere) == 201


def test_what_a_known_key_signed_before_lets_nobody_in(
    weakened: Weakened, door: Door, known: make.Agent
) -> None:
    exhaust(door)
    old = header(known, at=int(time.time()) - CLOCKS_DIFFER_S - 60)
    assert ask(door, known, **old) == 429
    with weakened.with_senders_of_any_time():
        assert ask(door, known, **old) == 201


def test_a_known_key_has_a_quota_too(weakened: Weakened, door: Door, known: make.Agent) -> None:
    exhaust(door)
    answers = [door.ask(b"{", **header(known)).status_code for _ in range(4)]
    assert answers == [400, 400, 400, 429]
    with weakened.without_quotas():
        assert door.ask(b"{", **header(known)).status_code == 400


def test_a_network_sends_no_more_runs_by_more_keys(
    weakened: Weakened, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_SITE", 2)

    def send(link: int) -> int:
        agent, document = make.Agent(), make.payload()
        agent.enrolled()
        sent = agent.seal(document)
        address = f"2001:db8:1:{link:x}::1"
        return door.put_run(document["run_id"], sent, REMOTE_ADDR=address).status_code

    assert [send(1), send(2), send(3)] == [201, 201, 429]
    with weakened.without_limits_of_uploads():
        assert send(4) == 201
