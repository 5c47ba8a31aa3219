"""The pages of a plan and of a drive family."""

from __future__ import annotations

import re
import shlex
from datetime import timedelta
from decimal import Decimal
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from apps.pages.things.catalogue_facts import source_words
from apps.pages.things.words import covers_words
from apps.rankings.models import Standing
from apps.runs.models import Level
from tests import make
from tests.pages.measured import counted, stand
from tests.pages.site import copied, plan_at, published_run, text
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_drive_shows_its_data_sheet_beside_what_was_measured(client: Client) -> None:
    family = make.drive_family(slug="d", name="Drive D", rated_rand_write_iops=250_000)
    make.standing(drive_family=family, rate_per_s=1_000.0, is_durable_single_writer=True)
    page = " ".join(text(client, "/drives/d/").split())
    assert "250 times what one writer gets durably" in page
    gap = page.partition('id="gap"')[2].partition("</section>")[0]
    assert "<svg" not in gap  # many writes in flight have no place on the axis of one commit
    assert "Drive D" in text(client, "/drives/")


def test_a_plan_shows_its_prices_with_their_sources(client: Client) -> None:
    plan = make.plan(slug="acme-x1", name="X1")
    make.price(plan=plan, amount=Decimal(100), source="a list of 2026", includes="net of tax")
    page = text(client, "/plans/acme-x1/")
    assert "a list of 2026" in page
    assert 'title="EUR 100">€100 /mo<' in page
    assert "net of tax" in page
    assert "No durable commits of one writer yet." in page


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
    assert "between uploaders" in page


@pytest.mark.parametrize(("evidence", "who"), [("measured", "uploaders"), ("published", "sources")])
def test_authors_of_articles_are_no_uploaders(evidence: str, who: str) -> None:
    lead = Standing(
        evidence=evidence, n_uploaders=2, n_machines=3, n_runs=4, interval_is="uploaders"
    )
    assert covers_words(lead) == f"lowest to highest of 2 {who}"


def test_a_latency_that_an_article_printed_is_shown_whichever_it_is(client: Client) -> None:
    run = published_run(title="Rated")
    run.plan = make.plan()
    run.save()
    one = run.measurements.get()
    one.latencies.all().delete()
    make.latency(measurement=one, side="commit", p50_ns=959_000, p99_ns=None)
    listed = text(client, f"/plans/{run.plan.slug}/").partition('id="published"')[2]
    assert '<span class="dim">p50, ' in listed


@pytest.mark.parametrize(("n_runs", "is_said"), [(1, False), (2, True)])
def test_of_one_run_none_is_the_most_typical(client: Client, n_runs: int, *, is_said: bool) -> None:
    curve = [[0.5, 900_000], [0.99, 2_000_000], [0.999, 5_000_000]]
    standing = plan_at(1_000, "X1", evidence="published", n_runs=n_runs, curve=curve)
    page = text(client, f"/plans/{standing.plan_id}/")
    assert "The same figures as a table" in page
    assert ("The most typical run." in page) == is_said


def test_a_machine_as_its_owner_named_it_has_no_offer(client: Client) -> None:
    plan = make.plan(name="My box", slug="home-my-box", is_listed=False)
    page = text(client, f"/plans/{plan.slug}/")
    assert "What is it?" not in page
    assert "What does it cost" not in page
    assert "no list price" in page


def test_the_badges_of_plans_and_drives_are_described(client: Client) -> None:
    plan, family = make.plan(name="X1"), make.drive_family(name="Drive D")
    for address, name in ((f"/plans/{plan.slug}/", "X1"), (f"/drives/{family.slug}/", "Drive D")):
        page = text(client, address)
        alt = f"{name}: durable commits/s"
        assert copied(page, "badge-markdown").startswith(f"[![{alt}](http")
        assert f'alt="{alt}"' in copied(page, "badge-html")


def test_what_a_stranger_named_a_machine_cannot_leave_the_text_to_copy(client: Client) -> None:
    name = """a](http://evil.test/) "$(reboot)"; `reboot` 'x"""
    plan = make.plan(name=name, slug="home-odd", is_listed=False)
    page = text(client, f"/plans/{plan.slug}/")
    assert shlex.split(copied(page, "kin-command"))[-2:] == ["--plan", name]
    markdown = copied(page, "badge-markdown")
    assert re.findall(r"(?<!\\)\]\((.*?)\)", markdown) == [
        f"{settings.SITE_URL}/badge/plan/home-odd.svg",
        f"{settings.SITE_URL}/plans/home-odd/",
    ]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("verified: a <review> (its table)", '<span lang="en">a &lt;review&gt;</span>'),
        ("derived: as its sister", '<span lang="en">as its sister</span> (derived)'),
        ("datasheet (memory)", "datasheet (memory)"),
        (
            "datasheet (general knowledge)",
            "no document read",
        ),
    ],
)
def test_the_source_of_a_fact_claims_no_verification(source: str, shown: str) -> None:
    assert source_words(source) == shown


def test_imports_have_a_section_of_their_own_and_are_no_runs(client: Client) -> None:
    plan, family = make.plan(), make.drive_family()
    for place in range(12):
        run = make.imported_run(
            plan=plan, drive_family=family, received_at=make.NOON + timedelta(days=place)
        )
        measured = make.measurement(
            run=run, workload="fio-1", tool="fio", title="4 KiB write, fsync", rate_per_s=1234.0
        )
        make.latency(measurement=measured, side="sync", p99_ns=5_000_000)
    for address in (f"/plans/{plan.slug}/", f"/drives/{family.slug}/"):
        page = text(client, address)
        runs, _, imports = page.partition('id="imports"')
        assert "No measured run yet" in runs
        assert "What was imported?" in imports
        assert imports.count(">Output of fio 3.33</a>") == 10
        assert imports.count("2025-06-26") == 1  # the newest
        assert "2025-06-16" not in imports  # beyond ten
        assert "4 KiB write, fsync" in imports
        assert "1,234" in imports
        assert '<span class="dim">p99, sync alone</span>' in imports
        link = re.search(r'href="([^"]+)">Show all<', imports)
        assert link
        listed = text(client, unescape(link[1]))
        assert "<b>12</b> runs" in listed


def test_where_nothing_was_imported_nothing_is_said_of_it(client: Client) -> None:
    assert "Imported" not in text(client, f"/plans/{make.plan().slug}/")


def test_what_is_no_commit_is_not_drawn_under_the_ruler_of_commits(client: Client) -> None:
    reads = plan_at(55_742, "CCX33", workload="mix-4k-read", is_durable_single_writer=False)
    page = text(client, f"/plans/{reads.plan_id}/")
    assert "lanes-field" not in page
    assert "No durable commits of one writer yet." in page
    assert '<a href="#figures">What there is of it</a>' in page
    assert '<details class="fold" id="figures" open>' in page
    assert "55,742" in page.partition('id="figures"')[2]
    assert "trace-line" not in page
    commits = plan_at(1_000, "X1")
    assert "lanes-field" in text(client, f"/plans/{commits.plan_id}/")


def test_what_its_article_calls_illustrative_is_in_the_table_and_no_key_figure(
    client: Client,
) -> None:
    sample = {
        "evidence": "published",
        "warnings": ["Illustrative: a sample."],
        "is_illustrative": True,
    }
    shown = {"rate_per_s": 142_800.0, "is_durable_single_writer": True, **sample}
    for address in (
        f"/plans/{make.standing(plan=make.plan(), **shown).plan_id}/",
        f"/drives/{make.standing(drive_family=make.drive_family(), **shown).drive_family_id}/",
    ):
        head, _, table = text(client, address).partition('id="figures"')
        assert "142,800" not in head
        assert 'class="keys"' not in head
        assert '<a href="#figures">What there is of it</a>' in head
        assert "142,800" in table
        assert '<span class="chip warn">illustrative</span>' in table


def test_a_drive_that_was_measured_among_others_says_so(client: Client) -> None:
    family = make.drive_family(slug="d")
    assert "What there is" not in text(client, "/drives/d/")
    one = published_run()
    one.drive_family, one.is_single_drive = family, False
    one.save()
    page = " ".join(text(client, "/drives/d/").split())
    assert "Measured only together with other drives." in page
    assert '<a href="#published">What there is of it</a>' in page
    assert 'id="published"' in page


def test_a_published_result_without_a_rate_is_no_line_among_those_with_one(client: Client) -> None:
    plan = make.plan()
    scores = make.run(slug="scores", plan=plan, level=Level.PUBLISHED, measured_at=None)
    make.measurement(run=scores, workload="geekbench-6", title="Geekbench", rate_per_s=None)
    make.citation(run=scores, title="An article")
    assert 'id="published"' not in text(client, f"/plans/{plan.slug}/")
    one = published_run(title="Rated")
    one.plan = plan
    one.save()
    listed = text(client, f"/plans/{plan.slug}/").partition('id="published"')[2]
    assert f'href="/runs/{one.slug}/"' in listed
    assert 'href="/runs/scores/"' not in listed


def test_each_workload_stands_once_and_its_other_regions_are_folded(client: Client) -> None:
    plan = make.plan(slug="acme-x1")
    for region, rate, uploaders in (("europe", 1_000, 9), ("asia", 700, 3), ("", 500, 1)):
        make.standing(plan=plan, region_group=region, rate_per_s=rate, n_uploaders=uploaders,
                      n_cell_uploaders=uploaders, is_durable_single_writer=True)  # fmt: skip
    figures, _, regions = text(client, "/plans/acme-x1/").partition('id="regions"')
    figures = figures.partition('id="figures"')[2]
    assert figures.count('class="row"') == 1
    assert "Europe" in figures
    assert " ".join(regions.split()).startswith(
        "> <summary>Other regions and kinds of storage (2)<"
    )
    assert regions.count('class="row"') == 2


def test_every_address_of_a_page_has_a_title_of_its_own(client: Client) -> None:
    plan = make.plan(slug="acme-x1", name="X1")
    counted_runs = [counted(1_000, uploader=n, plan=plan) for n in range(21)]
    stand(counted_runs)
    addresses = ("", "?runs=in", "?runs=out", "?page=2", "?runs=in&page=2")
    titles = [
        re.findall("<title>(.*?)</title>", text(client, f"/plans/acme-x1/{query}"))[0]
        for query in addresses
    ]
    assert len(set(titles)) == len(titles)
    assert "Runs: in, page 2" in titles[-1]


def test_what_nobody_measured_of_one_writer_has_no_price_for_it_and_no_level(
    client: Client,
) -> None:
    store_catalogue()
    page = text(client, "/plans/aws-c6id-large/")
    assert "Unknown: nobody measured it" in page
    assert "1,000 durable commits/s" not in page
    stamp = page.split('<div class="stamp">')[1].split("</div>")[0]
    assert "Published" not in stamp
