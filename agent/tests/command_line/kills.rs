//! Killed at any moment: no test file stays, and what was measured is kept. Fifty runs of the program on a
//! real disk, each ended at a random moment by a signal that can be caught or by one that cannot.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::refusals::without_nameless_files;
use crate::support::{Place, assert_exit};
use fsyncmark::delivery::spool::Spool;
use fsyncmark::engine::offsets::SplitMix;
use fsyncmark::wire::envelope::Envelope;
use fsyncmark::wire::payload::Run;
use rustix::process::{Pid, Signal, kill_process};

/// One pass of 4 s after a warm-up of half a second, on a file of 64 MiB.
const WORKLOAD: &str = "commit-8k-fsync";
/// Runs in parallel, for each way of naming: they mostly wait, and fifty in a row would take two minutes.
const LANES: usize = 3;
/// What a pipe of Linux holds.
const PIPE_BYTES: usize = 64 << 10;
/// Set to the seed that a failed test printed, it repeats that test; without it the seed is random.
const SEED_VARIABLE: &str = "FSYNCMARK_KILLS_SEED";

/// A part of a run: it begins when this line was seen, or with the process.
#[derive(Debug, Clone, Copy)]
struct Phase {
    name: &'static str,
    marker: Option<&'static str>,
    /// The moment is between these, in milliseconds after the start; on a usual disk that is the phase.
    moments_ms: (u64, u64),
}

const PLAN_LINE: &str = "Writes at most";
const LAID_OUT_LINE: &str = "filling";
const PASS_LINE: &str = " /s   p50 ";

const PHASES: [Phase; 5] = [
    Phase { name: "begin", marker: None, moments_ms: (0, 60) },
    // The second before it is the one in which the idle device is watched.
    Phase { name: "layout", marker: Some(PLAN_LINE), moments_ms: (950, 1_350) },
    Phase { name: "warm-up", marker: Some(LAID_OUT_LINE), moments_ms: (0, 600) },
    Phase { name: "pass", marker: Some(LAID_OUT_LINE), moments_ms: (700, 2_500) },
    Phase { name: "end", marker: Some(PASS_LINE), moments_ms: (0, 25) },
];

/// How a run is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Termination {
    Caught(Signal),
    /// `kill -9`.
    Kill,
    /// The machine goes down: the process that watches over a named file dies with the program.
    KillAll,
}

const TERMINATIONS: [Termination; 5] = [
    Termination::Kill,
    Termination::Caught(Signal::INT),
    Termination::Caught(Signal::TERM),
    Termination::KillAll,
    Termination::Caught(Signal::HUP),
];

#[derive(Debug, Clone, Copy)]
struct Round {
    phase: Phase,
    after: Duration,
    termination: Termination,
}

/// Every phase with every way to end it, at moments that the seed decides.
fn rounds(random: &mut SplitMix) -> VecDeque<Round> {
    let pairs =
        PHASES.iter().flat_map(|phase| TERMINATIONS.iter().map(move |termination| (*phase, *termination)));
    pairs
        .map(|(phase, termination)| {
            let (first, last) = phase.moments_ms;
            let micros = first * 1_000 + random.next_u64() % ((last - first) * 1_000);
            Round { phase, after: Duration::from_micros(micros), termination }
        })
        .collect()
}

/// The outcome of all rounds with one way of naming.
#[derive(Debug, Default)]
struct Tally {
    rounds: AtomicUsize,
    /// Left behind when program and watcher died, and removed by the next run.
    swept: AtomicUsize,
    /// Ended within the pass, with the part of it that was measured.
    kept_in_part: AtomicUsize,
}

/// How a run ended, and what it had printed by then.
struct TerminatedRun {
    status: ExitStatus,
    printed: String,
}

/// Starts a run, ends it at its moment, and waits until it is gone.
fn run_and_terminate(place: &Place, round: &Round) -> TerminatedRun {
    let args = ["run", place.disk.to_str().unwrap(), "--only", WORKLOAD, "--no-upload"];
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut printed = String::new();
    if let Some(marker) = round.phase.marker {
        while !printed.contains(marker) {
            assert!(stderr.read_line(&mut printed).unwrap() > 0, "{marker} never came: {printed}");
        }
    }
    // The moment itself is what is random: there is nothing to wait for.
    std::thread::sleep(round.after);
    match round.termination {
        Termination::Caught(signal) => send(&child, signal),
        Termination::Kill => send(&child, Signal::KILL),
        Termination::KillAll => {
            // Stopped first, so that it cannot start another watcher meanwhile.
            send(&child, Signal::STOP);
            for watcher in children_of(child.id()) {
                let _ = kill_process(watcher, Signal::KILL);
            }
            send(&child, Signal::KILL);
        }
    }
    stderr.read_to_string(&mut printed).unwrap();
    TerminatedRun { status: child.wait().unwrap(), printed }
}

/// It is not waited for yet, so its number is still its own, even if it has ended.
fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// The processes that this one started.
fn children_of(parent: u32) -> Vec<Pid> {
    let stat = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // Behind the name, which may hold anything: state, then the parent's number.
    let parent_of = |stat: &str| stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse::<u32>().ok();
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|pid| parent_of(&stat(pid)) == Some(parent))
        .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
        .collect()
}

/// Runs one round; returns what went wrong.
fn run_round(round: &Round, tally: &Tally) -> Result<(), String> {
    let place = Place::new();
    let ended = run_and_terminate(&place, round);
    match round.termination {
        // The watcher removes it, once the dying process has let go of it.
        Termination::Kill => eventually("the folder is empty", || place.is_clean())?,
        Termination::KillAll if !place.is_clean() => {
            sweep(&place)?;
            tally.swept.fetch_add(1, Relaxed);
        }
        _ => {}
    }
    if !place.is_clean() {
        return Err(format!("a file is left: {:?}\n{}", entries(&place.disk), ended.printed));
    }
    let kept = kept(&place)?;
    let was_measured = ended.printed.contains(PASS_LINE);
    if let Termination::Caught(signal) = round.termination {
        let code = ended.status.code();
        let by_signal = ended.status.signal() == Some(signal.as_raw());
        if !(matches!(code, Some(0 | 130)) || by_signal) {
            return Err(format!("ended by {}:\n{}", ended.status, ended.printed));
        }
        if was_measured != (kept.len() == 1) {
            return Err(format!("measured: {was_measured}, kept: {}\n{}", kept.len(), ended.printed));
        }
    } else if kept.len() > usize::from(was_measured) {
        return Err(format!("{} kept of nothing measured\n{}", kept.len(), ended.printed));
    }
    let in_part = kept.iter().any(|run| !run.suite.complete && run.workloads[0].elapsed_ns < 4_000_000_000);
    tally.kept_in_part.fetch_add(usize::from(in_part), Relaxed);
    tally.rounds.fetch_add(1, Relaxed);
    Ok(())
}

/// The results in the spool, each of which must be whole and signed, whatever happened while it was written.
fn kept(place: &Place) -> Result<Vec<Run>, String> {
    let read = |path: PathBuf| {
        assert_exit(&place.run(&["verify", path.to_str().unwrap()]), 0);
        let run = payload_of(&path);
        let operations: u64 = run.workloads.iter().map(|workload| workload.operations).sum();
        if operations == 0 { Err(format!("{} holds no operation", path.display())) } else { Ok(run) }
    };
    Spool::in_home(&place.settings()).waiting_files().unwrap().into_iter().map(read).collect()
}

fn payload_of(path: &Path) -> Run {
    let envelope = Envelope::parse(&std::fs::read(path).unwrap()).unwrap();
    serde_json::from_slice(&envelope.body().unwrap()).unwrap()
}

/// What the next run in this folder does first.
fn sweep(place: &Place) -> Result<(), String> {
    let args = ["run", place.disk.to_str().unwrap(), "--only", WORKLOAD, "--no-upload"];
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut printed = String::new();
    while !printed.contains(PLAN_LINE) && stderr.read_line(&mut printed).unwrap() > 0 {}
    send(&child, Signal::INT);
    stderr.read_to_string(&mut printed).unwrap();
    child.wait().unwrap();
    if printed.contains("Removed 1 test file(s) that a killed run had left here") {
        Ok(())
    } else {
        Err(printed)
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect()
}

/// Waits for what another process does.
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) -> Result<(), String> {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        if Instant::now() > deadline {
            return Err(format!("never: {what}"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// All rounds of one way of naming, in threads that `prepare` makes ready. Returns what went wrong.
fn run_rounds(rounds: VecDeque<Round>, tally: &Tally, prepare: fn()) -> Vec<String> {
    let (rounds, failures) = (Mutex::new(rounds), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| {
                prepare();
                loop {
                    let next = rounds.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some(round) = next else { break };
                    if let Err(failure) = run_round(&round, tally) {
                        let failure = format!(
                            "{} + {:?}, {:?}: {failure}",
                            round.phase.name, round.after, round.termination
                        );
                        failures.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
                    }
                }
            });
        }
    });
    failures.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// One test for both ways of naming, so that no more runs are in parallel than their lanes.
#[test]
fn fifty_kills_leave_no_file_and_lose_no_figure() {
    let seed = match std::env::var(SEED_VARIABLE) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => u64::from_le_bytes(fsyncmark::sys::random()),
    };
    println!("{SEED_VARIABLE}={seed}");
    let mut random = SplitMix::new(seed);
    let (nameless, named) = (Tally::default(), Tally::default());
    let (first, second) = (rounds(&mut random), rounds(&mut random));
    let failures = std::thread::scope(|scope| {
        let nameless = scope.spawn(|| run_rounds(first, &nameless, || ()));
        let named = scope.spawn(|| run_rounds(second, &named, without_nameless_files));
        [nameless.join().unwrap(), named.join().unwrap()].concat()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    println!("nameless: {nameless:?}, named: {named:?}");
    assert_eq!((nameless.rounds.into_inner(), named.rounds.into_inner()), (25, 25));
    assert_eq!(nameless.swept.into_inner(), 0, "a file without a name cannot be left");
    assert!(named.swept.into_inner() > 0, "a named one can, when its watcher dies too");
    assert!(nameless.kept_in_part.into_inner() + named.kept_in_part.into_inner() > 0);
}

/// On a stopped terminal, or in a pager that nobody scrolls, the tables wait for a reader and the result does
/// not.
#[test]
fn what_cannot_be_shown_is_kept_all_the_same() {
    let place = Place::new();
    let (unread, mut stderr) = std::io::pipe().unwrap();
    // So much is left of the pipe that the lines of the run fit in, and the tables do not.
    stderr.write_all(&vec![b'.'; PIPE_BYTES - 600]).unwrap();
    let args = ["run", place.disk.to_str().unwrap(), "--only", WORKLOAD, "--no-upload"];
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(stderr).spawn().unwrap();
    let spool = Spool::in_home(&place.settings());
    eventually("the result is kept", || spool.waiting_files().is_ok_and(|files| files.len() == 1)).unwrap();
    assert_eq!(child.try_wait().unwrap(), None, "it waits for somebody to read");
    let mut ended = None;
    eventually("a signal ends it", || {
        send(&child, Signal::INT);
        ended = child.try_wait().unwrap();
        ended.is_some()
    })
    .unwrap();
    assert_eq!(ended.unwrap().signal(), Some(Signal::INT.as_raw()));
    drop(unread);
    assert_eq!(kept(&place).unwrap().len(), 1);
}

/// The kernel's answer is the only difference between the two halves of the test above.
#[test]
fn where_the_kernel_has_no_nameless_files_a_run_makes_a_named_one() {
    let seen = std::thread::spawn(|| {
        without_nameless_files();
        let place = Place::new();
        let mut doctor = Command::new(env!("CARGO_BIN_EXE_fsyncmark"));
        let output = doctor.args(["doctor", place.disk.to_str().unwrap()]).output().unwrap();
        crate::support::text(&output.stdout)
    });
    let printed = seen.join().unwrap();
    let line = printed.lines().find(|line| line.contains("O_TMPFILE")).unwrap();
    assert!(line.starts_with("note"), "{printed}");
}
