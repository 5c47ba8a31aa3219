//! The figures of a run as tables, one for each group: as many columns as fit, the most important first.

use std::fmt::Write as _;

use super::{Terminal, wrap};
use crate::analysis::figures;
use crate::judgement::verdict_evidence;
use crate::judgement::workload_notes;
use crate::plan::judged_ids::{HICCUP, WRITE_RANDOM, WRITE_ZEROS};
use crate::plan::workload_groups::{self, Group, Sweep, WRITERS, all_sweeps};
use crate::text::printable;
use crate::units;
use crate::wire::payload::Run;
use crate::wire::workload::{LatencyKind, Workload};

/// Columns of a figure in a table by size, and of the names before them.
const POINT_COLUMNS: usize = 9;
const POINT_NAME_COLUMNS: usize = 22;
/// The heading over the names of sweeps.
const SWEEPS_HEAD: &str = "Writers, ops a second";
/// A name is cut after this many characters.
const NAME_LENGTH_MAX: usize = 40;

/// A column of a table: its title, its width, and the text of a cell.
struct Column {
    title: &'static str,
    width: usize,
    cell: fn(&Workload) -> String,
}

const fn column(title: &'static str, width: usize, cell: fn(&Workload) -> String) -> Column {
    Column { title, width, cell }
}

const RATE: Column = column("a second", 11, figures::rate_text);
const MEGABYTES: Column =
    column("MB/s", 9, |workload| units::rate(units::per_s(workload.bytes, workload.elapsed_ns) / 1e6));
const P50: Column = column("p50", 9, |workload| percentile(workload, 5_000));
const P99: Column = column("p99", 9, |workload| percentile(workload, 9_900));
const P999: Column = column("p99.9", 9, |workload| percentile(workload, 9_990));
const SLOWEST: Column = column("max", 9, |workload| {
    figures::latencies_shown(workload).map(|latencies| units::latency(latencies.max_ns)).unwrap_or_default()
});
const FLUSHES: Column = column("flushes", 8, |workload| ratio(figures::flushes_per_operation(workload)));
const BYTES: Column = column("bytes", 7, |workload| ratio(figures::bytes_per_byte(workload)));
const DEPTH: Column = column("depth", 7, |workload| {
    let engine = workload.engine.as_ref();
    engine.map(|engine| format!("{:.1}", engine.effective_depth_milli as f64 / 1e3)).unwrap_or_default()
});

/// The columns of durable workloads: flushes per operation and bytes per byte say more than a tail.
const DURABILITY: &[Column] = &[RATE, P50, P99, FLUSHES, BYTES, P999, SLOWEST];
const MEDIA: &[Column] = &[RATE, MEGABYTES, P50, P99, DEPTH, P999];
const OTHERS: &[Column] = &[RATE, MEGABYTES, P50, P99, SLOWEST];

fn percentile(workload: &Workload, per_ten_thousand: u64) -> String {
    let latencies = figures::latencies_shown(workload);
    latencies.map(|latencies| figures::percentile_text(&latencies, per_ten_thousand)).unwrap_or_default()
}

fn ratio(ratio: Option<f64>) -> String {
    ratio
        .map(|ratio| if ratio < 99.5 { format!("{ratio:.2}") } else { format!("{ratio:.0}") })
        .unwrap_or_default()
}

/// All tables of a run.
pub(super) fn draw(terminal: &Terminal, run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    for group in Group::ALL {
        let rows: Vec<&Workload> = run
            .workloads
            .iter()
            .filter(|workload| workload_groups::group_of(&workload.id, workload.version) == group)
            .collect();
        if rows.is_empty() {
            continue;
        }
        match group {
            Group::Durability => lines.extend(table(terminal, group.title(), DURABILITY, &rows)),
            Group::Media => lines.extend(table(terminal, group.title(), MEDIA, &rows)),
            Group::Writers => lines.extend(sweeps(terminal, run)),
            Group::Probes => lines.extend(probes(terminal, run)),
            // A search has many rates; what it found follows below.
            Group::Slo => lines.push(terminal.dim(&format!("  {}", group.title()))),
            Group::Endurance | Group::Other => lines.extend(table(terminal, group.title(), OTHERS, &rows)),
        }
        lines.extend(notes(terminal, run, group));
        lines.push(String::new());
    }
    lines
}

fn table(terminal: &Terminal, title: &str, columns: &[Column], rows: &[&Workload]) -> Vec<String> {
    let names = rows.iter().map(|row| row.id.chars().count().min(NAME_LENGTH_MAX));
    let name_columns = names.max().unwrap_or(0).max(title.len()) + 1;
    let mut room = terminal.width.saturating_sub(2 + name_columns);
    let fits = |column: &&Column| {
        let fits = column.width <= room;
        room = room.saturating_sub(column.width);
        fits
    };
    let shown: Vec<&Column> = columns.iter().take_while(fits).collect();
    let line = |name: &str, cell: &dyn Fn(&Column) -> String| {
        let mut line = format!("  {name:<name_columns$}");
        for column in &shown {
            let _ = write!(line, "{:>width$}", cell(column), width = column.width);
        }
        line
    };
    let head = terminal.dim(&line(title, &|column| column.title.to_owned()));
    let rows =
        rows.iter().map(|row| line(&printable(&row.id, NAME_LENGTH_MAX), &|column| (column.cell)(row)));
    std::iter::once(head).chain(rows).collect()
}

/// The notes on the workloads of a group.
fn notes(terminal: &Terminal, run: &Run, group: Group) -> Vec<String> {
    let of_group = workload_notes::notes_on_workloads(run)
        .into_iter()
        .filter(|(workload, _)| workload_groups::group_of(&workload.id, workload.version) == group);
    let broken = |(workload, text): (&Workload, String)| {
        let text = format!("{}: {text}", printable(&workload.id, NAME_LENGTH_MAX));
        let lines = wrap(&text, terminal.width.saturating_sub(4)).into_iter().enumerate();
        lines
            .map(|(index, line)| if index == 0 { format!("  {line}") } else { format!("    {line}") })
            .collect::<Vec<_>>()
    };
    of_group.flat_map(broken).collect()
}

/// A line of figures by size, as many as fit.
fn points(terminal: &Terminal, name: &str, cells: &[String]) -> String {
    let room = terminal.width.saturating_sub(2 + POINT_NAME_COLUMNS) / POINT_COLUMNS;
    let mut line = format!("  {name:<POINT_NAME_COLUMNS$}");
    for cell in cells.iter().take(room) {
        let _ = write!(line, "{cell:>POINT_COLUMNS$}");
    }
    line.trim_end().to_owned()
}

/// How rates and tails grow with the writers.
fn sweeps(terminal: &Terminal, run: &Run) -> Vec<String> {
    let head: Vec<String> = WRITERS.iter().map(ToString::to_string).collect();
    let mut lines = vec![terminal.dim(&points(terminal, SWEEPS_HEAD, &head))];
    for sweep in all_sweeps() {
        let is_measured = |&writers: &u16| figures::workload(run, &sweep.id(writers)).is_some();
        if WRITERS[1..].iter().any(is_measured) {
            lines.extend(sweep_lines(terminal, run, sweep));
        }
    }
    lines
}

fn sweep_lines(terminal: &Terminal, run: &Run, sweep: &Sweep) -> [String; 2] {
    let cells = |cell: fn(&Workload) -> String| -> Vec<String> {
        WRITERS
            .iter()
            .map(|&writers| figures::workload(run, &sweep.id(writers)).map(cell).unwrap_or_default())
            .collect()
    };
    let rates = cells(|workload| units::rate(figures::rate(workload)));
    let tails = cells(|workload| percentile(workload, 9_900));
    [points(terminal, sweep.name, &rates), terminal.dim(&points(terminal, "  p99", &tails))]
}

/// The probes: what was found by size on one line each, then single figures.
fn probes(terminal: &Terminal, run: &Run) -> Vec<String> {
    let mut lines = vec![terminal.dim(&format!("  {}", Group::Probes.title()))];
    for (name, of) in
        [("one flush after", verdict_evidence::drains(run)), ("a read within", verdict_evidence::areas(run))]
    {
        if !of.is_empty() {
            let sizes: Vec<String> = of.iter().map(|(size, _)| (*size).to_owned()).collect();
            let medians: Vec<String> = of.iter().map(|(_, ns)| units::latency(*ns)).collect();
            lines.push(terminal.dim(&points(terminal, name, &sizes)));
            lines.push(points(terminal, "  takes (p50)", &medians));
        }
    }
    for (name, id) in [("64 KiB of zeros", WRITE_ZEROS), ("64 KiB of random bytes", WRITE_RANDOM)] {
        if let Some(rate) = figures::rate_of(run, id) {
            lines.push(points(terminal, name, &[units::rate(rate) + " /s"]));
        }
    }
    if let Some(gaps) = figures::distribution_of(run, HICCUP, LatencyKind::Lag) {
        lines.push(points(terminal, "longest clock gap", &[units::latency(gaps.max_ns)]));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;
    use crate::analysis::figures::examples::example;
    use crate::plan::workload::WORKLOADS;
    use crate::report::terminal::TerminalVariables;
    use crate::report::terminal::wrapping::visible_length;

    fn terminal(width: usize) -> Terminal {
        Terminal::choose(&TerminalVariables { columns: Some(width), ..TerminalVariables::default() })
    }

    /// A run in which every row of the table was measured.
    fn whole() -> Run {
        let of = |row: &&'static crate::plan::workload::WorkloadDefinition| match row.latencies() {
            [LatencyKind::Read] => examples::reads(row.id, 87_654_321),
            [LatencyKind::Sync] => examples::flushes(row.id, 87_654_321),
            _ => examples::commits(row.id, 87_654_321),
        };
        examples::run(WORKLOADS.iter().collect::<Vec<_>>().iter().map(of).collect())
    }

    #[test]
    fn the_whole_table_of_workloads_stays_within_the_terminal() {
        for width in [40, 60, 80] {
            for line in draw(&terminal(width), &whole()) {
                assert!(visible_length(&line) <= width, "{width}: {line}");
            }
        }
        let lines = draw(&terminal(80), &whole());
        let text = lines.join("\n");
        for title in ["Durability", SWEEPS_HEAD, "Media", "Probes", "Endurance"] {
            assert!(text.contains(&format!("  {title}")), "{title}\n{text}");
        }
        assert!(!text.contains("Others"), "{text}");
        assert!(lines.len() < 89, "a sweep takes two lines, not five: {}", lines.len());
    }

    #[test]
    fn a_narrow_table_loses_its_last_columns() {
        let head =
            |width| draw(&terminal(width), &example())[0].split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(head(80), "Durability a second p50 p99 flushes bytes p99.9 max");
        assert_eq!(head(60), "Durability a second p50 p99 flushes");
        assert_eq!(head(40), "Durability a second p50");
    }

    #[test]
    fn a_sweep_begins_with_one_writer_and_leaves_out_what_was_not_measured() {
        let run = examples::run(vec![
            examples::commits("commit-8k", 100_000),
            examples::commits("group-commit-8k-2", 50_000),
            examples::commits("group-commit-8k-8", 25_000),
        ]);
        let lines = sweeps(&terminal(80), &run);
        assert_eq!(lines.len(), 3, "{lines:#?}");
        assert_eq!(lines[1], "  group commit             10,000   20,000            40,000");
        assert!(lines[2].starts_with("    p99"), "{lines:#?}");
    }

    #[test]
    fn what_this_version_does_not_know_is_shown_too() {
        let run = examples::run(vec![examples::commits("commit-9z\u{1b}[1m", 100_000)]);
        let text = draw(&terminal(80), &run).join("\n");
        assert!(
            text.contains("  Others") && text.contains("commit-9z") && !text.contains('\u{1b}'),
            "{text}"
        );
    }

    #[test]
    fn figures_that_could_not_be_counted_are_left_out() {
        let mut run = examples::run(vec![examples::commits("commit-8k", 100_000)]);
        run.workloads[0].flushes = None;
        let line = &draw(&terminal(80), &run)[1];
        assert!(line.contains("100 µs") && !line.contains("1.00        "), "{line}");
        assert_eq!([ratio(Some(1.004)), ratio(Some(1_234.5)), ratio(None)], ["1.00", "1234", ""]);
    }
}
