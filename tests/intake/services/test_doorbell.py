"""The doorbell: rung once a new upload, and never worth an answer."""

from __future__ import annotations

import os
import socket
import time
import urllib.request
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
import redis
from django.conf import settings
from django.db import connection

from apps.config.one_machine.product import ProductSettings, running
from apps.config.processes import WEB
from apps.embedded.postgres import free_port
from apps.intake import tasks
from apps.intake.tasks import ring_doorbell, work
from apps.runs.models import Upload
from tests import make
from tests.intake.conftest import CONTENT_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ANSWER_SECONDS_MAX = 20  # an agent waits for a minute; the broker of this test never answers


def test_a_ring_is_one_message_in_the_queue() -> None:
    broker = redis.Redis.from_url(settings.REDIS_URL)
    queue = settings.CELERY_TASK_DEFAULT_QUEUE
    broker.delete(queue)
    ring_doorbell()
    assert broker.llen(queue) == 1
    broker.delete(queue)


@pytest.mark.django_db
def test_one_ring_works_on_one_upload() -> None:
    make.upload()
    make.upload()
    work()
    assert Upload.objects.filter(state=Upload.State.DONE).count() == 1


def test_a_ring_that_fails_is_only_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[None] = []

    def fail(**_: object) -> None:
        tries.append(None)
        raise ConnectionRefusedError("no broker")

    monkeypatch.setattr(tasks, "rest", tasks.Rest())
    monkeypatch.setattr(tasks.work, "apply_async", fail)
    ring_doorbell()
    ring_doorbell()
    assert len(tries) == 1  # for a moment nobody else waits for the broker
    tasks.rest.ends = 0.0
    ring_doorbell()
    assert len(tries) == 2


@pytest.fixture
def silent_broker() -> Iterator[str]:
    """A port that accepts connections and never says a word, as behind a firewall that drops."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=64)) as listener:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


@pytest.fixture(params=["closed", "silent"])
def lost_broker(request: pytest.FixtureRequest, silent_broker: str) -> str:
    return silent_broker if request.param == "silent" else f"redis://127.0.0.1:{free_port()}/0"


@pytest.mark.django_db(transaction=True)
def test_uploads_are_taken_without_a_broker(lost_broker: str, tmp_path: Path) -> None:
    agent = make.Agent()
    agent.enrolled()
    base, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    port = free_port()
    environment = {
        **os.environ,
        "DATABASE_URL": f"{base}/{connection.settings_dict['NAME']}",
        "REDIS_URL": lost_broker,
        "SITE_URL": f"http://127.0.0.1:{port}",
        "ALLOWED_HOSTS": "127.0.0.1",
    }
    setting = ProductSettings(
        port=port, worker_name="none", logs=tmp_path, environment=environment, web_workers=1
    )
    with running(setting, processes=[WEB]):
        for _ in range(3):
            document = make.payload()
            began = time.monotonic()
            status = put(f"{setting.url}/api/v1/runs/{document['run_id']}", agent.seal(document))
            assert status == 201
            assert time.monotonic() - began < ANSWER_SECONDS_MAX
    assert Upload.objects.count() == 3


def put(url: str, body: bytes) -> int:
    request = urllib.request.Request(  # noqa: S310  our own loopback address
        url, data=body, method="PUT", headers={"Content-Type": CONTENT_TYPE}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  as above
        status: int = answer.status
    return status
