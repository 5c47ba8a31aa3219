//! What the lines of a running suite show, and that they fit.

use super::super::result_line::NAME_COLUMNS_MIN;
use super::*;
use crate::plan::workload::{SUITES, WORKLOADS};

fn shared() -> LiveState {
    let row = |workload| Row {
        workload,
        recorder: Arc::default(),
        passes_done: AtomicU64::new(0),
        done_ns: AtomicU64::new(0),
        is_repeated: AtomicBool::new(false),
        omission: Mutex::new(None),
        is_line_printed: AtomicBool::new(false),
    };
    LiveState {
        terminal: Terminal::choose(&crate::report::terminal::TerminalVariables {
            locale: Some("C".to_owned()),
            ..Default::default()
        }),
        rows: SUITES[0].workloads().into_iter().map(row).collect(),
        name_columns: NAME_COLUMNS_MIN,
        prepared_bytes: AtomicU64::new(0),
        prepare_bytes: AtomicU64::new(100),
        is_prepared: AtomicBool::new(false),
        running: AtomicUsize::new(0),
        ended: Mutex::new(false),
        wake: Condvar::new(),
    }
}

#[test]
fn a_line_shows_progress_rate_and_p99() {
    let shared = shared();
    shared.prepared_bytes.store(100, Relaxed);
    for _ in 0..60_000 {
        shared.rows[0].recorder.lane(0).commit.record(100_000);
        shared.rows[0].recorder.lane(0).finish_operation(100_000);
    }
    let lines = shared.lines(80);
    // 6 s of 3 times 4 s.
    assert_eq!(
        lines[0],
        "  commit-8k         #######--------------- 10,000 /s   p99   100 µs".replace("- 10", "-     10")
    );
    assert_eq!(lines[1], "  commit-8k-fsync   ----------------------");
    assert_eq!(lines.len(), 4);
}

#[test]
fn filling_comes_first_and_a_left_out_workload_says_why() {
    let shared = shared();
    shared.prepared_bytes.store(50, Relaxed);
    *shared.rows[3].omission.lock().unwrap() = Some("this filesystem has no O_DIRECT".to_owned());
    assert_eq!(shared.last_lines(80), ["  read-4k-floor     left out: this filesystem has no O_DIRECT"]);
    let lines = shared.lines(80);
    assert!(lines[0].starts_with("  filling the files ###########-----------"), "{lines:?}");
    assert_eq!(lines.len(), 4, "{lines:?}");
}

#[test]
fn filling_is_over_when_a_pass_begins_even_where_nothing_was_filled() {
    let display = LiveDisplay {
        shared: Arc::new(LiveState { prepare_bytes: AtomicU64::new(0), ..shared() }),
        painter: None,
    };
    let is_filling = || display.shared.lines(80).iter().any(|line| line.contains("filling"));
    assert!(is_filling());
    display.pass_started(Step { workload: 0, pass: 0 });
    assert!(!is_filling());
}

#[test]
fn a_finished_workload_leaves_its_bar_for_one_line_that_stays() {
    let shared = shared();
    shared.prepared_bytes.store(100, Relaxed);
    let row = &shared.rows[1];
    for _ in 0..99 {
        row.recorder.lane(0).commit.record(100_000);
        row.recorder.lane(0).finish_operation(100_000);
    }
    row.recorder.lane(0).commit.record(9_000_000);
    row.recorder.lane(0).finish_operation(100_000);
    assert_eq!(shared.last_lines(80), [""; 0], "its pass is not over");
    row.passes_done.store(1, Relaxed);
    assert_eq!(shared.last_lines(80), ["  commit-8k-fsync        10,000 /s   p50   100 µs   p99   100 µs"]);
    assert_eq!(shared.last_lines(80), [""; 0], "once");
    assert!(shared.lines(80).iter().all(|line| !line.contains("fsync")), "{:?}", shared.lines(80));
}

#[test]
fn a_search_has_no_rate_of_its_own_and_few_operations_have_no_p99() {
    let recorder = Recorder::default();
    for _ in 0..99 {
        recorder.lane(0).read.record(100_000);
        recorder.lane(0).finish_operation(100_000);
    }
    let line = |id| result_line(WorkloadDefinition::with_id(id).unwrap(), &recorder, 20, 80).unwrap();
    assert_eq!(line("slo-randread-4k-1ms"), "  slo-randread-4k-1ms searched; what it found is below");
    assert!(line("read-4k-floor").ends_with("p50   100 µs   p99        –"), "{}", line("read-4k-floor"));
}

#[test]
fn a_line_never_wraps() {
    assert_eq!(cut("\x1b[1mabcdef\x1b[0m".to_owned(), 3), "\x1b[1mabc\x1b[0m");
    assert_eq!(cut("abc".to_owned(), 3), "abc");
    let shared = shared();
    for _ in 0..100 {
        shared.rows[0].recorder.lane(0).commit.record(100_000);
        shared.rows[0].recorder.lane(0).finish_operation(100_000);
    }
    for width in [20, 40, 60, 80] {
        assert!(shared.lines(width).iter().all(|line| visible_length(line) <= width));
    }
    assert!(shared.lines(60)[1].ends_with("p99   100 µs"), "{:?}", shared.lines(60));
}

#[test]
fn sixty_columns_take_no_figure_and_no_reason_away() {
    let mut shared = shared();
    shared.name_columns = name_columns(&WORKLOADS.iter().collect::<Vec<_>>());
    shared.prepared_bytes.store(100, Relaxed);
    let row = &shared.rows[0];
    for _ in 0..100 {
        row.recorder.lane(0).commit.record(123_000_000);
        row.recorder.lane(0).finish_operation(12_345);
    }
    row.is_repeated.store(true, Relaxed);
    let running = &shared.lines(60)[0];
    assert!(running.ends_with("p99  123 ms again") && visible_length(running) <= 60, "{running:?}");
    *shared.rows[1].omission.lock().unwrap() =
        Some("the device has no room for a test file of 64 GiB, and would be full".to_owned());
    row.passes_done.store(u64::from(row.workload.passes), Relaxed);
    let last = shared.last_lines(60).join("\n");
    assert!(last.lines().all(|line| visible_length(line) <= 60), "{last}");
    assert!(last.contains("p99   123 ms") && last.contains("be full"), "{last}");
}

#[test]
fn a_narrower_window_has_more_rows_to_wipe() {
    assert_eq!(erase_lines(&[], 80), "");
    assert_eq!(erase_lines(&[70, 42], 80), "\x1b[2A\r\x1b[J");
    assert_eq!(erase_lines(&[70, 42, 0], 40), "\x1b[5A\r\x1b[J");
}
