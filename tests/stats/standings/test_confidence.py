"""The five words of confidence follow from n, source, age and margin."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from apps.stats.standings.confidence import (
    MARGIN_OF_SOME,
    MARGIN_OF_WEAK,
    PUBLISHED_AGE_MAX,
    Confidence,
    Margin,
    Support,
    Sureness,
    is_beyond_work,
    support_of,
    sureness,
)

YOUNG = timedelta(days=100)
A_DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("facts", "support"),
    [
        ({"is_ranked": True, "is_published": False}, Support.STRONG),
        ({"is_ranked": False, "is_published": False}, Support.SOME),
        ({"is_ranked": False, "is_published": True, "age": YOUNG}, Support.SOME),
        ({"is_ranked": True, "is_published": True, "age": YOUNG}, Support.SOME),
        ({"is_ranked": False, "is_published": True, "age": PUBLISHED_AGE_MAX}, Support.SOME),
        (
            {"is_ranked": False, "is_published": True, "age": PUBLISHED_AGE_MAX + A_DAY},
            Support.WEAK,
        ),
        ({"is_ranked": False, "is_published": True, "age": None}, Support.WEAK),
        (
            {"is_ranked": False, "is_published": True, "age": YOUNG, "is_doubtful": True},
            Support.WEAK,
        ),
    ],
)
def test_support_follows_from_n_source_and_age(facts: dict[str, Any], support: Support) -> None:
    assert support_of(**facts) is support


@pytest.mark.parametrize(
    ("support", "word"),
    [
        (Support.STRONG, Confidence.FIRM),
        (Support.SOME, Confidence.LIKELY),
        (Support.WEAK, Confidence.BORDERLINE),
        (Support.NONE, Confidence.UNKNOWN),
    ],
)
def test_without_a_need_the_word_is_that_of_the_support(support: Support, word: Confidence) -> None:
    assert sureness(support) == Sureness(word)


@pytest.mark.parametrize(
    ("support", "margin", "word"),
    [
        (Support.STRONG, Margin(1.5, low=1.0, high=2.0), Sureness(Confidence.FIRM)),
        (Support.STRONG, Margin(1.5, low=0.99, high=2.0), Sureness(Confidence.BORDERLINE)),
        (Support.STRONG, Margin(0.9, low=0.8, high=1.0), Sureness(Confidence.BORDERLINE)),
        (Support.STRONG, Margin(0.9, low=0.8, high=0.99), Sureness(Confidence.FIRM, fails=True)),
        (Support.SOME, Margin(MARGIN_OF_SOME), Sureness(Confidence.LIKELY)),
        (Support.SOME, Margin(MARGIN_OF_SOME - 0.01), Sureness(Confidence.BORDERLINE)),
        (Support.SOME, Margin(3.0, low=1.9), Sureness(Confidence.BORDERLINE)),
        (Support.SOME, Margin(1 / MARGIN_OF_SOME + 0.01), Sureness(Confidence.BORDERLINE)),
        (Support.SOME, Margin(1 / MARGIN_OF_SOME), Sureness(Confidence.UNLIKELY)),
        (Support.SOME, Margin(0.4, high=0.6), Sureness(Confidence.BORDERLINE)),
        (Support.WEAK, Margin(MARGIN_OF_WEAK), Sureness(Confidence.LIKELY)),
        (Support.WEAK, Margin(MARGIN_OF_WEAK - 0.01), Sureness(Confidence.BORDERLINE)),
        (Support.WEAK, Margin(1 / MARGIN_OF_WEAK), Sureness(Confidence.UNLIKELY)),
        (Support.NONE, Margin(100.0), Sureness(Confidence.UNKNOWN)),
    ],
)
def test_with_a_need_the_margin_decides(support: Support, margin: Margin, word: Sureness) -> None:
    assert sureness(support, margin) == word


@pytest.mark.parametrize(
    ("ratio", "by_work", "is_beyond"),
    [
        (Margin(1.1), 1.0, True),  # of the same work
        (Margin(9.4), 4.7, True),
        (Margin(9.3), 4.7, False),
        (Margin(12, low=9), 4.7, False),
    ],
)
def test_a_ratio_of_other_work_needs_twice_what_the_work_alone_explains(
    ratio: Margin, by_work: float, *, is_beyond: bool
) -> None:
    assert is_beyond_work(ratio, by_work) is is_beyond
