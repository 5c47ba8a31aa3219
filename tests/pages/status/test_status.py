"""The page of the state: what waits, what came in last."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from apps.accounts.clock import database_now
from apps.pages.status.selectors import MARK_SECONDS_MAX, UPLOAD_SECONDS_MAX
from apps.pages.status.views import REPLICA
from apps.rankings.models import CellMark, Dump, StandingsDay
from tests import make

pytestmark = pytest.mark.django_db
WELL = "Uploads are worked on, and ranks follow them."


def shown(client: Client) -> str:
    page = client.get("/status/")
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    return " ".join(strip_tags(page.text).split())


def test_before_anything_came_in_all_is_well(client: Client) -> None:
    page = shown(client)
    assert WELL in page
    assert page.count("none yet") == 4


def test_what_waits_and_what_came_in_last(client: Client) -> None:
    make.upload(received_at=database_now() - timedelta(seconds=5))
    make.price()
    StandingsDay.objects.create(day="2026-11-03")
    now = database_now()
    Dump.objects.create(name="a", begun_at=now - timedelta(days=1), finished_at=now)
    Dump.objects.create(name="b", begun_at=now, error="OSError: No space left on device")
    page = shown(client)
    assert WELL in page
    assert "Uploads that wait 1 oldest" in page
    assert "Newest price 2026-11-01" in page
    assert "Day of the standings 2026-11-03" in page
    assert f"Newest dump {now - timedelta(days=1):%Y-%m-%d}" in page
    assert "The last dump failed." in page
    assert "No space" not in page  # what went wrong is for who runs the site
    assert "none yet" not in page


def test_late_uploads_are_said_before_late_ranks(client: Client) -> None:
    now = database_now()
    mark = CellMark.objects.create(
        subject="plan", slug="a", evidence="measured", workload="commit-8k", version=1
    )
    CellMark.objects.filter(pk=mark.pk).update(due_at=now - timedelta(seconds=MARK_SECONDS_MAX + 1))
    assert "Ranks are behind" in shown(client)
    make.upload(received_at=now - timedelta(seconds=UPLOAD_SECONDS_MAX + 1))
    assert "nothing has to be sent again" in shown(client)


@pytest.mark.parametrize(
    ("told", "said"),
    [((False, 0.25), "Second database 0.3 s behind"), ((True, 9.0), "Second database away")],
    ids=["behind", "away"],
)
def test_a_replica_is_told_of(client: Client, told: tuple[bool, float], said: str) -> None:
    environ: dict[str, Any] = {REPLICA: told}
    page = client.get("/status/", **environ)
    assert said in " ".join(strip_tags(page.text).split())
    assert "Second database" not in shown(client)
