"""What the advisor's page says beside a verdict: lost storage, misses, calls, a software's rate."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from apps.pages.advisor.forms import short_query
from apps.rankings.models import Evidence
from tests import make
from tests.pages.advisor.test_advisor import answer, plan_with
from tests.pages.site import text

pytestmark = pytest.mark.django_db


def test_storage_that_does_not_outlive_its_machine_is_said_beside_every_verdict(
    client: Client,
) -> None:
    lost = {
        "storage_description": "2 x 375 GiB Local SSD (NVMe; data lost on stop)",
        "is_ephemeral": True,
    }
    plan_with("Lost", 9_000, plan=lost)
    page = answer(client, "?rate=5000")
    assert "1 plan does it; its storage is lost when the machine stops." in page
    best = page[page.index('class="best"') : page.index("</section>")]
    assert "Data lost on stop." in best
    assert "a commit is as durable as that machine, whatever it syncs" in page
    assert 'class="hidden">Yes, data lost on stop<' in page
    plan_with("Kept", 9_000)
    assert "2 plans do it; the storage of 1 is lost" in answer(client, "?rate=5000")
    for address in ("/plans/?workload=commit-8k", "/guides/oltp/"):
        assert "Acme\u00a0· data lost on stop\u00a0· local NVMe" in text(client, address)
    assert "Data lost on stop" in text(client, "/plans/acme-lost/")
    assert "Data lost on stop" not in text(client, "/plans/acme-kept/")
    api = client.get("/api/v1/advice?rate=5000").json()["results"]
    assert {each["plan"]: each["is_ephemeral"] for each in api} == {
        "acme-lost": True,
        "acme-kept": False,
    }


def test_etcd_is_asked_for_what_its_own_guide_asks(client: Client) -> None:
    plan_with("Slow", 80, workload="fallocated-2300-fdatasync", pooled_p999_ns=900_000,
              latency_side="commit")  # fmt: skip
    page = answer(client, "?software=etcd")
    assert "1 plan may" not in page
    assert "50 are needed." in page
    assert 'value="50"' in page
    assert "1,000 are needed." in answer(client, "?software=etcd&rate=1000")
    asked = Client().get("/advisor/?software=etcd&rate=1000").wsgi_request.GET
    assert short_query(asked) == "software=etcd&rate=1000"
    asked = Client().get("/advisor/?software=etcd&rate=50").wsgi_request.GET
    assert short_query(asked) == "software=etcd"


def test_a_figure_that_misses_stands_after_those_that_reach_it(client: Client) -> None:
    plan_with("Cheap", 900, month=9, workload="fallocated-8k-fsync")
    plan_with("Dear", 9_000, month=90, evidence=Evidence.PUBLISHED)
    page = answer(client, "?rate=5000")
    assert "No plan is sure to do it; 1 may. What was measured of 1 more falls short." in page
    assert "</svg> May <span> 1 plan. " in page
    head = page.index("1 falls short by what was measured, but that was more work than is")
    assert page.index("plan-acme-dear") < head < page.index("plan-acme-cheap")


@pytest.mark.parametrize(
    ("misses", "says"),
    [
        ({"Far": 90}, "1 plan falls short, with other work or but for its high end."),
        ({"Far": 90, "Near": 900}, "2 plans falls short, with other work or but for their high"),
    ],
)
def test_where_all_fall_short_none_is_counted_as_may_and_the_nearest_is_named(
    client: Client, misses: dict[str, int], says: str
) -> None:
    for name, rate in misses.items():
        plan_with(name, rate, month=rate, workload="fallocated-8k-fsync")
    page = answer(client, "?rate=5000")
    assert f"No plan is sure to do it; what was measured of {says}" in page
    assert not re.search(r"</svg> May <span> \d", page)
    best = page[page.index('class="best"') : page.index("</section>")]
    assert "The cheapest" not in best
    nearest = max(misses, key=lambda name: misses[name])
    assert f'The nearest is <a href="/plans/acme-{nearest.lower()}/">' in best
    assert "listed for less" not in best


def test_the_cheapest_is_not_said_of_what_cannot_be_counted_on(client: Client) -> None:
    shown: dict[str, Any] = {"workload": "fallocated-8k-fsync", "evidence": Evidence.PUBLISHED}
    plan_with("Cheap", 728, month=9, rate_per_s_low=418, **shown)
    page = answer(client, "?rate=500")
    assert "No plan is sure to do it; 1 may." in page
    assert 'The nearest is <a href="/plans/acme-cheap/">' in page
    plan_with("Dear", 9_000, month=90, **shown)
    page = answer(client, "?rate=500")
    assert "No plan is sure to do it; 2 may." in page
    best = page[page.index('class="best"') : page.index("</section>")]
    assert 'The cheapest is <a href="/plans/acme-dear/">' in best
    below = '<a href="/plans/acme-cheap/">Cheap</a> is listed for less, \u20ac9.00 a month '
    assert below in best
    assert "but what can be counted on there is less than is needed." in best


def test_an_answer_ends_with_a_full_stop_and_a_colon_stands_before_its_list(
    client: Client,
) -> None:
    plan_with("Sure", 9_000)
    for name in ("One", "Two"):
        make.plan(name=name, kind="cloud")
    page = answer(client, "?rate=5000")
    best = page[page.index('class="best"') : page.index("</p>", page.index('class="best"'))]
    assert re.search(r"</a>\.</span> *$", best)
    assert re.search(r"the cheapest are: </p> <ul", page)


@pytest.mark.parametrize(("rate", "times"), [(9_999, 1), (10_000, 0)])
def test_what_gives_way_first_is_left_out_where_all_is_there_twice(
    client: Client, rate: int, times: int
) -> None:
    plan_with("Sure", rate, rate_per_s_low=rate)
    assert answer(client, "?rate=5000").count("First to give way: the rate.") == times


def test_the_call_is_named_beside_the_rate(client: Client) -> None:
    plan_with("Sure", 9_000)
    plan_with("Cited", 9_000, workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    page = answer(client, "?rate=5000")
    assert '<span class="cell-note">fdatasync</span>' in page
    assert '<span class="cell-note">fsync</span>' in page
    assert "16 KiB page, O_DIRECT, fsync" in text(client, "/plans/acme-cited/")
