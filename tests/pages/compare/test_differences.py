"""Whether two figures are told apart, and the words for it."""

from __future__ import annotations

import pytest

from apps.pages.compare.differences import (
    Outcome,
    Quality,
    Value,
    are_apart,
    chance_ahead,
    difference,
)
from apps.pages.compare.things import Rank
from apps.pages.compare.words import of_ten


def test_intervals_that_overlap_cannot_be_told_apart() -> None:
    one, other = Value(1000, 900, 1100), Value(1150, 1050, 1250)
    assert difference(other, one, Quality.RATE).outcome == Outcome.UNSURE
    assert not are_apart(one, other)
    assert are_apart(one, Value(1300, 1150, 1400))


def test_a_rule_of_the_tiers_can_only_make_it_less_sure() -> None:
    sure, unsure = Rank(7.0, 0.01), Rank(7.0, 0.5)
    fast = Value(1500, 1400, 1600, Rank(7.4, 0.01))
    assert are_apart(fast, Value(1000, 900, 1100, sure))
    assert not are_apart(fast, Value(1000, 900, 1100, unsure))
    assert chance_ahead(Rank(1, 0), Rank(0, 0)) == 1
    assert chance_ahead(Rank(0, 0.1), Rank(0, 0.1)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("quality", "own", "outcome", "words"),
    [
        (Quality.RATE, 3200, Outcome.BETTER, "3.2\u00d7 as many"),
        (Quality.RATE, 100, Outcome.WORSE, "0.10\u00d7 as many"),
        (Quality.RATE, 645, Outcome.WORSE, "0.65\u00d7 as many"),
        (Quality.RATE, 1, Outcome.WORSE, "1/1,000 as many"),
        (Quality.RATE, 1120, Outcome.BETTER, "1.12\u00d7 as many"),
        (Quality.LATENCY, 3200, Outcome.RATIO, "3.2\u00d7 as long"),
        (Quality.LATENCY, 250, Outcome.RATIO, "0.25\u00d7 as long"),
        (Quality.LATENCY, 1000, Outcome.SAME, "the same"),
        (Quality.COST, 2000, Outcome.WORSE, "2.0\u00d7 the cost"),
        (Quality.COST, 500, Outcome.BETTER, "0.50\u00d7 the cost"),
        (Quality.COST, 1000, Outcome.SAME, "the same"),
    ],
)
def test_better_and_worse_are_words(
    quality: Quality, own: float, outcome: Outcome, words: str
) -> None:
    found = difference(Value(own), Value(1000), quality)
    assert (found.outcome, found.words) == (outcome, words)


@pytest.mark.parametrize(
    ("own", "outcome", "words"),
    [
        (Value(3200, 3000, 3500), Outcome.WORSE, "3.2\u00d7 slower"),
        (Value(250, 200, 300), Outcome.BETTER, "4.0\u00d7 faster"),
        (Value(1400, 1050, 2000), Outcome.UNSURE, "cannot be told apart"),
        (Value(1400), Outcome.RATIO, "1.40\u00d7 as long"),  # one interval is not enough
    ],
)
def test_latencies_are_told_apart_by_intervals_of_their_own(
    own: Value, outcome: Outcome, words: str
) -> None:
    found = difference(own, Value(1000, 900, 1100), Quality.LATENCY)
    assert (found.outcome, found.words) == (outcome, words)


def test_what_is_missing_has_no_difference() -> None:
    assert difference(None, Value(1), Quality.RATE).outcome == Outcome.UNKNOWN
    assert difference(Value(1), None, Quality.RATE).words == ""


@pytest.mark.parametrize(("share", "words"), [(0.9, "nine"), (0.8, "eight"), (0.95, "9.5")])
def test_a_share_of_draws_is_so_many_of_ten(share: float, words: str) -> None:
    assert of_ten(share) == words
