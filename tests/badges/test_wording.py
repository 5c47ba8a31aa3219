"""The words: what the picture says, and what the sentence adds to it."""

from __future__ import annotations

from datetime import date

import pytest

from apps.badges import wording
from apps.badges.badge_facts import (
    Absence,
    BadgeInterval,
    BadgeLatency,
    Figures,
    MissingFigure,
    Proof,
)
from apps.badges.drawing.badge import Badge, Tone
from apps.badges.options import BadgeMetric
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
