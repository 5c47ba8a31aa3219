"""The page of a run, and of an upload that is no run yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.pages.run.facts import drive, machine
from apps.pages.show import charts
from apps.runs.models import ATTEMPTS_MAX, KeepsOut, Level, Outcome, Run, Upload
from tests import make
from tests.pages.site import main, measured_run, published_run, text, tight

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

AGAIN = "Run it again while the machine is online"


def test_a_run_begins_with_its_verdict(client: Client) -> None:
    run = measured_run(drive_family=make.drive_family(name="Drive D", plp="full"))
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert "Half of all commits finish within 1.00 ms, 99 of 100 within 1.20 ms." in page
    assert "PostgreSQL session commits at most that often" in page
    assert "Power-loss protection: the drive can acknowledge a flush" in page
    assert "Likely: 1 witnessed run" in page


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        ("commit-8k", "One PostgreSQL session commits at most that often"),
        ("fallocated-8k-fsync", ""),
        ("direct-16k-fdatasync", ""),
        ("append-8k-fdatasync", ""),
    ],
)
def test_only_the_work_of_a_commit_bounds_those_of_postgresql(
    client: Client, workload: str, words: str
) -> None:
    page = text(client, f"/runs/{published_run(workload=workload).slug}/")
    notes = " ".join(page.split('<p class="fine">')[1].split("</p>")[0].split())
    assert words in notes
    assert ("at most" in notes) == (workload == "commit-8k")
    assert ("PostgreSQL" in notes) == bool(words)


def test_every_chart_has_a_table_with_its_figures(client: Client) -> None:
    run = measured_run()
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert page.count("data-chart=") == 2
    assert len(re.findall('<script[^>]* type="application/json"', page)) == 2
    for figure in ("p99.99", "lowest sample 40", "slowest"):
        assert figure in page
    rates = re.findall(r"<td>(\d+)</td> <td>([\d.]+)</td> <td>([\d,]+)</td>", page)
    assert rates == [
        ("1", "0.5", "1,000"), ("1", "1.0", "960"), ("1", "1.5", "40"), ("1", "2.0", "1,000"),
    ]  # fmt: skip


def test_the_table_says_which_of_its_times_ends_with_the_durable_write(client: Client) -> None:
    run = published_run()
    assert '<th scope="col">sync</th>' in text(client, f"/runs/{run.slug}/")  # the only one
    make.latency(measurement=run.measurements.get(), side="completion", p50_ns=540)
    page = text(client, f"/runs/{run.slug}/")
    assert '<th scope="col">sync</th>' in page
    assert "completion<small>not durable yet</small>" in page


def test_a_long_run_is_drawn_with_as_many_points_as_a_screen_can_show() -> None:
    counts = [*([500] * 4000), 20]
    measurement = make.measurement(
        run=make.run(),
        sample_ns=500_000_000,
        passes=[{"operations": 1, "elapsed_ns": 1, "rate_samples": counts}],
    )
    chart = charts.rate_chart(measurement)
    assert chart is not None
    assert len(chart.samples) == 364 <= charts.SAMPLES_MAX
    assert chart.sample_ns == 11 * 500_000_000
    assert chart.samples[0].rate_per_s == 1000
    assert chart.samples[-1].seconds == 4001 * 0.5
    assert chart.lowest.rate_per_s == pytest.approx((7 * 500 + 20) / 8 * 2)


def test_what_held_the_machine_back_is_told_where_anything_did() -> None:
    limits = {"cpu_milli": 1500, "memory_bytes": None, "write_ops_per_s": 3000}
    env = {"steal_permille": 12, "cpu_governor": None, "limits": limits}
    told = {fact.name: fact.value for fact in machine.restraint_facts(env)}
    assert told == {"cgroup": "1.5 processors, wiops 3,000", "steal": "1.2 %"}
    assert machine.restraint_facts({"steal_permille": 0, "limits": {}}) == ()


def test_the_scheduler_of_the_first_drive_is_a_fact_of_the_run(client: Client) -> None:
    devices = [{"scheduler": "mq-deadline"}, {"scheduler": "none"}]
    upload = make.upload(state=Upload.State.DONE)
    run = measured_run(upload=upload, environment={"env": {}, "devices": devices})
    page = tight(text(client, f"/runs/{run.slug}/"))
    assert "<dt>Scheduler</dt><dd>mq-deadline" in page


@pytest.mark.parametrize(
    ("milli", "words"),
    [(1_000, "1 processor"), (500, "0.5 processors"), (2_000, "2 processors")],
)
def test_a_limit_of_one_processor_is_singular(milli: int, words: str) -> None:
    assert machine.LIMIT_WORDS["cpu_milli"](milli) == words


def test_a_narrowed_link_says_what_it_could_be() -> None:
    link = {"speed_mts": 8000, "width": 2, "speed_max_mts": 16000, "width_max": 4}
    (told,) = drive.link_facts(link)
    assert (told.value, told.remark) == ("8 GT/s \u00d7 2", "\u2264 16 GT/s \u00d7 4")
    assert drive.link_facts({**link, "speed_mts": 16000, "width": 4})[0].remark == ""
    assert drive.link_facts({}) == ()


def test_the_drive_s_own_word_about_cache_and_wear() -> None:
    assert drive.cache_remark({"volatile_write_cache": True}) == "VWC: yes"
    assert drive.cache_remark({}) == ""
    assert drive.wear_facts({"wear_percent": 3})[0].value == "3 %"
    assert drive.wear_facts({"wear_percent": None}) == ()


def test_a_label_says_why_and_what_it_costs(client: Client) -> None:
    run = measured_run()
    figures = {"workload": "commit-8k", "p50_ns": 3_000, "class": "optane", "floor_ns": 5_000}
    make.label(run=run, rule="faster-than-medium", keeps_out=KeepsOut.RUN, figures=figures)
    page = text(client, f"/runs/{run.slug}/")
    assert "faster than durable media" in page
    assert "p50 is 3 µs; the floor is 5 µs (Optane NVMe)." in page
    assert "keeps the run out of standings" in page


def test_a_published_run_is_cited_and_warned_about(client: Client) -> None:
    run = published_run()
    page = text(client, f"/runs/{run.slug}/")
    assert 'href="https://example.org/article"' in page
    assert "An article" in page
    assert "Read this twice." in page
    assert "Published" in page
    assert "fsyncmark verify" not in page


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        ({"operation": "read", "sync": "none"}, "Reads were timed, not commits."),
        ({"operation": "transaction", "sync": ""}, "Whole transactions were timed"),
        ({"operation": "write", "sync": "none", "queue_depth": 64}, "Nothing was synced"),
        ({"operation": "write", "sync": "fsync", "queue_depth": 64}, "Many writes were in flight"),
        ({"operation": "ratio", "sync": ""}, "No durable commit was timed."),
    ],
)
def test_a_run_without_commits_says_what_it_timed(
    client: Client, work: dict[str, object], sentence: str
) -> None:
    run = published_run(workload="mix-4k", is_durable_single_writer=False, **work)
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert sentence in page
    assert "at most" not in page


def test_a_run_without_any_measurement_has_a_page(client: Client) -> None:
    run = make.run()
    assert "No measurement" in text(client, f"/runs/{run.slug}/")


def test_the_envelope_is_served_as_it_was_sent(client: Client) -> None:
    upload = make.upload(state=Upload.State.DONE)
    run = measured_run(
        id=upload.run_id, slug=str(upload.run_id), upload=upload,
        environment={"consent": {"terms": 1, "publish_envelope": True}},
    )  # fmt: skip
    answer = client.get(f"/runs/{run.slug}/envelope.json")
    assert answer.content == upload.envelope
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
    assert "Your run is being processed" in page
    assert 'hx-trigger="every 3s"' in page
    assert 'http-equiv="refresh"' in page


def test_the_waiting_page_is_told_when_the_run_is_there(client: Client) -> None:
    run = measured_run()
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(f"/runs/{run.slug}/", headers={"HX-Request": "true"})
    assert answer.headers["HX-Refresh"] == "true"
    assert not [each for each in queries.captured_queries if '."passes"' in each["sql"]]


def test_an_upload_that_cannot_be_read_says_whose_fault_it_is(client: Client) -> None:
    upload = make.upload(state=Upload.State.POISON, attempts=ATTEMPTS_MAX)
    page = main(client, f"/runs/{upload.run_id}/")
    assert "our fault" in page
    assert "hx-trigger" not in page


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


def test_a_run_stands_on_the_ladder_among_the_classes(client: Client) -> None:
    quick = make.ladder_class(name="Quick", low_ns=10_000, high_ns=50_000)
    slow = make.ladder_class(name="Slow", low_ns=500_000, high_ns=2_000_000)
    run = measured_run(expected_class=quick, measured_class=slow)
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    ladder = page.split('id="ladder-title"')[1].split("</section>")[0]
    assert "Quick <small>its class</small>" in ladder
    assert "Slow <small>nearest class</small>" in ladder
    assert ladder.count('class="here" x1="66.67%"') == 2  # 1 ms, four decades of six
    assert ladder.count('class="mark') == 1
    assert "ornament" not in ladder


def test_the_ladder_has_one_verdict_on_a_run_that_is_slower_than_its_class(client: Client) -> None:
    quick = make.ladder_class(name="Quick", low_ns=10_000, high_ns=50_000)
    run = published_run()  # of which the sync alone was timed, 1 ms
    Run.objects.update(expected_class=quick, measured_class=quick)
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    ladder = page.split('id="ladder-title"')[1].split("</section>")[0]
    assert "sync p50 1.00 ms: slower than Quick" in ladder
    assert 'class="ornament" y1="-9"' in ladder
    assert "its class" in ladder
    Run.objects.update(expected_class=None)
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert "sync p50 1.00 ms: slower than Quick" in page


def test_a_rate_alone_stands_at_its_mean_with_a_bar(client: Client) -> None:
    make.ladder_class(name="Quick", low_ns=10_000, high_ns=50_000)
    run = published_run(rate_per_s=2_000.0)
    run.measurements.get().latencies.all().delete()
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    ladder = page.split('id="ladder-title"')[1].split("</section>")[0]
    assert page.count('id="ladder-title"') == 1
    assert "1 / rate 500 µs" in ladder
    assert 'class="ornament" x1="-9"' in ladder
    assert "Only the rate is known" in page


@pytest.mark.parametrize("workload", ["mix-4k-write", "direct-2m-fsync"])
def test_work_that_is_comparable_with_no_commit_stands_on_no_ladder(
    client: Client, workload: str
) -> None:
    make.ladder_class()
    run = published_run(workload=workload, is_durable_single_writer=workload == "direct-2m-fsync")
    assert "ladder-title" not in text(client, f"/runs/{run.slug}/")


@pytest.mark.parametrize(
    ("changes", "said", "unsaid"),
    [
        ({"level": Level.SIGNED, "in_standings": False}, AGAIN, "that counts."),
        (
            {},
            "<code>./fsyncmark run . --server http://testserver --suite standard</code>",
            AGAIN,
        ),
        ({"suite": "standard"}, "Badge, quotation, JSON", " --suite standard<"),
        ({}, " --provider NAME --plan NAME<", "on=plan:"),
    ],
)
def test_what_the_owner_can_do_next_depends_on_the_run(
    client: Client, changes: dict[str, object], said: str, unsaid: str
) -> None:
    upload = make.upload(state=Upload.State.DONE)
    run = measured_run(id=upload.run_id, slug=str(upload.run_id), upload=upload, **changes)
    page = text(client, f"/runs/{run.slug}/")
    assert said in page
    assert unsaid not in page


def test_what_a_reader_of_outputs_noted_is_english_on_a_chinese_page_too(client: Client) -> None:
    run = make.imported_run()
    run.citation.notes = "Means only."
    run.citation.save()
    assert '<p class="fine" lang="en">Means only.</p>' in text(client, f"/zh-hans/runs/{run.slug}/")


def test_a_run_leads_to_its_plan_its_drive_and_what_its_standing_lacks(client: Client) -> None:
    plan, drive = make.plan(name="Plan P"), make.drive_family(slug="drive-d")
    make.standing(plan=plan, needs_runs=True, n_uploaders=2, n_machines=2)
    run = measured_run(plan=plan, drive_family=drive)
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert f"/compare/?on=run:{run.slug}&amp;on=plan:{plan.slug}" in page
    assert f"/compare/?on=run:{run.slug}&amp;on=drive:drive-d" in page
    assert "Plan P ranks from 7 uploaders on: 2 so far" in page


def test_quarantine_is_not_measured_away(client: Client) -> None:
    run = measured_run(outcome=Outcome.QUARANTINE, level=Level.SIGNED, in_standings=False)
    make.label(run=run, rule="server-clock", keeps_out=KeepsOut.RUN, outcome=Outcome.QUARANTINE)
    page, steps = text(client, f"/runs/{run.slug}/").split('id="next-title"')
    assert '/rules/server-clock/"' in page
    assert AGAIN not in steps


def test_a_run_can_be_quoted_with_everything_that_belongs_to_it(client: Client) -> None:
    run = measured_run()
    box = text(client, f"/runs/{run.slug}/").split('<pre id="quotation">')[1].split("</pre>")[0]
    for part in ("1,000 durable commits/s", "p99 1.20", "commit-8k v1", "1 witnessed run",
                 "2025-06-15", f"/runs/{run.slug}/"):  # fmt: skip
        assert part in box


def test_a_run_asks_six_times(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    plan = make.plan()
    for _ in range(5):
        make.ladder_class()
        make.standing(curve=[[0.5, 1], [0.9, 2]], is_durable_single_writer=True)
    upload = make.upload(state=Upload.State.DONE)
    run = measured_run(id=upload.run_id, slug=str(upload.run_id), upload=upload, plan=plan)
    for rule in ("burst", "other-io", "stolen-time"):
        make.label(run=run, rule=rule)
    with django_assert_max_num_queries(6):
        text(client, f"/runs/{run.slug}/")
