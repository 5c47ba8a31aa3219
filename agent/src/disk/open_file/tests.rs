//! What each row of the table asks of each system, noted by files that only take note.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::*;
use crate::disk::ring_queue::RingSupport;
use crate::engine::pass::Gate;
use crate::engine::recorder::Recorder;
use crate::engine::writer_tasks;
use crate::engine::writer_threads::{self, Writer};
use crate::plan::pass_limits::PassLimits;
use crate::plan::workload::{Operation, WORKLOADS, WorkloadDefinition};
use crate::sys::clock::Clock;
use crate::wire::workload::EndReason;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Write,
    WriteDsync,
    Read,
    Flush(Flush),
}

/// A file that only takes note of what it is asked.
#[derive(Debug, Clone, Default)]
struct NoteFile(Arc<Mutex<Vec<Call>>>);

impl NoteFile {
    fn note(&self, note: Call) {
        self.0.lock().unwrap().push(note);
    }
}

impl FileCalls for NoteFile {
    fn write(&mut self, _offset: u64, _block: &[u8]) -> io::Result<()> {
        self.note(Call::Write);
        Ok(())
    }
    fn write_dsync(&mut self, _offset: u64, _block: &[u8]) -> io::Result<()> {
        self.note(Call::WriteDsync);
        Ok(())
    }
    fn read(&mut self, _offset: u64, _block: &mut [u8]) -> io::Result<()> {
        self.note(Call::Read);
        Ok(())
    }
    fn flush(&mut self, flush: Flush) -> io::Result<()> {
        self.note(Call::Flush(flush));
        Ok(())
    }
    fn into_queue(self, _slots: usize, _block_bytes: usize, _ring_mode: RingMode) -> io::Result<RingQueue> {
        unreachable!("without a ring there are threads")
    }
}

/// A clock on which each reading is a nanosecond after the one before.
#[derive(Debug, Default)]
struct TickClock(AtomicU64);

impl Clock for TickClock {
    fn now_ns(&self) -> u64 {
        self.0.fetch_add(1, Relaxed)
    }
}

/// What one operation of a row asks for, on a system without a ring.
fn one_operation(system: System, workload: &WorkloadDefinition) -> Vec<Call> {
    let file = NoteFile::default();
    let choice = writer_tasks::engine_choice(workload, &RingSupport { ring_mode: None, reason: None });
    let log = writer_tasks::group_log(workload);
    let disk = OpenFile::new(file.clone(), durable_calls(system, workload.durability));
    let task = writer_tasks::task(workload, &choice, 0, log.as_ref(), None);
    let limits = PassLimits {
        warm_up_ns: 0,
        warm_up_bytes_max: 0,
        pass_ns_min: 0,
        pass_operations_min: 1,
        pass_ns_max: u64::MAX,
        pass_bytes_max: u64::MAX,
    };
    let (stop, mut on_start) = (AtomicBool::new(false), || ());
    let gate = Gate::new(&stop, &mut on_start);
    let writers = vec![Writer { disk, clock: TickClock::default(), task }];
    let pass = writer_threads::run(writers, &limits, &Recorder::default(), u64::MAX, &gate);
    assert_eq!((pass.operations, pass.ended_by), (1, EndReason::Time), "{}: {:?}", workload.id, pass.error);
    let notes = file.0.lock().unwrap();
    notes.clone()
}

fn durable_rows() -> Vec<&'static WorkloadDefinition> {
    WORKLOADS.iter().filter(|workload| workload.durability != Durability::None).collect()
}

#[test]
fn on_macos_every_durable_operation_ends_with_a_full_fsync_and_uses_nothing_weaker() {
    let rows = durable_rows();
    assert!(rows.len() > 50);
    for workload in rows {
        let notes = one_operation(System::MacOs, workload);
        assert_eq!(notes.last(), Some(&Call::Flush(Flush::FullFsync)), "{}: {notes:?}", workload.id);
        let weaker = [Call::WriteDsync, Call::Flush(Flush::Fdatasync), Call::Flush(Flush::Fsync)];
        assert!(notes.iter().all(|note| !weaker.contains(note)), "{}: {notes:?}", workload.id);
    }
}

#[test]
fn on_linux_every_durable_operation_ends_with_what_its_row_names() {
    for workload in durable_rows() {
        let notes = one_operation(System::Linux, workload);
        let last = match workload.durability {
            Durability::Call(SyncCall::Fdatasync) => Call::Flush(Flush::Fdatasync),
            Durability::Call(SyncCall::Fsync) => Call::Flush(Flush::Fsync),
            Durability::ODsync => Call::Write,
            Durability::RwfDsync => Call::WriteDsync,
            Durability::None => unreachable!("left out"),
        };
        assert_eq!(notes.last(), Some(&last), "{}: {notes:?}", workload.id);
        assert!(!notes.contains(&Call::Flush(Flush::FullFsync)), "{}", workload.id);
    }
}

#[test]
fn what_nobody_makes_durable_is_not_flushed_on_any_system() {
    for workload in WORKLOADS.iter().filter(|workload| workload.durability == Durability::None) {
        for system in [System::Linux, System::MacOs] {
            let notes = one_operation(system, workload);
            assert!(notes.iter().all(|note| matches!(note, Call::Read | Call::Write)), "{}", workload.id);
            assert_eq!(notes.is_empty(), workload.operation == Operation::ClockGap, "{}", workload.id);
        }
    }
}

#[test]
fn only_the_row_that_says_so_is_opened_with_o_dsync() {
    for workload in WORKLOADS {
        for system in [System::Linux, System::MacOs] {
            let opens = durable_calls(system, workload.durability).opens_dsync;
            assert_eq!(opens, workload.durability == Durability::ODsync, "{}", workload.id);
        }
    }
}

/// Both are asked for by a name, and a library may give either of them another meaning.
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_opened_with_o_dsync_is_not_opened_with_o_sync() {
    let named = tempfile::NamedTempFile::new().unwrap();
    for workload in WORKLOADS.iter().filter(|workload| workload.page_cache == PageCache::Through) {
        let opened = OpenFile::open(named.path(), workload).unwrap();
        let flags = rustix::fs::fcntl_getfl(&opened.calls).unwrap().bits().cast_signed() & libc::O_SYNC;
        let wanted = if workload.durability == Durability::ODsync { libc::O_DSYNC } else { 0 };
        assert_eq!(flags, wanted, "{}", workload.id);
    }
}

#[test]
fn a_system_without_full_fsync_says_so_and_does_nothing_weaker() {
    if System::HERE == System::MacOs {
        return;
    }
    let mut file = tempfile::tempfile().unwrap();
    assert_eq!(FileCalls::flush(&mut file, Flush::FullFsync).unwrap_err().kind(), io::ErrorKind::Unsupported);
}

/// Answers of a kernel to one write after another.
fn answered(answers: &[Result<usize, i32>]) -> (io::Result<()>, Vec<(u64, usize)>) {
    let (mut answers, mut asked) = (answers.iter(), Vec::new());
    let result = write_all(4096, &[0; 100], |offset, rest| {
        asked.push((offset, rest.len()));
        answers.next().expect("no more answers").map_err(io::Error::from_raw_os_error)
    });
    (result, asked)
}

#[test]
fn an_interrupted_write_is_repeated_and_a_short_one_goes_on_where_it_ended() {
    const EINTR: i32 = 4;
    let (result, asked) = answered(&[Err(EINTR), Ok(30), Err(EINTR), Ok(69), Ok(1)]);
    result.unwrap();
    assert_eq!(asked, [(4096, 100), (4096, 100), (4126, 70), (4126, 70), (4195, 1)]);
}

#[test]
fn a_write_that_fails_or_makes_no_progress_ends_in_the_kernels_words() {
    // EIO, ENOSPC, EDQUOT of Linux.
    for errno in [5, 28, 122] {
        let (result, asked) = answered(&[Ok(50), Err(errno)]);
        assert_eq!((result.unwrap_err().raw_os_error(), asked.len()), (Some(errno), 2));
    }
    assert_eq!(answered(&[Ok(0)]).0.unwrap_err().kind(), io::ErrorKind::WriteZero);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_space_says_so() {
    let full = || File::options().read(true).write(true).open("/dev/full").unwrap();
    for durability in [Durability::Call(SyncCall::Fdatasync), Durability::ODsync, Durability::None] {
        let mut disk = OpenFile::new(full(), durable_calls(System::Linux, durability));
        let error = disk.write_at(0, &[1; 4096]).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ENOSPC), "{durability:?}");
    }
}
