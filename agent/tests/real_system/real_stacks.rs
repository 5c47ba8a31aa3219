//! Stacks that the tests make here: the probes name every layer, and real runs on them are whole. Needs root,
//! loop devices and the filesystems' tools; what is missing is said, and the test that needs it is left out.

use std::path::Path;

use crate::stacks::{IMAGE_BYTES, Loop, LoopMount, Mapped, Mount, must};
use crate::support::{Place, assert_exit, text};
use fsyncmark::plan::file_naming::FileNaming;
use fsyncmark::probe::{Facts, gather};
use fsyncmark::wire::histogram::Distribution;
use fsyncmark::wire::payload::Run;
use fsyncmark::wire::workload::EndReason;
use serde_json::Value;

/// A folder on a disk for the images: `/tmp` may be memory.
fn images() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

fn look(mount: &Mount) -> Facts {
    gather(&mount.point).unwrap()
}

/// What a complete run of some workloads of `quick` brought, and that it left nothing behind.
fn measured(dir: &Path, only: &str) -> Run {
    let place = Place::new();
    let before = files_in(dir);
    let output = place.run(&["run", dir.to_str().unwrap(), "--only", only, "--no-upload", "--json"]);
    assert_exit(&output, 0);
    assert_eq!(files_in(dir), before);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    serde_json::from_value(printed["payload"].clone()).unwrap()
}

fn files_in(dir: &Path) -> usize {
    std::fs::read_dir(dir).unwrap().count()
}

#[test]
fn a_loop_device_says_whether_it_goes_through_the_page_cache() {
    let folder = images();
    let below = gather(folder.path()).unwrap().storage;
    for (name, direct_io, kind) in [("cached", false, "loop-cached"), ("direct", true, "loop-direct")] {
        let made = or_leave_out!(LoopMount::new(folder.path(), name, "ext4", direct_io));
        let found = look(&made.mount).storage;
        assert_eq!(found.layers[..2], ["ext4", kind]);
        assert_eq!(found.layers[2..], below.layers, "then comes what its file lies on");
        assert_eq!(found.drives, below.drives);
        assert_eq!(found.disks, below.disks);
    }
}

/// A filesystem on a loop device is measured whole, its layers are named, and each commit was seen as a
/// flush by the disk below.
fn is_measured_and_named(kind: &str, expected_naming: FileNaming) {
    let folder = images();
    let below = gather(folder.path()).unwrap().storage;
    let made = or_leave_out!(LoopMount::new(folder.path(), kind, kind, true));
    assert_eq!(FileNaming::for_filesystem(&look(&made.mount).filesystem.name), expected_naming);
    let run = measured(&made.mount.point, "commit-8k-fsync");
    assert_eq!(run.env.fs, kind);
    assert_eq!(run.stack[..2], [kind, "loop-direct"]);
    assert_eq!(run.stack[2..], below.layers);
    let commits = &run.workloads[0];
    assert!(commits.passes.iter().all(|pass| pass.ended_by != EndReason::Error));
    assert!(commits.operations > 50, "{} in {} ns", commits.operations, commits.elapsed_ns);
    if let Some(flushes) = commits.flushes {
        // The last commit's flush may be counted after the pass was.
        assert!(flushes + 1 >= commits.operations, "{flushes} flushes of {} commits", commits.operations);
    }
    assert!(commits.device_bytes.is_none_or(|bytes| bytes >= commits.bytes), "{:?}", commits.device_bytes);
}

#[test]
fn ext4_with_a_journal_is_measured_and_named() {
    is_measured_and_named("ext4", FileNaming::Nameless);
}

#[test]
fn xfs_is_measured_and_named() {
    is_measured_and_named("xfs", FileNaming::Nameless);
}

#[test]
fn btrfs_is_measured_and_named() {
    is_measured_and_named("btrfs", FileNaming::Named);
}

#[test]
fn an_overlay_is_measured_where_its_upper_layer_lies() {
    let folder = images();
    let made = or_leave_out!(LoopMount::new(folder.path(), "upper", "ext4", true));
    let parts = ["lower", "up", "work"].map(|part| made.mount.point.join(part));
    for part in &parts {
        std::fs::create_dir(part).unwrap();
    }
    let [lower, up, work] = parts.each_ref().map(|part| part.display());
    let options = format!("lowerdir={lower},upperdir={up},workdir={work}");
    let overlay = or_leave_out!(Mount::new("overlay", &options, "overlay", folder.path().join("merged")));
    let run = measured(&overlay.point, "commit-8k-fsync");
    assert_eq!(run.stack[..3], ["overlay", "ext4", "loop-direct"]);
    assert!(run.workloads[0].operations > 50);
    assert_eq!(files_in(&parts[1]), 0, "nothing is left in the upper layer either");
}

#[test]
fn a_filesystem_in_memory_is_refused() {
    let folder = images();
    let memory = or_leave_out!(Mount::new("tmpfs", "size=2G", "none", folder.path().join("memory")));
    let place = Place::new();
    let output = place.run(&["run", memory.text(), "--no-upload"]);
    assert_exit(&output, 69);
    assert!(text(&output.stderr).contains("in memory"), "{}", text(&output.stderr));
    assert_eq!(files_in(&memory.point), 0);
}

/// Device mapper's `delay` is a disk of which the latency is known.
#[test]
fn what_device_mapper_delays_is_in_every_commit() {
    const DELAY_MS: u64 = 5;
    let folder = images();
    let below = or_leave_out!(Loop::new(folder.path(), "below", true, IMAGE_BYTES));
    let options = DELAY_MS.to_string();
    let delayed = or_leave_out!(Mapped::new("delay", "delay", &below.device, &options));
    let mount = or_leave_out!(Mount::made("ext4", &delayed.device, folder.path().join("delayed")));
    let run = measured(&mount.point, "commit-8k-fsync");
    assert_eq!(run.stack[..2], ["ext4", "dm-delay"]);
    let commit: Distribution = run.workloads[0].histograms.commit.as_ref().unwrap().into();
    assert!(commit.min_ns >= DELAY_MS * 1_000_000, "{} ns", commit.min_ns);
}

#[test]
fn a_bind_mount_is_measured_where_it_leads() {
    let folder = images();
    let made = or_leave_out!(LoopMount::new(folder.path(), "origin", "ext4", true));
    let bound = or_leave_out!(Mount::new("none", "bind", made.mount.text(), folder.path().join("bound")));
    let (bound, origin) = (look(&bound).storage, look(&made.mount).storage);
    assert_eq!(bound.layers, origin.layers);
    assert_eq!(bound.devices, origin.devices);
}

#[test]
fn space_that_a_killed_run_left_taken_is_free_again_for_the_next() {
    let folder = images();
    let made = or_leave_out!(LoopMount::new(folder.path(), "full", "ext4", true));
    let left = made.mount.point.join(".fsyncmark-0123456789abcdef.tmp");
    must(
        "fallocate",
        &[
            "--length",
            &(look(&made.mount).filesystem.free_bytes / 16 * 15).to_string(),
            left.to_str().unwrap(),
        ],
    );
    let place = Place::new();
    let args = ["run", made.mount.text(), "--only", "commit-8k-fsync", "--no-upload"];
    let output = place.run(&args);
    assert_exit(&output, 0);
    assert!(!left.exists());
}
