"""Agents that are too old are refused before they measure, and told where a newer one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apps.accounts.models import AgentKey
from apps.runs.models import Upload
from apps.runs.rules import agent_versions
from apps.runs.rules.agents import Release
from tests import make
from tests.support.sent import Agent

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
TYPE = "application/vnd.fsyncmark.dsse.v1+json"
RELEASES = {
    "0.2.0": Release("a" * 40, {"x86_64-unknown-linux-musl": "0" * 64}),
    "0.10.0": Release("b" * 40, {"x86_64-unknown-linux-musl": "1" * 64}),
    "0.11.0-dev": Release(None, {}),
}


@pytest.fixture(autouse=True)
def releases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_versions, "released_agents", lambda: RELEASES)
    monkeypatch.setattr(agent_versions, "AGENT_OLDEST", "0.2.0")


def send(client: Client, program: str) -> Any:
    agent = Agent()
    AgentKey.objects.create(keyid=agent.keyid, public_key=agent.public_key)
    run_id = make.uuid7()
    raw = agent.seal(make.payload(run_id=run_id))
    return client.put(f"/api/v1/runs/{run_id}", raw, TYPE, headers={"User-Agent": program})


@pytest.mark.parametrize("version", ["0.1.0", "0.1.99", "0.2.0-dev"])
def test_one_that_is_too_old_stores_nothing_and_reads_where_to_go(
    client: Client, version: str
) -> None:
    answer = send(client, f"fsyncmark/{version}")
    assert answer.status_code == 403
    told = answer.json()
    assert told["type"].endswith("/problems/agent-too-old")
    assert told["detail"].startswith(f"fsyncmark/{version} asks, and 0.2.0 is the oldest")
    assert "http://testserver/measure/" in told["detail"]
    assert not Upload.objects.exists()


def test_it_is_told_before_it_measures(client: Client) -> None:
    old = {"User-Agent": "fsyncmark/0.1.0"}
    answer = client.post("/api/v1/challenges", b"{}", TYPE, headers=old)
    assert answer.json()["type"].endswith("/problems/agent-too-old")


@pytest.mark.parametrize(
    ("program", "newer"),
    [
        ("fsyncmark/0.2.0", "0.10.0"),
        ("fsyncmark/0.9.9 something", "0.10.0"),
        ("fsyncmark/0.10.0-dev", "0.10.0"),
        ("fsyncmark/0.10.0", None),
        ("fsyncmark/0.11.0-dev", None),
        ("fsyncmark/1.0.0", None),
        ("curl/8.0", None),
        ("fsyncmark/0.2", None),
        ("", None),
    ],
)
def test_a_receipt_names_a_newer_release(client: Client, program: str, newer: str | None) -> None:
    answer = send(client, program)
    assert answer.status_code == 201, answer.content
    told = answer.json().get("newer_agent")
    assert told == (newer and {"version": newer, "url": "http://testserver/measure/"})
