"""What the advisor's page says beside a verdict: lost storage, misses, calls, a software's rate."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.pages.advisor.forms import short_query
from apps.rankings.models import Evidence
from tests.pages.advisor.test_advisor import answer, plan_with, row_of, word_of
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
    said = "ost on a stop, so only with a replica"
    for software, words in (("postgresql", said), ("kafka", "ata lost on stop")):
        page = answer(client, f"?software={software}&rate=5000")
        assert words in page[page.index('<div class="answer">') : page.index("</section>")]
        assert words in row_of(page, "Lost")
    plan_with("Kept", 9_000)
    page = answer(client, "?rate=5000")
    assert said not in row_of(page, "Kept")
    assert said in row_of(page, "Lost")
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
    assert word_of(page, "Slow") == ("Firm", "1.0\u00d7")
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
    assert page.index("plan-acme-dear") < page.index("plan-acme-cheap")
    assert word_of(page, "Dear") == ("Borderline", "1.6\u00d7")
    assert word_of(page, "Cheap") == ("Unlikely", "0.16\u00d7")


def test_where_all_fall_short_the_nearest_is_named(client: Client) -> None:
    for name, rate in {"Far": 90, "Near": 900}.items():
        plan_with(name, rate, month=rate, workload="fallocated-8k-fsync")
    page = answer(client, "?rate=5000")
    assert "None does 5,000/s; the nearest is Near." in page
    assert "is the cheapest for" not in page


def test_the_cheapest_is_not_said_of_what_cannot_be_counted_on(client: Client) -> None:
    shown: dict[str, Any] = {"workload": "fallocated-8k-fsync", "evidence": Evidence.PUBLISHED}
    plan_with("Cheap", 728, month=9, rate_per_s_low=418, **shown)
    assert "None does 500/s; the nearest is Cheap." in answer(client, "?rate=500")
    plan_with("Dear", 9_000, month=90, **shown)
    page = answer(client, "?rate=500")
    assert "Dear is the cheapest for 500/s." in page
    assert word_of(page, "Cheap") == ("Borderline", "0.84\u00d7")


def test_the_work_is_named_beside_the_rate(client: Client) -> None:
    plan_with("Sure", 9_000)
    plan_with("Cited", 9_000, workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    page = answer(client, "?rate=5000")
    assert '<span class="cell-note work">overwrite, fdatasync</span>' in row_of(page, "Sure")
    assert '<span class="cell-note work">16 KiB, fsync</span>' in row_of(page, "Cited")
    assert "16 KiB page, O_DIRECT, fsync" in text(client, "/plans/acme-cited/")
