"""The drive lottery: uploaders are counted, not the names that they give to machines."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from apps.rankings.advice.lottery import draw, drive_lottery, store_lotteries
from apps.runs.models import Level, Run
from apps.stats.standings.window import WINDOW
from tests.rankings import build

if TYPE_CHECKING:
    from apps.rankings.advice.evidence import LotteryDrive

pytestmark = pytest.mark.django_db


def got(rate_per_s: float, *, plp: str = "full", **fields: object) -> None:
    drive = build.family(f"a-{plp}-drive", plp=plp)
    build.run(rate_per_s, plan=build.plan(), drive_family=drive, **fields)


def seen() -> dict[str, LotteryDrive]:
    plan = build.plan().slug
    return {drive.plp: drive for drive in draw([plan]).get(plan, ())}


def test_machines_are_told_apart_within_one_uploader() -> None:
    for uploader in ("a", "b"):
        got(1_000, uploader=uploader, machine="same")
    got(1_000, uploader="a", machine="another")
    drive = seen()["full"]
    assert (drive.n_uploaders, drive.n_machines, drive.share) == (2, 3, Fraction(1))


def test_one_uploader_is_one_voice_however_many_machines_it_names() -> None:
    for uploader in ("a", "b", "c", "d"):
        got(1_000, uploader=uploader)
    for machine in range(6):
        got(9_000, plp="none", uploader="e", machine=f"m{machine}")
    assert {plp: drive.share for plp, drive in seen().items()} == {
        "full": Fraction(4, 5),
        "none": Fraction(1, 5),
    }


def test_an_uploader_with_two_families_is_split_over_them() -> None:
    got(1_000, uploader="a", machine="x")
    got(1_000, uploader="a", machine="y", plp="none")
    assert {drive.share for drive in seen().values()} == {Fraction(1, 2)}


def test_one_run_does_not_set_what_a_drive_did() -> None:
    for rate in (1_000, 1_010, 90_000):
        got(rate, uploader="a")
    got(1_200, uploader="b")
    drive = seen()["full"]
    assert (drive.rate_low_per_s, drive.rate_high_per_s) == (1_010, 1_200)


def test_what_left_the_window_is_not_seen_any_more() -> None:
    old = build.NOW - WINDOW - timedelta(days=1)
    got(500, plp="none", uploader="old", measured_at=old)
    for uploader in range(6):
        got(1_000, uploader=f"new {uploader}")
    assert set(seen()) == {"full", "none"}  # six are not enough to replace what is older
    got(1_000, uploader="seventh")
    assert list(seen()) == ["full"]


def test_an_article_without_a_day_stays() -> None:
    fields = {"level": Level.PUBLISHED, "in_standings": False, "machine": "", "uploader": ""}
    got(500, plp="none", measured_at=None, **fields)
    got(1_000, uploader="new")
    article = seen()["none"]
    assert (article.first, article.n_uploaders, article.share) == (None, 1, Fraction(1, 2))


def test_what_was_drawn_is_stored_as_it_is_until_nothing_is_left() -> None:
    got(1_000, uploader="a")
    got(1_000, plp="none", uploader="b")
    plan = build.plan().slug
    store_lotteries([plan])
    assert drive_lottery([plan]) == draw([plan])
    assert len(drive_lottery([plan])[plan]) == 2
    Run.objects.all().delete()
    store_lotteries([plan])
    assert drive_lottery([plan]) == {}
