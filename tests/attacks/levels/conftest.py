"""What attacks on levels share: a cloud of our own making, a plan of it, and runs on the plan."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.utils import timezone

from apps.accounts.models import AgentKey
from apps.intake.services.work import drain
from apps.plans.models import Plan
from apps.runs.models import CloudProof, Run, Upload
from apps.wire.dsse import PLACEMENT_PAYLOAD_TYPE
from tests import make
from tests.support.clouds import Authority

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django.fixtures import Settings

CONTENT_TYPE = "application/vnd.fsyncmark.dsse.v1+json"


@dataclass
class Clouds:
    """A server that knows one cloud, whose machines are honest."""

    client: Client
    folder: Path
    amazon: Authority
    plan: Plan
    now: datetime

    def upload(self, agent: make.Agent, **changes: Any) -> Upload:
        """Store a witnessed run of the plan, received now from the cloud's network."""
        env = make.environment(provider="aws", instance_type="t3.micro")
        usual: make.Json = {
            "received_at": self.now, "challenge_issued_at": self.now - timedelta(minutes=5),
            "network_provider": "aws", "next_attempt_at": self.now,
        }  # fmt: skip
        env = changes.pop("env", env)
        document = make.payload(env=env, **changes.pop("payload", {}))
        return make.upload(document, agent=agent, witnessed=True, **usual | changes)

    def send(self, agent: make.Agent, upload: Upload, **changes: Any) -> Any:
        """Send a statement about the place of a run; `document` and `signature` are Amazon's."""
        document, signature = self.amazon.aws()
        statement = {
            "schema": "fsyncmark.placement/1", "run_id": str(upload.pk),
            "challenge": upload.challenge_id, "provider": "aws", "document": document,
            "signature": signature,
        } | changes  # fmt: skip
        body = agent.seal(statement, payload_type=PLACEMENT_PAYLOAD_TYPE)
        path = changes.pop("path", f"/api/v1/runs/{upload.pk}/placement")
        return self.client.post(path, body, content_type=CONTENT_TYPE)

    def level(self, upload: Upload) -> tuple[str, str]:
        """Work the queue off; return the level of the run and why its document was refused."""
        drain()
        proof = CloudProof.objects.filter(pk=upload.pk).first()
        return Run.objects.get(pk=upload.pk).level, proof.refusal if proof else "no document"


class Forgery(NamedTuple):
    """What is sent, why it is refused, and the server that takes it."""

    made: Callable[..., make.Json]
    refusal: str
    server: str


def name_of(forgery: Forgery) -> str:
    return forgery.made.__name__


def slug_of(answer: Any) -> str:
    assert answer.headers["Content-Type"] == "application/problem+json", answer.content
    return str(answer.json()["type"].rpartition("/")[2])


def swapped(document: str, **changes: Any) -> str:
    """A document with other members, under the signature that it had."""
    return json.dumps(json.loads(document) | changes, indent=2)


def flood(
    clouds: Clouds, *, n: int = 3, minutes: float = 1, first: int = 5, **changes: Any
) -> list[Run]:
    """Runs of one plan by new keys, each from a network of its own, so many minutes apart."""
    uploads = []
    for place in range(n):
        agent = make.Agent()
        key = agent.enrolled()
        first_seen = clouds.now - timedelta(minutes=60 - place * minutes)
        AgentKey.objects.filter(pk=key.pk).update(first_seen=first_seen)
        payload = {
            "machine": f"{place + first:032x}",
            "latency_ns": 40_000 + 8_000 * (place + first),
        }
        payload |= changes.get("payload", {})
        network = f"{place + first:032x}"
        uploads.append(clouds.upload(agent, network=network, **changes | {"payload": payload}))
    drain()
    return [Run.objects.get(pk=upload.pk) for upload in uploads]


def uploaders(runs: list[Run]) -> set[str]:
    return set(
        Run.objects.filter(pk__in=[run.pk for run in runs]).values_list("uploader", flat=True)
    )


@pytest.fixture(autouse=True)
def no_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are not woken: tests drain the queue where they want it drained."""
    monkeypatch.setattr("apps.intake.key_views.ring_doorbell", lambda: None)


@pytest.fixture(scope="session")
def amazon() -> Authority:
    return Authority()


@pytest.fixture
def clouds(
    db: None, client: Client, tmp_path: Path, settings: Settings, amazon: Authority
) -> Clouds:
    settings.CLOUD_CERTIFICATES = str(tmp_path)
    amazon.file(tmp_path, "aws", "xx-test-1")
    provider = make.provider(slug="aws", name="AWS")
    plan = make.plan(provider=provider, slug="aws-t3-micro", name="t3.micro")
    return Clouds(client, tmp_path, amazon, plan, timezone.now())


@pytest.fixture
def agent(db: None) -> make.Agent:
    made = make.Agent()
    made.enrolled()
    return made


@pytest.fixture
def mallory(db: None) -> make.Agent:
    made = make.Agent()
    made.enrolled()
    return made
