"""The words: what the picture says, and what the sentence adds to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from apps.badges import wording
from apps.badges.badge_facts import (
    Absence,
    BadgeInterval,
    BadgeLatency,
    BadgeTier,
    Figures,
    MissingFigure,
    Proof,
)
from apps.badges.drawing.badge import Badge, Tone
from apps.badges.options import BadgeMetric
from apps.stats.standings.window import WINDOW
from tests.badges.facts import TODAY, some_facts


def badge_of(
    figures: Figures, *, metric: BadgeMetric = BadgeMetric.FSYNC, today: date = TODAY
) -> Badge:
    return wording.badge_of(figures, metric=metric, today=today)


def test_a_witnessed_run() -> None:
    badge = badge_of(some_facts())
    assert badge.figure == "10,318"
    assert badge.remark == "commits/s (8,306\u201310,842) · commit-8k · 1 run, witnessed · Nov 2026"
    assert (badge.tone, badge.bars) == (Tone.WITNESSED, 2)
    assert badge.sentence == (
        "Fsyncmark, Hetzner AX102: 10,318 durable commits a second (8 KiB overwrite, fdatasync "
        "after each); from 8,306 to 10,842 between samples; half of all commits within 89 µs; "
        "a drive with power-loss protection; 1 run, witnessed, November 2026."
    )


def test_a_plan_says_how_many_people_measured_it() -> None:
    badge = badge_of(some_facts(uploaders=7, runs=19))
    assert badge.remark == "commits/s (8,306\u201310,842) · commit-8k · 7 uploaders · Nov 2026"
    assert "19 runs by 7 uploaders, witnessed, November 2026" in badge.sentence


def test_one_uploader_is_one_uploader() -> None:
    assert (
        badge_of(some_facts(uploaders=1, interval=None)).remark
        == "commits/s · commit-8k · 1 uploader · Nov 2026"
    )


def test_a_lottery_says_who_got_what_instead_of_the_interval_of_one_kind() -> None:
    badge = badge_of(some_facts(uploaders=6, runs=19, kinds=((6, 32_035.0), (3, 215.4))))
    assert badge.remark == "commits/s for 6 of 9 uploaders, 215/s for 3 · commit-8k · Nov 2026"


def test_a_published_figure_says_so_and_counts_nobody() -> None:
    badge = badge_of(some_facts(proof=Proof.PUBLISHED, uploaders=1, runs=3, measured_at=None))
    assert badge.remark == "commits/s (8,306\u201310,842) · commit-8k · 3 runs, published · undated"
    assert (badge.tone, badge.bars) == (Tone.UNRANKED, 0)
    assert "3 runs, published, date not stated" in badge.sentence
    badge = badge_of(some_facts(proof=Proof.PUBLISHED, measured_at=None, published="2026-01"))
    assert "published 2026-01, day not stated" in badge.sentence


def test_a_signed_run() -> None:
    badge = badge_of(some_facts(proof=Proof.SIGNED))
    assert badge.remark.endswith("1 run, signed · Nov 2026")
    assert (badge.tone, badge.bars) == (Tone.SIGNED, 1)


def test_an_excluded_run_says_that_it_is_and_why() -> None:
    badge = badge_of(some_facts(excluded_because="faster than durable media: cache likely"))
    assert badge.remark == "commits/s · commit-8k · excluded from standings · Nov 2026"
    assert (badge.tone, badge.bars) == (Tone.NOTHING, None)
    assert badge.sentence.endswith(
        "; excluded from standings: faster than durable media: cache likely."
    )


def test_only_commits_are_called_durable() -> None:
    badge = badge_of(some_facts(operation="read", latency=None, interval=None))
    assert badge.remark.startswith("reads/s")
    assert "durable" not in badge.sentence
    assert badge.latency_ns is None


def test_a_mean_is_not_called_a_median() -> None:
    badge = badge_of(some_facts(latency=BadgeLatency(ns=97_000, side="commit", is_median=False)))
    assert "97 µs each on average" in badge.sentence
    assert "half" not in badge.sentence


def test_an_interval_of_unknown_making_is_still_printed() -> None:
    badge = badge_of(some_facts(interval=BadgeInterval(low_per_s=10, high_per_s=20, between="")))
    assert "; from 10 to 20; " in badge.sentence


@pytest.mark.parametrize("absence", Absence)
def test_a_badge_without_a_figure_is_grey_and_says_why(absence: Absence) -> None:
    badge = badge_of(MissingFigure(name="AX102", absence=absence))
    assert (badge.figure, badge.remark, badge.tone) == ("", absence.value, Tone.NOTHING)
    assert badge.sentence.startswith("Fsyncmark, AX102: ")
    assert badge.bars is None


def test_a_cost_is_said_with_the_month_of_its_price_and_both_ends_of_the_rate() -> None:
    badge = badge_of(some_facts(), metric=BadgeMetric.COST)
    assert badge.figure == "€8.63"
    assert badge.remark == (
        "a billion commits (€8.21\u2013€10.72) · commit-8k · 1 run, witnessed · Nov 2026, "
        "price Nov 2026"
    )
    assert (badge.tone, badge.bars) == (Tone.WITNESSED, 2)
    assert "€8.63 a billion durable commits" in badge.sentence
    assert "; from €8.21 to €10.72; " in badge.sentence
    assert badge.sentence.endswith("; list price of November 2026.")


def test_a_tier_is_said_with_its_rank() -> None:
    badge = badge_of(some_facts(uploaders=7), metric=BadgeMetric.TIER)
    assert badge.figure == "tier 2"
    assert badge.remark == "rank 3\u20137 · commit-8k · 7 uploaders · Nov 2026"
    assert "tier 2 of its board, rank 3\u20137" in badge.sentence
    alone = some_facts(tier=BadgeTier(tier=1, rank_low=1, rank_high=1))
    assert badge_of(alone, metric=BadgeMetric.TIER).remark.startswith("rank 1 · ")


def test_a_p99_is_said_with_its_interval() -> None:
    badge = badge_of(some_facts(), metric=BadgeMetric.P99)
    assert badge.figure == "1.20 ms"
    assert badge.remark.startswith("p99 (1.10 ms\u20131.40 ms) · commit-8k")
    assert "99 % of all commits within 1.20 ms" in badge.sentence


@pytest.mark.parametrize(
    ("metric", "missing", "absence"),
    [
        (BadgeMetric.P99, {"tail": None}, Absence.NO_TAIL),
        (BadgeMetric.COST, {"cost": None}, Absence.NO_COST),
        (BadgeMetric.TIER, {"tier": None}, Absence.NO_TIER),
    ],
)
def test_what_has_no_such_figure_says_so_in_grey(
    metric: BadgeMetric, missing: dict[str, None], absence: Absence
) -> None:
    badge = badge_of(some_facts(**missing), metric=metric)
    assert (badge.figure, badge.remark, badge.is_grey) == ("", absence.value, True)


@pytest.mark.parametrize(("days", "is_grey"), [(WINDOW.days, False), (WINDOW.days + 1, True)])
def test_what_is_older_than_the_window_of_standings_is_grey_with_its_month(
    *, days: int, is_grey: bool
) -> None:
    measured = datetime.combine(TODAY - timedelta(days=days), time(), UTC)
    badge = badge_of(some_facts(measured_at=measured))
    assert badge.is_grey is is_grey
    assert badge.bars == 2  # its level is what it was
    assert badge.remark.endswith(f"{measured:%b %Y}")
    assert ("older than half a year" in badge.sentence) is is_grey


@pytest.mark.parametrize(
    ("published", "is_grey"),
    [("2026-06", False), ("2026-04", True), ("2026", False), ("2025", True), ("", False)],
)
def test_an_article_is_as_old_as_its_month_or_its_year(*, published: str, is_grey: bool) -> None:
    facts = some_facts(proof=Proof.PUBLISHED, measured_at=None, published=published)
    assert badge_of(facts).is_grey is is_grey


@pytest.mark.parametrize(
    ("days", "is_superseded", "is_grey"), [(90, False, False), (91, False, True), (1, True, True)]
)
def test_a_cost_by_an_old_price_is_grey_and_the_rate_beside_it_is_not(
    *, days: int, is_superseded: bool, is_grey: bool
) -> None:
    known = some_facts().cost
    assert known
    cost = replace(known, priced_on=TODAY - timedelta(days=days), is_superseded=is_superseded)
    badge = badge_of(some_facts(cost=cost), metric=BadgeMetric.COST)
    assert badge.is_grey is is_grey
    assert ("which may have changed" in badge.sentence) is is_grey
    assert not badge_of(some_facts(cost=cost)).is_grey


def test_an_example_has_no_age() -> None:
    old = datetime(2001, 1, 1, tzinfo=UTC)
    assert "older" not in badge_of(some_facts(proof=Proof.EXAMPLE, measured_at=old)).sentence
