"""/metrics: what it says, to whom, and that the dashboard and the alerts ask for nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from django.db import OperationalError
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from apps.accounts.clock import database_now
from apps.config.alive import FOLDER
from apps.config.databases.replica import Replica
from apps.config.edge.counting import NO_VIEW
from apps.config.one_machine.environment import ROOT
from apps.config.operation import metrics
from apps.rankings.models import Dump
from apps.runs.models import Upload
from tests import make
from tests.support.live_site import LiveSite

MONITORING: Final = ROOT / "docker" / "monitoring"
LINE: Final = re.compile(r'(\w+)(?:\{(\w+="[^"\n]*"(?:,\w+="[^"\n]*")*)\})? (\S+)')


def read(text: str) -> dict[str, dict[str, float]]:
    """Values by name and labels; a line that is none of the format fails."""
    found: dict[str, dict[str, float]] = {}
    types: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            types[name] = kind
        elif not line.startswith("# HELP "):
            match = LINE.fullmatch(line)
            assert match, line
            assert match[1] in types, line
            assert (types[match[1]] == "counter") == match[1].endswith("_total")
            found.setdefault(match[1], {})[match[2] or ""] = float(match[3])
    return {name: found.get(name, {}) for name in types}


@pytest.mark.django_db
def test_it_says_what_waits(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    monkeypatch.setenv(FOLDER, str(tmp_path))
    (tmp_path / "heartbeat-sweeper").touch()
    make.upload(attempts=2)
    make.upload(state=Upload.State.POISON)
    with django_assert_num_queries(5):
        answer = client.get("/metrics")
    assert answer.headers["Content-Type"] == metrics.CONTENT_TYPE
    assert answer.headers["Cache-Control"] == "no-store"
    found = read(answer.text)
    assert found["fsyncmark_database_up"] == {"": 1}
    assert found["fsyncmark_uploads_waiting"] == {"": 1}
    assert found["fsyncmark_upload_attempts"] == {"": 2}
    assert found["fsyncmark_uploads_poison"] == {"": 1}
    assert found["fsyncmark_upload_oldest_seconds"][""] > 86_400  # since the tests' noon
    assert list(found["fsyncmark_heartbeat_age_seconds"]) == ['role="sweeper"']
    assert found["fsyncmark_marks_waiting"] == {"": 0}


@pytest.mark.django_db
def test_requests_are_counted_by_view_and_status(client: Client) -> None:
    def counted(view: str, status: int) -> float:
        found = read(client.get("/metrics").text)["fsyncmark_requests_total"]
        wanted = f'view="{view}",status="{status}"'
        return sum(n for labels, n in found.items() if wanted in labels)

    before = counted("pages:runs", 200), counted(NO_VIEW, 404)
    client.get("/runs/")
    client.get("/no/such/page/")
    assert (counted("pages:runs", 200), counted(NO_VIEW, 404)) == (before[0] + 1, before[1] + 1)
    assert read(client.get("/metrics").text)["fsyncmark_request_seconds_total"]


def test_while_the_database_is_away_the_rest_is_said(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise OperationalError("the database system is shutting down")

    monkeypatch.setattr(metrics, "queue_now", away)
    found = read(client.get("/metrics").text)
    assert found["fsyncmark_database_up"] == {"": 0}
    assert "fsyncmark_requests_total" in found


def test_a_live_site_counts_pages_from_memory(live_site: LiveSite) -> None:
    for _ in range(3):
        live_site.get("/")
    status, text = live_site.get("/metrics")
    assert status == 200
    pages = read(text)["fsyncmark_pages_total"]
    assert {labels.split(",")[0] for labels in pages} == {'source="kept"', 'source="rendered"'}


@pytest.mark.django_db
def test_dashboard_and_alerts_ask_for_what_there_is(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "REPLICA_OF_THIS_PROCESS", Replica(lambda _: "1-1", 5.0))
    Dump.objects.create(name="now", begun_at=database_now(), finished_at=database_now())
    names = set(read(client.get("/metrics").text))
    asked: set[str] = set()
    for file in (MONITORING / "dashboard.json", MONITORING / "alerts.yaml"):
        asked |= set(re.findall(r"fsyncmark_\w+", file.read_text()))
    assert asked == names
    dashboard: Any = json.loads((MONITORING / "dashboard.json").read_text())
    assert all(panel["targets"] for panel in dashboard["panels"])
    alerts: Any = yaml.safe_load((MONITORING / "alerts.yaml").read_text())
    for rule in alerts["groups"][0]["rules"]:
        assert rule["annotations"]["summary"]
    prometheus: Any = yaml.safe_load((MONITORING / "prometheus.yaml").read_text())
    assert prometheus["scrape_configs"][0]["metrics_path"] == "/metrics"


def seen(client: Client, settings: Settings, *, token: str = "", **sent: Any) -> int:
    settings.METRICS_TOKEN = token
    return client.get("/metrics", **sent).status_code


@pytest.mark.django_db
def test_who_has_the_token_may_see_it_from_anywhere(client: Client, settings: Settings) -> None:
    outside = {"REMOTE_ADDR": "8.8.8.8", "HTTP_X_FORWARDED_FOR": "8.8.8.8"}
    assert seen(client, settings, token="t" * 32, HTTP_AUTHORIZATION="Bearer " + "t" * 32) == 200
    assert seen(
        client, settings, token="t" * 32, HTTP_AUTHORIZATION="Bearer " + "t" * 32, **outside
    ) == 200  # fmt: skip


@pytest.mark.django_db
def test_who_asks_from_inside_needs_no_token(client: Client, settings: Settings) -> None:
    for address in ("127.0.0.1", "10.1.2.3", "192.168.1.1", "::1", "fd00::1"):
        assert seen(client, settings, REMOTE_ADDR=address) == 200
