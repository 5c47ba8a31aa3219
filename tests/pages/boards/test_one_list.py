"""Each plan, drive and provider once, by its best-evidenced figure; or one class, one workload."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.pages.boards.query import WORK_CLASSES
from apps.rankings.comparable.order import headline_places
from apps.rankings.models import Evidence
from tests import make
from tests.pages.boards.build import names_on, options, singles_on
from tests.pages.site import main, plan_at, text

if TYPE_CHECKING:
    from django.test import Client

    from apps.plans.models import Plan
    from apps.rankings.models import Standing

pytestmark = pytest.mark.django_db
FIRST_CLASS = "Overwrite with a data sync"
SECOND_CLASS = "Heavier work: each sync writes metadata too"


def figure(plan: Plan | None, workload: str, rate: float, **changes: object) -> Standing:
    """Return a further standing of a plan."""
    return make.standing(
        plan=plan, workload=workload, rate_per_s=rate,
        **{"is_durable_single_writer": True, **changes},
    )  # fmt: skip


def keys_on(page: str) -> list[str]:
    """The keys of the rows of a board, in order."""
    return re.findall(r'class="row[^"]*"\s+id="([^"]+)"', page.split('id="needs"', maxsplit=1)[0])


def groups_on(page: str) -> list[str]:
    """The heads of the groups of a board."""
    heads = re.findall(r'<tr class="group".*?<th[^>]*>(.*?)<span', page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in heads]


def places_on(page: str) -> list[str]:
    """The positions of the rows that have one."""
    return re.findall(r'class="place">(\d+)<', page)


def test_a_plan_stands_once_by_what_was_measured_before_what_was_published(client: Client) -> None:
    plan = plan_at(9_000, "X", evidence=Evidence.PUBLISHED).plan
    figure(plan, "commit-8k-fsync", 700)
    figure(plan, "fallocated-8k-fsync", 800)
    page = text(client, "/plans/")
    assert keys_on(page) == ["acme-x-commit-8k-fsync-measured"]
    assert "<b>1</b> result" in " ".join(page.split())
    figure(plan, "commit-8k", 500)
    assert keys_on(text(client, "/plans/")) == ["acme-x-commit-8k-measured"]


def test_of_the_regions_of_a_plan_the_best_documented_one_speaks(client: Client) -> None:
    plan = plan_at(9_000, "X", region_group="asia").plan
    figure(plan, "commit-8k", 700, region_group="europe", n_uploaders=5)
    assert keys_on(text(client, "/plans/")) == ["acme-x-commit-8k-measured-europe"]


@pytest.mark.parametrize("sort", ["rate", "p99"])
def test_overwrites_stand_before_heavier_work_and_each_by_its_figure(
    client: Client, sort: str
) -> None:
    plan_at(9_000, "Heavy", workload="commit-8k-fsync", p99_ns=1)
    plan_at(8_000, "Heavier", workload="fallocated-8k-fsync", p99_ns=2)
    plan_at(100, "Slow", p99_ns=9)
    plan_at(300, "Quick", workload="direct-16k-fdatasync", evidence=Evidence.PUBLISHED, p99_ns=3)
    page = text(client, f"/plans/?sort={sort}")
    assert [key.split("-")[1] for key in keys_on(page)] == ["quick", "slow", "heavy", "heavier"]
    assert groups_on(page) == [FIRST_CLASS, SECOND_CLASS]
    assert page.index(">Slow<") < page.rindex(SECOND_CLASS) < page.index(">Heavy<")


def test_by_money_rows_of_both_classes_are_one_group(client: Client) -> None:
    for name, workload, cost in (("Aa", "commit-8k", 9), ("Bb", "commit-8k-fsync", 3)):
        plan_at(900, name, workload=workload, cost_per_billion=Decimal(cost), currency="EUR")
    for sort in ("cost", "-price"):
        page = text(client, f"/plans/?sort={sort}")
        assert groups_on(page) == ["All durable work of one writer"]
        assert places_on(page) == []
    assert keys_on(text(client, "/plans/?sort=cost"))[0].startswith("acme-bb")


def test_only_rows_that_rank_have_a_number(client: Client) -> None:
    plan_at(9_000, "Few", needs_runs=True)
    plan_at(8_000, "Told", evidence=Evidence.PUBLISHED)
    plan_at(1_000, "Ranked")
    plan_at(900, "Second", tier=2)
    page = main(client, "/plans/")
    assert [key.split("-")[1] for key in keys_on(page)] == ["few", "told", "ranked", "second"]
    assert places_on(page) == ["1", "2"]
    assert page.index(">Told<") < page.index('class="place">1<') < page.index(">Ranked<")
    assert re.findall(r'cell-note">(tier \d)<', page) == ["tier 1", "tier 2"]
    assert "sorted<" not in page


def test_what_an_article_calls_a_sample_and_work_of_no_class_stand_on_no_board(
    client: Client,
) -> None:
    plan_at(9_000, "Sample", is_illustrative=True, evidence=Evidence.PUBLISHED)
    plan_at(8_000, "Large", workload="direct-2m-fdatasync")
    plan_at(7_000, "Reads", workload="read-4k-floor", is_durable_single_writer=False)
    plan = plan_at(100, "Kept").plan
    figure(plan, "direct-2m-fsync", 90_000)
    for address in ("/plans/", "/plans/?sort=cost", "/plans/?sort=name"):
        assert keys_on(text(client, address)) == ["acme-kept-commit-8k-measured"]
    rows = client.get("/plans.json").json()
    assert [row["name"] for row in rows["rows"]] == ["Kept"]
    assert rows["total"] == 1
    assert rows["rows"][0]["comparable_class"] == 1


def test_an_upload_of_odd_work_changes_only_its_own_row(client: Client) -> None:
    for place in range(3):
        plan_at(900 - place, f"P{place}", workload="direct-16k-fdatasync")
    before = keys_on(text(client, "/plans/"))
    plan_at(90_000, "Odd", workload="randwrite-8k-fsync-qd32x4", is_durable_single_writer=False)
    plan_at(80_000, "Odder", workload="slo-randwrite-4k-fsync-10ms", is_durable_single_writer=False)
    assert keys_on(text(client, "/plans/")) == before
    plan_at(50, "New")
    assert keys_on(text(client, "/plans/")) == [*before, "acme-new-commit-8k-measured"]


def test_a_drive_stands_once_too(client: Client) -> None:
    family = make.drive_family(name="PM9A3")
    for workload, rate in (("commit-8k-fsync", 900.0), ("commit-8k", 100.0)):
        make.standing(
            drive_family=family, workload=workload, rate_per_s=rate, is_durable_single_writer=True
        )
    page = text(client, "/drives/")
    assert keys_on(page) == [f"{family.slug}-commit-8k-measured"]
    assert groups_on(page) == [FIRST_CLASS]


def test_a_provider_stands_once_by_the_fastest_of_its_comparable_plans(client: Client) -> None:
    plan_at(100, "Small")
    plan_at(300, "Told", evidence=Evidence.PUBLISHED)
    plan_at(9_000, "Heavy", workload="commit-8k-fsync")
    page = main(client, "/providers/")
    assert len(keys_on(page)) == 1
    assert 'title="Told"' in page
    assert "3 plans" in page


def test_a_figure_that_does_not_speak_for_its_plan_opens_its_own_workload(client: Client) -> None:
    plan = plan_at(900, "X").plan
    figure(plan, "commit-8k-fsync", 70)
    plan_at(800, "Y", workload="commit-8k-fsync")
    plan_at(700, "Z")
    page = text(client, "/plans/?row=acme-x-commit-8k-fsync-measured")
    assert keys_on(page) == ["acme-y-commit-8k-fsync-measured", "acme-x-commit-8k-fsync-measured"]
    assert re.findall(r'class="row asked"\s+id="([^"]+)"', page) == [
        "acme-x-commit-8k-fsync-measured"
    ]
    assert '<option value="commit-8k-fsync" selected>' in page
    assert len(keys_on(text(client, "/plans/?row=acme-x-commit-8k-measured"))) == 3


def test_the_pages_of_a_row_that_opened_its_workload_are_of_that_workload(client: Client) -> None:
    for place in range(60):
        plan = plan_at(5_000 - place, f"P{place:02}").plan
        figure(plan, "commit-8k-fsync", 900 - place)
    page = text(client, "/plans/?row=acme-p03-commit-8k-fsync-measured")
    assert 'href="/plans/?workload=commit-8k-fsync&amp;page=2"' in page


def test_each_address_of_a_board_has_a_title_of_its_own(client: Client) -> None:
    for place in range(60):
        plan = plan_at(5_000 - place, f"P{place:02}", plp=("full", "none")[place % 2]).plan
        figure(plan, "commit-8k-fsync", 900 - place)
    for place in range(45):
        make.plan(name=f"Waiting {place}")
    addresses = [
        "", "?plp=full", "?plp=none", "?sort=cost", "?sort=-cost", "?sort=p99", "?page=2",
        "?workload=commit-8k", "?workload=commit-8k-fsync", "?workload=commit-8k&plp=full",
        "?q=p1", "?q=p2", "?uploaders=1", "?price_max=5", "?price_min=5", "?budget=0-10",
        "?budget=10-30", "?price_max=5&currency=USD", "?region=europe", "?needs=2",
    ]  # fmt: skip
    titles = [
        re.findall(r"<title>(.*?)</title>", text(client, f"{board}{address}"), re.DOTALL)[0].strip()
        for board in ("/plans/", "/providers/", "/drives/")
        for address in (addresses if board == "/plans/" else addresses[:1])
    ]
    assert len(set(titles)) == len(titles)


# --- one class of work, or one workload ---


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
