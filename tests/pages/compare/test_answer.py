"""The answer of a comparison: which is the fastest, how sure that is, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.pages.show.answer import WORDS_MAX
from apps.rankings.comparable.data import work_factor
from apps.rankings.models import Evidence
from apps.runs.models import Level, Measurement
from apps.runs.models import Outcome as RunOutcome
from apps.stats.figures import significant
from tests.pages.compare.build import against, delta_of, head_of, interval, words_of
from tests.pages.site import measured_run, plan_at, tight

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

WORKS = ("commit-8k", "fallocated-8k-fsync")  # of two classes


def test_the_same_work_of_other_evidence_is_set_against_each_other_and_said(client: Client) -> None:
    one = plan_at(1000, "A")
    other = plan_at(500, "B", evidence=Evidence.PUBLISHED)
    page = words_of(client, against(one, other))
    assert "A is 2.0 times as fast as B." in head_of(page)
    assert "Borderline: 2.0 times" in head_of(page)
    assert "The same work, but one was measured and the other published." in page
    assert delta_of(page, "durable commits/s") == ("ratio", "0.50\u00d7")


def test_two_ranked_plans_that_did_the_same_work_are_firm_whatever_its_class(
    client: Client,
) -> None:
    """Work of which none stands in a list of comparable work is still compared with itself."""
    many = {"workload": "randread-4k-qd32", "is_durable_single_writer": False, "n_uploaders": 8}
    fast = plan_at(90_000, "A", **interval(80_000, 99_000, **many))
    slow = plan_at(30_000, "B", **interval(28_000, 33_000, **many))
    head = head_of(words_of(client, against(fast, slow)))
    assert "A is 3.0 times as fast as B." in head
    assert "Firm: 2.4\u20133.5 times" in head


def test_versions_of_one_work_are_not_taken_for_kinds_of_evidence(client: Client) -> None:
    one, other = plan_at(1000, "A", version=2), plan_at(500, "B")
    page = words_of(client, against(one, other))
    assert "The same work, but one in version 2 and the other in version 1." in page
    assert "the other published" not in page


def test_few_whose_intervals_overlap_cannot_be_told_apart(client: Client) -> None:
    few = {"needs_runs": True, "n_uploaders": 2}
    wide = plan_at(2000, "A", **interval(900, 3000, **few))
    near = plan_at(1000, "B", **interval(500, 1500, **few))
    head = head_of(words_of(client, against(wide, near)))
    assert "A and B cannot be told apart." in head
    assert "Borderline" in head
    assert "\u00d7" not in head  # no ratio stands where none can be told
    far = plan_at(100, "C", **interval(50, 150, **few))
    assert "A is at least 6.0 times as fast as C." in head_of(words_of(client, against(wide, far)))


def test_other_work_leaves_a_range_and_says_why(client: Client) -> None:
    factor = work_factor(*WORKS) or 1
    wal = plan_at(9000, "A", n_uploaders=8)
    new_file = plan_at(500, "B", workload=WORKS[1], n_uploaders=8)
    page = words_of(client, against(wal, new_file))
    least = significant(18 / factor, 2)
    assert f"A is at least {least} times as fast as B." in head_of(page)
    assert f"Likely: {least}\u2013{significant(18 * factor, 2)} times" in head_of(page)
    assert f"\u2265{least}\u00d7" in head_of(page)
    assert (
        "One did “overwrite, fdatasync”, the other “new file, fsync”: "
        f"up to {significant(factor, 2)} times apart by the work alone." in page
    )
    assert delta_of(page, "durable commits/s") == ("ratio", "1/18")
    near = plan_at(4000, "C", workload=WORKS[1], n_uploaders=8)
    head = head_of(words_of(client, against(wal, near)))
    assert "A and C cannot be told apart." in head
    assert "Borderline: " in head
    beyond = plan_at(9000 / (1.9 * factor), "D", workload=WORKS[1])
    assert "Borderline: 1.9\u2013" in head_of(words_of(client, against(wal, beyond)))


def test_the_range_of_a_ratio_is_said_where_its_ends_are_near(client: Client) -> None:
    near = {"workload": "commit-8k", "n_uploaders": 8}
    one = plan_at(9000, "A", **interval(8000, 9900, **near))
    other = plan_at(3000, "B", **interval(2800, 3300, **near))
    assert "A is 3.0 times as fast as B." in head_of(words_of(client, against(one, other)))


def test_of_three_of_which_two_are_level_the_third_is_set_against_both(client: Client) -> None:
    few = {"needs_runs": True, "n_uploaders": 2}
    one = plan_at(2000, "A", **interval(1500, 3000, **few))
    two = plan_at(1800, "B", **interval(1400, 2500, **few))
    slow = plan_at(100, "C", **interval(90, 110, **few))
    head = head_of(words_of(client, against(slow, one, two)))
    assert "A and B are level: 18 times as fast as C." in head
    assert "18\u00d7" in head
    near = plan_at(1700, "D", **interval(1300, 2400, **few))
    assert "A and B cannot be told apart." in head_of(words_of(client, against(near, one, two)))


def test_three_long_names_that_are_level_fit_in_one_sentence(client: Client) -> None:
    rows = [plan_at(rate, f"P{place}", **interval(rate * 0.9, rate * 1.1)) for place, rate in
            enumerate((2000, 1990, 100))]  # fmt: skip
    for place, row in enumerate(rows):
        assert row.plan
        row.plan.name = f"A{place} name of five words"
        row.plan.save()
    sentence = tight(head_of(words_of(client, against(*rows)))).split('says">')[1].split("<")[0]
    assert sentence.startswith("A0 name of\u2026 and A1 name of\u2026 are level")
    assert len(sentence.split()) <= WORDS_MAX


def test_where_the_figures_come_from_is_one_click_away(client: Client) -> None:
    one, other = plan_at(1000, "A", newest_run_slug="one"), plan_at(500, "B", newest_run_slug="two")
    head = head_of(words_of(client, against(one, other)))
    assert '<a href="/runs/one/">A</a>' in head
    assert '<a href="/runs/two/">B</a>' in head


def test_published_runs_of_both_are_counted_and_a_cut_name_ends_once(client: Client) -> None:
    published = {"evidence": Evidence.PUBLISHED, "needs_runs": True}
    one = plan_at(9000, "A", n_runs=1, **published)
    two = plan_at(500, "B", n_runs=2, **published)
    assert two.plan
    two.plan.name = "A name of more than five words"
    two.plan.save()
    head = head_of(words_of(client, against(one, two)))
    assert "3 published runs" in head
    assert "A name of more than\u2026</p>" in tight(head)


@pytest.mark.parametrize(
    "out",
    [
        {"outcome": RunOutcome.QUARANTINE, "level": Level.SIGNED},
        {"is_kept_out": True},
        {"plan_in_doubt": True},
    ],
    ids=str,
)
def test_what_does_not_count_wins_no_comparison(client: Client, out: dict[str, object]) -> None:
    run = measured_run(in_standings=False, **out)
    Measurement.objects.filter(run=run).update(rate_per_s=90_000.0)
    more, slow, fast = f"&on=run:{run.slug}", plan_at(1000, "A"), plan_at(3000, "B")
    page = words_of(client, against(slow, more=more))
    assert "does not count." in head_of(page)
    assert "Unknown: does not count" in head_of(page)
    assert "durable commits/s, A" in head_of(page)
    assert "times as fast" not in page
    assert 'scope="row">operations/s<' in tight(page)
    many = head_of(words_of(client, against(slow, fast, more=more)))
    assert "B is the fastest: 3.0 times as fast as A." in many
