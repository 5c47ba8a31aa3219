//! How quick each pass of a workload was, how far passes lie apart, and when that is worth mentioning.

use super::middle::median;
use crate::units::per_s;
use crate::wire::workload::{Pass, Workload};

/// Repeats further apart than this share of their median are unsteady.
pub const UNSTEADY_SPREAD: f64 = crate::wire::judgement::repeats::UNSTEADY_SPREAD_ABOVE;

/// Operations a second of a pass; `None` where none finished.
pub fn rate_per_s(pass: &Pass) -> Option<f64> {
    (pass.operations > 0 && pass.elapsed_ns > 0).then(|| per_s(pass.operations, pass.elapsed_ns))
}

/// How far the rates of passes lie apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The median, in operations a second.
    pub median_per_s: f64,
    /// The smallest.
    pub low_per_s: f64,
    /// The largest.
    pub high_per_s: f64,
    /// (largest - smallest) / median.
    pub relative: f64,
}

impl Spread {
    /// Whether the passes lie so far apart that the figure depends on when it was measured.
    pub fn is_unsteady(&self) -> bool {
        self.relative > UNSTEADY_SPREAD
    }

    /// Why it is unsteady, in words; `None` where it is steady.
    pub fn reason(&self) -> Option<String> {
        self.is_unsteady().then(|| {
            format!(
                "repeats lie {:.0} % of their median apart, more than {:.0} %: other load, throttling or burst credits",
                self.relative * 100.0,
                UNSTEADY_SPREAD * 100.0
            )
        })
    }
}

/// The spread of these rates; `None` for fewer than two.
pub fn spread(rates_per_s: &[f64]) -> Option<Spread> {
    let median_per_s = median(rates_per_s).filter(|median| rates_per_s.len() > 1 && *median > 0.0)?;
    let (low_per_s, high_per_s) = extremes(rates_per_s);
    Some(Spread { median_per_s, low_per_s, high_per_s, relative: (high_per_s - low_per_s) / median_per_s })
}

/// The spread of a workload's passes.
pub fn spread_of_passes(workload: &Workload) -> Option<Spread> {
    let rates: Vec<f64> = workload.passes.iter().filter_map(rate_per_s).collect();
    spread(&rates)
}

/// The smallest and the largest.
pub(super) fn extremes(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_that_agree_are_steady_and_the_others_say_why() {
        let close = spread(&[1_000.0, 1_020.0, 980.0]).unwrap();
        assert_eq!((close.median_per_s, close.relative, close.reason()), (1_000.0, 0.04, None));
        let far = spread(&[1_000.0, 1_300.0, 900.0]).unwrap();
        assert!(far.is_unsteady());
        assert!(far.reason().unwrap().starts_with("repeats lie 40 % of their median apart, more than 10 %"));
        assert_eq!(spread(&[1_000.0]), None, "one value lies nowhere");
    }
}
