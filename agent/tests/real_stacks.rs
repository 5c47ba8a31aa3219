//! The probes on stacks that the tests make here: `cargo test --test real_stacks -- --ignored`, as root.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fsyncmark::probe::drive::DeviceNumber;
use fsyncmark::probe::{Facts, Tree, gather, limits};

/// Runs a command that must succeed, and returns what it printed.
#[track_caller]
fn command(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A filesystem on a loop device; both go away again, whatever happens.
struct LoopMount {
    device: String,
    point: PathBuf,
}

impl LoopMount {
    fn new(folder: &Path, name: &str, direct_io: &str) -> Self {
        let (image, point) = (folder.join(format!("{name}.img")), folder.join(name));
        fs::File::create(&image).unwrap().set_len(64 << 20).unwrap();
        fs::create_dir(&point).unwrap();
        let direct_io = format!("--direct-io={direct_io}");
        let device = command("losetup", &["--find", "--show", &direct_io, image.to_str().unwrap()]);
        let made = Self { device, point };
        command("mkfs.ext4", &["-q", &made.device]);
        command("mount", &[&made.device, made.point.to_str().unwrap()]);
        made
    }

    fn look(&self) -> Facts {
        gather(&self.point).unwrap()
    }
}

impl Drop for LoopMount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.point).status();
        let _ = Command::new("losetup").args(["--detach", &self.device]).status();
    }
}

#[test]
#[ignore = "needs root, loop devices and mkfs.ext4"]
fn a_loop_device_says_whether_it_goes_through_the_page_cache() {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let below = gather(folder.path()).unwrap().storage;
    for (name, direct_io, kind) in [("cached", "off", "loop-cached"), ("direct", "on", "loop-direct")] {
        let found = LoopMount::new(folder.path(), name, direct_io).look().storage;
        assert_eq!(found.layers[..2], ["ext4", kind]);
        assert_eq!(found.layers[2..], below.layers, "then comes what its file lies on");
        assert_eq!(found.drives, below.drives);
        assert_eq!(found.disks, below.disks);
    }
}

/// A control group of version 1 with a throttled disk, or of version 2, whichever this system has.
struct Group(PathBuf);

impl Group {
    fn new(disk: DeviceNumber) -> Self {
        let number = format!("{}:{}", disk.major, disk.minor);
        let name = format!("fsyncmark-test-{}", std::process::id());
        let version_1 = Path::new("/sys/fs/cgroup/blkio");
        let group = if version_1.is_dir() { version_1 } else { Path::new("/sys/fs/cgroup") }.join(name);
        fs::create_dir(&group).unwrap();
        let made = Self(group);
        if version_1.is_dir() {
            fs::write(made.0.join("blkio.throttle.write_bps_device"), format!("{number} 1048576")).unwrap();
            fs::write(made.0.join("blkio.throttle.write_iops_device"), format!("{number} 50")).unwrap();
        } else {
            fs::write(made.0.join("io.max"), format!("{number} wbps=1048576 wiops=50")).unwrap();
        }
        made
    }

    fn put_process(group: &Path, process: &str) {
        fs::write(group.join("cgroup.procs"), process).unwrap();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::write(self.0.parent().unwrap().join("cgroup.procs"), "0");
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
#[ignore = "needs root and a control group that may be throttled"]
fn a_throttled_control_group_is_recognised() {
    let storage = gather(Path::new("/var/tmp")).unwrap().storage;
    let before = limits::probe(&Tree::live(), &storage.devices);
    let group = Group::new(storage.devices[0]);
    Group::put_process(&group.0, "0");
    let found = limits::probe(&Tree::live(), &storage.devices);
    let expected = limits::Limits {
        write_bytes_per_s: Some(1 << 20),
        write_ops_per_s: Some(50),
        io_weight: found.io_weight,
        ..before
    };
    assert_eq!(found, expected);
}
