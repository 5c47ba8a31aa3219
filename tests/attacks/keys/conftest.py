"""What attacks on keys share: an honest agent with a run, and two people."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.accounts.models import AgentKey, Person
from apps.intake.services.work import drain
from tests import make
from tests.support.accounts.people import just_signed_in

if TYPE_CHECKING:
    from uuid import UUID

CONTENT_TYPE = "application/vnd.fsyncmark.dsse.v1+json"


@dataclass
class World:
    """A server, an honest agent, and an attacker's own."""

    client: Client
    agent: make.Agent
    attacker: make.Agent

    def send(self, method: str, path: str, body: bytes, **extra: Any) -> Any:
        extra.setdefault("content_type", CONTENT_TYPE)
        return self.client.generic(method, path, body, **extra)

    def upload(self, agent: make.Agent | None = None, **changes: Any) -> tuple[UUID, bytes, Any]:
        """Send a run; return its id, its envelope and the answer."""
        run_id = make.uuid7()
        body = (agent or self.agent).seal(make.payload(run_id=run_id, **changes))
        return run_id, body, self.send("PUT", f"/api/v1/runs/{run_id}", body)

    def login(self, agent: make.Agent | None = None, *, proved: bool = True) -> dict[str, Any]:
        """Ask for a login, and prove that the key asked."""
        agent = agent or self.agent
        asked = json.dumps({"keyid": agent.keyid, "agent_version": "0.2.0"}).encode()
        answer = self.send("POST", "/api/v1/key-logins", asked, content_type="application/json")
        assert answer.status_code == 201, answer.content
        if proved:
            assert self.poll(agent, answer.json()["device_code"]).json()["state"] == "pending"
        return dict(answer.json())

    def poll(self, agent: make.Agent, device_code: str, **changes: Any) -> Any:
        return self.send(
            "POST", "/api/v1/key-logins/poll", agent.login_poll(device_code, **changes)
        )

    def withdraw(self, run_id: UUID, body: bytes) -> Any:
        return self.send("POST", f"/api/v1/runs/{run_id}/withdrawal", body)

    def rotate(self, old: make.Agent, body: bytes) -> Any:
        return self.send("POST", f"/api/v1/keys/{old.keyid}/rotation", body)


def slug_of(answer: Any) -> str:
    """The slug of a problem document, which the answer must be."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.content
    return str(answer.json()["type"].rpartition("/")[2])


def path_of(url: str) -> str:
    return re.sub(r"^https?://[^/]+", "", url)


def owner_of(agent: make.Agent) -> User | None:
    return AgentKey.objects.get(pk=agent.keyid).owner


@pytest.fixture(autouse=True)
def no_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are not woken: tests drain the queue where they want it drained."""
    for module in ("views", "key_views"):
        monkeypatch.setattr(f"apps.intake.{module}.ring_doorbell", lambda: None)


@pytest.fixture
def world(db: None, client: Client) -> World:
    agent, attacker = make.Agent(), make.Agent()
    agent.enrolled()
    attacker.enrolled()
    return World(client, agent, attacker)


def signed_in(user: User) -> Client:
    """A browser in which a person has just signed in."""
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return just_signed_in(client, user)


def make_person(name: str) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", password=None)
    Person.objects.create(user=user, verified_at=make.NOON)
    return user


@pytest.fixture
def owner(db: None) -> User:
    return make_person("owner")


@pytest.fixture
def mallory(db: None) -> User:
    return make_person("mallory")


def drained() -> None:
    drain()
