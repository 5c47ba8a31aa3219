"""What is stored of a standing's machines: bounded, with the extremes, and the same each time."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from apps.plans.regions import NOWHERE
from apps.rankings.models import Evidence, Standing, StandingSpread
from apps.rankings.services import refresh_all, refresh_cells
from apps.rankings.standings.cells import CellKey, CellPoint, CellSubject, split_by_kind
from apps.rankings.standings.drafts import draft_of
from apps.rankings.standings.spread import MACHINES_MAX, OUTCOMES_MAX, UPLOADERS_MAX
from apps.runs.models import Measurement
from tests.rankings import build
from tests.rankings.build import NOW

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY = CellKey(CellSubject.PLAN, "acme-x1", Evidence.MEASURED, "commit-8k", 1)


def point(
    rate: float, *, uploader: str, machine: str = "", days: int = 0, **more: Any
) -> CellPoint:
    return CellPoint(
        run_id=UUID(int=0), run_slug=f"{uploader}-{machine}-{days}", at=NOW - timedelta(days=days),
        key=uploader, machine=machine or uploader, uploader=uploader, is_claimed=False,
        place=NOWHERE, rate_per_s=rate, rate_per_s_low=None, rate_per_s_high=None, title="",
        is_durable_single_writer=True, drive_name="", plp="unknown", ladder_class=None,
        filesystem="", warning="", is_illustrative=False, **more,
    )  # fmt: skip


def spread_of(points: Sequence[CellPoint]) -> tuple[StandingSpread, Standing]:
    (part,) = split_by_kind(KEY, points, day=NOW.date())
    draft = draft_of(part)
    assert draft.spread is not None
    return draft.spread, draft.standing


def crowd(n_uploaders: int) -> list[CellPoint]:
    """Uploaders from 1,000/s on; one in the middle has the fastest and the slowest machine."""
    points = [point(1_000 + n, uploader=f"u{n:06}") for n in range(n_uploaders)]
    odd = f"u{n_uploaders // 2 + 1:06}"
    points += [point(rate, uploader=odd, machine=f"m{rate}") for rate in (10, 90_000)]
    return points


def test_of_a_few_all_are_kept() -> None:
    spread, standing = spread_of(
        [
            *[point(900 + 10 * n, uploader=f"u{n}") for n in range(5)],
            *[point(rate, uploader="several", machine=str(rate)) for rate in (800, 2_000, 910)],
            *[point(rate, uploader="u0", days=days) for rate, days in ((1_000, 1), (1_100, 2))],
        ]
    )
    assert spread.uploaders == [
        [1, 1_000.0, False, [1_000.0]],  # the median of three days
        [2, 940.0, False, [940.0]],
        [3, 930.0, False, [930.0]],
        [4, 920.0, False, [920.0]],
        [5, 910.0, False, [800.0, 910.0, 2_000.0]],
        [6, 910.0, False, [910.0]],
    ]
    assert (standing.n_uploaders, standing.n_machines) == (6, 8)


@pytest.mark.parametrize("n_uploaders", [UPLOADERS_MAX + 1, 1_000, 3_000])
def test_of_many_some_are_kept_evenly_and_always_the_extremes(n_uploaders: int) -> None:
    spread, standing = spread_of(crowd(n_uploaders))
    ranks, rates, _, machines = zip(*spread.uploaders, strict=True)
    assert UPLOADERS_MAX - 2 <= len(ranks) <= UPLOADERS_MAX
    assert sum(map(len, machines)) <= MACHINES_MAX
    assert (standing.n_uploaders, standing.n_machines) == (n_uploaders, n_uploaders + 2)
    assert (ranks[0], ranks[-1]) == (1, n_uploaders)
    assert (rates[0], rates[-1]) == (999 + n_uploaders, 1_000)
    assert min(map(min, machines)) == 10
    assert max(map(max, machines)) == 90_000
    steps = {later - earlier for earlier, later in pairwise(ranks)}
    assert max(steps) <= n_uploaders // (UPLOADERS_MAX - 3) + 1


def test_of_many_machines_of_one_some_are_kept_with_both_ends() -> None:
    rates = [500.0 + n for n in range(3 * MACHINES_MAX)]
    spread, standing = spread_of(
        [point(rate, uploader="u", machine=f"m{n}") for n, rate in enumerate(rates)]
    )
    ((rank, _, _, machines),) = spread.uploaders
    assert (rank, len(machines), standing.n_machines) == (1, MACHINES_MAX, 3 * MACHINES_MAX)
    assert machines == sorted(machines)
    assert (machines[0], machines[-1]) == (rates[0], rates[-1])


def test_many_kinds_of_drives_are_counted_beyond_those_that_are_kept() -> None:
    points = [point(1_000, uploader=f"u{n}", drive=f"d{n % 20:02}") for n in range(41)]
    spread, _ = spread_of(points)
    assert len(spread.outcomes) == OUTCOMES_MAX
    assert spread.n_unlisted == 20 - OUTCOMES_MAX
    first = spread.outcomes[0]
    assert (spread.items[0], first["n_uploaders"], first["share"]) == ("d00", 3, "3/41")


def test_the_order_of_runs_changes_nothing() -> None:
    points = crowd(300)
    one, other = (spread_of(each)[0] for each in (points, points[::-1]))
    assert (one.uploaders, one.items, one.outcomes) == (
        other.uploaders, other.items, other.outcomes,
    )  # fmt: skip


@pytest.mark.django_db
def test_it_is_stored_with_each_standing_that_may_lead_and_goes_with_it() -> None:
    plan, drive = build.plan(), build.family()
    run = build.run(1_000, plan=plan, drive_family=drive)
    Measurement.objects.create(
        run=run, title="reads", operation="read", rate_per_s=9, workload="randread-4k-qd32",
        version=1, is_ranked=True,
    )  # fmt: skip
    refresh_all()
    assert Standing.objects.exclude(spread=None).count() == 2
    assert Standing.objects.filter(spread=None).count() == 2
    of_plan = StandingSpread.objects.get(standing__plan=plan)
    (outcome,) = of_plan.outcomes
    assert (of_plan.items, outcome["n_runs"]) == ([drive.slug], 1)
    of_drive = StandingSpread.objects.get(standing__drive_family=drive)
    assert of_drive.items == [plan.slug]
    stored = list(StandingSpread.objects.order_by("pk").values())
    refresh_all()
    assert list(StandingSpread.objects.order_by("pk").values()) == stored
    Measurement.objects.update(rate_per_s=None)
    refresh_cells(run_ids=[run.id])
    assert not StandingSpread.objects.exists()
