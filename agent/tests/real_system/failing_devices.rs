//! Devices and filesystems that fail in the middle of a run: nothing is left behind, what was measured until
//! then is kept and signed, the person is told what to do, and the exit code says which kind of failure it
//! was. The failures are the kernel's own, on storage made here; what the machine does not allow is said and
//! left out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::stacks::{IMAGE_BYTES, Loop, LoopMount, Mapped, Mount, command, must};
use crate::support::{Place, assert_exit};
use fsyncmark::delivery::spool::Spool;
use fsyncmark::wire::envelope::Envelope;
use fsyncmark::wire::payload::Run;
use fsyncmark::wire::workload::EndReason;
use rustix::fs::{FallocateFlags, fallocate};

/// Measured whole before the device fails.
const FIRST: &str = "commit-8k-rwf-dsync";
/// Needs new space with each operation, and a device that works.
const SECOND: &str = "append-8k-fdatasync";

/// A run that ends with its test, so that what it ran on can be taken away.
struct RunningAgent(Child);

impl Drop for RunningAgent {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// How a run ended whose device failed.
struct FailedRun {
    code: Option<i32>,
    stderr_text: String,
    kept: Vec<Run>,
}

/// Runs two workloads and lets the device fail in the pass of the second.
fn run_and_break(dir: &Path, fail: impl FnOnce()) -> FailedRun {
    let place = Place::new();
    let only = format!("{FIRST},{SECOND}");
    let args = ["run", dir.to_str().unwrap(), "--suite", "standard", "--only", &only, "--no-upload"];
    let child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut child = RunningAgent(child);
    let mut stderr = BufReader::new(child.0.stderr.take().unwrap());
    let mut stderr_text = String::new();
    while !stderr_text.lines().any(|line| line.trim_start().starts_with(FIRST) && line.contains(" /s ")) {
        assert!(stderr.read_line(&mut stderr_text).unwrap() > 0, "the first pass never ended: {stderr_text}");
    }
    wait_for_second_growth(&child.0, dir);
    fail();
    stderr.read_to_string(&mut stderr_text).unwrap();
    let code = child.0.wait().unwrap().code();
    let waiting_files = Spool::in_home(&place.settings()).waiting_files().unwrap();
    for path in &waiting_files {
        assert_exit(&place.run(&["verify", path.to_str().unwrap()]), 0);
    }
    FailedRun { code, stderr_text, kept: waiting_files.iter().map(|path| payload_of(path)).collect() }
}

/// The file of the second workload grows in its warm-up, begins anew, and grows in its pass.
fn wait_for_second_growth(child: &Child, dir: &Path) {
    const GROWN_BYTES: u64 = 64 << 10;
    let deadline = Instant::now() + Duration::from_secs(30);
    let device = std::fs::metadata(dir).unwrap().dev();
    let (mut last, mut is_renewed) = (0, false);
    loop {
        assert!(Instant::now() < deadline, "the second pass never began");
        let now = smallest_open_file(child.id(), device);
        is_renewed |= now < last;
        if is_renewed && now >= GROWN_BYTES {
            return;
        }
        last = now;
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The size of the growing file, seen through the process that has it open: the other one is 64 MiB.
fn smallest_open_file(process: u32, device: u64) -> u64 {
    let open = std::fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let files = open
        .filter_map(|entry| std::fs::metadata(entry.path()).ok())
        .filter(|file| file.is_file() && file.dev() == device);
    files.map(|file| file.len()).min().unwrap_or(0)
}

fn payload_of(path: &Path) -> Run {
    let envelope = Envelope::parse(&std::fs::read(path).unwrap()).unwrap();
    serde_json::from_slice(&envelope.body().unwrap()).unwrap()
}

impl FailedRun {
    /// Ended as a failure of the device does, with one of these pieces of advice, and with the first
    /// workload.
    #[track_caller]
    fn assert_kept_and_advised(&self, advice: &[&str]) {
        assert_eq!(self.code, Some(74), "{}", self.stderr_text);
        assert!(self.stderr_text.contains(&format!("cannot measure {SECOND}")), "{}", self.stderr_text);
        assert!(advice.iter().any(|advice| self.stderr_text.contains(advice)), "{}", self.stderr_text);
        let [run] = &self.kept[..] else { panic!("{} kept: {}", self.kept.len(), self.stderr_text) };
        assert!(!run.suite.complete);
        let first = run.workloads.iter().find(|workload| workload.id == FIRST).unwrap();
        assert_ne!(first.passes[0].ended_by, EndReason::Error);
        let second = run.workloads.iter().find(|workload| workload.id == SECOND).unwrap();
        assert_eq!(second.passes[0].ended_by, EndReason::Error);
        assert!(second.operations > 0, "what was measured of it until then");
    }
}

/// A folder on a disk for the images: `/tmp` may be memory.
fn images() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

/// The filesystem's own folders aside, nothing lies there.
fn assert_empty(dir: &Path) {
    let left: Vec<_> = std::fs::read_dir(dir).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| name == "lost+found" || name == "filler"), "{left:?}");
}

/// Takes all space that is left, down to single blocks.
fn fill_up(dir: &Path) {
    let filler = File::create(dir.join("filler")).unwrap();
    let (mut end, mut step) = (0, 1 << 30);
    while step >= 4096 {
        match fallocate(&filler, FallocateFlags::empty(), end, step) {
            Ok(()) => end += step,
            Err(_) => step /= 2,
        }
    }
}

#[test]
fn a_filesystem_that_fills_up_says_so() {
    let folder = images();
    let made = or_leave_out!(LoopMount::new(folder.path(), "full", "ext4", true));
    let broken = run_and_break(&made.mount.point, || fill_up(&made.mount.point));
    broken.assert_kept_and_advised(&["The filesystem filled up meanwhile. Free some space"]);
    assert_empty(&made.mount.point);
}

/// btrfs keeps root to its quota groups, which other filesystems do not.
#[test]
fn a_quota_that_is_used_up_says_so() {
    let folder = images();
    let made = or_leave_out!(LoopMount::new(folder.path(), "quota", "btrfs", true));
    let volume = made.mount.point.join("volume");
    or_leave_out!(command("btrfs", &["quota", "enable", made.mount.text()]));
    must("btrfs", &["subvolume", "create", volume.to_str().unwrap()]);
    let broken = run_and_break(&volume, || {
        must("btrfs", &["qgroup", "limit", "1M", volume.to_str().unwrap()]);
    });
    broken.assert_kept_and_advised(&["Your disk quota here is used up"]);
    assert_empty(&volume);
}

/// What a drive that is pulled out looks like to those above it.
#[test]
fn a_filesystem_that_is_shut_down_says_so() {
    let folder = images();
    let made = or_leave_out!(LoopMount::new(folder.path(), "gone", "xfs", true));
    or_leave_out!(command("xfs_io", &["-V"]));
    let broken = run_and_break(&made.mount.point, || {
        must("xfs_io", &["-x", "-c", "shutdown", made.mount.text()]);
    });
    broken.assert_kept_and_advised(&["The device reported an error. Look at `dmesg`"]);
}

/// A thin pool without space: the device itself has none left, whatever its filesystem believes.
#[test]
fn a_thin_device_without_space_fails_and_says_so() {
    let folder = images();
    let pool = or_leave_out!(Mount::new("tmpfs", "size=700M", "none", folder.path().join("pool")));
    let device = or_leave_out!(Loop::new(&pool.point, "thin", false, IMAGE_BYTES));
    let mount = or_leave_out!(Mount::made("ext4", &device.device, folder.path().join("thin")));
    let broken = run_and_break(&mount.point, || fill_up(&pool.point));
    broken.assert_kept_and_advised(&[
        "The device reported an error",
        "The filesystem filled up",
        "read-only",
    ]);
}

/// ext4 turns read-only after an error, where it is told to; this one is made by its own test switch.
#[test]
fn a_filesystem_that_turns_read_only_says_so() {
    let folder = images();
    let device = or_leave_out!(Loop::new(folder.path(), "error", true, IMAGE_BYTES));
    or_leave_out!(command("mkfs.ext4", &["-q", &device.device]));
    let point = folder.path().join("error");
    let mount = or_leave_out!(Mount::new("ext4", "errors=remount-ro", &device.device, point));
    let name = device.device.trim_start_matches("/dev/");
    let switch = format!("/sys/fs/ext4/{name}/trigger_fs_error");
    let broken = run_and_break(&mount.point, || std::fs::write(switch, "1").unwrap());
    // The journal, which is aborted with it, may be the first to answer.
    broken
        .assert_kept_and_advised(&["turned read-only, which Linux does after an error", "reported an error"]);
    assert_empty(&mount.point);
}

#[test]
fn a_device_that_answers_with_errors_says_so() {
    let folder = images();
    let below = or_leave_out!(Loop::new(folder.path(), "below", true, IMAGE_BYTES));
    let mapped = or_leave_out!(Mapped::new("error", "linear", &below.device, ""));
    let mount = or_leave_out!(Mount::made("xfs", &mapped.device, folder.path().join("mapped")));
    let broken = run_and_break(&mount.point, || mapped.turn_into("error"));
    broken.assert_kept_and_advised(&["The device reported an error"]);
}

/// Device mapper's `flakey` drops or fails writes for a part of each interval: here all of them, from the
/// moment on when it is put in.
#[test]
fn a_device_that_fails_writes_and_still_reads_says_so() {
    let folder = images();
    let below = or_leave_out!(Loop::new(folder.path(), "below", true, IMAGE_BYTES));
    let mapped = or_leave_out!(Mapped::new("flakey", "linear", &below.device, ""));
    or_leave_out!(Mapped::new("flakey-probe", "flakey", &below.device, "1 0").map(drop));
    let mount = or_leave_out!(Mount::made("ext4", &mapped.device, folder.path().join("mapped")));
    let table = format!("flakey {} 0 0 3600 1 error_writes", below.device);
    let broken = run_and_break(&mount.point, || mapped.turn_into(&table));
    broken.assert_kept_and_advised(&["The device reported an error", "turned read-only"]);
}
