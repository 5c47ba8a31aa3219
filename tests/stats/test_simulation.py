"""The method on invented cells: what a cheater moves, how often intervals hold the truth.

`./run test tests/stats/test_simulation.py -s` prints the tables.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from apps.stats.simulation.boards import try_boards
from apps.stats.simulation.cells import (
    CHEAT_UPLOADS,
    HONEST_DAYS,
    Cheat,
    Trials,
    coverage,
    draw,
    generator_of,
    mean_of_uploads,
    median_of_uploads,
    method,
    naive_coverage,
    split_share,
    voices,
)
from apps.stats.standings.estimate import RunPoint, estimate
from apps.stats.standings.weights import weighted_median, weights_of

pytestmark = pytest.mark.daily

DAY = datetime(2026, 11, 1, 12, tzinfo=UTC)
HONEST = 8


def show(figures: str) -> None:
    """Write a line of the table that `-s` lets through."""
    sys.stdout.write(f"\n{figures}")


@pytest.fixture(scope="module")
def trials() -> Trials:
    return draw(generator_of("cheater 8"), n=HONEST)


@pytest.mark.parametrize("cheat", [Cheat.ONE_KEY, Cheat.ONE_NETWORK])
def test_a_cheater_of_one_network_moves_a_standing_by_less_than_5_percent(
    trials: Trials, cheat: Cheat
) -> None:
    found = method(trials, cheat)
    show(f"{cheat}: moved {found.move_median:.2%} at the median, {found.move_p95:.2%} at p95")
    assert found.move_median < 0.05
    assert found.move_p95 < 0.20
    assert found.error_median < 0.06


def test_structure_beats_filters(trials: Trials) -> None:
    mean, median = mean_of_uploads(trials), median_of_uploads(trials)
    show(f"mean {mean.move_median:.0%}, median of uploads {median.move_median:.1%}")
    assert mean.move_median > 2
    assert median.move_median > 1.5 * method(trials, Cheat.ONE_NETWORK).move_median


def test_who_has_sixty_networks_wins_where_nobody_is_claimed_and_not_otherwise(
    trials: Trials,
) -> None:
    assert method(trials, Cheat.MANY_NETWORKS).move_median > 5
    capped = method(trials, Cheat.MANY_NETWORKS, are_claimed=True)
    assert capped.move_median < 0.25  # from the middle to the 71st percentile of the honest


@pytest.mark.parametrize("n", [6, 7, 8, 9, 10, 12, 15, 20, 30])
def test_95_percent_intervals_hold_the_truth_in_94_to_99_percent(n: int) -> None:
    found = coverage(n)
    show(f"n {n}: exactly {found.exact:.2%}, {found.equal:.2%}, unequal {found.unequal:.2%}")
    assert 0.94 <= round(found.equal, 2) <= 0.99
    assert found.equal == pytest.approx(found.exact, abs=0.008)
    assert found.unequal >= found.equal


@pytest.mark.parametrize("n", [3, 4, 5])
def test_below_six_the_coverage_is_what_is_printed(n: int) -> None:
    assert coverage(n).equal == pytest.approx(1 - 2 ** (1 - n), abs=0.01)


def test_taking_uploads_for_independent_would_be_wrong_most_of_the_time(trials: Trials) -> None:
    assert naive_coverage(trials) < 0.5


@pytest.mark.parametrize("cheat", list(Cheat))
def test_the_trials_do_what_standings_do(cheat: Cheat) -> None:
    """Three trials, fed as runs through the code that makes standings."""
    drawn = draw(generator_of("as runs"), n=5, trials=3)
    together = voices(drawn, cheat)
    expected = weighted_median(together, weights_of(np.zeros(together.shape[1], dtype=bool)))
    for place in range(3):
        found = estimate([*honest_runs(drawn, place), *cheats_runs(drawn, place, cheat)])
        assert np.log(found.figure) == pytest.approx(expected[place])


def honest_runs(drawn: Trials, place: int) -> list[RunPoint]:
    return [
        run(value, key=f"k{u}", uploader=f"u{u}", machine=f"m{m}", day=day)
        for u, machines in enumerate(drawn.honest[place])
        for m, days in enumerate(machines)
        for day, value in enumerate(days)
    ]


def cheats_runs(drawn: Trials, place: int, cheat: Cheat) -> list[RunPoint]:
    made = []
    for number, value in enumerate(drawn.cheat[place]):
        one_key = cheat is Cheat.ONE_KEY
        networks = {Cheat.THREE_NETWORKS: 3, Cheat.MANY_NETWORKS: CHEAT_UPLOADS}.get(cheat, 1)
        network = f"c{number * networks // CHEAT_UPLOADS}"
        made.append(
            run(
                value,
                key="c" if one_key else f"c{number}",
                uploader=network,
                machine="c" if one_key else f"c{number}",
                day=number // (len(drawn.cheat[place]) // HONEST_DAYS) if one_key else 0,
            )
        )
    return made


def run(value: float, *, key: str, uploader: str, machine: str, day: int) -> RunPoint:
    return RunPoint(
        key=key,
        uploader=uploader,
        machine=machine,
        at=DAY + timedelta(days=day),
        figure=float(np.exp(value)),
    )


@pytest.mark.parametrize("sizes", [(3, 3), (6, 6), (10, 4)])
def test_one_kind_is_rarely_split_and_five_times_is_seen(sizes: tuple[int, int]) -> None:
    wrong, right = split_share(sizes, factor=1.0), split_share(sizes, factor=5.0)
    show(f"{sizes}: split wrongly {wrong:.1%}, rightly {right:.1%}")
    assert wrong < 0.05
    assert right > 0.95


def test_bands_and_ranks_hold_the_truth() -> None:
    found = try_boards(boards=40)
    show(f"{found}")
    assert found.band_coverage > 0.85
    assert found.rank_coverage > 0.9
    assert found.pairs_apart < 0.1
