"""What a standing rests on, as the page of its plan or drive draws it: machines, and what was got.

Made with the standing, from the same points by the same medians, and bounded: of many uploaders
and machines some are kept, evenly by rank, and always the fastest and the slowest.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from apps.rankings.models import StandingSpread
from apps.rankings.standings.cells import CellSubject
from apps.stats.standings.estimate import RunPoint, median_log
from apps.stats.standings.lottery import LotteryOutcome, lottery_outcomes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from apps.rankings.models import Standing
    from apps.rankings.standings.cells import CellPoint
    from apps.stats.standings.estimate import Estimate, VoiceValue

UPLOADERS_MAX: Final = 200  # of a standing that are kept: more dots than a screen tells apart
MACHINES_MAX: Final = 600  # of all of them together
OUTCOMES_MAX: Final = 12  # kinds of drives (or plans) that are kept; the others are counted
_BATCH: Final = 100  # rows a statement: below a megabyte of SQL
Json = list[Any]


class Got(NamedTuple):
    """A run, and what its uploader got."""

    point: RunPoint
    first: datetime | None  # when it was made
    last: datetime | None
    item: str  # the slug of a drive family or a plan; empty: nobody named it
    run_slug: str


def spread_of(
    subject: CellSubject,
    points: Sequence[CellPoint],
    cell: Estimate,
    *,
    uploader_of_key: Mapping[str, str],
    far: Collection[str],
) -> StandingSpread:
    """Return the spread of one kind of storage of a cell; `far` are uploaders far from others."""
    outcomes = _outcomes(subject, points, uploader_of_key)
    return StandingSpread(
        uploaders=_uploaders(cell, far),
        items=[each.item for each in outcomes[:OUTCOMES_MAX]],
        outcomes=[_as_json(each) for each in outcomes[:OUTCOMES_MAX]],
        n_unlisted=max(0, len(outcomes) - OUTCOMES_MAX),
    )


def write_spreads(spreads: Iterable[tuple[Standing, StandingSpread | None]]) -> None:
    """Store the spreads of these standings, which are stored already; None: it has none."""
    stored, without = [], []
    for standing, spread in spreads:
        if spread is None:
            without.append(standing)
        else:
            spread.standing = standing
            stored.append(spread)
    StandingSpread.objects.filter(standing__in=without).delete()
    StandingSpread.objects.bulk_create(
        stored,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=("standing",),
        update_fields=("uploaders", "items", "outcomes", "n_unlisted"),
    )


def _uploaders(cell: Estimate, far: Collection[str]) -> list[Json]:
    """Return the uploaders that are kept, the fastest first, as `StandingSpread` has them."""
    machines: dict[str, list[float]] = defaultdict(list)
    for machine in cell.machines:
        machines[machine.uploader].append(machine.figure)
    # no name decides: a dump numbers uploaders, and gives the same
    ranked = sorted(
        cell.uploaders,
        key=lambda each: (-each.figure, each.name in far, sorted(machines[each.name])),
    )
    kept = _kept(ranked, machines)
    room = _room(len(machines[ranked[place].name]) for place in kept)
    return [
        [
            place + 1,
            ranked[place].figure,
            ranked[place].name in far,
            _evenly(sorted(machines[ranked[place].name]), room),
        ]
        for place in kept
    ]


def _kept(ranked: Sequence[VoiceValue], machines: Mapping[str, Sequence[float]]) -> list[int]:
    """Return the places that are kept: evenly, and whose machine is the fastest or the slowest."""
    if len(ranked) <= UPLOADERS_MAX:
        return list(range(len(ranked)))
    fastest = max(range(len(ranked)), key=lambda place: max(machines[ranked[place].name]))
    slowest = min(range(len(ranked)), key=lambda place: min(machines[ranked[place].name]))
    return sorted({fastest, slowest, *_evenly(range(len(ranked)), UPLOADERS_MAX - 2)})


def _room(counts: Iterable[int]) -> int:
    """Return how many machines of each uploader are kept, so that all have room."""
    listed = list(counts)
    return max(listed) if sum(listed) <= MACHINES_MAX else max(2, MACHINES_MAX // len(listed))


def _evenly(values: Sequence[Any], most: int) -> list[Any]:
    """Return as many of these values at most, in their order, with the first and the last."""
    if len(values) <= most:
        return list(values)
    last = len(values) - 1
    return [values[place * last // (most - 1)] for place in range(most)]


def _outcomes(
    subject: CellSubject, points: Sequence[CellPoint], uploader_of_key: Mapping[str, str]
) -> list[LotteryOutcome[str, Got]]:
    """Return what was got, what the most uploaders got first."""
    is_plan = subject is CellSubject.PLAN
    got = [
        Got(each.run_point, each.at, each.at, each.drive if is_plan else each.plan, each.run_slug)
        for each in points
    ]
    found = lottery_outcomes(got, item=lambda run: run.item, uploader_of_key=uploader_of_key)
    return sorted(found, key=lambda each: (-each.share, each.item))


def _as_json(outcome: LotteryOutcome[str, Got]) -> dict[str, Any]:
    first, last = outcome.first_day, outcome.last_day
    return {
        "n_uploaders": len(outcome.rates),
        "n_machines": outcome.n_machines,
        "n_runs": len(outcome.days),
        "share": str(outcome.share),
        "first": first and first.isoformat(),
        "last": last and last.isoformat(),
        "rate_per_s": median_log(outcome.rates),
        "low_per_s": min(outcome.rates),
        "high_per_s": max(outcome.rates),
        "run_slug": min(run.run_slug for run in outcome.days),
    }
