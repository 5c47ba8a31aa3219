"""What follows from a result: equal to the vectors that the agent reads too, sound on noise."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.analysis import cliff as cliff_module
from apps.stats.analysis.caches import Area, flush_cost, sweep_step
from apps.stats.analysis.cliff import INTERVALS_MAX, SIDE_MIN, find_cliff
from apps.stats.analysis.interference import Bystanders, OthersShare, own_traffic_below
from apps.stats.analysis.repeats import repeat_spread
from apps.stats.analysis.slo import SearchPass, useful_rate
from apps.stats.analysis.stalls import stall_share_milli
from apps.stats.analysis.steady import first_steady
from apps.stats.histogram import Histogram, bucket_low_ns, bucket_of
from apps.wire.run import DeviceTraffic, Interference, Pass
from apps.wire.suites import find_workload

if TYPE_CHECKING:
    from collections.abc import Sequence

VECTORS = json.loads(
    (Path(__file__).parents[1] / "wire" / "v1" / "vectors" / "analysis.json").read_text("utf-8")
)


def near(expected: Any) -> Any:
    """Numbers within a millionth, everything else exactly."""
    if expected is None:
        return None
    return {
        name: pytest.approx(value, rel=1e-6) if isinstance(value, float) else value
        for name, value in expected.items()
    }


def of(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "vector", [pytest.param(each, id=each["name"]) for each in VECTORS[name]]
    )


@of("stalls")
def test_stalls(vector: dict[str, Any]) -> None:
    sent = dict(vector["histogram"])
    histogram = Histogram.from_counts(sent.pop("counts"), **sent)
    assert stall_share_milli(histogram) == vector["share_milli"]


@of("cliffs")
def test_cliffs(vector: dict[str, Any]) -> None:
    cliff = find_cliff(vector["counts"])
    assert (asdict(cliff) if cliff else None) == vector["cliff"]


@of("steady")
def test_steady(vector: dict[str, Any]) -> None:
    steady = first_steady(vector["rates_per_s"])
    assert (asdict(steady) if steady else None) == near(vector["steady"])


@of("spreads")
def test_spreads(vector: dict[str, Any]) -> None:
    spread = repeat_spread(vector["rates_per_s"])
    found = {**asdict(spread), "is_unsteady": spread.is_unsteady} if spread else None
    assert found == near(vector["spread"])


@of("flush_costs")
def test_flush_costs(vector: dict[str, Any]) -> None:
    cost = flush_cost([(drained, ns) for drained, ns in vector["points"]])
    assert (asdict(cost) if cost else None) == near(vector["cost"])


@of("sweeps")
def test_sweeps(vector: dict[str, Any]) -> None:
    areas = [Area(**{**area, "means_ns": tuple(area["means_ns"])}) for area in vector["areas"]]
    step = sweep_step(areas)
    assert (asdict(step) if step else None) == near(vector["step"])


@of("others")
def test_others(vector: dict[str, Any]) -> None:
    traffic = DeviceTraffic(0, 0, vector["bytes_read"] or 0, vector["bytes_written"] or 0)
    seen = Interference(
        traffic if vector["bytes_read"] is not None else None,
        vector["other_cpu_ns"], *[None] * 6,
    )  # fmt: skip
    totals = (vector["operations"], vector["bytes"], vector["elapsed_ns"])
    one = Pass(*totals, ended_by="time", rate_samples=(), interference=seen)
    bystanders = Bystanders(
        cpus=vector["cpus"],
        own_traffic=own_traffic_below(
            vector["layers"], mount_flags=vector["mount_flags"], device_classes=vector["classes"]
        ),
    )
    definition = find_workload(vector["workload"], version=1)
    assert definition is not None
    found = bystanders.share_of_others(definition, [one])
    assert asdict(found) == {name: vector[name] for name in asdict(found)}


def test_what_is_unknown_of_one_pass_is_unknown() -> None:
    definition = find_workload("commit-8k", version=1)
    assert definition is not None
    seen = Interference(DeviceTraffic(0, 0, 0, 10**9), 10**9, *[None] * 6)
    one = Pass(1000, 8_192_000, 10**9, ended_by="time", rate_samples=(), interference=seen)
    own_traffic = own_traffic_below(["ext4"], mount_flags=[], device_classes=[])
    bystanders = Bystanders(cpus=4, own_traffic=own_traffic)
    assert bystanders.share_of_others(definition, [one]).disturbs
    blind = Pass(1000, 8_192_000, 10**9, ended_by="time", rate_samples=())
    assert bystanders.share_of_others(definition, [one, blind]) == OthersShare()
    assert bystanders.share_of_others(definition, []) == OthersShare()


@of("slo")
def test_slo(vector: dict[str, Any]) -> None:
    passes = [
        SearchPass(each["operations"], each["elapsed_ns"], **each.get("open_loop", {}))
        for each in vector["passes"]
    ]
    found = useful_rate(passes, p99_ns_max=vector["p99_ns_max"])
    expected = vector["useful"]
    assert (found is None) == (expected is None)
    if found is not None:
        assert found.per_s == expected["per_s"]
        assert list(found.searches_per_s) == expected["searches_per_s"]
        assert found.capacity_per_s == pytest.approx(expected["capacity_per_s"])
        assert found.late_trials == expected["late_trials"]
        assert [asdict(load) for load in found.loads] == expected["loads"]


@pytest.mark.parametrize(("operations", "is_good"), [(990, True), (989, False)])
def test_a_trial_is_good_that_achieves_99_percent_with_what_is_on_its_way(
    operations: int, *, is_good: bool
) -> None:
    """1,000 a second for one second, and by Little's law one still on its way at the end."""
    trial = SearchPass(operations, 10**9, purpose="search", offered_per_s=1000, p99_ns=999_999)
    assert trial.is_good(10**6) is is_good


def test_a_stall_has_the_share_of_the_time_that_it_took() -> None:
    quick, long = [1] * 10, [100]
    assert stall_share_milli(Histogram.from_values(quick + long)) == 909  # 100 of 110 ns


def test_stalls_never_take_more_than_all_the_time() -> None:
    """The middle of the bucket is longer than the operation was."""
    low = bucket_low_ns(bucket_of(10**9))
    assert stall_share_milli(Histogram.from_values([1] * 3 + [low])) == 1000


def test_the_noise_of_a_series_is_its_standard_deviation() -> None:
    """A step in it changes nothing: neighbours differ by the noise alone."""
    noise = NormalDist(0, VARIATION).samples(4000, seed=3)
    logs = [10 + value + (place >= 2000) for place, value in enumerate(noise)]
    found = cliff_module._deviation(logs, [10**6] * len(logs))
    assert found == pytest.approx(VARIATION, rel=0.05)


VARIATION = 0.2


def noisy(seed: int, *levels: tuple[int, float]) -> list[int]:
    """Counts around these levels, each for so many intervals; the same for the same seed."""
    plain = [level for length, level in levels for _ in range(length)]
    noise = NormalDist(1, VARIATION).samples(len(plain), seed=seed)
    return [max(0, round(level * factor)) for level, factor in zip(plain, noise, strict=True)]


def test_noise_without_a_change_has_no_cliff() -> None:
    series = (noisy(seed, (length, 3000)) for seed in range(100) for length in (40, 80, 300))
    assert sum(find_cliff(counts) is not None for counts in series) == 0  # of 300


def test_a_drop_by_three_tenths_is_found_where_it_is() -> None:
    for seed in range(50):
        cliff = find_cliff(noisy(seed, (150, 3000), (150, 2100)))
        assert cliff is not None
        assert abs(cliff.sample - 150) <= 12
        assert cliff.after / cliff.before == pytest.approx(0.7, abs=0.08)


def saw(intervals: int) -> list[int]:
    """Counts that are cut at every tooth, the costliest that can be sent."""
    return [1000 if place // 21 % 2 else 3000 for place in range(intervals)]


@pytest.mark.parametrize("intervals", [INTERVALS_MAX, 2 * INTERVALS_MAX, 64 * INTERVALS_MAX])
def test_however_long_a_series_is_the_work_is_bounded(
    intervals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = []
    change = cliff_module._change

    def counted(values: Sequence[float], threshold: float) -> int:
        looked_at.append(len(values))
        return change(values, threshold)

    monkeypatch.setattr(cliff_module, "_change", counted)
    find_cliff(saw(intervals))
    # each split leaves SIDE_MIN intervals or more on either side
    assert sum(looked_at) <= INTERVALS_MAX**2 / SIDE_MIN
    assert max(looked_at) <= INTERVALS_MAX


def test_a_device_that_stopped_has_one_cliff_however_it_stutters_then() -> None:
    """Two stretches behind it have a median of nothing, and no share of it is left to lose."""
    counts = [1000] * 120 + [0] * 60 + [0, 0, 900] * 20
    cliff = find_cliff(counts)
    assert cliff is not None
    assert (cliff.sample, cliff.before, cliff.after) == (120, 1000, 0)


@pytest.mark.parametrize("intervals", [INTERVALS_MAX, INTERVALS_MAX + 1, 3 * INTERVALS_MAX - 1])
def test_a_cliff_of_a_long_series_is_told_in_its_own_intervals(intervals: int) -> None:
    high = intervals // 2
    counts = noisy(5, (high, 3000), (intervals - high, 1500))
    cliff = find_cliff(counts)
    assert cliff is not None
    assert abs(cliff.sample - high) <= 3
    assert (cliff.before, cliff.after) == pytest.approx((3000, 1500), rel=0.02)
    assert cliff.operations == sum(counts[: cliff.sample])


def test_a_device_may_slow_down_as_soon_as_it_was_looked_at_long_enough() -> None:
    cliff = find_cliff([3000] * SIDE_MIN + [1500] * 200)
    assert cliff is not None
    assert (cliff.sample, cliff.before, cliff.after) == (SIDE_MIN, 3000, 1500)


def test_a_long_series_is_looked_at_to_its_last_interval() -> None:
    """Its last stretch is as short as a lasting one may be, and added up by twos."""
    low = 2 * SIDE_MIN
    cliff = find_cliff([3000] * (2 * INTERVALS_MAX - low) + [1500] * low)
    assert cliff is not None
    assert (cliff.sample, cliff.before, cliff.after) == (2 * INTERVALS_MAX - low, 3000, 1500)


@given(st.lists(st.integers(min_value=0, max_value=10**9), max_size=120))
def test_whatever_was_counted_a_cliff_is_a_drop_within_it(counts: list[int]) -> None:
    cliff = find_cliff(counts)
    if cliff is not None:
        assert 0 < cliff.sample < len(counts)
        assert cliff.after <= 0.8 * cliff.before
        assert cliff.operations == sum(counts[: cliff.sample])


@given(st.lists(st.floats(min_value=1, max_value=1e9), min_size=5, max_size=12))
def test_a_steady_window_is_narrow(rates: list[float]) -> None:
    steady = first_steady(rates)
    if steady is not None:
        window = rates[steady.round - 5 : steady.round]
        assert max(window) - min(window) <= 0.2 * steady.mean_per_s * (1 + 1e-9)


@pytest.mark.parametrize(("step", "is_steady"), [(2.4, True), (-2.4, True), (2.6, False)])
def test_a_window_whose_line_rises_by_more_than_a_tenth_is_not_steady(
    step: float, *, is_steady: bool
) -> None:
    """Four steps lead from the first of five rounds to the last."""
    steady = first_steady([100 + step * place for place in range(-2, 3)])
    assert (steady is not None) is is_steady


@given(st.lists(st.floats(min_value=1, max_value=1e9), min_size=2, max_size=9))
def test_the_spread_knows_no_order(rates: list[float]) -> None:
    assert repeat_spread(rates) == repeat_spread(rates[::-1])


def test_a_capacity_without_an_operation_is_no_search() -> None:
    assert useful_rate([SearchPass(operations=0, elapsed_ns=10**9)], p99_ns_max=10**6) is None
