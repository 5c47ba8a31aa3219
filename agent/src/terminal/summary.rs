//! The final picture: the figure, the table, the ladder, and what to know about them.

use std::fmt::Write as _;

use super::{Terminal, wrap};
use crate::ladder::{self, LADDER};
use crate::notes;
use crate::payload::{Run, Workload};
use crate::units;
use crate::workload::HEADLINE;

/// Columns left of the ladder's field: indent, name of the class, a space.
const NAME_COLUMNS: usize = 25;
/// The field's axis: six decades from 100 ns.
const AXIS_START_NS: u64 = 100;
const DECADES: usize = 6;
const DECADE_LABELS: [&str; DECADES + 1] = ["100ns", "1µs", "10µs", "100µs", "1ms", "10ms", "100ms"];
/// Fewer columns a decade than this show nothing.
const DECADE_COLUMNS_MIN: usize = 5;

/// Prints what was measured.
pub fn print(terminal: &Terminal, run: &Run) {
    let headline = run.workloads.iter().find(|workload| workload.id == HEADLINE);
    let p50_ns =
        headline.and_then(Workload::whole_operations).map(|latencies| latencies.percentile_ns(5_000));
    let mut lines = vec![String::new()];
    lines.extend(headline.map(|workload| figure(terminal, workload)).unwrap_or_default());
    lines.extend(table(terminal, run));
    if let Some(p50_ns) = p50_ns {
        lines.push(String::new());
        lines.extend(draw_ladder(terminal, p50_ns));
    }
    if let Some(workload) = headline {
        lines.push(String::new());
        let sentence = format!(
            "One writer on PostgreSQL can commit at most {} times a second here.",
            units::rate(rate(workload))
        );
        lines.push(format!("  {}", terminal.bold(&sentence)));
    }
    let notes = notes::of(run);
    if !notes.is_empty() {
        lines.push(String::new());
        for note in notes {
            lines.extend(bullet(terminal, &note.text));
        }
    }
    terminal.say(&lines.join("\n"));
}

fn rate(workload: &Workload) -> f64 {
    workload.operations as f64 * 1e9 / workload.elapsed_ns.max(1) as f64
}

fn percentile(workload: &Workload, per_ten_thousand: u64) -> String {
    workload
        .whole_operations()
        .map(|latencies| units::latency(latencies.percentile_ns(per_ten_thousand)))
        .unwrap_or_default()
}

/// The figure that everybody came for.
fn figure(terminal: &Terminal, headline: &Workload) -> Vec<String> {
    let number = units::rate(rate(headline));
    let passes: Vec<String> = headline
        .passes
        .iter()
        .map(|pass| units::rate(pass.operations as f64 * 1e9 / pass.elapsed_ns.max(1) as f64))
        .collect();
    vec![
        format!("  {} durable commits a second", terminal.hot(&terminal.bold(&number))),
        terminal.dim(&format!(
            "  one writer, 8 KiB, fdatasync after each; {} {}",
            if passes.len() == 1 { "pass" } else { "passes" },
            passes.join(" · ")
        )),
        String::new(),
    ]
}

/// What a column of the table shows.
type Cell = fn(&Workload) -> String;

/// The columns of the table, the most important first: as many as fit are shown.
const COLUMNS: [(&str, Cell); 5] = [
    ("a second", |workload| units::rate(rate(workload))),
    ("p50", |workload| percentile(workload, 5_000)),
    ("p99", |workload| percentile(workload, 9_900)),
    ("p99.9", |workload| percentile(workload, 9_990)),
    ("max", |workload| {
        workload.whole_operations().map(|latencies| units::latency(latencies.max_ns)).unwrap_or_default()
    }),
];

fn table(terminal: &Terminal, run: &Run) -> Vec<String> {
    let roomy = terminal.width >= 80;
    let (name_columns, rate_columns, latency_columns) = if roomy { (20, 12, 11) } else { (16, 10, 8) };
    let room = terminal.width.saturating_sub(2 + name_columns + rate_columns) / latency_columns;
    let shown = &COLUMNS[..COLUMNS.len().min(1 + room)];
    let line = |name: &str, cell: &dyn Fn(&(&str, Cell)) -> String| {
        let mut line = format!("  {name:<name_columns$}");
        for (index, column) in shown.iter().enumerate() {
            let columns = if index == 0 { rate_columns } else { latency_columns };
            let _ = write!(line, "{:>columns$}", cell(column));
        }
        line
    };
    let head = line("", &|(title, _)| (*title).to_owned());
    let rows = run.workloads.iter().map(|workload| line(&workload.id, &|(_, cell)| cell(workload)));
    std::iter::once(terminal.dim(&head)).chain(rows).collect()
}

/// The ladder with a line through it where this disk stands.
fn draw_ladder(terminal: &Terminal, latency_ns: u64) -> Vec<String> {
    let decade = (terminal.width.saturating_sub(NAME_COLUMNS + DECADE_LABELS[DECADES].len())) / DECADES;
    let place = ladder::place(latency_ns);
    if decade < DECADE_COLUMNS_MIN {
        let text = match place.checked_sub(1) {
            None => format!("{} is faster than any class of storage.", units::latency(latency_ns)),
            Some(rung) => format!("{} is as {} or slower.", units::latency(latency_ns), LADDER[rung].name),
        };
        return wrap(&text, terminal.width - 2).into_iter().map(|line| format!("  {line}")).collect();
    }
    let here = column(latency_ns, decade);
    let mut labels = vec![' '; decade * DECADES + DECADE_LABELS[DECADES].len()];
    // Where decades are narrow, every second one is named, so that no two names touch.
    let step = if decade > DECADE_LABELS[DECADES].len() { 1 } else { 2 };
    for (index, label) in DECADE_LABELS.iter().enumerate().step_by(step) {
        for (offset, letter) in label.chars().enumerate() {
            labels[index * decade + offset] = letter;
        }
    }
    let labels: String = labels.into_iter().collect();
    let mut lines = vec![terminal.dim(format!("  {:<23}{labels}", "The fsync ladder").trim_end())];
    for (index, rung) in LADDER.iter().enumerate() {
        if index == place {
            lines.push(here_line(terminal, latency_ns, here));
        }
        let bar = (column(rung.low_ns, decade), column(rung.high_ns, decade));
        lines.push(rung_line(terminal, rung.name, bar, here, decade));
    }
    if place == LADDER.len() {
        lines.push(here_line(terminal, latency_ns, here));
    }
    lines
}

/// The column of a latency in the field; what is off the axis stands at its edge.
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
            line.push_str(&terminal.hot("│"));
        } else if at % decade == 0 {
            line.push_str(&terminal.dim("·"));
        } else {
            line.push(' ');
        }
    }
    line
}

fn here_line(terminal: &Terminal, latency_ns: u64, here: usize) -> String {
    let latency = units::latency(latency_ns);
    let mark = '●';
    let label = format!("{:<23}", "you are here");
    // The figure stands right of the mark, or left of it where the line would not fit.
    let fits = NAME_COLUMNS + here + 2 + latency.chars().count() + " commit p50".len() <= terminal.width;
    let text = format!("{latency} commit p50");
    let field = if fits {
        format!("{}{mark} {text}", " ".repeat(here))
    } else {
        format!("{:>here$}{mark}", format!("{text} "))
    };
    format!("  {}", terminal.hot(&format!("{label}{field}")))
}

fn bullet(terminal: &Terminal, text: &str) -> Vec<String> {
    let wrapped = wrap(text, terminal.width.saturating_sub(4));
    wrapped
        .into_iter()
        .enumerate()
        .map(|(index, line)| {
            let mark = if index == 0 { terminal.hot("!") } else { " ".to_owned() };
            format!("  {mark} {line}")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::{Surroundings, visible_length};

    fn terminal(width: usize) -> Terminal {
        Terminal::choose(&Surroundings { columns: Some(width), ..Surroundings::default() })
    }

    fn example() -> Run {
        serde_json::from_str(include_str!("../../../tests/wire/v1/valid/witnessed.json")).unwrap()
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
    fn nothing_is_wider_than_the_terminal() {
        for width in [40, 60, 72, 80] {
            let terminal = terminal(width);
            for latency_ns in [1, 668, 89_000, 5_300_000, 90_000_000, u64::MAX / 2] {
                for line in draw_ladder(&terminal, latency_ns) {
                    assert!(line.chars().count() <= width, "{width} {latency_ns}: {line}");
                }
            }
            for line in table(&terminal, &example()) {
                assert!(visible_length(&line) <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn a_narrow_table_loses_its_last_columns_and_a_narrow_ladder_some_labels() {
        let head =
            |width| table(&terminal(width), &example())[0].split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(head(80), "a second p50 p99 p99.9 max");
        assert_eq!(head(60), "a second p50 p99 p99.9 max");
        assert_eq!(head(45), "a second p50 p99");
        assert_eq!(head(40), "a second p50");
        let labels = &draw_ladder(&terminal(60), 89_000)[0];
        assert!(labels.ends_with(" 100ns     10µs      1ms       100ms"), "{labels}");
    }

    #[test]
    fn the_largest_latency_is_exact() {
        let mut run = example();
        run.workloads[0].histograms.commit.as_mut().unwrap().max_ns = 40_240_000;
        assert!(table(&terminal(80), &run)[1].ends_with(" 40.2 ms"));
    }

    #[test]
    fn a_latency_off_the_axis_stands_at_its_edge() {
        assert_eq!(column(1, 8), 0);
        assert_eq!(column(100, 8), 0);
        assert_eq!(column(1_000, 8), 8);
        assert_eq!(column(1_000_000_000, 8), 48);
    }
}
