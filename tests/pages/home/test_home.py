"""Home: the story, the ladder with its marks, one's own run on it, the first rows of the board."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.utils.html import escape

from apps.pages.draw.ladder import NAME_CHARACTERS_MAX
from apps.pages.home.ladder import MARKS_A_RUNG, MARKS_MAX, SHORT_CLASS_NAMES, short_class
from apps.pages.home.views import SHOWN_QUESTIONS
from apps.pages.home.work import class_of_output
from apps.plans.models import Plan, Price
from apps.rankings.models import Evidence
from apps.runs.published.comparable import APART, OVERWRITE, WITH_METADATA
from apps.wire.judgement import judgement
from tests import make
from tests.pages.site import measured_run, plan_at, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
QUERIES_MAX = 7


def drive_at(name: str, **changes: object) -> None:
    """A drive with a mark on the ladder."""
    fields = {"is_durable_single_writer": True, "evidence": Evidence.PUBLISHED, **changes}
    make.standing(drive_family=make.drive_family(name=name), **fields)


def lanes_of(page: str) -> list[str]:
    """What a reader who hears the page is told of each mark."""
    return re.findall(r'<a href="[^"]+"\s+aria-label="([^"]+)"', page)


def test_it_takes_an_output_searches_and_asks_three_questions(client: Client) -> None:
    page = text(client, "/")
    assert 'action="/import/"' in page
    assert 'name="pasted"' in page
    assert 'name="q"' in page
    for question in SHOWN_QUESTIONS:
        assert f'href="{escape(question.url)}"' in page


def test_a_run_stands_on_the_ladder_with_its_sentence(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rung = make.ladder_class(slug="cloud-ssd", name="Cloud local or network SSD (CCX, CAX, gp3)")
    plan = make.plan(name="Mine")
    run = measured_run(measured_class=rung, plan=plan, provider=plan.provider)
    for _each in range(8):
        measured_run()
    with django_assert_max_num_queries(QUERIES_MAX):
        page = " ".join(text(client, f"/?run={run.slug}").split())
    assert "Where do I stand?" in page
    assert "Half of all commits finish within" in page
    assert "Mine, Cloud local or network SSD" in " ".join(page.split())
    assert f'href="/runs/{run.slug}/"' in page
    assert f'href="/embed/?of=run:{run.slug}"' in page
    assert 'class="yours-line"' in page


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ("commit", "Half of all commits finish within"),
        ("sync", "Half of all syncs finish within"),
        ("completion", "Half of all writes finish within"),
    ],
)
def test_an_imported_run_says_its_level_and_what_its_median_times(
    client: Client, side: str, words: str
) -> None:
    make.ladder_class()
    run = make.imported_run(plan=make.plan(name="Mine"))
    make.latency(measurement=make.measurement(run=run), side=side)
    page = " ".join(re.sub(r"<[^>]+>", "", text(client, f"/?run={run.slug}")).split())
    head = page[page.index("Where do I stand?") : page.index("Open the run")]
    assert words in head
    assert "Imported" in head


def test_every_class_has_a_short_name_without_examples() -> None:
    short = {each.slug: str(SHORT_CLASS_NAMES[each.slug]) for each in judgement().classes}
    assert not [name for name in short.values() if "(" in name or "protection" in name]


def test_a_class_that_was_added_later_keeps_its_name() -> None:
    assert short_class(make.ladder_class(name="Tape (LTO)")) == "Tape (LTO)"


def test_a_run_that_nobody_knows_is_said(client: Client) -> None:
    unknown = "01890a5d-ac96-774b-bcce-b302099a8057"
    page = text(client, f"/?run={unknown}")
    assert "No durable commits of one writer." in page
    assert f'href="/runs/{unknown}/"' in page
    assert "No durable commits of one writer." in text(client, "/?run=%00<b>")


def test_made_up_figures_stand_on_the_page_that_says_so_alone(client: Client) -> None:
    rung = make.ladder_class()
    drive_at("Invented", ladder_class=rung, evidence=Evidence.EXAMPLE)
    plan_at(1_000, "Invented-plan", evidence=Evidence.EXAMPLE)
    drive_at("Real drive", ladder_class=rung)
    page = text(client, "/")
    assert "Invented" not in page
    assert "Invented-plan" not in page
    assert "Made-up example." not in page
    assert 'href="/?example=1"' in page
    made_up = text(client, "/?example=1")
    assert "Made-up example" in made_up
    assert '<meta name="robots" content="noindex">' in made_up
    assert "Invented" in made_up
    assert "Invented-plan" in made_up
    assert "Real drive" not in made_up


def test_the_switch_to_made_up_figures_is_there_where_there_are_some(client: Client) -> None:
    make.ladder_class()
    plan_at(1_000, "Real-plan")
    assert "example=1" not in text(client, "/")


def test_a_mark_says_its_quantity_and_its_work_and_is_drawn_by_it(client: Client) -> None:
    rung = make.ladder_class()
    for name, side, workload in (
        ("Whole", "commit", "commit-8k"),
        ("Synced", "sync", "fallocated-8k-fsync"),
        ("Completed", "completion", "commit-8k-fsync"),
    ):
        drive_at(
            name, ladder_class=rung, rate_per_s=20_000, latency_side=side, p50_ns=40_000,
            workload=workload,
        )  # fmt: skip
    page = text(client, "/")
    assert sorted(lanes_of(page)) == [
        "Completed, 50\u202fµs, 1 / rate, +metadata",
        "Synced, 40\u202fµs, sync p50, +metadata",
        "Whole, 40\u202fµs, commit p50, data",
    ]
    drawn = page[page.index('class="wide"') : page.index('class="narrow')]
    assert drawn.count('class="ornament" y1') == 1  # the stroke of a sync alone
    assert drawn.count('class="ornament" x1') == 1  # the bar of 1 / rate


def test_work_with_many_in_flight_or_large_blocks_has_no_mark(client: Client) -> None:
    rung = make.ladder_class()
    drive_at("Queued", ladder_class=rung, workload="randwrite-8k-fsync-qd32x4")
    drive_at("Large", ladder_class=rung, workload="direct-2m-fsync")
    drive_at("Batched", ladder_class=rung, is_durable_single_writer=False)
    assert lanes_of(text(client, "/")) == []


def test_figures_that_their_article_calls_illustrative_are_no_marks(client: Client) -> None:
    drive_at("Sampled", ladder_class=make.ladder_class(), is_illustrative=True)
    assert "Sampled" not in text(client, "/")


def test_a_datacenter_drive_whose_protection_we_do_not_know_is_no_example(client: Client) -> None:
    server = make.drive_family(name="Server drive", segment="datacenter")
    for family in (server, make.drive_family(name="Desktop drive", segment="consumer")):
        make.standing(
            drive_family=family, is_durable_single_writer=True, evidence=Evidence.PUBLISHED
        )
    make.ladder_class()
    lanes = " ".join(lanes_of(text(client, "/")))
    assert "Desktop drive" in lanes
    assert "Server drive" not in lanes


def test_a_drive_stands_once_by_a_data_sync_before_one_with_metadata(client: Client) -> None:
    family = make.drive_family(name="Twice")
    for workload, rate in (("fallocated-8k-fsync", 500), ("commit-8k", 2_000)):
        make.standing(
            drive_family=family, ladder_class=make.ladder_class(), workload=workload,
            rate_per_s=rate, is_durable_single_writer=True, evidence=Evidence.PUBLISHED,
        )  # fmt: skip
    assert [each for each in lanes_of(text(client, "/")) if "Twice" in each] == [
        "Twice, 1.00\u202fms, commit p50, data"
    ]


def test_a_class_without_marks_stands_only_on_an_empty_ladder(client: Client) -> None:
    make.ladder_class(slug="pmem", name="Persistent memory")
    assert "Persistent memory" in text(client, "/")
    drive_at("Real drive", ladder_class=make.ladder_class())
    assert "Persistent memory" not in text(client, "/")


def test_a_name_that_would_be_cut_comes_after_those_that_fit(client: Client) -> None:
    rung = make.ladder_class()
    drive_at("W" * (NAME_CHARACTERS_MAX + 1), ladder_class=rung, n_machines=9)
    for place in range(MARKS_A_RUNG):
        drive_at(f"Short {place}", ladder_class=rung)
    lanes = lanes_of(text(client, "/"))
    assert len(lanes) == MARKS_A_RUNG
    assert not any(each.startswith("WW") for each in lanes)


def test_the_first_rows_say_what_a_volume_costs_and_that_a_price_was(client: Client) -> None:
    standing = plan_at(9_000, "Former", cost_per_billion=Decimal(3), currency="EUR")
    standing.price = make.price(plan=standing.plan, kind="superseded")
    standing.save()
    page = text(client, "/")
    row = page[page.index('id="acme-former-') :].split("</tr>")[0]
    assert '<span class="was">was</span>' in row
    volume = plan_at(8_000, "Disk").plan
    assert volume is not None
    Plan.objects.filter(pk=volume.pk).update(kind="volume", drive_gb=None)
    make.price(
        plan=volume, amount=Decimal("0.08"), currency="USD", unit="GiB",
        period=Price.Period.MONTH, region="",
    )  # fmt: skip
    page = text(client, "/")
    row = page[page.index('id="acme-disk-') :].split("</tr>")[0]
    assert "$7.52 /mo" in row


def test_a_class_has_a_few_marks_and_the_ladder_some(client: Client) -> None:
    for _ in range(9):
        rung = make.ladder_class(low_ns=500_000, high_ns=2_000_000)
        for place in range(MARKS_A_RUNG + 1):
            drive_at(f"Drive {rung.slug} {place}", ladder_class=rung)
    lanes = lanes_of(text(client, "/"))
    assert len(lanes) == MARKS_MAX
    slugs = {each.split()[1] for each in lanes}
    assert len(slugs) == 9  # none is without, whatever others have


@pytest.mark.parametrize(
    ("facts", "work"),
    [
        ({"tool": "pg_test_fsync", "sync": "fdatasync"}, OVERWRITE),
        ({"tool": "pg_test_fsync", "sync": "fsync"}, WITH_METADATA),
        (
            {"tool": "fio", "sync": "fdatasync"},
            WITH_METADATA,
        ),  # into blocks that were only allocated
        ({"tool": "fio", "sync": "fsync", "block_bytes": 2 * 1024 * 1024}, APART),
        ({"tool": "fio", "sync": "fsync", "block_bytes": None}, APART),
        ({"tool": "fio", "sync": "fsync", "is_durable_single_writer": False}, APART),
    ],
)
def test_an_output_has_a_class_of_work(facts: dict[str, object], work: int) -> None:
    fields = {"block_bytes": 8192, "is_durable_single_writer": True, **facts}
    assert class_of_output(make.measurement(run=make.imported_run(), **fields)) == work


def test_the_first_rows_are_of_measured_plans_before_published_ones(client: Client) -> None:
    assert "No durable commits of one writer yet." in text(client, "/")
    plan_at(
        9_000, "Cited", evidence=Evidence.PUBLISHED, workload="fallocated-8k-fsync", tier=None
    )  # fmt: skip
    plan_at(1_000, "Measured", n_uploaders=8)
    page = text(client, "/")
    rows = page[page.index('id="first-title"') :]
    assert rows.index("Measured") < rows.index("Cited")
    assert "Firm: 8 uploaders" in rows
    assert "1 published run" in rows
    for place in range(6):
        plan_at(2_000 + place, f"Faster-{place}")
    assert text(client, "/").count('<tr class="row"') == 4


def test_the_ladder_says_what_compares_and_what_a_box_is(client: Client) -> None:
    page = " ".join(text(client, "/").split())
    assert "Compare marks of one kind; a box is the usual range of its class." in page
