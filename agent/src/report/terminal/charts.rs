//! The picture of time: six decades on one axis, the fsync ladder in it, and the percentiles of a workload as
//! bars below.

use super::{Terminal, wrap};
use crate::judgement::ladder::{self, LADDER};
use crate::units;
use crate::wire::histogram::Distribution;

/// Columns to the left of the field: indent, name of the class, a space.
pub(super) const NAME_COLUMNS: usize = 25;
/// The field's axis: six decades from 100 ns.
const AXIS_START_NS: u64 = 100;
const DECADES: usize = 6;
const DECADE_LABELS: [&str; DECADES + 1] = ["100ns", "1µs", "10µs", "100µs", "1ms", "10ms", "100ms"];
/// The fewest columns per decade that show anything.
const DECADE_COLUMNS_MIN: usize = 5;
/// Percentiles that have a bar.
const BARS: [(&str, u64); 5] =
    [("p50", 5_000), ("p90", 9_000), ("p99", 9_900), ("p99.9", 9_990), ("p99.99", 9_999)];

/// Columns per decade; `None` where the terminal is too narrow for a field.
fn decade(terminal: &Terminal) -> Option<usize> {
    let columns = terminal.width.saturating_sub(NAME_COLUMNS + DECADE_LABELS[DECADES].len()) / DECADES;
    (columns >= DECADE_COLUMNS_MIN).then_some(columns)
}

/// The ladder, with a line where this disk stands.
pub(super) fn draw_ladder(terminal: &Terminal, latency_ns: u64) -> Vec<String> {
    let place = ladder::rungs_faster_than(latency_ns);
    let Some(decade) = decade(terminal) else {
        let text = match place.checked_sub(1) {
            None => format!("{} is faster than any class of storage.", units::latency(latency_ns)),
            Some(rung) => format!("{} is as {} or slower.", units::latency(latency_ns), LADDER[rung].name),
        };
        return wrap(&text, terminal.width - 2).into_iter().map(|line| format!("  {line}")).collect();
    };
    let here = column(latency_ns, decade);
    let mut lines = vec![axis(terminal, "The fsync ladder", decade)];
    for (index, rung) in LADDER.iter().enumerate() {
        if index == place {
            lines.push(position_line(terminal, latency_ns, here));
        }
        let bar = (column(rung.low_ns, decade), column(rung.high_ns, decade));
        lines.push(rung_line(terminal, rung.name, bar, here, decade));
    }
    if place == LADDER.len() {
        lines.push(position_line(terminal, latency_ns, here));
    }
    lines
}

/// The percentiles of commits as bars on the ladder's axis: each step to the right is a factor, not a sum.
pub(super) fn draw_percentiles(terminal: &Terminal, latencies: &Distribution) -> Vec<String> {
    let slowest = ("slowest", latencies.max_ns);
    // Percentiles that this few operations cannot show are left out: with a thousand, p99.99 is the slowest
    // one.
    let shown = BARS.iter().filter(|(_, q)| latencies.total().saturating_mul(10_000 - q) >= 10_000);
    let points = shown.map(|(name, q)| (*name, latencies.percentile_ns(*q))).chain([slowest]);
    let full = '━';
    let line = |(name, ns): (&str, u64)| {
        let bar = decade(terminal).map_or_else(String::new, |decade| {
            let columns = column(ns, decade) + 1;
            format!("  {}", terminal.accent(&full.to_string().repeat(columns)))
        });
        format!("  {name:<8}{:>13}{bar}", units::latency(ns))
    };
    points.map(line).collect()
}

/// The names of the decades.
fn axis(terminal: &Terminal, title: &str, decade: usize) -> String {
    let mut labels = vec![' '; decade * DECADES + DECADE_LABELS[DECADES].len()];
    // Where decades are narrow, every second one is named, so that no two names touch.
    let step = if decade > DECADE_LABELS[DECADES].len() { 1 } else { 2 };
    for (index, label) in DECADE_LABELS.iter().enumerate().step_by(step) {
        for (offset, letter) in label.chars().enumerate() {
            labels[index * decade + offset] = letter;
        }
    }
    let labels: String = labels.into_iter().collect();
    terminal.dim(format!("  {title:<23}{labels}").trim_end())
}

/// The column of a latency in the field; beyond the axis, that of its edge.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped to the field first
fn column(latency_ns: u64, decade: usize) -> usize {
    let decades = (latency_ns.max(1) as f64 / AXIS_START_NS as f64).log10();
    (decades * decade as f64).round().clamp(0.0, (DECADES * decade) as f64) as usize
}

fn rung_line(terminal: &Terminal, name: &str, bar: (usize, usize), here: usize, decade: usize) -> String {
    let mut line = format!("  {name:<23}");
    let end = bar.1.max(here);
    for at in 0..=end {
        if (bar.0..=bar.1).contains(&at) {
            line.push('━');
        } else if at == here {
            line.push_str(&terminal.accent("│"));
        } else if at % decade == 0 {
            line.push_str(&terminal.dim("·"));
        } else {
            line.push(' ');
        }
    }
    line
}

fn position_line(terminal: &Terminal, latency_ns: u64, here: usize) -> String {
    let latency = units::latency(latency_ns);
    let mark = '●';
    let label = format!("{:<23}", "you are here");
    // The figure stands to the right of the mark, or to its left where the line would not fit.
    let fits = NAME_COLUMNS + here + 2 + latency.chars().count() + " commit p50".len() <= terminal.width;
    let text = format!("{latency} commit p50");
    let field = if fits {
        format!("{}{mark} {text}", " ".repeat(here))
    } else {
        format!("{:>here$}{mark}", format!("{text} "))
    };
    format!("  {}", terminal.accent(&format!("{label}{field}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::terminal::TerminalVariables;

    fn terminal(width: usize) -> Terminal {
        Terminal::choose(&TerminalVariables { columns: Some(width), ..TerminalVariables::default() })
    }

    fn latencies(count: u64, ns: u64) -> Distribution {
        let bucket = crate::wire::histogram::bucket_of(ns);
        Distribution { counts: vec![(bucket, count)], sum_ns: ns * count, min_ns: ns, max_ns: ns }
    }

    #[test]
    fn the_ladder_has_a_line_through_the_place_where_this_disk_stands() {
        let lines = draw_ladder(&terminal(80), 89_000);
        assert_eq!(lines.len(), 1 + LADDER.len() + 1);
        assert!(lines[4].starts_with("  you are here"), "{lines:#?}");
        assert!(lines[4].ends_with("● 89.0 µs commit p50"), "{lines:#?}");
        let column = |line: &str, mark: char| line.chars().position(|c| c == mark);
        assert_eq!(column(&lines[1], '│'), column(&lines[4], '●'));
        assert_eq!(column(&lines[0], '1'), Some(NAME_COLUMNS), "100ns stands at the field's start");
    }

    #[test]
    fn bars_end_where_the_ladder_has_the_same_time() {
        let bars = draw_percentiles(&terminal(80), &latencies(20_000, 89_000));
        assert_eq!(bars.len(), 6);
        let mark = draw_ladder(&terminal(80), 89_000)[4].chars().position(|c| c == '●');
        assert_eq!(bars[0].chars().count() - 1, mark.unwrap(), "{bars:#?}");
        assert!(bars[0].starts_with("  p50           89.0 µs  ━"), "{bars:#?}");
        assert_eq!(draw_percentiles(&terminal(40), &latencies(20_000, 89_000))[0], "  p50           89.0 µs");
    }

    #[test]
    fn a_percentile_that_so_few_operations_cannot_show_is_left_out() {
        let names = |count| {
            let bars = draw_percentiles(&terminal(80), &latencies(count, 1_000));
            bars.iter().map(|bar| bar.split_whitespace().next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(9_999).len(), 5);
        assert_eq!(names(10_000).len(), 6);
        assert_eq!(names(50), ["p50", "p90", "slowest"]);
    }

    #[test]
    fn nothing_is_wider_than_the_terminal() {
        for width in [40, 60, 72, 80] {
            let terminal = terminal(width);
            for latency_ns in [1, 668, 89_000, 5_300_000, 90_000_000, u64::MAX / 2] {
                let bars = draw_percentiles(&terminal, &latencies(1, latency_ns));
                for line in draw_ladder(&terminal, latency_ns).into_iter().chain(bars) {
                    assert!(line.chars().count() <= width, "{width} {latency_ns}: {line}");
                }
            }
        }
        let labels = &draw_ladder(&terminal(60), 89_000)[0];
        assert!(labels.ends_with(" 100ns     10µs      1ms       100ms"), "{labels}");
    }

    #[test]
    fn a_latency_off_the_axis_stands_at_its_edge() {
        assert_eq!(column(1, 8), 0);
        assert_eq!(column(100, 8), 0);
        assert_eq!(column(1_000, 8), 8);
        assert_eq!(column(1_000_000_000, 8), 48);
    }
}
