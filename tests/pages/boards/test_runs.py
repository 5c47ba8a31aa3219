"""The list of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import make
from tests.pages.site import main, measured_run, published_run, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_list_of_runs_shows_commits_unless_all_are_asked_for(client: Client) -> None:
    commits = measured_run()
    other = published_run(workload="mix-4k-write", is_durable_single_writer=False)
    page = text(client, "/runs/")
    assert commits.slug in page
    assert other.slug not in page
    assert other.slug in text(client, "/runs/?shape=all")


def test_each_box_of_the_list_has_a_whole_name_of_its_own(client: Client) -> None:
    plan = make.plan(name="One of many")
    runs = [measured_run(plan=plan), measured_run(plan=plan), published_run()]
    boxes = main(client, "/runs/").split('type="checkbox"')[1:]
    names = [" ".join(each.split('hidden">')[1].split("</span>")[0].split()) for each in boxes]
    assert len(set(names)) == len(runs)
    for run in runs:
        assert any(run.slug in name for name in names)


def test_a_run_is_called_by_its_plan_or_drive_and_then_says_the_machine(client: Client) -> None:
    cited = published_run()
    cited.drive_family = make.drive_family(name="970 EVO")
    cited.drive_reported = "SSD 970 EVO 500GB"
    cited.save()
    cited.citation.title = "shoal: what a disk does"
    cited.citation.machine_label = "titan, SSD 970 EVO 500GB"
    cited.citation.save()
    row = main(client, "/runs/").split('class="name"')[1].split("</th>")[0]
    assert ">970 EVO</a>" in row
    assert ">titan<" in row
    assert "shoal</span>" in row
    assert "500GB" not in row
