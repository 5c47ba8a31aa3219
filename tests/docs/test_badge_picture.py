"""The badge and the card in the documentation are those that the code draws."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

from apps.badges.badge_facts import BadgeFacts, BadgeInterval, BadgeLatency, Proof, Protection
from apps.badges.cards.drawing import draw
from apps.badges.cards.options import CardOptions
from apps.badges.cards.wording import card_of
from apps.badges.drawing.render import render
from apps.badges.options import BadgeMetric, BadgeOptions
from apps.badges.wording import badge_of
from apps.runs.published.services import WORKLOADS_FILE
from apps.words.workloads import WORKLOADS

PICTURE = Path(__file__).parents[2] / "docs" / "badge.svg"
CARD = PICTURE.with_name("card.svg")

MICRON_7500_PRO = BadgeFacts(
    name="Micron 7500 PRO",
    proof=Proof.PUBLISHED,
    workload="fallocated-8k-fsync",
    workload_title=WORKLOADS["fallocated-8k-fsync"].title,
    operation="commit",
    rate_per_s=10_318.05,
    interval=BadgeInterval(low_per_s=8_306, high_per_s=10_842, between="samples"),
    latency=BadgeLatency(ns=89_000, side="sync", is_median=True),
    protection=Protection.FULL,
    runs=1,
    uploaders=1,
    measured_at=datetime(2025, 11, 1, tzinfo=UTC),
    warning="Measured on the 15.36 TB add-on drive, which is in the price.",
)


def test_the_picture_is_what_the_code_draws() -> None:
    badge = badge_of(MICRON_7500_PRO, metric=BadgeMetric.FSYNC, today=date(2025, 12, 1))
    assert PICTURE.read_text() == render(badge, BadgeOptions())


def test_the_card_is_what_the_code_draws() -> None:
    card = card_of(MICRON_7500_PRO, today=date(2025, 12, 1))
    assert CARD.read_text() == draw(card, CardOptions())


def test_a_badge_calls_the_workload_as_the_pages_do() -> None:
    published = json.loads(WORKLOADS_FILE.read_text())["fallocated-8k-fsync"]
    assert published["title"] == MICRON_7500_PRO.workload_title
