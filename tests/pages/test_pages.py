"""Every page: that it is there, what its frame holds, and how often it asks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.html import escape

from apps.rankings.models import Evidence, Standing
from apps.runs.models import Level
from apps.wire.problems import PROBLEMS, Refusal, problem_document
from tests import make
from tests.pages.site import LISTS, measured_run, plan_at, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from apps.plans.models import Plan
    from apps.runs.models import Run

pytestmark = pytest.mark.django_db


QUERIES_MAX = 6


@pytest.mark.parametrize("address", LISTS)
def test_an_empty_database_has_every_page(client: Client, address: str) -> None:
    assert "<h1>" in text(client, address)


@pytest.mark.parametrize("address", LISTS)
def test_nothing_is_inline_and_titles_are_for_people(client: Client, address: str) -> None:
    page = text(client, address)
    assert " style=" not in page
    assert "<style" not in page
    assert "onclick" not in page
    assert page.count("<title>") == 1
    assert '<link rel="canonical" href="http' in page
    assert '<meta property="og:title"' in page
    for script in page.split("<script")[1:]:
        data = ' type="application/ld+json">'
        assert script.startswith((' src="', ' id="', " src='", data)), script[:80]


def test_an_empty_home_says_how_to_fill_it(client: Client) -> None:
    page = text(client, "/")
    assert "load_catalogue" in page
    assert "No durable commits of one writer yet." in page


def test_the_story_is_computed_from_the_two_plans_that_are_furthest_apart(client: Client) -> None:
    for name, synced, unsynced in (("Fast", 10_318, 194_400), ("Slow", 187.15, 127_800)):
        standing = plan_at(
            synced, name, evidence=Evidence.PUBLISHED, workload="fallocated-8k-fsync"
        )
        run = make.run(plan=standing.plan, level=Level.PUBLISHED)
        make.citation(run=run, title="A review: with a long tail", url="https://example.org/a")
        Standing.objects.filter(pk=standing.pk).update(newest_run_slug=run.slug)
        make.measurement(
            run=run, workload="mix-4k-write", rate_per_s=unsynced, is_durable_single_writer=False
        )
        for rate in (None, 9_000_000):  # whoever uploads may call any work so
            make.measurement(
                run=make.run(plan=standing.plan), workload="mix-4k-write", rate_per_s=rate,
                is_durable_single_writer=False,
            )  # fmt: skip
    page = " ".join(text(client, "/").split())
    assert "Two Acme servers" in page
    assert "10,318" in page
    assert "187" in page
    assert '<b class="fig">1.5</b> times apart' in page
    source = re.search(r'<p class="fine sources">(.*?)</p>', page)
    assert source is not None
    assert source[1].count("https://example.org/a") == 1  # both have one source, said once
    assert re.sub("<[^>]+>", "", source[1]).split() == [
        "A", "review,", f"{make.NOON:%Y-%m};", "1", "published", "run", "each",
    ]  # fmt: skip
    assert "Fast commits 55 times as often as Slow" not in page  # there is no ladder yet
    make.ladder_class()
    assert "Fast commits 55 times as often as Slow" in " ".join(text(client, "/").split())


def test_each_mark_of_the_ladder_says_what_it_is(client: Client) -> None:
    rung = make.ladder_class(slug="nvme-plp")
    for name, changes in (
        ("Timed", {"latency_side": "sync"}),
        ("Rated", {"p50_ns": None, "p99_ns": None, "latency_side": ""}),
    ):
        make.standing(
            drive_family=make.drive_family(name=name), ladder_class=rung,
            is_durable_single_writer=True, **changes,
        )  # fmt: skip
    page = text(client, "/")
    assert "sync p50" in page
    assert "1 / rate" in page
    assert "NVMe SSD with PLP" in page


@pytest.mark.parametrize(
    "address",
    [
        "/plans/none/", "/drives/none/", "/providers/none/", "/runs/none/", "/nowhere/",
        "/runs/01890A5D-AC96-774B-BCCE-B302099A8057/", "/runs/none/envelope.json",
        "/plans/%00/", "/runs/%00/", "/problems/none",
    ],
)  # fmt: skip
def test_what_is_not_there_is_404_with_a_way_on(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert 'href="/plans/"' in answer.content.decode()


def test_the_page_of_our_own_failures_needs_nothing_but_a_plain_style_sheet() -> None:
    page = render_to_string("500.html")
    assert "Something failed on our side" in page
    assert re.findall(r"/static/[^\"]+", page) == ["/static/css/failed.css"]
    assert finders.find("css/failed.css")
    assert "<script" not in page


@pytest.mark.parametrize("slug", PROBLEMS)
def test_the_type_of_a_problem_is_a_page(client: Client, slug: str) -> None:
    kind = PROBLEMS[slug]
    document = problem_document(Refusal(kind, ""), site_url="", instance="/")
    page = client.get(str(document["type"]))
    assert page.status_code == 200
    assert escape(kind.advice) in page.text


def test_the_schema_is_served_at_its_address(client: Client) -> None:
    answer = client.get("/schemas/run.v1.schema.json")
    assert answer.headers["Content-Type"] == "application/schema+json"
    assert b"fsyncmark.run/1" in answer.content


@pytest.fixture
def a_full_site() -> dict[str, str]:
    """Make several of everything, and say where they are."""
    rung = make.ladder_class()
    family = make.drive_family(ladder_class=rung)
    plan: Plan | None = None
    run: Run | None = None
    for place in range(8):
        standing = plan_at(1_000 + place, f"F{place}", ladder_class=rung, curve=[[0.5, 10**6]])
        plan = standing.plan
        assert plan
        make.price(plan=plan)
        make.provider_standing(best=standing, version=place + 1, cheapest=standing, n_plans=1)
        run = measured_run(plan=plan, provider=plan.provider, drive_family=family)
        make.label(run=run)
        given_in = make.imported_run(plan=plan, drive_family=family)
        make.latency(measurement=make.measurement(run=given_in, workload="fio-1"))
        make.plan(provider=plan.provider, name=f"W{place}", slug=f"acme-w{place}")
    make.standing(drive_family=family, is_durable_single_writer=True, ladder_class=rung)
    assert plan
    assert run
    long_run = make.run(upload=make.upload(witnessed=True, state="done"), plan=plan)
    make.measurements_of(long_run, suite="deep")
    return {
        "long run": f"/runs/{long_run.slug}/",
        "workload": f"/runs/{long_run.slug}/mix-4k-v1/",
        "plan": f"/plans/{plan.slug}/",
        "drive": f"/drives/{family.slug}/",
        "provider": f"/providers/{plan.provider_id}/",
        "run": f"/runs/{run.slug}/",
    }


@pytest.mark.parametrize(
    "address", [*LISTS, "plan", "drive", "provider", "run", "long run", "workload"]
)
def test_a_page_asks_the_database_at_most_six_times(
    client: Client,
    a_full_site: dict[str, str],
    address: str,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_max_num_queries(QUERIES_MAX):
        client.get(a_full_site.get(address, address))
