"""What of its work a board shows: the best of each thing, one class of it, or one workload."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.pages.boards.query import WORK_CLASSES
from apps.rankings.comparable.order import headline_places
from apps.rankings.models import Evidence
from tests import make
from tests.pages.boards.build import names_on, options, singles_on
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_board_offers_classes_of_work_and_each_workload_that_has_rows(client: Client) -> None:
    plan_at(900, "Aa")
    plan_at(800, "Bb", workload="commit-8k-fsync")
    plan_at(700, "Cc", workload="direct-2m-fsync")
    page = text(client, "/plans/")
    assert options(page, "workload") == ["overwrites", "metadata"]
    assert singles_on(page) == {"commit-8k": 1, "commit-8k-fsync": 1, "direct-2m-fsync": 1}
    assert set(singles_on(text(client, "/plans/?q=Bb"))) == {"commit-8k-fsync"}


def test_workloads_stand_by_what_they_time_and_count_what_they_would_show(client: Client) -> None:
    for name in ("A", "B"):
        plan_at(900, f"Pretend{name}", evidence=Evidence.EXAMPLE)
        plan_at(900, f"Theirs{name}", workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    plan_at(900, "Other", workload="direct-16k-fsync", evidence=Evidence.EXAMPLE)
    plan_at(900, "Reads", workload="read-4k-floor", is_durable_single_writer=False)
    page = text(client, "/plans/")
    assert singles_on(page) == {"commit-8k": 2, "direct-16k-fsync": 2, "read-4k-floor": 1}
    assert re.findall("<h3>([^<]+)</h3>", page) == ["Durable commits, one writer", "Other work"]


def test_a_class_of_work_shows_each_thing_by_its_best_figure_of_that_class(client: Client) -> None:
    plan = plan_at(900, "Both").plan
    make.standing(
        plan=plan, workload="commit-8k-fsync", rate_per_s=300.0, is_durable_single_writer=True
    )
    plan_at(800, "Heavy", workload="fallocated-8k-fsync", evidence=Evidence.PUBLISHED)
    assert names_on(text(client, "/plans/?workload=overwrites")) == {"Both"}
    page = text(client, "/plans/?workload=metadata")
    assert names_on(page) == {"Both", "Heavy"}
    assert "not comparable with the rows above" not in page
    assert "<title>Plans: Durable commits/s, Heavier work" in " ".join(page.split())
    assert 'href="/plans/?workload=commit-8k"' not in page
    rows = client.get("/plans.json?workload=overwrites").json()["rows"]
    assert [row["name"] for row in rows] == ["Both"]


def test_a_workload_alone_stays_chosen_and_the_classes_lead_away_from_it(client: Client) -> None:
    plan_at(900, "Aa")
    page = text(client, "/plans/?workload=commit-8k")
    assert options(page, "workload") == ["overwrites", "metadata", "commit-8k"]
    assert '<option value="commit-8k" selected>' in page
    assert options(text(client, "/plans/?workload=gone"), "workload")[-1] == "gone"


def test_no_workload_has_the_name_of_a_class() -> None:
    assert not WORK_CLASSES.keys() & headline_places().keys()
