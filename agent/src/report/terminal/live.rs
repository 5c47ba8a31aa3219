//! What is shown while the suite runs: a line for each finished workload and, on a terminal, bars of the
//! others.
//!
//! The bars are drawn by their own thread, which reads the recorders without a lock: the timed loop does not
//! wait for it and does not know of it.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::live_plain::PlainDisplay;
use super::result_line::{name_columns, result_line};
use super::{Glyphs, Style, Terminal, abilities::columns, wrapping::hang, wrapping::visible_length};
use crate::analysis::disturbance::OthersShare;
use crate::analysis::figures::percentile_text;
use crate::engine::pass::PassOutcome;
use crate::engine::recorder::Recorder;
use crate::engine::suite_run::setup::Observer;
use crate::plan::schedule::Step;
use crate::plan::workload::WorkloadDefinition;
use crate::units;

/// The time between two pictures: eight a second look like motion, and each costs about 30 µs of another CPU.
const FRAME: Duration = Duration::from_millis(125);
/// The longest bar, in columns. Where there is no room beside the figures there is none.
const BAR_COLUMNS: usize = 22;
/// The most rows shown at once: what is redrawn must fit into the smallest usual window.
const ROWS_MAX: usize = 16;
/// Columns of a line beside its bar and its name, for rate and p99.
const TEXT_COLUMNS: usize = 31;

/// The observer that shows progress. Drop it when the suite has ended.
pub fn display(
    terminal: Terminal,
    workloads: &[&'static WorkloadDefinition],
    recorders: &[Arc<Recorder>],
) -> Box<dyn Observer> {
    match terminal.style {
        Style::Live => Box::new(LiveDisplay::start(terminal, workloads, recorders)),
        Style::Plain => Box::new(PlainDisplay::new(terminal, workloads, recorders)),
    }
}

/// Bars that are redrawn, and wiped away at the end.
struct LiveDisplay {
    shared: Arc<LiveState>,
    painter: Option<JoinHandle<()>>,
}

/// What the painter sees.
struct LiveState {
    terminal: Terminal,
    rows: Vec<Row>,
    name_columns: usize,
    prepared_bytes: AtomicU64,
    prepare_bytes: AtomicU64,
    /// Whether the files are laid out, because a pass has begun.
    is_prepared: AtomicBool,
    /// Index of the row that runs.
    running: AtomicUsize,
    ended: Mutex<bool>,
    wake: Condvar,
}

/// One workload's line.
struct Row {
    workload: &'static WorkloadDefinition,
    recorder: Arc<Recorder>,
    passes_done: AtomicU64,
    /// Elapsed time of the passes that are done.
    done_ns: AtomicU64,
    /// Whether its pass runs again, because others disturbed it.
    is_repeated: AtomicBool,
    omission: Mutex<Option<String>>,
    /// Whether its final line was printed, so that it has no bar any more.
    is_line_printed: AtomicBool,
}

impl LiveDisplay {
    fn start(
        terminal: Terminal,
        workloads: &[&'static WorkloadDefinition],
        recorders: &[Arc<Recorder>],
    ) -> Self {
        let rows = workloads.iter().zip(recorders).map(|(workload, recorder)| Row {
            workload,
            recorder: Arc::clone(recorder),
            passes_done: AtomicU64::new(0),
            done_ns: AtomicU64::new(0),
            is_repeated: AtomicBool::new(false),
            omission: Mutex::new(None),
            is_line_printed: AtomicBool::new(false),
        });
        let shared = Arc::new(LiveState {
            terminal,
            rows: rows.collect(),
            name_columns: name_columns(workloads),
            prepared_bytes: AtomicU64::new(0),
            prepare_bytes: AtomicU64::new(0),
            is_prepared: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            ended: Mutex::new(false),
            wake: Condvar::new(),
        });
        let state = Arc::clone(&shared);
        // Without the thread nothing is drawn, and the measurement goes on.
        let painter =
            std::thread::Builder::new().name("display".to_owned()).spawn(move || state.paint()).ok();
        Self { shared, painter }
    }
}

impl Drop for LiveDisplay {
    fn drop(&mut self) {
        *self.shared.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.wake.notify_all();
        if let Some(painter) = self.painter.take() {
            let _ = painter.join();
        }
    }
}

impl Observer for LiveDisplay {
    fn preparing(&self, done_bytes: u64, total_bytes: u64) {
        self.shared.prepared_bytes.store(done_bytes, Relaxed);
        self.shared.prepare_bytes.store(total_bytes, Relaxed);
    }

    fn omitted(&self, workload: &WorkloadDefinition, reason: &str) {
        for row in self.shared.rows.iter().filter(|row| row.workload == workload) {
            *row.omission.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason.to_owned());
        }
    }

    fn pass_started(&self, step: Step) {
        self.shared.is_prepared.store(true, Relaxed);
        self.shared.running.store(step.workload, Relaxed);
    }

    fn pass_repeated(&self, step: Step, _others: OthersShare) {
        self.shared.rows[step.workload].is_repeated.store(true, Relaxed);
    }

    fn pass_finished(&self, step: Step, _pass: &PassOutcome) {
        let row = &self.shared.rows[step.workload];
        row.is_repeated.store(false, Relaxed);
        row.done_ns.store(row.recorder.totals().elapsed_ns, Relaxed);
        row.passes_done.store(u64::from(step.pass) + 1, Relaxed);
    }
}

impl LiveState {
    fn paint(&self) {
        let mut drawn = Vec::new();
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let width = columns().unwrap_or(self.terminal.width);
            let mut frame = erase_lines(&drawn, width);
            for line in self.last_lines(width.min(self.terminal.width)) {
                let _ = writeln!(frame, "{line}");
            }
            if *ended {
                self.terminal.show(&frame);
                return;
            }
            let lines = self.lines(width.min(self.terminal.width));
            for line in &lines {
                let _ = writeln!(frame, "{line}");
            }
            drawn = lines.iter().map(|line| visible_length(line)).collect();
            self.terminal.show(&frame);
            ended = self.wake.wait_timeout(ended, FRAME).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lines(&self, width: usize) -> Vec<String> {
        let columns = width.saturating_sub(TEXT_COLUMNS + self.name_columns).min(BAR_COLUMNS);
        let (done, total) = (self.prepared_bytes.load(Relaxed), self.prepare_bytes.load(Relaxed));
        let mut lines = Vec::with_capacity(self.rows.len() + 1);
        if !self.is_prepared.load(Relaxed) && (done < total || total == 0) {
            let share = done as f64 / total.max(1) as f64;
            let filled = if total == 0 { String::new() } else { units::bytes(done) };
            let (name, names) = ("filling the files", self.name_columns);
            lines.push(format!("  {name:<names$}{} {filled:>10}", self.bar(share, columns)));
        }
        let (rows, running) = (self.rows.iter().enumerate(), self.running.load(Relaxed));
        let open: Vec<_> = rows.filter(|(_, row)| !row.is_line_printed.load(Relaxed)).collect();
        // If not all rows fit, those around the running one are shown.
        let before = open.iter().filter(|(index, _)| *index < running).count();
        let first = before.saturating_sub(ROWS_MAX / 2).min(open.len().saturating_sub(ROWS_MAX));
        lines.extend(
            open.into_iter().skip(first).take(ROWS_MAX).map(|(_, row)| self.row(row, columns, width)),
        );
        lines.into_iter().map(|line| cut(line, width)).collect()
    }

    /// The final lines: one for each workload that finished or is left out.
    fn last_lines(&self, width: usize) -> Vec<String> {
        let last_line = |row: &Row| {
            let (id, names) = (row.workload.id, self.name_columns);
            if let Some(reason) = &*row.omission.lock().unwrap_or_else(PoisonError::into_inner) {
                return Some(hang(&format!("{id:<names$}left out: {reason}"), width));
            }
            let is_over = row.passes_done.load(Relaxed) == u64::from(row.workload.passes);
            is_over.then(|| result_line(row.workload, &row.recorder, names, width)).flatten()
        };
        let unsaid = self.rows.iter().filter(|row| !row.is_line_printed.load(Relaxed));
        unsaid
            .filter_map(|row| last_line(row).inspect(|_| row.is_line_printed.store(true, Relaxed)))
            .collect()
    }

    fn row(&self, row: &Row, columns: usize, width: usize) -> String {
        let (id, names) = (row.workload.id, self.name_columns);
        let totals = row.recorder.totals();
        let again = if row.is_repeated.load(Relaxed) { "  again" } else { "" };
        let columns = columns.saturating_sub(again.len());
        let bar = self.bar(row.share(totals.elapsed_ns), columns);
        let rate = totals.per_second().filter(|_| row.workload.slo.is_none());
        let Some(rate) = rate else { return format!("  {id:<names$}{bar}") };
        let latencies = row.recorder.whole_operations();
        let p99 = latencies.map(|latencies| percentile_text(&latencies, 9_900)).unwrap_or_default();
        let rate = units::rate(rate);
        let line = format!("  {id:<names$}{bar} {rate:>10} /s   p99 {p99:>8}{again}");
        if visible_length(&line) <= width {
            return line;
        }
        format!("  {id:<names$}{rate:>9} /s p99 {p99:>7}{}", again.get(1..).unwrap_or_default())
    }

    fn bar(&self, share: f64, columns: usize) -> String {
        let (full, empty) = if self.terminal.glyphs == Glyphs::Ascii { ("#", "-") } else { ("━", "─") };
        let done = done_columns(share, columns);
        format!(
            "{}{}",
            self.terminal.accent(&full.repeat(done)),
            self.terminal.dim(&empty.repeat(columns - done))
        )
    }
}

impl Row {
    /// How much of this workload is done: its finished passes, and the time of the running one.
    fn share(&self, elapsed_ns: u64) -> f64 {
        let passes_done = self.passes_done.load(Relaxed) as f64;
        let running_ns = elapsed_ns.saturating_sub(self.done_ns.load(Relaxed)) as f64;
        let running = (running_ns / self.workload.limits.pass_ns_min as f64).min(1.0);
        (passes_done + running) / f64::from(self.workload.passes)
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of 22 at most
fn done_columns(share: f64, columns: usize) -> usize {
    (share.clamp(0.0, 1.0) * columns as f64).round() as usize
}

/// Moves to where the last picture began and erases it. `drawn` are the lengths of its lines, which take more
/// than one row each if the window became narrower.
fn erase_lines(drawn: &[usize], width: usize) -> String {
    let rows: usize = drawn.iter().map(|length| length.div_ceil(width).max(1)).sum();
    if rows == 0 { String::new() } else { format!("\x1b[{rows}A\r\x1b[J") }
}

/// A line cut to fit, so that the terminal does not wrap it and the next picture begins at the same place.
fn cut(line: String, width: usize) -> String {
    let mut shown = 0;
    let mut in_escape = false;
    for (index, letter) in line.char_indices() {
        match letter {
            '\x1b' => in_escape = true,
            'm' if in_escape => in_escape = false,
            _ if in_escape => {}
            _ if shown == width => return format!("{}\x1b[0m", &line[..index]),
            _ => shown += 1,
        }
    }
    line
}

#[cfg(test)]
mod tests;
