"""Figures keep the digits that were measured and lose those that were not."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.figures import duration_parts, significant


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (10_318.2, "10,318"),
        (10_318.5, "10,319"),
        (6_500_000, "6,500,000"),
        (100, "100"),
        (99.96, "100"),
        (28.44, "28.4"),
        (28, "28"),
        (9.999, "10.0"),
        (2, "2.00"),
        (0.01234, "0.0123"),
        (-8306.4, "-8,306"),
        (Decimal("8.6281"), "8.63"),
    ],
)
def test_three_significant_digits(value: float | Decimal, text: str) -> None:
    assert significant(value) == text


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        significant(value)


@pytest.mark.parametrize(
    ("nanoseconds", "parts"),
    [
        (0, ("0", "ns")),
        (150, ("150", "ns")),
        (89_000, ("89", "µs")),
        (999_499, ("999", "µs")),
        (999.4, ("999", "ns")),
        (999.5, ("1.00", "µs")),
        (999_500, ("1.00", "ms")),
        (999_600, ("1.00", "ms")),
        (999_500_000, ("1.00", "s")),
        (5_343_111, ("5.34", "ms")),
        (12_100_000_000, ("12.1", "s")),
    ],
)
def test_durations_take_the_unit_that_fits(nanoseconds: float, parts: tuple[str, str]) -> None:
    assert duration_parts(nanoseconds) == parts


@given(st.integers(min_value=1, max_value=10**15))
def test_a_duration_is_never_off_by_more_than_half_a_digit(nanoseconds: int) -> None:
    figure, unit = duration_parts(nanoseconds)
    size = {"ns": 1, "µs": 10**3, "ms": 10**6, "s": 10**9}[unit]
    assert float(figure.replace(",", "")) * size == pytest.approx(nanoseconds, rel=0.0051)
