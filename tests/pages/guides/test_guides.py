"""Pages of guides: live standings with their verdicts, what a reader asks, how often they ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.pages.guides.all import GUIDES
from apps.pages.guides.selectors import read_guide, read_guides
from apps.pages.guides.verdicts import ROWS_A_GROUP, GuideLine, GuidePage, lines_of, page_of
from apps.pages.guides.views import read_rate
from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import main, plan_at, text, tight

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from apps.pages.guides.guide import Guide

pytestmark = pytest.mark.django_db
QUERIES_MAX = 6
OLTP = next(guide for guide in GUIDES if guide.slug == "oltp")
CEPH = next(guide for guide in GUIDES if guide.slug == "ceph-wal")
ENOUGH = {"n_uploaders": 3, "n_machines": 5}


def guide_page(guide: Guide) -> GuidePage:
    """Return a guide with its verdicts, as its page has them."""
    return page_of(guide, read_guide(guide), is_search=False)


def guide_lines() -> tuple[GuideLine, ...]:
    """Return the lines of the list of guides."""
    return lines_of(GUIDES, read_guides(GUIDES))


def rows(page: str) -> list[str]:
    """Return the rows of all tables of verdicts, in order."""
    return re.findall(r'<tr role="row">\s*<th[^>]* role="rowheader".*?</tr>', page, re.DOTALL)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_an_empty_site_has_every_guide(client: Client, guide: Guide) -> None:
    page = text(client, f"/guides/{guide.slug}/")
    assert "Nobody has run its workload yet" in page
    assert "./fsyncmark run . " in page


def test_a_row_says_verdict_interval_n_and_date(client: Client) -> None:
    run = make.run()
    plan_at(
        1_500, "Good", rate_per_s_low=1_200, rate_per_s_high=1_900, coverage=0.75,
        newest_run_slug=run.slug, **ENOUGH,
    )  # fmt: skip
    row = rows(text(client, "/guides/oltp/"))[0]
    for words in (
        "Good",
        "passes",
        "1,500 /s",
        "1,200\u20131,900 (75%)",
        "5 machines / 3 uploaders",
    ):
        assert words in row
    assert "2025-06-15" in row
    assert f'href="/runs/{run.slug}/"' in row


def test_the_better_verdicts_come_first_and_the_rate_can_be_changed(client: Client) -> None:
    plan_at(1_500, "Low", rate_per_s_low=800, **ENOUGH)
    plan_at(1_200, "Sure", rate_per_s_low=1_100, **ENOUGH)
    plan_at(500, "Slow", rate_per_s_low=400, **ENOUGH)
    names = re.findall(r'href="/plans/[^"]+">(\w+)</a>', text(client, "/guides/oltp/"))
    assert names == ["Sure", "Low", "Slow"]
    page = text(client, "/guides/oltp/?rate=450")
    assert page.count("verdict-mark passes") == 3  # in the head and in two rows
    assert 'value="450"' in page


@pytest.mark.parametrize("wrong", ["0", "-5", "many", "1e9", "99999999999", "٣"])
def test_a_rate_that_is_none_is_said_and_the_example_stands(client: Client, wrong: str) -> None:
    assert read_rate(wrong) is None
    page = text(client, f"/guides/oltp/?rate={wrong}")
    assert "A rate is a whole number" in page
    assert 'value="1000"' in page


def test_a_name_finds_its_rows_only(client: Client) -> None:
    make.standing(
        drive_family=make.drive_family(name="990 PRO", vendor="Samsung", plp="none"),
        is_durable_single_writer=True, rate_per_s=330,
    )  # fmt: skip
    plan_at(9_000, "Other")
    page = text(client, "/guides/oltp/?q=samsung+990")
    assert len(rows(page)) == 1
    assert "fails" in rows(page)[0]
    assert "Nothing named" in text(client, "/guides/oltp/?q=nobody-has-this")
    assert text(client, "/guides/oltp/?q=%00")


def test_kinds_of_evidence_and_workloads_are_never_mixed() -> None:
    for name, evidence, workload in (
        ("A", Evidence.EXAMPLE, "commit-8k"),
        ("B", Evidence.PUBLISHED, "fallocated-8k-fsync"),
        ("C", Evidence.MEASURED, "commit-8k"),
        ("D", Evidence.MEASURED, "mix-4k-write"),
    ):
        plan_at(1_000, name, evidence=evidence, workload=workload)
    page = guide_page(OLTP)
    groups = [(each.stand_in.workload, each.evidence) for each in page.groups]
    assert groups == [("commit-8k", "measured"), ("fallocated-8k-fsync", "published")]
    assert [each.evidence for each in page.made_up] == ["example"]


def test_examples_stand_last_under_their_own_heading_and_are_counted_nowhere(
    client: Client,
) -> None:
    plan_at(9_000, "Invented", evidence=Evidence.EXAMPLE)
    only = main(client, "/guides/oltp/")
    assert "Nobody has run its workload yet" in only
    plan_at(500, "Real", rate_per_s_high=600, **ENOUGH)
    page = main(client, "/guides/oltp/")
    assert page.index("Made-up example runs are not counted here") < page.index(">Real<")
    assert page.index(">Real<") < page.index('id="made-up"') < page.index(">Invented<")
    counts = re.findall(r'class="guide-counts">(.*?)</p>', page, re.DOTALL)
    assert [re.findall(r"<b>(\d+)</b>(\w+)", tight(each)) for each in counts] == [[("1", "fails")]]


def test_what_its_article_calls_illustrative_gets_no_verdict(client: Client) -> None:
    drive = make.drive_family(name="PM893", vendor="Samsung", plp="full")
    sampled = {"evidence": Evidence.PUBLISHED, "workload": "randwrite-4k-fsync", "plp": "full",
               "rate_per_s": 3_920, "warnings": ["Illustrative: a sample run."],
               "is_illustrative": True}  # fmt: skip
    make.standing(drive_family=drive, newest_run_slug="sample", **sampled)
    page = main(client, "/guides/ceph-wal/")
    assert "verdict-mark" not in page
    assert "Nobody has run its workload yet" in page
    line = page.partition("Illustrative figures of an article, not judged:")[2]
    assert ">PM893</a> 3,920 /s, " in " ".join(line.partition("</p>")[0].split())
    assert 'href="/runs/sample/"' in line
    assert read_guide(CEPH).unmeasured_drives == 1
    assert {line.guide.slug: line.n for line in guide_lines()}["ceph-wal"] == 0
    make.standing(drive_family=drive, **{**sampled, "warnings": [], "is_illustrative": False,
                                         "workload": "direct-16k-fsync",
                                         "is_durable_single_writer": True})  # fmt: skip
    assert "not judged" not in main(client, "/guides/oltp/")


def test_a_run_that_is_a_sample_stands_once_by_the_name_of_its_drive() -> None:
    drive = make.drive_family(name="PM893", plp="full")
    sampled = {"evidence": Evidence.PUBLISHED, "workload": "randwrite-4k-fsync",
               "newest_run_slug": "sample", "warnings": ["Illustrative."],
               "is_illustrative": True}  # fmt: skip
    plan_at(3_920, "Workstation", **sampled)
    make.standing(drive_family=drive, rate_per_s=3_920, **sampled)
    assert [each.name for each in guide_page(CEPH).samples] == ["PM893"]


def test_one_thing_that_is_asked_for_is_answered_in_a_sentence(client: Client) -> None:
    drive = make.drive_family(name="990 PRO", vendor="Samsung", slug="samsung-990-pro", plp="none")
    of = {"n_uploaders": 7, "is_durable_single_writer": True}
    make.standing(drive_family=drive, workload="direct-16k-fsync", rate_per_s=329, **of)
    make.standing(drive_family=drive, workload="direct-16k-fdatasync", rate_per_s=330, **of)
    plan_at(330, "ser7", workload="direct-16k-fdatasync", drive_names="Samsung 990 PRO", **of)
    page = main(client, "/guides/oltp/?q=990+pro")
    standings = page[page.index('id="standings"') : page.index("<table")]
    said = "At 1,000 commits/s of one session: no. 330 /s, 16 KiB page, O_DIRECT, fdatasync, "
    assert said in standings
    assert 'href="/drives/samsung-990-pro/"' in standings
    assert "At 1,000 commits/s of one session: no." in text(client, "/drives/samsung-990-pro/")
    assert "At 400 commits/s of one session: borderline." in main(
        client, "/guides/oltp/?q=990+pro&rate=400"
    )
    assert "judged-answer" not in main(client, "/guides/oltp/")


def test_other_guides_answer_in_their_own_words_and_never_of_several(client: Client) -> None:
    slow = {"workload": "commit-8k", "latency_side": "sync", "p99_ns": 11_000_000,
            "pooled_p999_ns": 20_000_000}  # fmt: skip
    plan_at(900, "X-slow", **slow, **ENOUGH)
    said = " ".join(main(client, "/guides/etcd/?q=x-slow").split())
    assert "It fails: the p99 lies above. It was measured at p99 11 ms with " in said
    assert "p99.9 of all 20 ms" in said
    plan_at(900, "X-other", **slow, **ENOUGH)
    assert "judged-answer" not in main(client, "/guides/etcd/?q=acme+x")
    plan_at(9_000, "Z", workload="direct-16k-fdatasync", plp="unknown", rate_per_s_low=8_000,
            rate_per_s_high=9_500, **ENOUGH)  # fmt: skip
    said = main(client, "/guides/zfs-slog/?q=acme+z")
    assert "It may be fit: 9,000 /s with " in said
    assert "What leaves it open: power-loss protection not stated." in said


def test_the_guide_to_streaming_prints_the_unit_of_its_rule(client: Client) -> None:
    plan_at(1_000, "Wide", workload="seqread-256k-qd8", rate_per_s_low=900, rate_per_s_high=1_100,
            is_durable_single_writer=False, **ENOUGH)  # fmt: skip
    (row,) = rows(main(client, "/guides/streaming/"))
    assert (
        '<span class="cell-main">1,000 /s</span><span class="cell-note">262 MB/s</span>'
        in tight(row)
    )
    assert "900\u20131,100" in row
    assert "passes" in row


def test_the_list_says_why_nothing_passes_while_nothing_does(client: Client) -> None:
    why = "a published figure cannot pass, and nobody has sent enough runs"
    assert why not in main(client, "/guides/")
    plan_at(9_000, "Article", evidence=Evidence.PUBLISHED)
    assert why in main(client, "/guides/")
    plan_at(9_000, "Well", rate_per_s_low=8_000, **ENOUGH)
    assert why not in main(client, "/guides/")


def test_what_nobody_measured_is_counted_and_examples_are_left_out_of_the_list() -> None:
    plan_at(1_000, "Measured")
    make.plan(name="Waiting")
    plan_at(1_000, "Unrelated", workload="mix-4k-write")
    assert read_guide(OLTP).unmeasured_plans == 2
    plan_at(1_000, "Made-up", evidence=Evidence.EXAMPLE)
    assert read_guide(OLTP).unmeasured_plans == 3
    assert {line.guide.slug: line.n for line in guide_lines()}["oltp"] == 1


def test_pages_ask_little_whatever_there_is(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rung = make.ladder_class()
    for place in range(ROWS_A_GROUP + 3):
        plan = plan_at(1_000 + place, f"P{place}", ladder_class=rung).plan
        make.price(plan=plan)
    for address in ("/guides/", "/guides/oltp/", "/guides/etcd/?q=p1", "/lies/", "/method/"):
        with django_assert_max_num_queries(QUERIES_MAX):
            client.get(address)
    page = text(client, "/guides/oltp/")
    assert len(rows(page)) == ROWS_A_GROUP
    assert "3 more plans" in page


def test_rows_that_are_not_shown_are_on_the_board_of_their_kind_and_evidence(
    client: Client,
) -> None:
    for place in range(ROWS_A_GROUP + 2):
        drive = make.drive_family(name=f"D{place}", vendor="Maker")
        make.standing(
            drive_family=drive, rate_per_s=1_000 + place, is_durable_single_writer=True,
            evidence=Evidence.PUBLISHED,
        )  # fmt: skip
    plan_at(500, "Slowest", evidence=Evidence.PUBLISHED)
    page = " ".join(text(client, "/guides/oltp/").split())
    links = dict(re.findall(r'<a href="([^"]*)"> (\d+ more [a-z]+), on the board', page))
    assert links == {
        "/drives/?workload=commit-8k&amp;evidence=published": "2 more drives",
        "/plans/?workload=commit-8k&amp;evidence=published": "1 more plan",
    }
    assert "Slowest" in text(client, "/plans/?workload=commit-8k&evidence=published")
    assert "D13" in text(client, "/drives/?workload=commit-8k&evidence=published")


def test_an_unknown_guide_is_404(client: Client) -> None:
    assert client.get("/guides/none/").status_code == 404
