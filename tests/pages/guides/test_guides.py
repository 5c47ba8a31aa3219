"""Pages of guides: live standings with their verdicts, what a reader asks, how often they ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.pages.guides.all import GUIDES
from apps.pages.guides.commits import ETCD
from apps.pages.guides.selectors import read_guide
from apps.pages.guides.verdicts import ROWS_MAX, ROWS_OPEN, GuidePage, page_of
from apps.pages.guides.views import read_rate
from apps.pages.show.answer import WORDS_MAX
from apps.plans.models import HOME_PROVIDER, Provider
from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import answer_on, main, plan_at, text, tight

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from apps.pages.guides.guide import Guide

pytestmark = pytest.mark.django_db
QUERIES_MAX = 7
OLTP = next(guide for guide in GUIDES if guide.slug == "oltp")
CEPH = next(guide for guide in GUIDES if guide.slug == "ceph-wal")
ENOUGH = {"n_uploaders": 3, "n_machines": 5}


def guide_page(guide: Guide) -> GuidePage:
    """Return a guide with its verdicts, as its page has them."""
    return page_of(guide, read_guide(guide))


def rows(page: str) -> list[str]:
    """Return the rows of all tables of verdicts, in order."""
    return re.findall(r'<tr role="row">\s*<th[^>]* role="rowheader".*?</tr>', page, re.DOTALL)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_an_empty_site_has_every_guide(client: Client, guide: Guide) -> None:
    page = text(client, f"/guides/{guide.slug}/")
    assert "Nobody has measured what it waits for." in answer_on(page)
    assert "Unknown: nobody measured it" in answer_on(page)
    assert "./fsyncmark run . " in page


def test_a_row_says_verdict_interval_n_and_date(client: Client) -> None:
    run = make.run()
    plan_at(
        1_500, "Good", rate_per_s_low=1_200, rate_per_s_high=1_900, coverage=0.75,
        newest_run_slug=run.slug, **ENOUGH,
    )  # fmt: skip
    page = text(client, "/guides/oltp/")
    row = rows(page)[0]
    for words in ("Good", ">Firm<", "1.2\u00d7 of 1,000/s", "1,500",
                  "1,200\u20131,900 (75%)", "2025-06-15", "5 machines / 3 uploaders",
                  f'href="/runs/{run.slug}/"'):  # fmt: skip
        assert words in row
    said = answer_on(page)
    for words in (
        "Plan surest to be fit, of 1: Good. 1,500",
        "Firm: at least 1.2 times what you need, 3 uploaders",
    ):
        assert words in said


def test_the_better_verdicts_come_first_and_the_rate_can_be_changed(client: Client) -> None:
    plan_at(1_500, "Low", rate_per_s_low=800, **ENOUGH)
    plan_at(1_200, "Sure", rate_per_s_low=1_100, **ENOUGH)
    plan_at(500, "Slow", rate_per_s_low=400, **ENOUGH)
    names = re.findall(r'href="/plans/[^"]+">(\w+)</a>', text(client, "/guides/oltp/"))
    assert names == ["Sure", "Low", "Slow"]
    page = text(client, "/guides/oltp/?rate=450")
    assert page.count("verdict-mark passes") == 2
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
    assert "Firm: fails" in rows(page)[0]
    nothing = text(client, "/guides/oltp/?q=nobody-has-this")
    assert "No plan and no drive is called \u201cnobody-has-this\u201d." in answer_on(nothing)
    make.drive_family(name="980 PRO", vendor="Samsung")
    unmeasured = text(client, "/guides/oltp/?q=980+PRO")
    assert "Nobody has measured \u201c980 PRO\u201d for it." in answer_on(unmeasured)
    assert '<a href="?q=990%20PRO">990 PRO</a>' in unmeasured
    assert len(rows(nothing)) == 2  # what is known stands there all the same
    assert text(client, "/guides/oltp/?q=%00")


def test_each_thing_stands_once_by_its_best_evidenced_work() -> None:
    plan = plan_at(900, "A", evidence=Evidence.PUBLISHED).plan
    for rate, evidence, workload in (
        (100, Evidence.MEASURED, "fallocated-8k-fsync"),
        (300, Evidence.MEASURED, "commit-8k"),
        (9_000, Evidence.EXAMPLE, "commit-8k"),
        (7_000, Evidence.MEASURED, "mix-4k-write"),
    ):
        make.standing(plan=plan, evidence=evidence, workload=workload, rate_per_s=rate)
    page = guide_page(OLTP)
    assert [each.judged.standing.rate_per_s for each in page.rows] == [300]
    assert [each.judged.standing.rate_per_s for each in page.made_up.first] == [9_000]


def test_examples_stand_last_in_a_fold_of_their_own_and_are_counted_nowhere(
    client: Client,
) -> None:
    plan_at(9_000, "Invented", evidence=Evidence.EXAMPLE)
    only = main(client, "/guides/oltp/")
    assert "Nobody has measured what it waits for." in only
    plan_at(500, "Real", rate_per_s_high=600, **ENOUGH)
    page = main(client, "/guides/oltp/")
    assert page.index(">Real<") < page.index('id="made-up"') < page.index(">Invented<")
    assert (
        "Plan surest to be fit, of 1: Real. 500 durable commits/s Firm: fails: 0.60 times"
        in answer_on(page)
    )


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
    said = answer_on(page)
    assert said.startswith(
        "No, not at 1,000 commits a second of one session. 330 durable commits/s"
    )
    assert "Firm: fails: 0.33 times what you need, 7 uploaders" in said
    heading = page[page.index("<h1>") : page.index("</h1>")]
    assert '<a href="/drives/samsung-990-pro/">990 PRO</a>: Is it fit for PostgreSQL?' in heading
    assert "329 /s" in page  # in the picture, by its other work
    assert "No, not at 1,000 commits a second" in text(client, "/drives/samsung-990-pro/")
    asked = answer_on(main(client, "/guides/oltp/?q=990+pro&rate=300"))
    assert "Borderline at 300 commits a second of one session." in asked
    assert "Plan surest to be fit, of 1: ser7." in answer_on(main(client, "/guides/oltp/"))


def test_an_answer_is_one_breath_and_never_hedges(client: Client) -> None:
    for name, rate in (("A", 9_000), ("B", 1_500), ("C", 100)):
        plan_at(rate, name, evidence=Evidence.PUBLISHED)
    for guide in GUIDES:
        for query in ("", "?q=a", "?q=none"):
            page = main(client, f"/guides/{guide.slug}/{query}")
            sentence = page.partition('class="answer-says">')[2].partition("</p>")[0]
            assert 0 < len(sentence.split()) <= WORDS_MAX
            shown = re.sub(r"<[^>]+>", " ", " ".join(rows(page)))
            assert not re.search(r"\b(may|probably|sure to)\b", f"{sentence} {shown}")


def test_a_p99_is_answered_by_its_share_of_the_limit(client: Client) -> None:
    slow = {"workload": "commit-8k", "latency_side": "sync", "p99_ns": 11_000_000,
            "pooled_p999_ns": 20_000_000}  # fmt: skip
    plan_at(900, "X-slow", **slow, **ENOUGH)
    page = main(client, "/guides/etcd/?q=x-slow")
    said = answer_on(page)
    assert "No, not at a p99 of at most 10 ms. 11 ms p99" in said.replace("\u202f", " ")
    assert "Firm: fails: p99 at 110% of 10 ms, 3 uploaders" in said
    assert "p99.9 of all 20 ms" in page.replace("\u202f", " ")
    plan_at(900, "X-other", **slow, **ENOUGH)
    assert "Plan surest to be fit, of 2" in answer_on(main(client, "/guides/etcd/?q=acme+x"))


def test_what_decides_and_is_not_stated_is_unknown(client: Client) -> None:
    plan_at(9_000, "Z", workload="direct-16k-fdatasync", plp="unknown", rate_per_s_low=8_000,
            rate_per_s_high=9_500, **ENOUGH)  # fmt: skip
    said = answer_on(main(client, "/guides/zfs-slog/?q=acme+z"))
    assert "Unknown at 5,000 durable writes a second. 9,000" in said
    assert "Unknown: power-loss protection not stated" in said
    plan_at(9_000, "Y", latency_side="completion", p99_ns=1_000_000, workload="etcd-2300-fdatasync")
    assert "Unknown: its p99 is not known" in answer_on(main(client, "/guides/etcd/?q=acme+y"))


def test_the_guide_to_streaming_prints_the_unit_of_its_rule(client: Client) -> None:
    plan_at(1_000, "Wide", workload="seqread-256k-qd8", rate_per_s_low=900, rate_per_s_high=1_100,
            is_durable_single_writer=False, **ENOUGH)  # fmt: skip
    (row,) = rows(main(client, "/guides/streaming/"))
    assert '<span class="cell-main">1,000</span><span class="cell-note">262 MB/s</span>' in tight(
        row
    )
    assert "900\u20131,100" in row
    assert ">Firm<" in row


def test_pages_ask_little_whatever_there_is(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rung = make.ladder_class()
    for place in range(ROWS_OPEN + 3):
        plan = plan_at(1_000 + place, f"P{place}", ladder_class=rung).plan
        make.price(plan=plan)
    for address in ("/guides/", "/guides/oltp/", "/guides/etcd/?q=p1", "/lies/", "/method/"):
        with django_assert_max_num_queries(QUERIES_MAX):
            client.get(address)
    page = text(client, "/guides/oltp/")
    first, _, folded = page.partition('id="plans"')
    assert (len(rows(first)), len(rows(folded))) == (ROWS_OPEN, 3)
    assert "3 more" in folded


def test_a_long_list_says_how_many_it_leaves_out(client: Client) -> None:
    for place in range(ROWS_MAX + 2):
        drive = make.drive_family(name=f"D{place}", vendor="Maker")
        make.standing(
            drive_family=drive, rate_per_s=1_000 + place, is_durable_single_writer=True,
            evidence=Evidence.PUBLISHED,
        )  # fmt: skip
    page = text(client, "/guides/oltp/")
    assert len(rows(page)) == ROWS_MAX
    assert "2 more" in page.partition("</table>")[2]
    assert f"Drive surest to be fit, of {ROWS_MAX + 2}: " in page


def test_own_work_and_new_evidence_come_before_a_higher_figure_that_stands_in(
    client: Client,
) -> None:
    few = {"n_uploaders": 2, "needs_runs": True}
    article = {"evidence": Evidence.PUBLISHED, "n_uploaders": 1}  # of no stated age
    for name, rate, workload, of in (
        ("Raw", 64_000, "fio-4k-sync-direct", article),
        ("Own", 10_000, "fallocated-8k-fsync", article),
        ("Direct", 45_000, "direct-16k-fdatasync", few),
    ):
        plan_at(rate, name, workload=workload, **of)
    names = re.findall(r'<a href="/plans/[^"]+">(\w+)</a>', main(client, "/guides/oltp/"))
    assert names == ["Own", "Direct", "Raw"]


def test_what_nobody_measured_has_its_command_in_the_first_screen(client: Client) -> None:
    page = main(client, "/guides/ticks/")
    assert page.index('id="measure"') < page.index('id="rule"')
    assert "--only group-commit-8k-32,commit-8k" in main(client, "/guides/")


def test_an_unknown_guide_is_404(client: Client) -> None:
    assert client.get("/guides/none/").status_code == 404


def test_a_p50_beyond_the_limit_is_shown_as_a_share_of_it(client: Client) -> None:
    """A margin of times never reads as one of a rate; nor is a p50 a p99."""
    read = {"latency_side": "read", "workload": "randread-4k-qd1", "p99_ns": None,
            "p50_ns": 2_000_000, "is_durable_single_writer": False}  # fmt: skip
    plan_at(500, "Idle", **read, **ENOUGH)
    page = main(client, "/guides/index-lookups/")
    assert "Firm: fails: p50 at 200% of 1.00 ms, 3 uploaders" in answer_on(page)
    assert "p50 at 200% of 1.00 ms" in tight(rows(page)[0])
    assert "of 0/s" not in page
    plan_at(100, "Worn", latency_side="sync", p99_ns=None, p50_ns=16_000_000, rate_per_s_low=95,
            **ENOUGH)  # fmt: skip
    row = tight(rows(main(client, "/guides/etcd/?q=worn"))[0])
    assert "p50 at 160% of 10 ms" in row
    assert "of 50/s" not in row


def test_what_is_known_by_other_names_or_as_a_sample_exists(client: Client) -> None:
    drive = make.drive_family(name="PM893", vendor="Samsung", plp="full")
    make.standing(
        drive_family=drive, evidence=Evidence.PUBLISHED, workload="randwrite-4k-fsync",
        plp="full", is_illustrative=True,
    )  # fmt: skip
    make.drive_family(name="980 PRO", vendor="Samsung", segment="consumer")
    plan_at(9_000, "Waiting", evidence=Evidence.EXAMPLE)
    for asked in ("PM893", "samsung 980 pro", "consumer 980", "acme waiting"):
        said = answer_on(main(client, f"/guides/ceph-wal/?q={asked.replace(' ', '+')}"))
        assert f"Nobody has measured \u201c{asked}\u201d for it." in said
    gone = answer_on(main(client, "/guides/ceph-wal/?q=samsung+waiting"))
    assert "No plan and no drive is called \u201csamsung waiting\u201d." in gone


def test_machines_of_ones_own_are_the_best_of_nothing(client: Client) -> None:
    home = Provider.objects.get_or_create(slug=HOME_PROVIDER, defaults={"name": "Home"})[0]
    for name, rate in (("Attic", 9_000), ("Attic two", 8_000)):
        plan = make.plan(provider=home, slug=f"home-{rate}", name=name)
        make.standing(plan=plan, rate_per_s=rate, is_durable_single_writer=True, **ENOUGH)
    said = answer_on(main(client, "/guides/oltp/?q=attic"))
    assert "surest" not in said
    assert "Likely, at 1,000 commits a second of one session." in said
    plan_at(1_500, "Attic-like", **ENOUGH)
    said = answer_on(main(client, "/guides/oltp/?q=attic"))
    assert "Plan surest to be fit, of 1: Attic-like." in said


def test_what_nobody_measured_is_counted_where_no_row_is_and_a_search_is_left_once(
    client: Client,
) -> None:
    plan_at(9_000, "Rented")
    make.drive_family(name="980 PRO", vendor="Samsung")
    page = tight(main(client, "/guides/oltp/"))
    drives = page.partition("Which drives are fit?")[2]
    assert drives.startswith("</h2><p>1 not measured.")
    make.standing(drive_family=make.drive_family(name="Rented disk"), is_durable_single_writer=True)
    page = main(client, "/guides/oltp/?q=rented")
    assert page.count("Show all") == 1


def test_an_exact_name_is_judged_alone(client: Client) -> None:
    for name, rate in (("970 EVO", 900), ("970 EVO Plus", 1_400)):
        family = make.drive_family(name=name, vendor="Samsung")
        make.standing(drive_family=family, rate_per_s=rate, is_durable_single_writer=True)
    for asked in ("Samsung 970 EVO", "970 evo"):
        page = main(client, f"/guides/oltp/?q={asked}")
        assert re.search(r"<h1><a [^>]*>[^<]*970 EVO</a>: Is it fit", page)
        assert "surest" not in answer_on(page)
    assert "Drive surest to be fit, of 2" in answer_on(main(client, "/guides/oltp/?q=970"))


def test_what_is_drawn_where_nobody_measured_says_whose_it_is(client: Client) -> None:
    page = main(client, "/guides/ticks/")
    assert "Nobody has measured what it waits for." in page
    assert page.count('<tspan class="quantity" dx="4">our machine</tspan>') >= 3


def test_comparable_work_is_one_line_of_the_rule(client: Client) -> None:
    page = tight(main(client, "/guides/etcd/")).partition("How is it judged?")[2]
    listed = page.partition("</dl>")[0]
    assert listed.count("<dt>") == len(ETCD.nearest) + 1
    assert f"<dt>{len(ETCD.comparable)} more</dt>" in listed
