"""The badge in the documentation is the one that the code draws."""

from __future__ import annotations

from pathlib import Path

from apps.badges.facts import Figures, Interval, Latency, Proof, Protection
from apps.badges.svg import render
from apps.badges.wording import badge_of

PICTURE = Path(__file__).parents[2] / "docs" / "badge.svg"

MICRON_7500_PRO = Figures(
    name="Micron 7500 PRO",
    proof=Proof.PUBLISHED,
    workload_title="8 KiB into unwritten extents + fsync",
    operation="commit",
    rate_per_s=10_318.05,
    interval=Interval(low_per_s=8_306, high_per_s=10_842, between="samples"),
    latency=Latency(ns=89_000, side="sync", is_median=True),
    protection=Protection.FULL,
    runs=1,
    uploaders=1,
    measured_at=None,
)


def test_the_picture_is_what_the_code_draws() -> None:
    assert PICTURE.read_text() == render(badge_of(MICRON_7500_PRO))
