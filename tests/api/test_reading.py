"""The read API: every list and thing, what each says, and what never leaves."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from apps.accounts.models import AgentKey
from apps.rankings.services import refresh_all
from apps.runs.models import Label, Level, Upload
from tests import make
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

SITE = "http://testserver"


def get(client: Client, path: str, **query: Any) -> Any:
    response = client.get(f"/api/v1/{path}", query_params=query)
    assert response.status_code == 200, response.content
    assert response.headers["Content-Type"] == "application/json"
    return response.json()


def slugs(page: Any, key: str = "slug") -> list[str]:
    return [row[key] for row in page["results"]]


@pytest.fixture
def catalogue() -> None:
    store_catalogue()


def measured_run(**changes: Any) -> Any:
    """Return a run from an upload, with labels and every figure."""
    run = make.run(upload=make.upload(state=Upload.State.DONE), **changes)
    make.latency(measurement=make.measurement(run=run))
    make.label(run=run)
    return run


def test_a_run_has_its_figures_labels_and_addresses(client: Client) -> None:
    plan = make.plan()
    run = measured_run(
        plan=plan,
        provider=plan.provider,
        environment={
            "env": {"fs": "ext4"},
            "clock": {"wall_start_unix_us": 1},
            "consent": {"publish_envelope": True},
        },
    )
    body = get(client, f"runs/{run.slug}")
    assert (body["run_id"], body["state"], body["level"]) == (str(run.id), "done", "witnessed")
    assert body["run_url"] == f"{SITE}/runs/{run.slug}/"
    assert body["url"] == body["status_url"] == f"{SITE}/api/v1/runs/{run.slug}"
    assert body["envelope_url"] == f"{SITE}/runs/{run.slug}/envelope.json"
    assert (body["plan"], body["provider"]) == (plan.slug, plan.provider_id)
    assert body["measurements"][0]["rate_per_s"] == 1000
    assert body["measurements"][0]["latencies"][0]["p99_ns"] == 1_200_000
    assert body["measurements"][0]["latencies"][0]["curve"] == [
        [0.5, 1e6],
        [0.9, 1.05e6],
        [0.99, 1.2e6],
    ]
    assert body["labels"][0]["rule"] == "stolen-time"
    assert body["environment"] == {"env": {"fs": "ext4"}}
    assert body["citation"] is None


@pytest.mark.usefixtures("catalogue")
def test_a_published_run_is_found_by_its_record_and_by_its_id(client: Client) -> None:
    by_slug = get(client, "runs/webp-ax41-nvme-fio-fsync-8k")
    by_id = get(client, f"runs/{by_slug['run_id']}")
    assert by_slug == by_id
    assert (by_slug["level"], by_slug["state"]) == (Level.PUBLISHED, "done")
    assert by_slug["envelope_url"] is None
    assert by_slug["citation"]["url"].startswith("https://blog.webp.se/")
    assert "nvme2n1" in by_slug["citation"]["notes"]
    assert by_slug["citation"]["locator_find"].startswith("write: IOPS=187")
    assert by_slug["citation"]["confidence"] == "high"
    assert by_slug["measurements"][0]["extra"]["rate_samples"] == 7003


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        (Upload.State.RECEIVED, "received"),
        (Upload.State.RETRY, "processing"),
        (Upload.State.POISON, "poison"),
    ],
)
def test_an_upload_that_waits_shows_its_state(client: Client, state: str, shown: str) -> None:
    upload = make.upload(state=state)
    response = client.get(f"/api/v1/runs/{upload.run_id}")
    assert response.json() == {
        "run_id": str(upload.run_id),
        "state": shown,
        "level": None,
        "run_url": f"{SITE}/runs/{upload.run_id}/",
        "status_url": f"{SITE}/api/v1/runs/{upload.run_id}",
    }
    assert response.headers["Cache-Control"] == "no-store"


def test_a_run_that_is_normalised_again_waits_until_it_is_done(client: Client) -> None:
    run = make.run(upload=make.upload(state=Upload.State.RETRY))
    assert get(client, f"runs/{run.slug}")["state"] == "processing"


def test_pseudonyms_keys_and_networks_never_leave(client: Client) -> None:
    plan, drive = make.plan(), make.drive_family()
    run = measured_run(
        plan=plan,
        drive_family=drive,
        machine="feedfacefeedfacefeedfacefeedface",
        uploader="network:cafecafecafecafecafecafecafecafe",
    )
    refresh_all()
    Label.objects.all().delete()
    everything = "".join(
        str(get(client, path))
        for path in (
            "runs",
            f"runs/{run.slug}",
            "standings",
            f"plans/{plan.slug}",
            f"providers/{plan.provider_id}",
            f"drives/{drive.slug}",
        )
    )
    assert run.slug in everything
    keyid = AgentKey.objects.get().keyid
    for secret in ("feedface", "cafecafe", keyid, "1" * 32, "payload_sha256"):
        assert secret not in everything


def test_runs_come_newest_first_and_undated_ones_last(client: Client) -> None:
    old = make.run(measured_at="2026-01-01T00:00:00Z")
    new = make.run(measured_at="2026-06-01T00:00:00Z")
    undated = make.run(measured_at=None, level=Level.PUBLISHED)
    assert slugs(get(client, "runs")) == [new.slug, old.slug, undated.slug]


def test_runs_are_filtered(client: Client) -> None:
    plan, drive = make.plan(), make.drive_family()
    wanted = make.run(plan=plan, provider=plan.provider, drive_family=drive, level=Level.SIGNED)
    for workload in ("read-4k-floor", "of-a-sender"):
        make.measurement(run=wanted, workload=workload)
    make.measurement()
    for query in (
        {"plan": plan.slug},
        {"provider": plan.provider_id},
        {"drive": drive.slug},
        {"level": "signed"},
        {"workload": "read-4k-floor"},
        {"workload": "of-a-sender"},
    ):
        assert slugs(get(client, "runs", **query)) == [wanted.slug], query


@pytest.mark.usefixtures("catalogue")
def test_a_plan_has_its_dated_prices_and_its_standings(client: Client) -> None:
    body = get(client, "plans/hetzner-ax102-15-36-tb-nvme-dc-drive")
    assert body["provider"] == "hetzner"
    assert body["page_url"] == f"{SITE}/plans/hetzner-ax102-15-36-tb-nvme-dc-drive/"
    assert [price["amount"] for price in body["prices"]] == [234.0]
    standing = next(row for row in body["standings"] if row["workload"] == "fallocated-8k-fsync")
    assert standing["rate_per_s"] == 10318.05
    assert round(standing["cost_per_billion"], 2) == 8.63
    assert round(standing["price_month_per_1000"], 2) == 22.68
    assert standing["price"]["valid_from"] == "2025-11-01"
    assert standing["price"]["currency"] == "EUR"


def test_a_machine_is_there_as_long_as_a_run_of_it_is(client: Client) -> None:
    plan = make.plan(is_listed=False)
    run = make.run(plan=plan)
    assert slugs(get(client, "plans")) == [plan.slug]
    run.is_listed = False
    run.save()
    assert slugs(get(client, "plans")) == []
    assert client.get(f"/api/v1/plans/{plan.slug}").status_code == 404


@pytest.mark.usefixtures("catalogue")
def test_a_provider_has_its_best_and_its_cheapest_plan(client: Client) -> None:
    body = get(client, "providers/hetzner")
    shown = next(row for row in body["standings"] if row["workload"] == "fallocated-8k-fsync")
    assert shown["n_plans"] == 4
    assert shown["best"]["plan"] == "hetzner-ax102-15-36-tb-nvme-dc-drive"
    assert shown["cheapest"]["cost_per_billion"] == pytest.approx(8.63, abs=0.005)


@pytest.mark.usefixtures("catalogue")
def test_a_drive_has_its_facts_and_standings(client: Client) -> None:
    body = get(client, "drives/samsung-990-pro")
    assert (body["plp"], body["ladder_class"]) == ("none", "nvme-no-plp")
    assert {row["workload"] for row in body["standings"]} >= {"direct-16k-fsync"}
    assert all(row["plan"] is None and row["price"] is None for row in body["standings"])


@pytest.mark.usefixtures("catalogue")
def test_lists_are_filtered(client: Client) -> None:
    plans = get(client, "plans", provider="hetzner", storage_kind="network")
    assert slugs(plans) == ["hetzner-volume"]
    unknown = get(client, "plans", provider="hostinger", storage_kind="not-stated")
    assert len(unknown["results"]) == 4
    drives = get(client, "drives", plp="full", kind="hdd")
    assert "wd-ultrastar-dc-hc580" in slugs(drives)
    rungs = get(client, "drives", ladder_class="pmem")
    assert len(rungs["results"]) == 2
    assert "home" in slugs(get(client, "providers"))


@pytest.mark.usefixtures("catalogue")
def test_boards_are_filtered_and_best_first(client: Client) -> None:
    board = get(client, "standings", workload="fallocated-8k-fsync", subject="plan")["results"]
    assert [row["plan"] for row in board] == [
        "hetzner-ax102-15-36-tb-nvme-dc-drive",
        "hetzner-ccx63",
        "hetzner-cax41",
        "hetzner-ax41-nvme",
    ]
    drives = get(client, "standings", workload="fallocated-8k-fsync", subject="drive")
    assert slugs(drives, "drive") == ["micron-7500-pro", "samsung-pm9a1-pm9a1a"]
    protected = get(client, "standings", workload="fallocated-8k-fsync", plp="full")
    assert len(protected["results"]) == 2
    network = get(client, "standings", workload="direct-16k-fsync", storage_kind="network")
    assert slugs(network, "plan") == ["google-cloud-hyperdisk-balanced"]
    assert get(client, "standings", evidence="measured") == {"results": [], "next": None}
    home = get(client, "standings", provider="home", workload="direct-16k-fsync")
    assert {row["provider"] for row in home["results"]} == {"home"}


def test_costs_are_numbers_in_the_prices_currency(client: Client) -> None:
    plan = make.plan()
    make.price(plan=plan, amount=Decimal("73.00"))
    make.measurement(run=make.run(plan=plan))
    refresh_all()
    row = get(client, "standings")["results"][0]
    assert (row["cost_per_billion"], row["price_month_per_1000"]) == (27.7778, 73.0)
    assert row["price"]["amount"] == 73.0


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize(
    ("path", "queries"),
    [
        ("runs?limit=200", 2),
        ("runs/webp-ax41-nvme-fio-fsync-8k", 4),
        ("plans?limit=200", 1),
        ("plans/hetzner-ax41-nvme", 3),
        ("providers", 1),
        ("providers/hetzner", 2),
        ("drives?limit=200", 1),
        ("drives/samsung-990-pro", 2),
        ("standings?limit=200", 1),
        ("schema", 0),
    ],
)
def test_an_answer_takes_a_fixed_number_of_queries(
    client: Client, path: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(queries):
        assert client.get(f"/api/v1/{path}").status_code == 200


def test_an_envelope_is_linked_only_where_its_sender_agreed(client: Client) -> None:
    run = measured_run(environment={"consent": {"publish_envelope": False}})
    assert get(client, f"runs/{run.slug}")["envelope_url"] is None


def test_standings_say_their_group_of_regions_and_are_asked_for_by_it(client: Client) -> None:
    plan = make.plan()
    for group, rate in (("europe", 3000.0), ("asia", 2000.0), ("", 1000.0)):
        make.standing(plan=plan, region_group=group, rate_per_s=rate)
    make.standing(drive_family=make.drive_family(), rate_per_s=1.0)

    def groups(**query: Any) -> list[str]:
        return [row["region_group"] for row in get(client, "standings", **query)["results"]]

    assert groups() == ["europe", "asia", "", ""]
    assert groups(region_group="asia") == ["asia"]
    assert groups(region_group="not-stated") == [""]  # drive families are of all regions
    assert groups(region_group="europe", subject="drive") == []
    assert [row["region_group"] for row in get(client, f"plans/{plan.slug}")["standings"]] == [
        "europe", "asia", "",
    ]  # fmt: skip
    refused = client.get("/api/v1/standings", query_params={"region_group": "atlantis"})
    assert refused.status_code == 400


def test_a_run_says_its_region(client: Client) -> None:
    run = make.run(claimed_region="fsn1", region="nbg1")
    body = get(client, f"runs/{run.slug}")
    assert (body["claimed_region"], body["region"]) == ("fsn1", "nbg1")


def test_standings_come_as_on_the_boards(client: Client) -> None:
    make.standing(rate_per_s=1e6, needs_runs=True)
    make.standing(rate_per_s=3_000, order_rate_per_s=2_000.0, tier=1)
    make.standing(rate_per_s=2_500, order_rate_per_s=2_400.0, tier=1)
    rates: list[float] = []
    cursor: str | None = None
    for _ in range(3):
        body = get(client, "standings", limit=1, **({"cursor": cursor} if cursor else {}))
        rates.append(body["results"][0]["rate_per_s"])
        following = urlsplit(body["next"] or "").query
        cursor = parse_qs(following).get("cursor", [None])[0]
    assert (rates, cursor) == ([2_500, 3_000, 1e6], None)


def test_what_is_made_up_says_so_on_the_run_and_in_the_list(client: Client) -> None:
    real, made_up = measured_run(), measured_run(is_example=True)
    signed = measured_run(level=Level.SIGNED, is_example=True)
    for run, said in ((real, ("witnessed", "measured")), (made_up, ("example", "example"))):
        answer = get(client, f"runs/{run.slug}")
        assert (answer["level"], answer["evidence"]) == said
        [row] = [row for row in get(client, "runs")["results"] if row["slug"] == run.slug]
        assert (row["level"], row["evidence"]) == said
    assert slugs(get(client, "runs", level="witnessed")) == [real.slug]
    assert slugs(get(client, "runs", level="signed")) == []
    assert set(slugs(get(client, "runs", level="example"))) == {made_up.slug, signed.slug}
