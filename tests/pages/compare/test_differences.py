"""Whether two figures are told apart, and the words for it."""

from __future__ import annotations

import pytest

from apps.pages.compare.differences import (
    Comparative,
    Operand,
    Quality,
    are_apart,
    difference,
)
from apps.pages.compare.things import RangeTest


def test_intervals_that_overlap_cannot_be_told_apart() -> None:
    one, other = Operand(1000, 900, 1100), Operand(1150, 1050, 1250)
    assert difference(other, one, Quality.RATE).outcome == Comparative.UNSURE
    assert not are_apart(one, other)
    assert are_apart(one, Operand(1300, 1150, 1400))


def test_ranked_figures_are_told_apart_by_the_test_of_the_tiers() -> None:
    """ln 1.5 is 0.405; a standard error of 0.05 each makes 0.071 of the difference."""
    few, many = RangeTest(0.05, apart_sds=3.0), RangeTest(0.05, apart_sds=6.0)
    fast = Operand(1500, 1400, 1600, range_test=few)
    assert are_apart(fast, Operand(1000, 900, 1100, range_test=few))
    assert not are_apart(fast, Operand(1000, 900, 1100, range_test=many))
    assert not are_apart(fast, Operand(1000, 900, 1450, range_test=few))
    unsure = difference(Operand(1000, 900, 1100, range_test=many), fast, Quality.RATE)
    assert (unsure.outcome, unsure.words) == (Comparative.UNSURE, "cannot be told apart")


@pytest.mark.parametrize("quality", list(Quality))
def test_of_few_uploaders_only_the_ratio_is_stated(quality: Quality) -> None:
    found = difference(Operand(3000, 2900, 3100, is_of_few=True), Operand(1000, 900, 1100), quality)
    assert (found.outcome, found.is_of_few) == (Comparative.RATIO, True)
    assert found.words == "3.0\u00d7"


@pytest.mark.parametrize(
    ("quality", "own", "outcome", "words"),
    [
        (Quality.RATE, 3200, Comparative.BETTER, "3.2\u00d7"),
        (Quality.RATE, 100, Comparative.WORSE, "0.10\u00d7"),
        (Quality.RATE, 645, Comparative.WORSE, "0.65\u00d7"),
        (Quality.RATE, 1, Comparative.WORSE, "1/1,000"),
        (Quality.RATE, 1120, Comparative.BETTER, "1.12\u00d7"),
        (Quality.LATENCY, 3200, Comparative.RATIO, "3.2\u00d7"),
        (Quality.LATENCY, 250, Comparative.RATIO, "0.25\u00d7"),
        (Quality.LATENCY, 1000, Comparative.SAME, "1.00\u00d7"),
        (Quality.COST, 2000, Comparative.WORSE, "2.0\u00d7"),
        (Quality.COST, 500, Comparative.BETTER, "0.50\u00d7"),
        (Quality.COST, 1000, Comparative.SAME, "1.00\u00d7"),
    ],
)
def test_better_and_worse_are_words(
    quality: Quality, own: float, outcome: Comparative, words: str
) -> None:
    found = difference(Operand(own), Operand(1000), quality)
    assert (found.outcome, found.words) == (outcome, words)


@pytest.mark.parametrize(
    ("own", "outcome", "words"),
    [
        (Operand(3200, 3000, 3500), Comparative.WORSE, "3.2\u00d7"),
        (Operand(250, 200, 300), Comparative.BETTER, "0.25\u00d7"),
        (Operand(1400, 1050, 2000), Comparative.UNSURE, "cannot be told apart"),
        (Operand(1400), Comparative.RATIO, "1.40\u00d7"),  # one interval is not enough
    ],
)
def test_latencies_are_told_apart_by_intervals_of_their_own(
    own: Operand, outcome: Comparative, words: str
) -> None:
    found = difference(own, Operand(1000, 900, 1100), Quality.LATENCY)
    assert (found.outcome, found.words) == (outcome, words)


def test_what_is_missing_has_no_difference() -> None:
    assert difference(None, Operand(1), Quality.RATE).outcome == Comparative.UNKNOWN
    assert difference(Operand(1), None, Quality.RATE).words == ""
