"""Every page: what it says, what it says when there is nothing, and how often it asks."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.template.loader import render_to_string

from apps.plans.models import Provider
from apps.rankings.models import Evidence
from apps.runs.models import ATTEMPTS_MAX, Label, Level, Upload
from tests import make

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from apps.plans.models import Plan
    from apps.rankings.models import Standing
    from apps.runs.models import Run

pytestmark = pytest.mark.django_db

QUERIES_MAX = 6
LISTS = ["/", "/plans/", "/providers/", "/drives/", "/runs/", "/measure/", "/method/"]


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def plan_at(rate: float, name: str, **changes: object) -> Standing:
    """Return a standing of a new plan of one provider."""
    owner = Provider.objects.get_or_create(slug="acme", defaults={"name": "Acme"})[0]
    plan = make.plan(provider=owner, slug=f"acme-{name.lower()}", name=name)
    return make.standing(
        plan=plan,
        rate_per_s=rate,
        **{"is_durable_single_writer": True, **changes},
    )


def measured_run(**changes: object) -> Run:
    """Return a run with a headline measurement, its distribution and its rate samples."""
    run = make.run(**changes)
    passes = [{"operations": 1000, "elapsed_ns": 2 * 10**9, "rate_samples": [500, 480, 20, 500]}]
    measurement = make.measurement(run=run, sample_ns=500_000_000, passes=passes)
    make.latency(measurement=measurement)
    make.latency(measurement=measurement, side="sync", p50_ns=990_000)
    return run


def published_run(**changes: object) -> Run:
    run = make.run(level=Level.PUBLISHED, in_standings=False, slug="article-1", measured_at=None)
    make.citation(run=run, title="An article", warning="Read this twice.")
    measurement = make.measurement(run=run, **{"workload": "fallocated-8k-fsync", **changes})
    make.latency(measurement=measurement, side="sync")
    return run


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
        assert script.startswith((' src="', ' id="', " src='")), script[:80]


def test_an_empty_home_says_how_to_fill_it(client: Client) -> None:
    page = text(client, "/")
    assert "load_catalogue" in page
    assert "measure your machine" in page


def test_the_story_is_computed_from_the_two_plans_that_are_furthest_apart(client: Client) -> None:
    for name, synced, unsynced in (("Fast", 10_318, 194_400), ("Slow", 187.15, 127_800)):
        standing = plan_at(
            synced, name, evidence=Evidence.PUBLISHED, workload="fallocated-8k-fsync"
        )
        run = make.run(plan=standing.plan, level=Level.PUBLISHED)
        make.measurement(
            run=run, workload="mix-4k-write", rate_per_s=unsynced, is_durable_single_writer=False
        )
    page = " ".join(text(client, "/").split())
    assert "Two Acme servers" in page
    assert "10,318" in page
    assert "187" in page
    assert '<span class="times">1.5<small>' in page
    assert '<span class="times">55<small>' in page


def test_each_mark_of_the_ladder_says_what_it_is(client: Client) -> None:
    rung = make.ladder_class(name="NVMe SSD with power-loss protection")
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


def test_measured_and_published_rows_are_never_one_group(client: Client) -> None:
    plan_at(900, "Mine")
    plan_at(5_000, "Theirs", evidence=Evidence.PUBLISHED)
    page = text(client, "/plans/")
    assert page.index("Mine") < page.index("Theirs")
    assert page.count('class="group"') == 2
    assert "Sorted, not ranked." in page


def names_in(page: str, *names: str) -> list[str]:
    """The names in the order in which the board shows them."""
    board = page[page.index("<table") :]
    return sorted(names, key=board.index)


@pytest.mark.parametrize(
    ("sort", "order"),
    [("rate", ["Aa", "Bb", "Cc"]), ("p99", ["Bb", "Aa", "Cc"]), ("cost", ["Cc", "Bb", "Aa"])],
)
def test_the_board_is_sorted_best_first_and_unknown_last(
    client: Client, sort: str, order: list[str]
) -> None:
    plan_at(3_000, "Aa", p99_ns=2_000_000)
    plan_at(2_000, "Bb", p99_ns=1_000_000, cost_per_billion=Decimal(9), currency="EUR")
    plan_at(1_000, "Cc", p99_ns=None, cost_per_billion=Decimal(3), currency="EUR")
    page = text(client, f"/plans/?sort={sort}")
    assert names_in(page, "Aa", "Bb", "Cc") == order
    assert page.count("aria-sort=") == 1


def test_currencies_are_sorted_apart_because_nothing_is_converted(client: Client) -> None:
    plan_at(1_000, "Dollar", cost_per_billion=Decimal(1), currency="USD")
    plan_at(1_000, "Euro", cost_per_billion=Decimal(9), currency="EUR")
    page = text(client, "/plans/?sort=cost")
    assert names_in(page, "Dollar", "Euro") == ["Euro", "Dollar"]


def test_filters_narrow_the_board(client: Client) -> None:
    plan_at(1_000, "Kept", plp="full")
    plan_at(1_000, "Dropped", plp="none")
    page = text(client, "/plans/?plp=full")
    assert "Kept" in page
    assert "Dropped" not in page[page.index("<table") :]
    assert "<b>1</b> result" in " ".join(page.split())


def test_finding_looks_at_plan_provider_and_drive(client: Client) -> None:
    plan_at(1_000, "AX102")
    assert "AX102" in text(client, "/plans/?q=acme ax")
    assert "Nothing matches" in text(client, "/plans/?q=nobody")


def test_a_form_with_open_fields_leads_to_the_short_address(client: Client) -> None:
    answer = client.get("/plans/?provider=&plp=full&sort=")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/plans/?plp=full"


def test_htmx_gets_the_board_alone_and_caches_keep_them_apart(client: Client) -> None:
    plan_at(1_000, "Kept")
    part = client.get("/plans/", headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert 'id="board"' in part.content.decode()
    assert "HX-Request" in part.headers["Vary"]


def test_going_back_in_the_history_gets_the_whole_page(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in client.get("/plans/", headers=headers).content.decode()


def test_a_plan_that_nobody_measured_needs_runs_and_has_no_drawn_claim(client: Client) -> None:
    waiting = make.plan(name="EX44", storage_description="2 x 512 GB NVMe")
    make.price(plan=waiting, amount=Decimal("39.00"), valid_from=date(2025, 8, 1))
    page = text(client, "/plans/")
    needs = page[page.index("Needs runs") :]
    assert "EX44" in needs
    assert "€39.00 /mo" in needs
    assert "<svg" not in needs[needs.index("<tbody") : needs.index("</tbody>")]


def test_a_machine_as_its_owner_named_it_does_not_need_runs(client: Client) -> None:
    make.plan(name="My box", is_listed=False)
    assert "My box" not in text(client, "/plans/")


def test_what_needs_runs_is_paged(client: Client) -> None:
    owner = make.provider(name="Owner")
    for place in range(45):
        make.plan(provider=owner, name=f"Plan {place:03}", slug=f"owner-{place:03}")
    page = text(client, "/plans/?needs=3")
    assert "Plan 044" in page
    assert "Plan 020" not in page
    assert "Page 3 of 3, 45 in all" in page


def test_a_page_beyond_the_last_is_the_last(client: Client) -> None:
    plan_at(1_000, "Kept")
    assert "Kept" in text(client, "/plans/?page=77")


def test_numbers_go_on_over_pages_and_start_anew_in_each_group(client: Client) -> None:
    for place in range(52):
        plan_at(1_000 - place, f"P{place:02}")
    plan_at(1, "Last", evidence=Evidence.PUBLISHED)
    page = text(client, "/plans/?page=2")
    assert '<td class="num" role="cell">51</td>' in page
    assert "P51" in page
    assert '<td class="num" role="cell"></td>' in page


def test_a_stale_price_is_grey_and_says_so(client: Client) -> None:
    standing = plan_at(1_000, "Old", cost_per_billion=Decimal(9), currency="EUR")
    assert standing.plan
    standing.price = make.price(plan=standing.plan, valid_from=date(2024, 3, 6))
    standing.save()
    page = text(client, "/plans/")
    assert "older than 90 days" in page
    assert "2024-03-06" in page
    assert "v soft old" in page


def test_a_warning_stands_below_its_group_once(client: Client) -> None:
    plan_at(1_000, "One", warning="Illustrative.")
    plan_at(2_000, "Two", warning="Illustrative.")
    page = text(client, "/plans/")
    assert page.count("Illustrative.") == 1
    assert page.count('aria-label="note a"') == 2


def test_a_provider_shows_its_fastest_plan_and_its_cheapest(client: Client) -> None:
    fast = plan_at(9_000, "Quick", cost_per_billion=Decimal(90), currency="EUR")
    cheap = plan_at(1_000, "Frugal", cost_per_billion=Decimal(3), currency="EUR")
    assert cheap.plan
    cheap.price = make.price(plan=cheap.plan)
    cheap.save()
    make.provider_standing(best=fast, cheapest=cheap, n_plans=2)
    page = text(client, "/providers/")
    assert "fastest: Quick" in page
    assert "Frugal" in page
    assert "€3.00" in page


def test_a_provider_without_figures_needs_runs(client: Client) -> None:
    make.plan(provider=make.provider(name="Quiet Ltd"))
    page = text(client, "/providers/")
    assert "Quiet Ltd" in page[page.index("Needs runs") :]


def test_a_drive_shows_its_data_sheet_beside_what_was_measured(client: Client) -> None:
    family = make.drive_family(slug="d", name="Drive D", rated_rand_write_iops=250_000)
    make.standing(drive_family=family, rate_per_s=1_000.0, is_durable_single_writer=True)
    page = " ".join(text(client, "/drives/d/").split())
    assert "250 times what one writer gets" in page
    assert "Drive D" in text(client, "/drives/")


def test_a_plan_shows_its_prices_with_their_sources(client: Client) -> None:
    plan = make.plan(slug="acme-x1", name="X1")
    make.price(plan=plan, source="a list of 2026", includes="net of tax")
    page = text(client, "/plans/acme-x1/")
    assert "a list of 2026" in page
    assert "net of tax" in page
    assert "Nobody has measured" in page


def test_a_plan_prints_how_many_stand_behind_a_figure_and_what_the_interval_is(
    client: Client,
) -> None:
    standing = plan_at(
        1_000, "X1", n_machines=3, n_uploaders=2, rate_per_s_low=800.0, rate_per_s_high=1_200.0,
        interval_is="uploaders",
    )  # fmt: skip
    page = " ".join(text(client, f"/plans/{standing.plan_id}/").split())
    assert "3 machines / 2 uploaders" in page
    assert "800\u20131,200" in page
    assert "lowest to highest uploader" in page


def test_a_run_begins_with_its_verdict(client: Client) -> None:
    run = measured_run(drive_family=make.drive_family(name="Drive D", plp="full"))
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert "Half of all commits finished in" in page
    assert "can commit at most" in page
    assert "power-loss protection, so it may answer a flush" in page
    assert "Witnessed" in page


def test_every_chart_has_a_table_with_its_figures(client: Client) -> None:
    run = measured_run()
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert page.count("data-chart=") == 2
    assert page.count('type="application/json"') == 2
    for figure in ("p99.99", "lowest sample 40", "slowest"):
        assert figure in page
    assert page.count("<td>1</td>") == 4


def test_a_label_says_why_and_what_it_costs(client: Client) -> None:
    run = measured_run()
    make.label(
        run=run, outcome=Label.Outcome.EXCLUDE, text="faster than durable media", detail="p50 3 µs."
    )
    page = text(client, f"/runs/{run.slug}/")
    assert "faster than durable media" in page
    assert "p50 3 µs." in page
    assert "keeps the run out of standings" in page


def test_a_published_run_is_cited_and_warned_about(client: Client) -> None:
    run = published_run()
    page = text(client, f"/runs/{run.slug}/")
    assert 'href="https://example.org/article"' in page
    assert "An article" in page
    assert "Read this twice." in page
    assert "Published" in page
    assert "fsyncmark verify" not in page


def test_a_run_without_commits_does_not_pretend(client: Client) -> None:
    run = published_run(workload="mix-4k-write", is_durable_single_writer=False)
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert "says nothing about durable commits" in page
    assert "can commit at most" not in page


def test_a_run_without_any_measurement_has_a_page(client: Client) -> None:
    run = make.run()
    assert "no measurement" in text(client, f"/runs/{run.slug}/")


def test_the_envelope_is_served_as_it_was_sent(client: Client) -> None:
    upload = make.upload(state=Upload.State.DONE)
    run = measured_run(
        id=upload.run_id, slug=str(upload.run_id), upload=upload,
        environment={"consent": {"terms": 1, "publish_envelope": True}},
    )  # fmt: skip
    answer = client.get(f"/runs/{run.slug}/envelope.json")
    assert answer.content == bytes(upload.envelope)
    name = f"fsyncmark-{run.slug}.json"
    assert name in answer.headers["Content-Disposition"]
    assert f"fsyncmark verify {name}" in text(client, f"/runs/{run.slug}/")


def test_the_envelope_stays_here_without_consent(client: Client) -> None:
    upload = make.upload(state=Upload.State.DONE)
    run = measured_run(
        id=upload.run_id, slug=str(upload.run_id), upload=upload,
        environment={"consent": {"terms": 1, "publish_envelope": False}},
    )  # fmt: skip
    assert client.get(f"/runs/{run.slug}/envelope.json").status_code == 404
    assert "fsyncmark verify" not in text(client, f"/runs/{run.slug}/")


def test_an_upload_that_waits_says_so_and_asks_again(client: Client) -> None:
    upload = make.upload()
    page = text(client, f"/runs/{upload.run_id}/")
    assert "Received, being processed" in page
    assert 'hx-trigger="every 3s"' in page
    assert 'http-equiv="refresh"' in page


def test_the_waiting_page_is_told_when_the_run_is_there(client: Client) -> None:
    run = measured_run()
    answer = client.get(f"/runs/{run.slug}/", headers={"HX-Request": "true"})
    assert answer.headers["HX-Refresh"] == "true"


def test_an_upload_that_cannot_be_read_says_whose_fault_it_is(client: Client) -> None:
    upload = make.upload(state=Upload.State.POISON, attempts=ATTEMPTS_MAX)
    page = text(client, f"/runs/{upload.run_id}/")
    assert "our fault" in page
    assert "hx-trigger" not in page


@pytest.mark.parametrize(
    "address",
    [
        "/plans/none/", "/drives/none/", "/providers/none/", "/runs/none/", "/nowhere/",
        "/runs/01890A5D-AC96-774B-BCCE-B302099A8057/", "/runs/none/envelope.json",
    ],
)  # fmt: skip
def test_what_is_not_there_is_404_with_a_way_on(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert 'href="/plans/"' in answer.content.decode()


def test_the_page_of_our_own_failures_needs_nothing(client: Client) -> None:
    page = render_to_string("500.html")
    assert "Something failed here" in page
    assert "/static/" not in page


def test_text_of_strangers_is_text(client: Client) -> None:
    run = measured_run(drive_reported="<script>alert(1)</script>", claimed_plan="<b>x</b>")
    page = text(client, f"/runs/{run.slug}/")
    assert "<script>alert" not in page
    assert "<b>x</b>" not in page


def test_pseudonyms_stay_off_the_pages(client: Client) -> None:
    run = measured_run(machine="deadbeef" * 4, uploader="network:cafe")
    page = text(client, f"/runs/{run.slug}/") + text(client, "/runs/")
    assert "deadbeef" not in page
    assert "cafe" not in page


def test_the_list_of_runs_shows_commits_unless_all_are_asked_for(client: Client) -> None:
    commits = measured_run()
    other = published_run(workload="mix-4k-write", is_durable_single_writer=False)
    page = text(client, "/runs/")
    assert commits.slug in page
    assert other.slug not in page
    assert other.slug in text(client, "/runs/?shape=all")


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
        make.plan(provider=plan.provider, name=f"W{place}", slug=f"acme-w{place}")
    make.standing(drive_family=family, is_durable_single_writer=True, ladder_class=rung)
    assert plan
    assert run
    return {
        "plan": f"/plans/{plan.slug}/",
        "drive": f"/drives/{family.slug}/",
        "provider": f"/providers/{plan.provider_id}/",
        "run": f"/runs/{run.slug}/",
    }


@pytest.mark.parametrize("address", [*LISTS, "plan", "drive", "provider", "run"])
def test_a_page_asks_the_database_at_most_six_times(
    client: Client,
    a_full_site: dict[str, str],
    address: str,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_max_num_queries(QUERIES_MAX):
        client.get(a_full_site.get(address, address))
