"""Trials of made-up networks against honest uploaders, by the code that makes standings.

Honest uploaders differ from the truth as in `apps.stats.simulation`, with one run each over half a
year; the networks of a cheater send theirs on the last day, all at one factor of the truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

import numpy as np

from apps.plans.regions import NOWHERE
from apps.rankings.choice import choose_standing
from apps.rankings.models import Evidence
from apps.rankings.standings.cells import CellKey, CellPoint, CellSubject, split_by_kind
from apps.rankings.standings.drafts import draft_of
from apps.stats.simulation.cells import MACHINE_DEVIATION, UPLOADER_DEVIATION, generator_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.rankings.models import Standing

TRIALS: Final = 200
KEY: Final = CellKey(CellSubject.PLAN, "simulated", Evidence.MEASURED, "commit-8k", 1)
NOW: Final = datetime(2026, 6, 30, 12, tzinfo=UTC)
TRUTH_PER_S: Final = 1_000.0


@dataclass(frozen=True, slots=True)
class Attack:
    """How many networks send which factor of the truth, against how many honest uploaders."""

    honest: int
    networks: int
    factor: float
    honest_ended_days_ago: int = 0
    claimed: int = 0  # of the honest ones
    claimed_liars: int = 0  # of the networks


@dataclass(frozen=True, slots=True)
class AttackEffect:
    """How far the figure moves, 0.05 is 5 %, how often the plan ranks before and after, and how
    often a sure verdict turns round: some load was surely carried before and surely is not after,
    or the other way.
    """

    move_median: float
    move_p95: float
    ranked_before: float
    ranked_after: float
    turned: float


def try_attack(attack: Attack, *, trials: int = TRIALS) -> AttackEffect:
    """Return the effect over so many trials; without honest uploaders nothing moves."""
    generator = generator_of(f"attack {attack}")
    moves, before, after, turned = [], 0, 0, 0
    for _ in range(trials):
        honest = _honest(generator, attack)
        alone, together = _standing(honest), _standing([*honest, *_networks(generator, attack)])
        before += alone is not None and not alone.needs_runs
        after += together is not None and not together.needs_runs
        if alone is not None and together is not None:
            moves.append(abs(together.rate_per_s / alone.rate_per_s - 1))
            turned += _turns_verdicts(alone, together)
    middle, p95 = np.quantile(moves, (0.5, 0.95)) if moves else (0.0, 0.0)
    shares = (before / trials, after / trials, turned / trials)
    return AttackEffect(float(middle), float(p95), *shares)


def _turns_verdicts(before: Standing, after: Standing) -> bool:
    """Whether both are ranked and their intervals have no rate in common."""
    if before.needs_runs or after.needs_runs:
        return False
    low_before, low_after = before.rate_per_s_low or 0, after.rate_per_s_low or 0
    high_before, high_after = before.rate_per_s_high or 0, after.rate_per_s_high or 0
    return high_after < low_before or high_before < low_after


def _honest(generator: np.random.Generator, attack: Attack) -> list[CellPoint]:
    deviation = math.hypot(UPLOADER_DEVIATION, MACHINE_DEVIATION)
    rates = TRUTH_PER_S * np.exp(generator.normal(0, deviation, attack.honest))
    ages = attack.honest_ended_days_ago + generator.uniform(0, 170, attack.honest)
    return [
        _point(
            f"honest {place}", float(rate), days_ago=float(age), is_claimed=place < attack.claimed
        )
        for place, (rate, age) in enumerate(zip(rates, ages, strict=True))
    ]


def _networks(generator: np.random.Generator, attack: Attack) -> list[CellPoint]:
    rates = TRUTH_PER_S * attack.factor * np.exp(generator.normal(0, 0.02, attack.networks))
    return [
        _point(
            f"network {place}",
            float(rate),
            days_ago=0.5,
            is_claimed=place < attack.claimed_liars,
        )
        for place, rate in enumerate(rates)
    ]


def _standing(points: Sequence[CellPoint]) -> Standing | None:
    if not points:
        return None
    parts = split_by_kind(KEY, points, day=NOW.date())
    return choose_standing(draft_of(part).standing for part in parts)


def _point(name: str, rate_per_s: float, *, days_ago: float, is_claimed: bool = False) -> CellPoint:
    return CellPoint(
        run_id=UUID(int=0), run_slug=name, at=NOW - timedelta(days=days_ago), key=name,
        machine=name, uploader=name, is_claimed=is_claimed, place=NOWHERE, rate_per_s=rate_per_s,
        rate_per_s_low=None, rate_per_s_high=None, title="", is_durable_single_writer=True,
        drive_name="", plp="unknown", ladder_class=None, filesystem="", warning="",
        is_illustrative=False,
    )  # fmt: skip
