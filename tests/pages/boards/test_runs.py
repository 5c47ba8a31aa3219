"""The list of runs."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from apps.runs.lists.tallies import RunTally, add_up
from apps.runs.models import Level, Run
from tests import make
from tests.pages.site import main, measured_run, published_run, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def test_the_list_of_runs_shows_commits_unless_all_are_asked_for(client: Client) -> None:
    commits = measured_run()
    other = published_run(workload="mix-4k-write", is_durable_single_writer=False)
    page = text(client, "/runs/")
    assert commits.slug in page
    assert other.slug not in page
    assert other.slug in text(client, "/runs/?shape=all")


def test_each_box_of_the_list_has_a_whole_name_of_its_own(client: Client) -> None:
    plan = make.plan(name="One of many", slug="one-of-many")
    runs = [measured_run(plan=plan), measured_run(plan=plan)]
    boxes = main(client, "/runs/?plan=one-of-many").split('type="checkbox"')[1:]
    names = [" ".join(each.split('hidden">')[1].split("</span>")[0].split()) for each in boxes]
    assert len(set(names)) == len(runs)
    for run in runs:
        assert any(run.slug in name for name in names)


def test_a_run_is_called_by_its_plan_or_drive_and_then_says_the_machine(client: Client) -> None:
    cited = published_run()
    cited.drive_family = make.drive_family(name="970 EVO")
    cited.drive_reported = "SSD 970 EVO 500GB"
    cited.save(update_fields=("drive_family", "drive_reported"))
    cited.citation.title = "shoal: what a disk does"
    cited.citation.machine_label = "titan, SSD 970 EVO 500GB"
    cited.citation.save()
    row = main(client, "/runs/").split('class="name"')[1].split("</th>")[0]
    assert ">970 EVO</a>" in row
    assert ">titan<" in row
    assert "shoal</span>" in row
    assert "500GB" not in row


def cited_run(slug: str, *, day: datetime | None, **changes: object) -> Run:
    run = make.run(level=Level.PUBLISHED, slug=slug, in_standings=False, measured_at=day, **changes)
    make.citation(run=run, title="shoal")
    make.latency(measurement=make.measurement(run=run), side="sync")
    return run


@pytest.mark.parametrize("day", [datetime(2026, 10, 6, tzinfo=UTC), None])
def test_runs_of_one_day_and_thing_are_one_row_that_leads_to_them(
    client: Client, day: datetime | None
) -> None:
    disk, other = make.drive_family(slug="disk"), make.drive_family(slug="other")
    alike = [cited_run(f"disk-{n}", day=day, drive_family=disk) for n in range(3)]
    alone = cited_run("other-1", day=day, drive_family=other)
    later = cited_run("disk-later", day=datetime(2026, 10, 7, tzinfo=UTC), drive_family=disk)
    page = main(client, "/runs/")
    assert sum(f"/runs/{run.slug}/" in page for run in alike) == 1
    assert all(f"/runs/{run.slug}/" in page for run in (alone, later))
    assert "<b>5</b> runs" in " ".join(page.split())
    link = page.split('<a class="cell-main soft" href="')[1].split('"')[0].replace("&amp;", "&")
    assert page.count('<a class="cell-main soft"') == 1
    them = main(client, f"/runs/{link}")
    assert all(f"/runs/{run.slug}/" in them for run in alike)
    assert not any(f"/runs/{run.slug}/" in them for run in (alone, later))
    assert ("2026-10-06" in them) == bool(day)


def test_what_names_neither_plan_nor_drive_is_like_no_other(client: Client) -> None:
    runs = [cited_run(f"unnamed-{n}", day=None) for n in range(2)]
    page = main(client, "/runs/")
    assert all(f"/runs/{run.slug}/" in page for run in runs)


def test_the_list_is_narrowed_to_a_drive_and_to_a_class_of_work(client: Client) -> None:
    overwrite = measured_run(drive_family=make.drive_family(slug="disk", name="A disk"))
    metadata = published_run(workload="fallocated-8k-fsync")
    page = main(client, "/runs/")
    assert '<option value="disk">' in page
    of_disk = main(client, "/runs/?drive=disk")
    assert overwrite.slug in of_disk
    assert metadata.slug not in of_disk
    assert "A disk" in of_disk.split('class="outcome"')[1].split("</div>")[0]
    for work, shown, hidden in (
        ("overwrites", overwrite, metadata), ("metadata", metadata, overwrite),
    ):  # fmt: skip
        page = main(client, f"/runs/?work={work}")
        assert f"/runs/{shown.slug}/" in page
        assert f"/runs/{hidden.slug}/" not in page


@pytest.mark.parametrize("address", ["", "?day=no-day", "?work=none"])
def test_what_an_address_cannot_mean_is_not_asked(client: Client, address: str) -> None:
    run = measured_run()
    assert f"/runs/{run.slug}/" in main(client, f"/runs/{address}")


def test_the_list_asks_six_times(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for n in range(3):
        cited_run(f"run-{n}", day=None, drive_family=make.drive_family())
    with django_assert_max_num_queries(6):
        main(client, "/runs/")


def test_pages_go_on_where_the_one_before_ended_and_repeat_nothing(client: Client) -> None:
    """Runs of a day and thing are one row, on whatever page the newest of them is."""
    days = [datetime(2026, 10, day, hour, tzinfo=UTC) for day in range(1, 29) for hour in (1, 2)]
    disk = make.drive_family(slug="disk")
    for number, day in enumerate([*days, None]):
        cited_run(f"run-{number}", day=day, drive_family=disk)
    address, seen = "/runs/", []
    while address:
        page = main(client, address)
        seen += re.findall(r'href="/runs/(run-\d+)/"', page)
        found = re.search(r'href="(/runs/[^"]*)"\s+rel="next"', page)
        address = found[1].replace("&amp;", "&") if found else ""
    newest = [f"run-{number}" for number in reversed(range(1, 56, 2))]
    assert list(dict.fromkeys(seen)) == [*newest, "run-56"]


def test_how_many_there_are_follows_what_comes_and_goes(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.runs.lists.tallies.ROWS_FEW", 0)
    disk = make.drive_family(slug="disk")
    runs = [measured_run(level=Level.SIGNED) for _ in range(2)]
    runs.append(measured_run(level=Level.SIGNED, drive_family=disk))
    published_run()
    shown = {
        "/runs/": 4, "/runs/?level=signed": 3, "/runs/?drive=disk": 1,
        "/runs/?work=overwrites": 3,
    }  # fmt: skip
    for address, n in shown.items():
        assert f"<b>{n}</b> run" in main(client, address)
    Run.objects.filter(pk=runs[0].pk).update(is_listed=False)
    runs[1].delete()
    assert "<b>2</b> runs" in main(client, "/runs/")
    add_up()
    assert "<b>2</b> runs" in main(client, "/runs/")
    assert RunTally.objects.count() == 2


def test_of_a_work_only_so_many_are_counted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.pages.boards.selectors.runs.COUNTED_MAX", 1)
    for is_example in (False, False, True, True):
        measured_run(is_example=is_example)
    page = main(client, "/runs/?work=overwrites")
    assert "<b>≥ 1</b> run" in page
    assert "made-up example (≥ 1)" in page
