//! Charts of growth: commits over the number of writers, a flush over the bytes written before it.

use std::fmt::Write as _;

use super::charts::{axis_label, round_up};
use super::text::escape;
use crate::analysis::cache::{FLAT_RATIO, VOLATILE_RATIO};
use crate::analysis::figures;
use crate::judgement::verdict_evidence;
use crate::plan::workload_groups::{SWEEP_FAMILIES, SweepFamily, WRITERS};
use crate::units;
use crate::wire::payload::Run;

/// Width and height of the box in which lines are drawn before they are stretched.
const BOX: (f64, f64) = (600.0, 100.0);
/// Labels closer to each other than this share of the height would touch.
const LABEL_PERCENT: f64 = 8.0;
/// CSS classes of the lines of a chart, and of their dots.
const CLASSES: [(&str, &str); 3] = [("l-hot", "f-hot"), ("l-ink2", "f-ink2"), ("l-ghost", "f-edge")];

/// Values at equal distances.
struct Series {
    name: String,
    points: Vec<(usize, f64)>,
}

/// Where places and values are in the picture.
struct Axes<'a> {
    places: Vec<String>,
    /// Percent from the top of a value.
    y: &'a dyn Fn(f64) -> f64,
    /// Horizontal lines, with their labels.
    rules: Vec<(f64, String)>,
    /// The label at a point of the first series; none if empty.
    label: fn(f64) -> String,
}

/// The part of a page with these charts; empty where neither was measured.
pub(super) fn section(run: &Run) -> String {
    let mut figures = String::new();
    for family in &SWEEP_FAMILIES {
        figures.push_str(&sweeps(run, family));
    }
    figures.push_str(&drain(run));
    if figures.is_empty() {
        return figures;
    }
    format!(
        "<section><div class=\"head\"><h2>What grows</h2><p>Operations a second with the number of writers, and how long one \
         flush takes after more and more was written: a volatile cache has a slope, one that is protected or ignored has \
         none.</p></div><div class=\"rates\">\n{figures}</div></section>\n"
    )
}

fn sweeps(run: &Run, family: &SweepFamily) -> String {
    let SweepFamily { title, sweeps } = family;
    let series: Vec<Series> = sweeps
        .iter()
        .map(|sweep| Series {
            name: sweep.name.to_owned(),
            points: WRITERS
                .iter()
                .enumerate()
                .filter_map(|(place, &writers)| Some((place, figures::rate_of(run, &sweep.id(writers))?)))
                .collect(),
        })
        .filter(|series| series.points.len() > 1)
        .collect();
    if series.is_empty() {
        return String::new();
    }
    let top = round_up(series.iter().flat_map(|each| &each.points).map(|point| point.1).fold(0.0, f64::max));
    let axes = Axes {
        places: WRITERS.iter().map(ToString::to_string).collect(),
        y: &|rate| 100.0 - rate / top * 100.0,
        rules: [0.0, 0.5, 1.0].iter().map(|share| (top * share, axis_label(top * share))).collect(),
        label: |_| String::new(),
    };
    figure(title, "a second, by writers", &chart(&series, &axes, title))
}

fn drain(run: &Run) -> String {
    let points = verdict_evidence::drains(run);
    let Some(&(_, first)) = points.first().filter(|_| points.len() > 1) else { return String::new() };
    // A logarithmic scale, from a third of the smallest value to the largest, or to where a slope would show.
    let low = points.iter().map(|point| point.1).min().unwrap_or(1).max(1) as f64 / 3.0;
    let high = points.iter().map(|point| point.1).max().unwrap_or(1) as f64;
    let high = high.max(first as f64 * VOLATILE_RATIO) * 1.3;
    let series = Series {
        name: String::new(),
        points: points.iter().enumerate().map(|(place, point)| (place, point.1 as f64)).collect(),
    };
    let rule = |ratio: f64, words: &str| (first as f64 * ratio, format!("{ratio:.0} times: {words}"));
    let axes = Axes {
        places: points.iter().map(|point| point.0.to_owned()).collect(),
        y: &|ns| 100.0 - (ns / low).ln() / (high / low).ln() * 100.0,
        rules: vec![rule(FLAT_RATIO, "flat below"), rule(VOLATILE_RATIO, "steep above")],
        label: |ns| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            // It was a count of nanoseconds.
            let ns = ns as u64;
            units::latency(ns)
        },
    };
    figure("one flush", "p50, after so much was written", &chart(&[series], &axes, "one flush after a drain"))
}

fn figure(title: &str, under: &str, chart: &str) -> String {
    format!(
        "<figure><figcaption><b>{}</b><span>{}</span></figcaption><div class=\"plot\">{chart}</div></figure>\n",
        escape(title),
        escape(under)
    )
}

fn chart(series: &[Series], axes: &Axes<'_>, aria: &str) -> String {
    let last = axes.places.len().saturating_sub(1).max(1) as f64;
    let x = |place: usize| place as f64 / last * 100.0;
    let mut svg =
        format!("<svg class=\"grows\" height=\"220\" role=\"img\" aria-label=\"{}\">", escape(aria));
    for (value, text) in &axes.rules {
        let y = (axes.y)(*value);
        // A short label stands to the left of the scale, a longer one on its line.
        let (dx, dy, anchor) = if text.len() < 8 { (-8, 4, "end") } else { (4, -5, "start") };
        let _ = write!(
            svg,
            "<line class=\"l-rule\" x1=\"0\" x2=\"100%\" y1=\"{y:.2}%\" y2=\"{y:.2}%\"/><text class=\"small dim\" x=\"0\" \
             dx=\"{dx}\" y=\"{y:.2}%\" dy=\"{dy}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        );
    }
    for (place, name) in axes.places.iter().enumerate() {
        let anchor = if place == 0 {
            "start"
        } else if x(place) > 99.0 {
            "end"
        } else {
            "middle"
        };
        let _ = write!(
            svg,
            "<text class=\"small dim\" x=\"{:.2}%\" y=\"100%\" dy=\"16\" text-anchor=\"{anchor}\">{}</text>",
            x(place),
            escape(name)
        );
    }
    for (each, (line, fill)) in series.iter().zip(CLASSES) {
        svg.push_str(&draw_series(each, axes, &x, line, fill));
    }
    svg + &names(series, axes, &x) + "</svg>"
}

fn draw_series(series: &Series, axes: &Axes<'_>, x: &dyn Fn(usize) -> f64, line: &str, fill: &str) -> String {
    let (mut d, mut dots) = (String::new(), String::new());
    for (index, &(place, value)) in series.points.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let (at, y) = (x(place), (axes.y)(value));
        let _ = write!(d, "{letter}{:.1} {y:.2}", at / 100.0 * BOX.0);
        let _ = write!(dots, "<circle class=\"{fill}\" cx=\"{at:.2}%\" cy=\"{y:.2}%\" r=\"3\"/>");
        let label = (axes.label)(value);
        if !label.is_empty() {
            let anchor = if index == 0 {
                "start"
            } else if at > 99.0 {
                "end"
            } else {
                "middle"
            };
            let _ = write!(
                dots,
                "<text class=\"small halo\" x=\"{at:.2}%\" y=\"{y:.2}%\" dy=\"{}\" text-anchor=\"{anchor}\">{label}</text>",
                if index % 2 == 0 { 18 } else { -9 }
            );
        }
    }
    format!(
        "<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" height=\"100%\"><path class=\"{line}\" d=\"{d}\"/></svg>{dots}",
        BOX.0, BOX.1
    )
}

/// The names of the lines above their ends, far enough apart to be read.
fn names(series: &[Series], axes: &Axes<'_>, x: &dyn Fn(usize) -> f64) -> String {
    let ends = series.iter().zip(CLASSES).filter(|(each, _)| !each.name.is_empty());
    let mut ends: Vec<(f64, f64, &str, &str)> = ends
        .filter_map(|(each, (line, _))| {
            let &(place, value) = each.points.last()?;
            Some(((axes.y)(value), x(place), each.name.as_str(), line))
        })
        .collect();
    ends.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (mut text, mut taken) = (String::new(), f64::INFINITY);
    for (y, at, name, line) in ends {
        let y = y.min(taken - LABEL_PERCENT);
        taken = y;
        let class = if line == "l-hot" { "small halo hot" } else { "small halo" };
        let (anchor, dx) = if at > 50.0 { ("end", -6) } else { ("start", 6) };
        let _ = write!(
            text,
            "<text class=\"{class}\" x=\"{at:.2}%\" y=\"{y:.2}%\" dx=\"{dx}\" dy=\"-7\" text-anchor=\"{anchor}\">{}</text>",
            escape(name)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;

    #[test]
    fn sweeps_and_drains_are_drawn_where_they_were_measured() {
        assert_eq!(section(&examples::run(vec![examples::commits("commit-8k", 100_000)])), "");
        let run = examples::run(vec![
            examples::commits("commit-8k", 100_000),
            examples::commits("commit-8k-writers-2", 60_000),
            examples::commits("group-commit-8k-32", 5_000),
            examples::flushes("empty-flush", 44_000),
            examples::flushes("drain-64m", 8_400_000),
        ]);
        let html = section(&run);
        assert_eq!(html.matches("<figure>").count(), 2, "{html}");
        for part in ["group commit", "all to one file", "8.40 ms", "3 times: flat below", "64 MiB"] {
            assert!(html.contains(part), "{part}\n{html}");
        }
        assert!(!html.contains("a file for each"), "not measured");
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
    }

    #[test]
    fn names_of_lines_that_end_together_are_apart() {
        let series =
            ["a", "b", "c"].map(|name| Series { name: name.to_owned(), points: vec![(0, 1.0), (1, 50.0)] });
        let axes = Axes {
            places: Vec::new(),
            y: &|value| 100.0 - value,
            rules: Vec::new(),
            label: |_| String::new(),
        };
        let text = names(&series, &axes, &|place| place as f64);
        for y in ["y=\"50.00%\"", "y=\"42.00%\"", "y=\"34.00%\""] {
            assert!(text.contains(y), "{y}: {text}");
        }
    }
}
