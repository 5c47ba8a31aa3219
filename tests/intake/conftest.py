"""What tests of the door share: a client that speaks envelopes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from tests import make

if TYPE_CHECKING:
    from uuid import UUID

    from django.test import Client

CONTENT_TYPE = "application/vnd.fsyncmark.dsse.v1+json"


class Answer(Protocol):
    """What Django's test client answers with."""

    status_code: int
    content: bytes
    headers: Any
    cookies: Any

    def json(self) -> Any: ...


@dataclass
class Door:
    """Sends envelopes as an agent does."""

    client: Client

    def put_run(self, run_id: UUID | str, body: bytes, **extra: Any) -> Answer:
        return self.send("PUT", f"/api/v1/runs/{run_id}", body, **extra)

    def put_key(self, keyid: str, body: bytes, **extra: Any) -> Answer:
        return self.send("PUT", f"/api/v1/keys/{keyid}", body, **extra)

    def ask(self, body: bytes, **extra: Any) -> Answer:
        return self.send("POST", "/api/v1/challenges", body, **extra)

    def send(self, method: str, path: str, body: bytes, **extra: Any) -> Answer:
        extra.setdefault("content_type", CONTENT_TYPE)
        return self.client.generic(method, path, body, **extra)


@pytest.fixture
def door(client: Client) -> Door:
    return Door(client)


@pytest.fixture
def agent(db: None) -> make.Agent:
    """An agent whose key is enrolled."""
    agent = make.Agent()
    agent.enrolled()
    return agent


@pytest.fixture(autouse=True)
def rings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts rings of the doorbell instead of sending them; test_doorbell.py rings for real."""
    counted: list[int] = []
    monkeypatch.setattr("apps.intake.views.ring_doorbell", lambda: counted.append(1))
    monkeypatch.setattr("apps.intake.key_views.ring_doorbell", lambda: counted.append(1))
    return counted


def problem_of(answer: Answer) -> tuple[int, str]:
    """Return the status and the slug of a problem document, which it must be."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.content
    document = answer.json()
    assert document["status"] == answer.status_code
    assert document["type"].startswith("http://testserver/problems/")
    return answer.status_code, document["type"].rpartition("/")[2]


def pointers_of(answer: Answer) -> list[str]:
    return [error["pointer"] for error in answer.json()["errors"]]
