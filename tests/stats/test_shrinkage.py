"""Shrinkage against statsmodels, scipy and a cell that was worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from statsmodels.api import WLS
from statsmodels.robust.scale import mad

from apps.stats.standings.shrinkage import (
    PRIOR_UPLOADERS,
    TAU_MIN,
    CellEstimate,
    median_variances,
    paule_mandel,
    pooled_variance,
    prior_of,
    robust_deviation,
    shrink,
    small_sample,
)

thetas = st.lists(st.floats(min_value=0, max_value=14), min_size=2, max_size=30)


def cell(
    theta: float, *, spread: float = 0.15, n: float = 5, storage_class: str = "c"
) -> CellEstimate:
    return CellEstimate(theta=theta, spread=spread, n=n, storage_class=storage_class)


def test_the_spread_is_statsmodels_mad_with_a_factor_for_few_values() -> None:
    values = np.random.default_rng(3).normal(size=9)
    assert robust_deviation(values) == pytest.approx(1.11 * mad(values), rel=1e-4)
    assert small_sample(10) == pytest.approx(1.08)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 8, 9, 12])
def test_the_spread_of_normal_values_is_right_on_average(n: int) -> None:
    rows = np.random.default_rng(n).normal(0, 0.15, (20_000, n))
    deviations = np.median(np.abs(rows - np.median(rows, axis=1, keepdims=True)), axis=1)
    mean = small_sample(n) * 1.4826 * deviations.mean()
    assert mean == pytest.approx(0.15, rel=0.02)
    assert robust_deviation(rows[0]) == pytest.approx(small_sample(n) * 1.4826 * deviations[0])


def test_the_pooled_variance_weighs_by_freedom_and_has_a_floor() -> None:
    spreads, ns = np.array([0.1, 0.3]), np.array([3.0, 7.0])
    assert pooled_variance(spreads, ns) == pytest.approx((2 * 0.01 + 6 * 0.09) / 8)
    assert pooled_variance(np.zeros(3), np.full(3, 4.0)) == pytest.approx(0.05**2)
    assert pooled_variance(np.zeros(2), np.ones(2)) == pytest.approx(0.05**2)


def test_a_cell_of_three_leans_on_the_others() -> None:
    found = median_variances(np.array([0.4, 0.1]), np.array([3.0, 7.0]))
    pooled = (2 * 0.16 + 6 * 0.01) / 8
    own = (2 * 0.16 + PRIOR_UPLOADERS * pooled) / (2 + PRIOR_UPLOADERS)
    assert found[0] == pytest.approx(math.pi / 2 * own / 3)


@pytest.mark.parametrize("apart", [0.1, 0.3, 3.0])
def test_two_cells_lie_as_far_apart_as_their_own_noise_leaves_over(apart: float) -> None:
    """Of two, the equation is apart ** 2 / 2 = v + tau ** 2."""
    tau2 = paule_mandel(np.array([7.0, 7.0 + apart]), np.full(2, 0.001))
    assert tau2 == pytest.approx(apart**2 / 2 - 0.001)


def tau2_by_scipy(values: np.ndarray, variances: np.ndarray) -> float:
    """Return the root of Paule and Mandel's equation by Brent's method, 0 where it has none."""

    def excess(tau2: float) -> float:
        weights = 1 / (variances + tau2)
        mean = np.average(values, weights=weights)
        return float(weights @ (values - mean) ** 2) - (values.size - 1)

    return float(brentq(excess, 0, 100, xtol=1e-12)) if excess(0) > 0 else 0.0


@pytest.mark.parametrize("seed", range(20))
def test_brents_method_finds_the_same_tau(seed: int) -> None:
    generator = np.random.default_rng(seed)
    variances = generator.uniform(0.002, 0.05, 12)
    values = generator.normal(8, 0.3, 12) + generator.normal(0, np.sqrt(variances))
    tau2 = tau2_by_scipy(values, variances)
    assert paule_mandel(values, variances) == pytest.approx(tau2, abs=1e-9)
    prior = prior_of(values, variances)
    assert prior.tau == pytest.approx(max(math.sqrt(tau2), TAU_MIN), abs=1e-9)
    weighted = WLS(values, np.ones(12), weights=1 / (variances + prior.tau**2)).fit()
    assert prior.mean == pytest.approx(weighted.params[0], rel=1e-9)
    assert 1 / prior.weight == pytest.approx(weighted.normalized_cov_params[0, 0], rel=1e-9)


def test_plans_that_agree_need_no_tau_and_get_the_least() -> None:
    variances = np.full(4, 0.01)
    assert paule_mandel(np.array([8.0, 8.01, 8.0, 7.99]), variances) == 0
    assert prior_of(np.full(4, 8.0), variances).tau == TAU_MIN


@given(thetas)
def test_the_equation_of_paule_and_mandel_holds(values: list[float]) -> None:
    numbers = np.array(values)
    variances = np.linspace(0.01, 0.03, numbers.size)
    tau2 = paule_mandel(numbers, variances)
    weights = 1 / (variances + tau2)
    mean = np.sum(weights * numbers) / weights.sum()
    found = float(np.sum(weights * (numbers - mean) ** 2))
    if tau2:
        assert found == pytest.approx(numbers.size - 1, rel=1e-6)
    else:
        assert found <= numbers.size - 1


@given(thetas)
def test_a_cell_is_drawn_towards_the_middle_and_never_beyond(values: list[float]) -> None:
    for value, found in zip(values, shrink([cell(each) for each in values]), strict=True):
        assert found.prior is not None
        low, high = sorted((value, found.prior.mean))
        assert low - 1e-9 <= found.theta <= high + 1e-9
        assert 0 < found.own_weight < 1


def test_who_knows_less_is_drawn_further() -> None:
    few, many, _ = shrink([cell(9, n=3), cell(9, n=12), cell(7, n=12)])
    assert few.own_weight < many.own_weight
    assert few.theta < many.theta < 9


def test_classes_have_their_own_middle_and_a_lonely_cell_stays() -> None:
    fast, slow = (
        [cell(9 + each / 10, storage_class="plp") for each in range(3)],
        cell(5, storage_class="flash"),
    )
    *shrunk, lonely = shrink([*fast, slow])
    assert (lonely.theta, lonely.own_weight, lonely.prior) == (5, 1.0, None)
    assert shrunk[0].prior is not None
    assert shrunk[0].prior.mean == pytest.approx(9.1)


def test_a_board_of_three_worked_by_hand() -> None:
    """Spreads 0.1, n 4: v = pi/2 * 0.01 / 4; thetas 8, 9, 10 are equally precise."""
    variance = math.pi / 2 * 0.01 / 4
    tau2 = 1 - variance  # sum (theta - 9)^2 = 2 = (P - 1) (v + tau^2)
    own_weight = tau2 / (tau2 + variance)
    first, middle, _ = shrink([cell(theta, spread=0.1, n=4) for theta in (8, 9, 10)])
    assert first.theta == pytest.approx(9 - own_weight)
    assert middle.theta == pytest.approx(9)
    assert middle.sd**2 == pytest.approx(own_weight * variance + (1 - own_weight) ** 2 / 3)
