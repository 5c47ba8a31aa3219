//! System calls that a signal interrupts before they did anything, as strace injects them: nobody's error,
//! and every operation is still done once. Needs strace, and may be left out.

use std::os::unix::fs::FileExt;
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use crate::support::{Place, assert_exit, text};
use fsyncmark::disk::ring_queue::RingQueue;
use fsyncmark::engine::offsets::{Area, Offsets};
use fsyncmark::engine::pass::{Gate, LoopContext};
use fsyncmark::engine::queue::{Loop, QueueJob, QueueWork};
use fsyncmark::engine::rate_samples::RateSamples;
use fsyncmark::engine::recorder::Lane;
use fsyncmark::plan::pass_limits::PassLimits;
use fsyncmark::sys::clock::{Clock, Monotonic, READ_COST_NS_MAX, read_cost_ns};
use fsyncmark::sys::io_request::{RingMode, SyncCall};
use fsyncmark::wire::workload::EndReason;
use serde_json::Value;

const BLOCK_BYTES: u64 = 4096;
const BLOCKS: u64 = 64;

/// Runs a command under strace, which interrupts these calls; with what it noted of them.
fn interrupted(calls: &str, command: &Command) -> Result<(Output, String), String> {
    let notes = tempfile::NamedTempFile::new().unwrap();
    let mut strace = Command::new("strace");
    strace.args(["--follow-forks", "--quiet=all", "--output"]).arg(notes.path());
    let names: Vec<&str> = calls.split(' ').map(|call| call.split(':').next().unwrap()).collect();
    strace.args(["-e", &format!("trace={}", names.join(","))]);
    for call in calls.split(' ') {
        strace.args(["-e", &format!("inject={call}")]);
    }
    strace.arg(command.get_program()).args(command.get_args());
    strace.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = strace.output().map_err(|error| format!("needs strace: {error}"))?;
    let stderr = text(&output.stderr);
    if stderr.contains("PTRACE") || stderr.contains("ptrace") {
        return Err(format!("needs strace: {}", stderr.trim()));
    }
    Ok((output, std::fs::read_to_string(notes.path()).unwrap()))
}

fn injected(notes: &str) -> usize {
    notes.matches("(INJECTED)").count()
}

#[test]
fn an_interrupted_write_or_sync_is_done_again() {
    let place = Place::new();
    let args = ["run", place.disk.to_str().unwrap(), "--only", "commit-8k-fsync", "--no-upload", "--json"];
    let calls = "pwrite64:error=EINTR:when=10+10 fsync:error=EINTR:when=5+10";
    let (output, notes) = or_leave_out!(interrupted(calls, &place.command(&args)));
    assert_exit(&output, 0);
    assert!(injected(&notes) > 10, "{}", injected(&notes));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let run: fsyncmark::wire::payload::Run = serde_json::from_value(printed["payload"].clone()).unwrap();
    assert_ne!(run.workloads[0].passes[0].ended_by, EndReason::Error);
    assert!(place.is_clean());
}

/// The test below runs this one again, with interruptions.
#[test]
fn a_ring_writes_every_block() {
    for ring_mode in [RingMode::Deferred, RingMode::Plain] {
        let file = tempfile::tempfile_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        file.set_len(BLOCKS * BLOCK_BYTES).unwrap();
        let Ok(queue) = RingQueue::new(file.try_clone().unwrap(), 8, 4096, ring_mode) else {
            crate::stacks::leave_out(format!("no {ring_mode:?} io_uring here"));
            continue;
        };
        let work = QueueWork::WriteThenSync(SyncCall::Fdatasync);
        let offsets = Offsets::sequential(Area::whole(BLOCKS * BLOCK_BYTES), BLOCK_BYTES);
        let mut job = QueueJob::new(work, offsets, BLOCK_BYTES);
        let limits = PassLimits {
            warm_up_ns: 0,
            warm_up_bytes_max: 0,
            pass_ns_min: 0,
            pass_operations_min: 2 * BLOCKS,
            pass_ns_max: 60_000_000_000,
            pass_bytes_max: u64::MAX,
        };
        let (lane, mut samples) = (Lane::default(), RateSamples::new(100_000_000));
        let (stop, mut on_start) = (AtomicBool::new(false), || ());
        let gate = Gate::new(&stop, &mut on_start);
        let context = LoopContext {
            clock: &Monotonic,
            limits: &limits,
            lane: &lane,
            samples: &mut samples,
            gate: &gate,
        };
        let pass = Loop { queue, depth: 8, context }.run(&mut job);
        assert_eq!(pass.ended_by, EndReason::Time, "{:?}", pass.error);
        for block in 0..BLOCKS {
            let mut stamp = [0; 8];
            file.read_exact_at(&mut stamp, block * BLOCK_BYTES).unwrap();
            assert_ne!(u64::from_le_bytes(stamp), 0, "block {block} was never written");
        }
    }
}

#[test]
fn an_interrupted_ring_goes_on() {
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "interruptions::a_ring_writes_every_block"]);
    let (output, notes) = or_leave_out!(interrupted("io_uring_enter:error=EINTR:when=2+3", &again));
    assert_exit(&output, 0);
    assert!(injected(&notes) > 10 || text(&output.stderr).contains("no Plain io_uring"), "{notes}");
}

/// A clock that is asked by a system call, as without a vDSO.
struct SystemCall(std::cell::Cell<u64>);

impl Clock for SystemCall {
    fn now_ns(&self) -> u64 {
        self.0.set(self.0.get() + 250);
        self.0.get()
    }
}

#[test]
fn a_clock_without_a_vdso_is_found_out_before_anything_is_timed() {
    let cost_ns = read_cost_ns(&SystemCall(0.into()));
    assert_eq!(cost_ns, 250);
    assert!(cost_ns > READ_COST_NS_MAX);
}
