//! The figures of a run as tables, one for each group, the most important columns first; those that do not
//! fit stand below.

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
    let room = terminal.width.saturating_sub(2 + name_columns);
    let grid = grid_within(&widths_within(columns, room), room);
    // What does not fit beside a name stands below it, so that a narrow terminal takes nothing away.
    let lines = |name: &str, cell: &dyn Fn(&Column) -> String| -> Vec<String> {
        let line = |(index, part): (usize, &[Column])| {
            let mut line = format!("  {:<name_columns$}", if index == 0 { name } else { "" });
            for (column, width) in part.iter().zip(&grid) {
                let _ = write!(line, "{:>width$}", cell(column));
            }
            line.trim_end().to_owned()
        };
        columns.chunks(grid.len()).enumerate().map(line).filter(|line| !line.is_empty()).collect()
    };
    let head = lines(title, &|column| column.title.to_owned()).into_iter().map(|line| terminal.dim(&line));
    let rows =
        rows.iter().flat_map(|row| lines(&printable(&row.id, NAME_LENGTH_MAX), &|column| (column.cell)(row)));
    head.chain(rows).collect()
}

/// The columns' widths; each a little narrower, but for a blank before its title, where that lets all fit.
fn widths_within(columns: &[Column], room: usize) -> Vec<usize> {
    let usual: Vec<usize> = columns.iter().map(|column| column.width).collect();
    let fits = |widths: &[usize]| widths.iter().sum::<usize>() <= room;
    if fits(&usual) {
        return usual;
    }
    let narrow: Vec<usize> =
        columns.iter().map(|column| (column.width - 1).max(column.title.chars().count() + 1)).collect();
    if fits(&narrow) { narrow } else { usual }
}

/// The widths of a line where columns stand below each other, as many beside each other as fit, and one at
/// least.
fn grid_within(widths: &[usize], room: usize) -> Vec<usize> {
    let widest = |beside: usize| -> Vec<usize> {
        (0..beside).filter_map(|at| widths.iter().skip(at).step_by(beside).max().copied()).collect()
    };
    let fits = |beside: &usize| widest(*beside).iter().sum::<usize>() <= room;
    widest((1..=widths.len()).rev().find(fits).unwrap_or(1))
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

/// A row of figures by size.
struct PointRow {
    name: &'static str,
    cells: Vec<String>,
    is_dim: bool,
}

/// Rows of figures by size, one below the other. The sizes that do not fit follow below all rows.
fn points(terminal: &Terminal, rows: &[PointRow]) -> Vec<String> {
    let room = (terminal.width.saturating_sub(2 + POINT_NAME_COLUMNS) / POINT_COLUMNS).max(1);
    let sizes = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let line = |row: &PointRow, first: usize| {
        let mut line = format!("  {:<POINT_NAME_COLUMNS$}", row.name);
        for cell in row.cells.iter().skip(first).take(room) {
            let _ = write!(line, "{cell:>POINT_COLUMNS$}");
        }
        let line = line.trim_end();
        if row.is_dim { terminal.dim(line) } else { line.to_owned() }
    };
    let has_some = |row: &&PointRow, first: usize| row.cells.iter().skip(first).any(|cell| !cell.is_empty());
    (0..sizes)
        .step_by(room)
        .flat_map(|first| {
            let shown = rows.iter().filter(move |row| has_some(row, first));
            shown.map(move |row| line(row, first)).collect::<Vec<_>>()
        })
        .collect()
}

/// How rates and tails grow with the writers.
fn sweeps(terminal: &Terminal, run: &Run) -> Vec<String> {
    let cells = WRITERS.iter().map(ToString::to_string).collect();
    let mut rows = vec![PointRow { name: SWEEPS_HEAD, cells, is_dim: true }];
    for sweep in all_sweeps() {
        let is_measured = |&writers: &u16| figures::workload(run, &sweep.id(writers)).is_some();
        if WRITERS[1..].iter().any(is_measured) {
            rows.extend(sweep_rows(run, sweep));
        }
    }
    points(terminal, &rows)
}

fn sweep_rows(run: &Run, sweep: &Sweep) -> [PointRow; 2] {
    let cells = |cell: fn(&Workload) -> String| -> Vec<String> {
        WRITERS
            .iter()
            .map(|&writers| figures::workload(run, &sweep.id(writers)).map(cell).unwrap_or_default())
            .collect()
    };
    let rates = cells(|workload| units::rate(figures::rate(workload)));
    let tails = cells(|workload| percentile(workload, 9_900));
    [
        PointRow { name: sweep.name, cells: rates, is_dim: false },
        PointRow { name: "  p99", cells: tails, is_dim: true },
    ]
}

/// The probes: what was found by size on one line each, then single figures.
fn probes(terminal: &Terminal, run: &Run) -> Vec<String> {
    let mut lines = vec![terminal.dim(&format!("  {}", Group::Probes.title()))];
    for (name, of) in
        [("one flush after", verdict_evidence::drains(run)), ("a read within", verdict_evidence::areas(run))]
    {
        let sizes = of.iter().map(|(size, _)| (*size).to_owned()).collect();
        let medians = of.iter().map(|(_, ns)| units::latency(*ns)).collect();
        lines.extend(points(
            terminal,
            &[
                PointRow { name, cells: sizes, is_dim: true },
                PointRow { name: "  takes (p50)", cells: medians, is_dim: false },
            ],
        ));
    }
    let mut single = |name, figure| {
        lines.extend(points(terminal, &[PointRow { name, cells: vec![figure], is_dim: false }]));
    };
    for (name, id) in [("64 KiB of zeros", WRITE_ZEROS), ("64 KiB of random bytes", WRITE_RANDOM)] {
        if let Some(rate) = figures::rate_of(run, id) {
            single(name, units::rate(rate) + " /s");
        }
    }
    if let Some(gaps) = figures::distribution_of(run, HICCUP, LatencyKind::Lag) {
        single("longest clock gap", units::latency(gaps.max_ns));
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

    /// All words of a picture, sorted.
    fn words(lines: &[String]) -> Vec<String> {
        let mut words: Vec<String> =
            lines.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    #[test]
    fn a_narrow_table_puts_columns_below_and_loses_none() {
        let heads = |width| -> Vec<String> {
            let lines = draw(&terminal(width), &example());
            let head = lines.iter().take_while(|line| !line.contains("commit-8k"));
            head.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(heads(80), ["Durability a second p50 p99 flushes bytes p99.9 max"]);
        assert_eq!(heads(60), ["Durability a second p50 p99 flushes", "bytes p99.9 max"]);
        for run in [whole(), example()] {
            let wide = words(&draw(&terminal(80), &run));
            assert!(wide.len() > 20);
            for width in [40, 60] {
                assert_eq!(words(&draw(&terminal(width), &run)), wide, "{width}");
            }
        }
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
