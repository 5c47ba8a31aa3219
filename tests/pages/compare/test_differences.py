"""Whether two figures are told apart, and the words for it."""

from __future__ import annotations

import pytest

from apps.pages.compare.differences import (
    Comparative,
    Operand,
    Quality,
    are_apart,
    chance_ahead,
    difference,
)
from apps.pages.compare.things import Rank


def test_intervals_that_overlap_cannot_be_told_apart() -> None:
    one, other = Operand(1000, 900, 1100), Operand(1150, 1050, 1250)
    assert difference(other, one, Quality.RATE).outcome == Comparative.UNSURE
    assert not are_apart(one, other)
    assert are_apart(one, Operand(1300, 1150, 1400))


def test_a_rule_of_the_tiers_can_only_make_it_less_sure() -> None:
    sure, unsure = Rank(7.0, 0.01), Rank(7.0, 0.5)
    fast = Operand(1500, 1400, 1600, Rank(7.4, 0.01))
    assert are_apart(fast, Operand(1000, 900, 1100, sure))
    assert not are_apart(fast, Operand(1000, 900, 1100, unsure))
    assert chance_ahead(Rank(1, 0), Rank(0, 0)) == 1
    assert chance_ahead(Rank(0, 0.1), Rank(0, 0.1)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("quality", "own", "outcome", "words"),
    [
        (Quality.RATE, 3200, Comparative.BETTER, "3.2\u00d7 as many"),
        (Quality.RATE, 100, Comparative.WORSE, "0.10\u00d7 as many"),
        (Quality.RATE, 645, Comparative.WORSE, "0.65\u00d7 as many"),
        (Quality.RATE, 1, Comparative.WORSE, "1/1,000 as many"),
        (Quality.RATE, 1120, Comparative.BETTER, "1.12\u00d7 as many"),
        (Quality.LATENCY, 3200, Comparative.RATIO, "3.2\u00d7 as long"),
        (Quality.LATENCY, 250, Comparative.RATIO, "0.25\u00d7 as long"),
        (Quality.LATENCY, 1000, Comparative.SAME, "the same"),
        (Quality.COST, 2000, Comparative.WORSE, "2.0\u00d7 the cost"),
        (Quality.COST, 500, Comparative.BETTER, "0.50\u00d7 the cost"),
        (Quality.COST, 1000, Comparative.SAME, "the same"),
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
        (Operand(3200, 3000, 3500), Comparative.WORSE, "3.2\u00d7 slower"),
        (Operand(250, 200, 300), Comparative.BETTER, "4.0\u00d7 faster"),
        (Operand(1400, 1050, 2000), Comparative.UNSURE, "cannot be told apart"),
        (
            Operand(1400),
            Comparative.RATIO,
            "1.40\u00d7 as long",
        ),  # one interval is not enough
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
