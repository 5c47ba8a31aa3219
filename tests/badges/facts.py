"""Facts for tests of badges: those of a witnessed run, of which a test changes what matters."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from apps.badges.badge_facts import (
    BadgeCost,
    BadgeFacts,
    BadgeInterval,
    BadgeLatency,
    BadgeTail,
    BadgeTier,
    Proof,
    Protection,
)

TODAY = date(2026, 11, 24)


def some_facts(**changes: Any) -> BadgeFacts:
    """Return 10,318 commits a second on TODAY, with a p99, a cost and a tier."""
    facts: dict[str, Any] = {
        "name": "Hetzner AX102",
        "proof": Proof.WITNESSED,
        "workload": "commit-8k",
        "workload_title": "8 KiB overwrite, fdatasync after each",
        "operation": "commit",
        "rate_per_s": 10_318.2,
        "interval": BadgeInterval(low_per_s=8_306, high_per_s=10_842, between="samples"),
        "latency": BadgeLatency(ns=89_000, side="commit", is_median=True),
        "tail": BadgeTail(ns=1_200_000, side="commit", low_ns=1_100_000, high_ns=1_400_000),
        "cost": BadgeCost(
            per_billion=Decimal("8.6300"),
            currency="EUR",
            priced_on=date(2026, 11, 1),
            is_superseded=False,
        ),
        "tier": BadgeTier(tier=2, rank_low=3, rank_high=7),
        "protection": Protection.FULL,
        "runs": 1,
        "uploaders": None,
        "measured_at": datetime(2026, 11, 21, tzinfo=UTC),
    }
    return BadgeFacts(**(facts | changes))
