"""The rung that a latency stands on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.stats.ladder import Rung, rung_of

PLP = Rung("nvme-plp", low_ns=10_000, high_ns=50_000)
CLOUD_TOP = Rung("cloud-top", low_ns=200_000, high_ns=500_000)
NO_PLP = Rung("nvme-no-plp", low_ns=200_000, high_ns=800_000)
HDD = Rung("hdd", low_ns=4_000_000, high_ns=12_000_000)
LADDER = [PLP, CLOUD_TOP, NO_PLP, HDD]


def slug_of(latency_ns: int) -> str | None:
    rung = rung_of(latency_ns, LADDER)
    return rung.slug if rung else None


def test_a_latency_within_one_range_stands_there() -> None:
    assert slug_of(30_000) == "nvme-plp"
    assert slug_of(8_300_000) == "hdd"


def test_where_ranges_overlap_the_nearest_middle_wins() -> None:
    assert slug_of(250_000) == "cloud-top"  # its middle is 316 us, the other's 400 us
    assert slug_of(450_000) == "nvme-no-plp"


def test_of_equal_rungs_the_first_wins() -> None:
    twin = Rung("twin", low_ns=10_000, high_ns=50_000)
    assert rung_of(20_000, [PLP, twin]) is PLP


def test_between_ranges_the_nearer_in_factors_wins() -> None:
    assert slug_of(99_000) == "nvme-plp"  # twice 50 us, but half of 200 us is a little more away
    assert slug_of(101_000) == "cloud-top"


def test_beyond_all_ranges_the_outermost_rung_is_nearest() -> None:
    assert slug_of(1) == "nvme-plp"
    assert slug_of(0) == "nvme-plp"
    assert slug_of(10**12) == "hdd"


def test_without_rungs_there_is_no_answer() -> None:
    assert rung_of(30_000, []) is None


@given(st.integers(min_value=1, max_value=10**13))
def test_a_rung_that_holds_the_latency_beats_one_that_does_not(latency_ns: int) -> None:
    found = rung_of(latency_ns, LADDER)
    assert found
    widened_to = [rung for rung in LADDER if rung.low_ns <= latency_ns <= rung.high_ns]
    assert not widened_to or found in widened_to
