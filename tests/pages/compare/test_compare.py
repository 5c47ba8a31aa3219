"""Two to six things beside each other: what is chosen, what differs, and what is not there."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest

from apps.pages.compare.query import ref_in
from apps.pages.show.address.references import (
    Ref,
    RefKind,
)
from apps.plans.models import Plan
from apps.runs.models import Level
from apps.runs.models import Outcome as RunOutcome
from apps.spreadsheet import without_formula
from tests import make
from tests.pages.compare.build import against, delta_of, head_of, interval, priced, words_of
from tests.pages.site import measured_run, plan_at, text, tight

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries


pytestmark = pytest.mark.django_db

QUERIES_MAX = 6


# ---- latencies and their intervals ---------------------------------------------------------


def test_a_p99_borrows_no_interval_of_its_rate(client: Client) -> None:
    sure = interval(990, 1010, n_uploaders=6, n_machines=6, p99_ns=2_000_000)
    other = interval(495, 505, n_uploaders=6, n_machines=6, p99_ns=3_000_000)
    bare = against(plan_at(1000, "A", **sure), plan_at(500, "B", **other))
    page = words_of(client, bare)
    assert delta_of(page, "p99") == ("ratio", "1.50\u00d7")
    own = against(
        plan_at(1000, "C", p99_low_ns=1_900_000, p99_high_ns=2_100_000, **sure),
        plan_at(500, "D", p99_low_ns=2_500_000, p99_high_ns=3_500_000, **other),
    )
    page = words_of(client, own)
    assert delta_of(page, "p99") == ("worse", "1.50\u00d7")
    assert "2.50\u20133.50" in page
    wide = plan_at(500, "E", p99_low_ns=2_000_000, p99_high_ns=3_500_000, **other)
    near = plan_at(1000, "F", p99_low_ns=1_900_000, p99_high_ns=2_100_000, **sure)
    assert delta_of(words_of(client, against(near, wide)), "p99")[0] == "unsure"


# ---- what is asked -------------------------------------------------------------------------


def test_what_people_paste_is_understood() -> None:
    assert ref_in("https://example.org/zh-hans/plans/acme-a/?page=2") == Ref(RefKind.PLAN, "acme-a")
    assert ref_in("/runs/webp-ax102/") == Ref(RefKind.RUN, "webp-ax102")
    assert ref_in(" drive:samsung-990 ") == Ref(RefKind.DRIVE, "samsung-990")
    assert ref_in("990 pro") is None
    assert ref_in("provider:acme") is None


def test_a_pasted_address_and_a_full_name_are_added_at_once(client: Client) -> None:
    plan_at(1000, "Alpha")
    plan_at(1000, "Alphabet")
    answer = client.get("/compare/", {"add": "https://site.example/plans/acme-alpha/"})
    assert answer.headers["Location"] == "/compare/?on=plan:acme-alpha"
    answer = client.get("/compare/", {"on": "plan:acme-alphabet", "add": "acme alpha"})
    assert answer.headers["Location"] == "/compare/?on=plan:acme-alphabet&on=plan:acme-alpha"


def test_words_that_mean_several_things_offer_each(client: Client) -> None:
    first = plan_at(1000, "Alpha")
    plan_at(1000, "Alphabet")
    make.drive_family(name="Alphadrive", slug="alphadrive")
    page = text(client, against(first, more="&add=alph"))
    assert "on=plan:acme-alpha&amp;on=plan:acme-alphabet" in page
    assert "on=plan:acme-alpha&amp;on=drive:alphadrive" in page
    part = client.get(against(first, more="&add=alph"), headers={"HX-Request": "true"}).text
    assert "on=drive:alphadrive" in part
    assert "<html" not in part
    assert "called “zzz”" in text(client, "/compare/?add=zzz")


def test_what_is_not_there_is_said_and_the_rest_is_compared(client: Client) -> None:
    one, other = plan_at(1000, "A"), plan_at(500, "B")
    page = words_of(client, against(one, other, more="&on=run:gone-1&on=plan:none&on=tree:x"))
    for lost in ("run:gone-1", "plan:none", "tree:x"):
        assert f"<code>{lost}</code> is not here and was left out." in page
    assert "<title>A against B \u2013 Fsyncmark</title>" in page


def test_more_than_six_says_so(client: Client) -> None:
    standings = [plan_at(1000 + place, f"P{place}") for place in range(8)]
    page = words_of(client, against(*standings))
    assert "Six at most: remove one to add another." in page
    assert page.count('class="thing') >= 6
    assert ">P6<" not in page


def test_three_things_without_a_common_work_each_have_their_own_figure(client: Client) -> None:
    one, two = plan_at(1000, "One"), plan_at(500, "Two")
    three = plan_at(9000, "Three", workload="commit-8k-fsync")
    page = words_of(client, against(one, two, three))
    assert "Three is the fastest: at least 1.9 times as fast as One." in head_of(page)
    assert "500/s" in page
    assert "not measured" not in page


def test_one_thing_offers_what_has_its_workload(client: Client) -> None:
    one = plan_at(1000, "A")
    plan_at(500, "B")
    plan_at(500, "C", workload="commit-8k-fsync")
    page = text(client, against(one))
    assert "on=plan:acme-a&amp;on=plan:acme-b" in page
    assert "acme-c" not in page


# ---- which workload ------------------------------------------------------------------------


def test_the_workload_that_most_have_is_chosen_and_others_are_listed(client: Client) -> None:
    first, second = plan_at(1000, "A"), plan_at(500, "B")
    for place, standing in enumerate((first, second)):
        make.standing(
            plan=standing.plan, workload="commit-8k-fsync", rate_per_s=70 + place,
            is_durable_single_writer=True,
        )  # fmt: skip
    make.standing(plan=first.plan, workload="read-4k-floor", rate_per_s=9000)
    page = words_of(client, against(first, second))
    assert '<a href="#workloads">Overwrite, fdatasync: what a WAL does</a>' in tight(page)
    assert "workload=commit-8k-fsync-v1&amp;evidence=measured" in page
    assert "1 of 2" in page
    chosen = words_of(client, against(first, second, more="&workload=commit-8k-fsync"))
    assert '<a href="#workloads">Overwrite, fsync</a>' in tight(chosen)
    assert ">71<" in tight(chosen)
    lacking = words_of(client, against(first, second, more="&workload=read-4k-floor"))
    assert "not measured" in lacking


def test_what_nobody_measured_is_answered_by_its_kin_and_drawn(client: Client) -> None:
    one = plan_at(1000, "CCX33", workload="randread", is_durable_single_writer=False)
    assert one.plan
    make.plan(provider=one.plan.provider, slug="acme-ax102", name="AX102")
    plan_at(900, "CCX63")
    plan_at(9000, "AX102-big")
    plan_at(700, "Other")
    page = words_of(client, "/compare/?on=plan:acme-ccx33&on=plan:acme-ax102")
    assert "Nearest measured: AX102-big is 10 times as fast as CCX63." in head_of(page)
    assert "Borderline: 10 times" in head_of(page)  # a stand-in is never likely
    assert "not measured</span>" not in tight(page)
    assert "CCX63 stands for CCX33; AX102-big stands for AX102." in page
    assert "/compare/?on=plan:acme-ccx63&amp;on=plan:acme-ax102-big" in page
    lanes = tight(page[page.index('<ul class="lanes">') : page.index("</ul>", page.index("lanes"))])
    assert lanes.count('class="hollow"') == 4  # both marks of both stand-ins
    places = [float(each) for each in re.findall(r'<svg class="look-[ab]" x="([\d.]+)%"', lanes)]
    assert places[0] - places[1] == pytest.approx(100 / 6, abs=0.02)  # ten times is a decade
    assert "circle" not in lanes  # a disc or a ring would tell of protection


def test_of_two_kin_the_one_that_did_the_work_of_the_other_side_stands_in(client: Client) -> None:
    near = plan_at(1600, "CCX13", workload="commit-8k-fsync")
    assert near.plan
    make.plan(provider=near.plan.provider, slug="acme-ccx33", name="CCX33", vcpus=4)
    plan_at(900, "CCX63")
    quick = plan_at(9000, "AX102", p99_ns=163_000)
    page = words_of(client, f"/compare/?on=plan:acme-ccx33&on=plan:{quick.plan_id}")
    assert "CCX63 stands for CCX33." in page
    assert "p99 163" in page
    quick.workload = "commit-8k-fsync"
    quick.save()
    page = words_of(client, f"/compare/?on=plan:acme-ccx33&on=plan:{quick.plan_id}")
    assert "CCX13 stands for CCX33." in page


def test_what_was_measured_stands_for_itself_and_no_other_series_for_it(client: Client) -> None:
    measured = plan_at(1000, "CPX22")
    assert measured.plan
    make.plan(provider=measured.plan.provider, slug="acme-cpx32", name="CPX32")
    plan_at(900, "DX23")
    address = "/compare/?on=plan:acme-cpx32&on=plan:acme-cpx22"
    assert "Nobody has measured CPX32." in head_of(words_of(client, address))
    plan_at(500, "CPX42")
    page = words_of(client, address)
    assert "Nearest measured: CPX22 is 2.0 times as fast as CPX42." in head_of(page)
    assert "CPX42 stands for CPX32." in page
    assert "/compare/?on=plan:acme-cpx42&amp;on=plan:acme-cpx22" in page


def test_without_kin_nothing_is_guessed(client: Client) -> None:
    drives = [make.drive_family(name=name, slug=name.lower()) for name in ("One", "Two")]
    page = words_of(client, f"/compare/?on=drive:{drives[0].slug}&on=drive:{drives[1].slug}")
    assert "Nobody has measured One and Two." in head_of(page)
    assert "Unknown: nobody measured it" in head_of(page)


def test_a_search_is_compared_by_its_useful_rate(client: Client) -> None:
    workload = "slo-randread-4k-10ms"
    pair = [plan_at(1000, "A"), plan_at(500, "B")]
    for standing, rate in zip(pair, (40_000, 10_000), strict=True):
        make.standing(plan=standing.plan, workload=workload, rate_per_s=rate)
    page = words_of(client, against(*pair))
    assert "Useful IOPS" in page
    assert "p99 under 10" in page
    assert delta_of(page, "Useful IOPS") == ("worse", "0.25\u00d7")


# ---- the page ------------------------------------------------------------------------------


def test_a_pair_says_who_is_ahead_with_intervals_n_and_date(client: Client) -> None:
    run = make.run(slug="newest")
    fast = plan_at(
        3200, "Fast", n_uploaders=3, n_machines=5, newest_run_slug=run.slug, plp="full",
        **interval(3000, 3400),
    )  # fmt: skip
    slow = plan_at(1000, "Slow", plp="none", **interval(900, 1100))
    page = words_of(client, against(fast, slow))
    assert "Fast is 3.2 times as fast as Slow." in head_of(page)
    assert "2.7\u20133.8 times" in head_of(page)
    assert "3.2\u00d7" in head_of(page)
    assert "3 uploaders · 5 machines" in page
    assert "2025-06-15" in page
    assert "With power-loss protection: Fast; without: Slow." in page
    assert delta_of(page, "durable commits/s") == ("worse", "0.31\u00d7")
    assert 'aria-label="worse"' in page
    other = words_of(client, against(fast, slow, more="&base=plan:acme-slow"))
    assert delta_of(other, "durable commits/s") == ("better", "3.2\u00d7")
    assert 'aria-label="better"' in other


def test_marks_hang_from_the_ruler_and_the_segment_is_the_ratio(client: Client) -> None:
    page = words_of(client, against(plan_at(10_000, "A"), plan_at(100, "B")))
    first = re.search(r'class="segment" x1="([\d.]+)%" x2="([\d.]+)%"', page)
    assert first
    # 100 µs and 10 ms on six decades from 100 ns
    assert [float(each) for each in first.groups()] == pytest.approx([50, 100 * 5 / 6], abs=0.01)


def test_latencies_of_different_sides_are_not_compared(client: Client) -> None:
    one = plan_at(1000, "A", latency_side="commit")
    other = plan_at(500, "B", latency_side="completion")
    assert "completion" in words_of(client, against(one, other))


def test_three_and_more_stand_on_lines_of_their_own(client: Client) -> None:
    drive = make.standing(
        drive_family=make.drive_family(name="Drive D"), is_durable_single_writer=True
    )
    run = measured_run(slug="one-run", plan=make.plan(name="Rented"))
    page = words_of(
        client, against(plan_at(1000, "A"), plan_at(400, "B"), drive, more=f"&on=run:{run.slug}")
    )
    assert "<title>A against B, Drive D and Rented (2025-06-15) \u2013 Fsyncmark</title>" in page
    assert page.count('class="versus many"') == 2  # rate, p99 and cost; the rest is folded
    assert "0.40\u00d7" in page
    assert "vs" not in page.split("<h1")[1].split("</h1>")[0].split()


def test_a_run_in_quarantine_is_marked(client: Client) -> None:
    run = measured_run(outcome=RunOutcome.QUARANTINE, in_standings=False, level=Level.SIGNED)
    page = words_of(client, against(plan_at(1000, "A"), more=f"&on=run:{run.slug}"))
    assert "Quarantine: the figures cannot be what they say." in page


def test_the_surroundings_are_parted_by_whether_they_differ(client: Client) -> None:
    runs = [
        measured_run(
            filesystem=fs, kernel="6.8", cpu_model=cpu,
            environment={"env": {}, "devices": [{"scheduler": "none", "write_cache": cache}]},
        )
        for fs, cpu, cache in (("ext4", "Same CPU", "write back"), ("xfs", "Same CPU", "unknown"))
    ]  # fmt: skip
    page = words_of(client, f"/compare/?on=run:{runs[0].slug}&on=run:{runs[1].slug}")
    facts = page.split('<table class="aspects"')[1]
    assert re.search(r"<td[^>]*>ext4</td><td[^>]*>xfs</td>", facts)
    assert re.search(
        r"<td[^>]*>write back</td><td[^>]*><span class=\"dim\">not stated</span></td>", facts
    )
    assert facts.index("ext4") < facts.index("write back") < facts.index("Same CPU")
    summary = tight(page.split('<h2 id="around-title">')[1].split("</summary>")[0])
    assert "Filesystem" in summary
    assert "Processor" not in summary


def test_the_address_is_canonical_and_every_change_is_an_address(client: Client) -> None:
    one, other = plan_at(1000, "A"), plan_at(500, "B")
    page = text(client, against(one, other, more="&on=plan:acme-a&base=plan:acme-b"))
    for address in (
        "/compare/?on=plan:acme-a&amp;on=plan:acme-b",  # against the first
        "/compare/?on=plan:acme-b&amp;on=plan:acme-a",  # moved, the baseline stays
        '/compare/?on=plan:acme-a"',  # without the second
    ):
        assert f'href="{address.rstrip(chr(34))}"' in page
    assert "/compare/?on=plan:acme-a&amp;on=plan:acme-b&amp;base=plan:acme-b</pre>" in page
    assert '<meta property="og:title" content="A against B">' in " ".join(page.split())


# ---- files ---------------------------------------------------------------------------------


def test_csv_and_json_hold_the_figures_of_the_page(client: Client) -> None:
    fast = priced(plan_at(2000, "Fast", **interval(1900, 2100)), "73")
    Plan.objects.filter(pk=fast.plan_id).update(name="=Fast")
    slow = priced(plan_at(1000, "Slow", **interval(900, 1100)), "73")
    query = against(fast, slow).removeprefix("/compare/")
    answer = client.get(f"/compare/figures.csv{query}")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    rate = next(row for row in rows if row["measure"] == "rate" and row["on"] == "plan:acme-slow")
    assert (rate["value"], rate["low"], rate["high"]) == ("1000.0", "900.0", "1100.0")
    assert (rate["ratio_to_base"], rate["against_base"]) == ("0.5", "worse")
    assert (rate["workload"], rate["evidence"], rate["unit"]) == ("commit-8k", "measured", "per_s")
    assert {row["name"] for row in rows} == {"'=Fast", "Slow"}
    document = client.get(f"/compare/figures.json{query}").json()
    assert document["base"] == "plan:acme-fast"
    assert document["page"].endswith("/compare/?on=plan:acme-fast&on=plan:acme-slow")
    assert len(document["figures"]) == len(rows)


def test_a_cell_is_never_a_formula() -> None:
    assert without_formula("=1+1") == "'=1+1"
    assert without_formula("@x") == "'@x"
    assert without_formula("\nx") == "'\nx"
    assert without_formula("AX102") == "AX102"
    assert without_formula(-5) == -5


def test_text_of_strangers_is_text(client: Client) -> None:
    run = measured_run(claimed_plan="<b>x</b>", drive_reported="<script>alert(1)</script>")
    page = text(client, against(plan_at(1000, "A"), more=f"&on=run:{run.slug}&add=<i>"))
    assert "<script>alert" not in page
    assert "<b>x</b>" not in page
    assert "<i>" not in page


# ---- queries -------------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["", "&add=fam", "&workload=read-4k-floor"])
def test_six_things_with_hundreds_of_runs_ask_six_times(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries, more: str
) -> None:
    plan = plan_at(1000, "A").plan
    for place in range(120):
        measured_run(plan=plan, drive_family=None, slug=f"run-{place}")
    drives = [make.drive_family() for _ in range(2)]
    for region in ("europe", "asia"):
        for workload in ("commit-8k-fsync", "read-4k-floor"):
            make.standing(plan=plan, workload=workload, region_group=region)
    for drive in drives:
        make.standing(drive_family=drive, is_durable_single_writer=True)
    plan_at(900, "B")
    address = (
        "/compare/?on=plan:acme-a&on=plan:acme-b&on=run:run-1&on=run:run-2"
        f"&on=drive:{drives[0].slug}&on=drive:{drives[1].slug}{more}"
    )
    with django_assert_max_num_queries(QUERIES_MAX):
        page = text(client, address)
    assert page.count(">Move ") == 5


@pytest.mark.parametrize("address", ["/compare/", "/compare/?on=plan:acme-a", "/compare/?add=ac"])
def test_the_start_page_asks_six_times_at_most(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries, address: str
) -> None:
    for place in range(30):
        plan_at(1000, f"P{place}")
    plan_at(1000, "A")
    with django_assert_max_num_queries(QUERIES_MAX):
        text(client, address)
