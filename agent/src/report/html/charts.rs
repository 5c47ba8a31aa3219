//! Drawings of a page: SVG that stretches without a script, since x is a share of the width.
//!
//! Time always runs on one axis, six decades from 100 ns, so that a column means the same latency in all.

use std::fmt::Write as _;

use super::text::{escape, read_and_escape};
use crate::analysis::figures::percentile_text;
use crate::judgement::ladder::{self, LADDER};
use crate::units::{self, per_s};
use crate::wire::histogram::Distribution;
use crate::wire::workload::{Pass, Workload};

const AXIS_START_NS: f64 = 100.0;
const DECADES: usize = 6;
/// The names of both scales at each decade: how long one takes, how many a second that makes.
const SCALE: [(&str, &str); DECADES + 1] = [
    ("100 ns", "10M"),
    ("1 µs", "1M"),
    ("10 µs", "100k"),
    ("100 µs", "10k"),
    ("1 ms", "1k"),
    ("10 ms", "100"),
    ("100 ms", "10 /s"),
];
/// Percentiles that are named, with their height: the count of nines.
const NAMED: [(u64, &str, f64); 5] = [
    (5_000, "p50", 0.301),
    (9_000, "p90", 1.0),
    (9_900, "p99", 2.0),
    (9_990, "p99.9", 3.0),
    (9_999, "p99.99", 4.0),
];
/// Steps of a curve per nine.
const STEPS_PER_NINE: u32 = 20;
const NINES: u32 = 4;
/// Width and height of the box in which curves are drawn before they are stretched.
const BOX: (f64, f64) = (600.0, 100.0);
/// To the right of this share of the width, words stand to the left of their mark.
const FLIP_PERCENT: f64 = 76.0;
/// The most points of a rate over time: more cannot be told apart and make the page large.
const RATE_POINTS_MAX: usize = 400;
/// Height of a row of the ladder, in pixels.
const RUNG_HEIGHT: usize = 30;
/// Letters closer to each other than this share of the width would touch.
const LETTER_PERCENT: f64 = 3.2;

/// The place of a latency on the axis, in percent of the width.
pub fn x(ns: u64) -> f64 {
    let decades = (ns.max(1) as f64 / AXIS_START_NS).log10();
    (decades / DECADES as f64 * 100.0).clamp(0.0, 100.0)
}

/// The axis at the top: time above, its reciprocal below.
pub fn ruler() -> String {
    let mut svg = "<svg class=\"ticks\" height=\"52\" aria-hidden=\"true\">".to_owned();
    svg.push_str("<line class=\"l-rule\" x1=\"0\" x2=\"100%\" y1=\"26\" y2=\"26\"/>");
    for (decade, (time, rate)) in SCALE.iter().enumerate() {
        let at = decade as f64 / DECADES as f64 * 100.0;
        let last = decade == DECADES;
        let (anchor, dx) = if last { ("end", -6) } else { ("start", 6) };
        let class = if last { " wide-only" } else { "" };
        let _ = write!(
            svg,
            "<line class=\"l-edge\" x1=\"{at:.3}%\" x2=\"{at:.3}%\" y1=\"0\" y2=\"52\"/>\
             <text class=\"small bold{class}\" x=\"{at:.3}%\" dx=\"{dx}\" y=\"16\" text-anchor=\"{anchor}\">{time}</text>\
             <text class=\"small dim{class}\" x=\"{at:.3}%\" dx=\"{dx}\" y=\"45\" text-anchor=\"{anchor}\">{rate}</text>"
        );
        for tick in (2..10).filter(|_| !last) {
            let at = (decade as f64 + f64::from(tick).log10()) / DECADES as f64 * 100.0;
            let half = if tick == 5 { 5 } else { 3 };
            let (top, bottom) = (26 - half, 26 + half);
            let _ = write!(
                svg,
                "<line class=\"l-edge\" x1=\"{at:.3}%\" x2=\"{at:.3}%\" y1=\"{top}\" y2=\"{bottom}\"/>"
            );
        }
    }
    svg + "</svg>"
}

/// A curve to be drawn.
pub struct Curve<'a> {
    /// Its workload.
    pub name: &'a str,
    /// Its latencies.
    pub latencies: &'a Distribution,
}

/// How many nines this many operations can show, by the rule of `figures::percentile`: with a thousand it
/// ends at p99.9, above which one of them lies.
fn nines(latencies: &Distribution) -> f64 {
    (latencies.total().max(1) as f64).log10().min(f64::from(NINES))
}

/// Points of a curve: nines and latency, from p1 on.
fn points(latencies: &Distribution) -> Vec<(f64, u64)> {
    let end = nines(latencies);
    (0..=NINES * STEPS_PER_NINE)
        .map(|step| (f64::from(step) / f64::from(STEPS_PER_NINE)).max(0.0044))
        .filter(|&nine| nine <= end)
        .map(|nine| (nine, latencies.percentile_ns(per_ten_thousand(nine))))
        .collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and 10,000
fn per_ten_thousand(nines: f64) -> u64 {
    (10_000.0 * (1.0 - 10_f64.powf(-nines))).round() as u64
}

/// A path in the stretched box; `height` gives the percent from the top of this many nines.
fn path(latencies: &Distribution, class: &str, height: impl Fn(f64) -> f64) -> String {
    let mut d = String::new();
    for (index, (nine, ns)) in points(latencies).into_iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{letter}{:.1} {:.2}", x(ns) / 100.0 * BOX.0, height(nine));
    }
    format!(
        "<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" height=\"100%\"><path class=\"{class}\" d=\"{d}\"/></svg>",
        BOX.0, BOX.1
    )
}

fn chart_height(nines: f64) -> f64 {
    94.0 - nines / f64::from(NINES) * 86.0
}

/// The percentiles of one workload, and those of others in grey behind it.
pub fn percentiles(subject: &Curve<'_>, ghosts: &[Curve<'_>]) -> String {
    let texts: Vec<String> = NAMED[..4]
        .iter()
        .map(|(q, name, _)| format!("{name} {}", percentile_text(subject.latencies, *q)))
        .collect();
    let mut svg = format!(
        "<svg class=\"curves\" height=\"500\" role=\"img\" aria-label=\"{}: {}\">",
        read_and_escape(subject.name),
        texts.join(", ")
    );
    for (_, name, nine) in NAMED {
        let y = chart_height(nine);
        let _ = write!(
            svg,
            "<line class=\"l-rule\" x1=\"0\" x2=\"100%\" y1=\"{y:.2}%\" y2=\"{y:.2}%\"/>\
             <text class=\"small dim\" x=\"0\" dx=\"6\" y=\"{y:.2}%\" dy=\"-6\">{name}</text>"
        );
    }
    let mut letters: Vec<(f64, f64, char)> = Vec::new();
    for (ghost, letter) in ghosts.iter().zip('a'..) {
        svg.push_str(&path(ghost.latencies, "l-ghost", chart_height));
        if let Some((nine, ns)) = points(ghost.latencies).pop() {
            letters.push((x(ns), chart_height(nine), letter));
        }
    }
    letters.sort_by(|one, other| one.0.total_cmp(&other.0));
    // Where the subject's figure at p99.99 is flipped, it stands above the curve, and the letters give way to
    // it.
    let flipped = x(subject.latencies.percentile_ns(9_999)) > FLIP_PERCENT;
    let mut last_letter = f64::NEG_INFINITY;
    for (at, y, letter) in letters {
        let at = at.max(last_letter + LETTER_PERCENT);
        last_letter = at;
        let _ = write!(
            svg,
            "<text class=\"small halo\" x=\"{at:.2}%\" y=\"{y:.2}%\" dy=\"{}\" text-anchor=\"middle\">{letter}</text>",
            if flipped { -24 } else { -8 }
        );
    }
    svg.push_str(&path(subject.latencies, "l-hot", chart_height));
    for (q, _, nine) in NAMED.into_iter().filter(|(_, _, nine)| *nine <= nines(subject.latencies)) {
        let ns = subject.latencies.percentile_ns(q);
        svg.push_str(&mark(x(ns), chart_height(nine), 4.5, &units::latency(ns), "hot bold halo"));
    }
    svg + "</svg>"
}

/// A dot with its figure on the side that has room.
fn mark(at: f64, y: f64, radius: f64, text: &str, class: &str) -> String {
    // A curve comes from the lower left and goes on to the upper right: words avoid both places.
    let (anchor, dx, dy) = if at > FLIP_PERCENT { ("end", -9, -8) } else { ("start", 11, 15) };
    format!(
        "<circle class=\"f-hot\" cx=\"{at:.2}%\" cy=\"{y:.2}%\" r=\"{radius}\"/>\
         <text class=\"{class}\" x=\"{at:.2}%\" y=\"{y:.2}%\" dx=\"{dx}\" dy=\"{dy}\" text-anchor=\"{anchor}\">{}</text>",
        escape(text)
    )
}

/// A row's small curve: a dot at p50, a tick at p99, and the name of its end.
pub fn trace(latencies: &Distribution, is_subject: bool) -> String {
    let (line, fill) = if is_subject { ("l-hot", "f-hot") } else { ("l-ink2", "f-ink2") };
    let height = |nines: f64| 92.0 - nines / f64::from(NINES) * 58.0;
    let at = |q: u64| x(latencies.percentile_ns(q));
    let (end_nines, end_ns) = points(latencies).pop().unwrap_or((0.0, latencies.max_ns));
    let (end, end_y) = (x(end_ns), height(end_nines));
    let (anchor, dx) = if end > 50.0 { ("end", 4) } else { ("start", -4) };
    let last = if end_nines >= f64::from(NINES) { "p99.99" } else { "slowest" };
    // Fewer than a hundred operations have no p99 of their own.
    let tick = if end_nines < 2.0 {
        String::new()
    } else {
        let (p99, y1, y2) = (at(9_900), height(2.0) - 12.0, height(2.0) + 12.0);
        format!("<line class=\"{line}\" x1=\"{p99:.2}%\" x2=\"{p99:.2}%\" y1=\"{y1:.1}%\" y2=\"{y2:.1}%\"/>")
    };
    format!(
        "<svg height=\"54\" role=\"img\" aria-label=\"p50 {}, p99 {}\">{}{tick}\
         <circle class=\"{fill}\" cx=\"{p50:.2}%\" cy=\"{y50:.1}%\" r=\"3.5\"/>\
         <circle class=\"{fill}\" cx=\"{end:.2}%\" cy=\"{end_y:.1}%\" r=\"2.5\"/>\
         <text class=\"small dim halo\" x=\"{end:.2}%\" y=\"10\" dx=\"{dx}\" text-anchor=\"{anchor}\">\
         {last} {}</text></svg>",
        percentile_text(latencies, 5_000),
        percentile_text(latencies, 9_900),
        path(latencies, line, height),
        units::latency(end_ns),
        p50 = at(5_000),
        y50 = height(0.301),
    )
}

/// The ladder, with a line where this disk stands.
pub fn ladder(p50_ns: u64) -> String {
    let place = ladder::rungs_faster_than(p50_ns);
    let height = (LADDER.len() + 1) * RUNG_HEIGHT;
    let here = x(p50_ns);
    let mut svg = format!(
        "<svg height=\"{height}\" role=\"img\" aria-label=\"The fsync ladder; this disk stands at {}\">",
        units::latency(p50_ns)
    );
    let middle = |row: usize| row * RUNG_HEIGHT + RUNG_HEIGHT / 2;
    for (index, rung) in LADDER.iter().enumerate() {
        let y = middle(index + usize::from(index >= place)) - 7;
        let (low, high) = (x(rung.low_ns), x(rung.high_ns));
        let _ = write!(
            svg,
            "<rect class=\"f-band\" x=\"{low:.2}%\" y=\"{y}\" width=\"{:.2}%\" height=\"14\"/>\
             <rect class=\"f-edge\" x=\"{low:.2}%\" y=\"{y}\" width=\"3\" height=\"14\"/>",
            high - low
        );
    }
    let _ =
        write!(svg, "<line class=\"l-hot\" x1=\"{here:.2}%\" x2=\"{here:.2}%\" y1=\"0\" y2=\"{height}\"/>");
    for (index, rung) in LADDER.iter().enumerate() {
        let y = middle(index + usize::from(index >= place)) + 4;
        let (low, high) = (x(rung.low_ns), x(rung.high_ns));
        let (at, anchor, dx) = if low > 50.0 { (low, "end", -10) } else { (high, "start", 10) };
        let _ = write!(
            svg,
            "<text class=\"words halo\" x=\"{at:.2}%\" y=\"{y}\" dx=\"{dx}\" text-anchor=\"{anchor}\">{}</text>",
            rung.name
        );
    }
    let y = middle(place) as f64 / height as f64 * 100.0;
    let (anchor, dx) = if here > 50.0 { ("end", -12) } else { ("start", 12) };
    let _ = write!(
        svg,
        "<circle class=\"f-hot\" cx=\"{here:.2}%\" cy=\"{y:.2}%\" r=\"5\"/>\
         <text class=\"hot bold halo\" x=\"{here:.2}%\" y=\"{y:.2}%\" dx=\"{dx}\" dy=\"4\" text-anchor=\"{anchor}\">\
         you are here, {}</text>",
        units::latency(p50_ns)
    );
    svg + "</svg>"
}

/// The rate over the measured time, one pass after another.
pub fn rate(workload: &Workload, is_subject: bool) -> Option<String> {
    let rates = pass_rates(workload);
    let all: Vec<f64> = rates.iter().flatten().copied().collect();
    if all.len() < 2 {
        return None;
    }
    let (height, class) = if is_subject { (180, "l-hot") } else { (84, "l-ink2") };
    let top = round_up(all.iter().copied().fold(0.0, f64::max));
    let y = |rate: f64| 100.0 - rate / top * 100.0;
    let Steps { d, lowest } = steps(&rates, y);
    let mut svg = format!("<svg height=\"{height}\" aria-hidden=\"true\">");
    for share in [0.0, 0.5, 1.0] {
        let at = y(top * share);
        let _ = write!(
            svg,
            "<line class=\"l-rule\" x1=\"0\" x2=\"100%\" y1=\"{at}%\" y2=\"{at}%\"/>\
             <text class=\"small dim\" x=\"0\" dx=\"-8\" y=\"{at}%\" dy=\"4\" text-anchor=\"end\">{}</text>",
            axis_label(top * share)
        );
    }
    svg.push_str(&band(&all, y));
    let _ = write!(
        svg,
        "<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" height=\"100%\"><path class=\"{class}\" d=\"{d}\"/></svg>",
        BOX.0, BOX.1
    );
    if is_subject {
        let (rate, x_percent) = lowest;
        let anchor = if x_percent > FLIP_PERCENT { "end" } else { "start" };
        let _ = write!(
            svg,
            "<text class=\"small halo\" x=\"{x_percent:.2}%\" y=\"{:.2}%\" dy=\"{}\" text-anchor=\"{anchor}\">lowest {}</text>",
            y(rate),
            if y(rate) > FLIP_PERCENT { -10 } else { 18 },
            units::rate(rate)
        );
    }
    Some(svg + "</svg>")
}

/// Operations a second in each sample of each pass; neighbouring samples of a long run are merged.
fn pass_rates(workload: &Workload) -> Vec<Vec<f64>> {
    let count: usize = workload.passes.iter().map(|pass| pass.rate_samples.len()).sum();
    let together = count.div_ceil(RATE_POINTS_MAX).max(1);
    let rate_of = |samples: &[u64]| per_s(samples.iter().sum(), workload.sample_ns * samples.len() as u64);
    let of_pass = |pass: &Pass| pass.rate_samples.chunks(together).map(rate_of).collect();
    workload.passes.iter().map(of_pass).collect()
}

/// Rates as a line of steps.
struct Steps {
    /// The path, in the stretched box.
    d: String,
    /// The lowest rate, and where it lies in percent from the left.
    lowest: (f64, f64),
}

/// The steps of all passes, with a gap of one sample between passes.
fn steps(rates: &[Vec<f64>], y: impl Fn(f64) -> f64) -> Steps {
    let slots = (rates.iter().map(Vec::len).sum::<usize>() + rates.len() - 1) as f64;
    let (mut slot, mut d, mut lowest) = (0.0, String::new(), (f64::INFINITY, 0.0));
    for pass in rates {
        for (index, &rate) in pass.iter().enumerate() {
            let (left, right) = (slot / slots * BOX.0, (slot + 1.0) / slots * BOX.0);
            let letter = if index == 0 { 'M' } else { 'L' };
            let _ = write!(d, "{letter}{left:.2} {at:.2}H{right:.2}", at = y(rate));
            if rate < lowest.0 {
                lowest = (rate, (slot + 0.5) / slots * 100.0);
            }
            slot += 1.0;
        }
        slot += 1.0;
    }
    Steps { d, lowest }
}

/// Mean and standard deviation of the samples, as a band.
fn band(rates: &[f64], y: impl Fn(f64) -> f64) -> String {
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / rates.len() as f64;
    let (top, bottom) = (y(mean + variance.sqrt()).max(0.0), y(mean - variance.sqrt()).min(100.0));
    format!(
        "<rect class=\"f-band\" x=\"0\" y=\"{top:.2}%\" width=\"100%\" height=\"{:.2}%\"/>",
        (bottom - top).max(0.5)
    )
}

/// The next round figure of an axis: 1, 1.2, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten.
pub(super) fn round_up(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1.0).log10().floor());
    let steps = [1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|&top| top >= value).unwrap_or(10.0 * power)
}

pub(super) fn axis_label(value: f64) -> String {
    if value >= 1e6 {
        format!("{:.1}M", value / 1e6)
    } else if value >= 10_000.0 {
        format!("{:.0}k", value / 1e3)
    } else {
        units::rate(value).trim_end_matches(".0").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_a_latency() {
        assert!(x(100).abs() < 1e-9 && x(0).abs() < 1e-9);
        assert!((x(100_000) - 50.0).abs() < 1e-9);
        assert!((x(100_000_000) - 100.0).abs() < 1e-9 && x(u64::MAX) <= 100.0);
    }

    #[test]
    fn a_curve_ends_where_its_operations_do() {
        let few =
            Distribution { counts: vec![(100, 60), (127, 40)], sum_ns: 11_080, min_ns: 100, max_ns: 127 };
        assert!((points(&few).last().unwrap().0 - 2.0).abs() < 1e-9, "a hundred show p99");
        assert_eq!(points(&few)[0].1, 100);
        assert_eq!((per_ten_thousand(2.0), per_ten_thousand(4.0)), (9_900, 9_999));
    }

    #[test]
    fn axes_end_at_round_figures() {
        let tops: Vec<f64> = [0.0, 1.0, 9.5, 101.0, 10_318.0].into_iter().map(round_up).collect();
        assert_eq!(tops, [1.0, 1.0, 10.0, 120.0, 12_000.0]);
        assert_eq!(
            (axis_label(12_000.0), axis_label(0.0), axis_label(2e6)),
            ("12k".into(), "0".into(), "2.0M".into())
        );
    }
}
