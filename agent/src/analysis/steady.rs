//! The steady state of a device, by the rule of SNIA's Solid State Storage Performance Test Specification
//! (PTS 2.0.2, "Steady State"): in a window of five rounds the range of the rates is at most 20 % of their
//! average, and the line fitted to them by least squares rises or falls by at most 10 % of it.

use super::rate_per_s;
use super::repeats::extremes;
use crate::wire::judgement::steady;
use crate::wire::workload::Workload;

/// Rounds of the measurement window.
pub const WINDOW_ROUNDS: usize = steady::WINDOW_ROUNDS;
/// The largest range of the rates in the window, as a share of their average.
pub const RANGE_MAX: f64 = steady::RANGE_SHARE_MAX;
/// The most that the fitted line may rise or fall over the window, as a share of the average.
pub const EXCURSION_MAX: f64 = steady::EXCURSION_SHARE_MAX;

/// A steady state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steady {
    /// The number, from 1, of the window's last round: the first round at which the rule holds.
    pub round: usize,
    /// Average of the window, operations a second.
    pub mean_per_s: f64,
}

/// The first window in which the rates are steady; `None` where there is none.
pub fn first(rates_per_s: &[f64]) -> Option<Steady> {
    rates_per_s.windows(WINDOW_ROUNDS).position(is_steady).map(|begin| Steady {
        round: begin + WINDOW_ROUNDS,
        mean_per_s: mean(&rates_per_s[begin..begin + WINDOW_ROUNDS]),
    })
}

/// The steady state of a workload whose passes are rounds.
pub fn steady_state(workload: &Workload) -> Option<Steady> {
    let rates: Vec<f64> = workload.passes.iter().filter_map(rate_per_s).collect();
    first(&rates)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn is_steady(window: &[f64]) -> bool {
    let average = mean(window);
    let (low, high) = extremes(window);
    let middle = (window.len() - 1) as f64 / 2.0;
    let offsets = || (0..window.len()).map(|round| round as f64 - middle);
    let covariance: f64 = offsets().zip(window).map(|(offset, rate)| offset * (rate - average)).sum();
    let slope = covariance / offsets().map(|offset| offset * offset).sum::<f64>();
    let excursion = (slope * (window.len() - 1) as f64).abs();
    high - low <= RANGE_MAX * average && excursion <= EXCURSION_MAX * average
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_that_settles_is_steady_from_where_both_conditions_hold() {
        let rates = [900.0, 700.0, 500.0, 420.0, 400.0, 405.0, 395.0, 400.0, 402.0];
        assert_eq!(first(&rates), Some(Steady { round: 8, mean_per_s: 404.0 }));
    }

    #[test]
    fn a_slow_decline_within_the_range_is_not_steady() {
        // 12 % over five rounds: the range allows it, the slope does not.
        let decline: Vec<f64> = (0..5).map(|round| 1_000.0 - 30.0 * f64::from(round)).collect();
        assert_eq!(first(&decline), None);
        assert_eq!(first(&[1_000.0, 1_190.0, 1_000.0, 1_190.0, 1_000.0]).unwrap().round, 5);
        assert_eq!(first(&[1_000.0, 1_250.0, 1_000.0, 1_250.0, 1_000.0]), None);
    }

    #[test]
    fn four_rounds_are_no_window() {
        assert_eq!(first(&[1.0; 4]), None);
    }
}
