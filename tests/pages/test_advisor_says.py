"""What the advisor's page says beside a verdict: lost storage, misses, calls, a software's rate."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.pages.advice.asking import short_query
from apps.rankings.models import Evidence
from tests.pages.site import text
from tests.pages.test_advisor import answer, plan_with

pytestmark = pytest.mark.django_db


def test_storage_that_does_not_outlive_its_machine_is_said_beside_every_verdict(
    client: Client,
) -> None:
    lost = {"storage_description": "2 x 375 GiB Local SSD (NVMe; data lost on stop)"}
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
    assert "Its storage is emptied" in text(client, "/plans/acme-lost/")
    assert "Its storage is emptied" not in text(client, "/plans/acme-kept/")
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
    assert "2 may, though what was measured of 1 misses." in page
    head = page.index("1 falls short by what was measured, but that was more work than is")
    assert page.index("plan-acme-dear") < head < page.index("plan-acme-cheap")


def test_the_call_is_named_beside_the_rate(client: Client) -> None:
    plan_with("Sure", 9_000)
    plan_with("Cited", 9_000, workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    page = answer(client, "?rate=5000")
    assert '<span class="i">fdatasync</span>' in page
    assert '<span class="i">fsync</span>' in page
    assert '<dd class="i">fsync</dd>' in text(client, "/plans/acme-cited/")
