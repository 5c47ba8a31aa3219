//! Storage that the tests make, and take away again whatever happens: loop devices, filesystems, device
//! mapper targets, control groups. Where the machine does not allow it, a test says so and is left out.
#![allow(dead_code)] // each test program uses its part

use std::fmt::Display;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use fsyncmark::probe::storage::block_device::DeviceNumber;

/// Size of a filesystem that the agent takes, its margin included; the image is sparse.
pub const IMAGE_BYTES: u64 = 3 << 30;

/// Says why a test is left out, past the capture of its output: a test that did nothing must be seen. `./run
/// test` looks for these words in nextest's report and repeats them.
pub fn leave_out(reason: impl Display) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "{test} ... left out: {reason}");
}

/// Ends the test when the machine cannot do what it needs.
macro_rules! or_leave_out {
    ($made:expr) => {
        match $made {
            Ok(made) => made,
            Err(reason) => {
                crate::stacks::leave_out(reason);
                return;
            }
        }
    };
}

/// Runs a command and returns what it printed, or why it failed.
pub fn command(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output =
        Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} {}: {}", arguments.join(" "), told.trim().lines().next().unwrap_or("failed")))
}

/// Runs a command that must succeed.
#[track_caller]
pub fn must(program: &str, arguments: &[&str]) -> String {
    command(program, arguments).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whether devices and filesystems may be made at all.
fn may_make() -> Result<(), String> {
    if !rustix::process::geteuid().is_root() {
        return Err("needs root".to_owned());
    }
    let control = File::options().read(true).write(true).open("/dev/loop-control");
    control.map(drop).map_err(|error| format!("needs loop devices: /dev/loop-control: {error}"))
}

/// A loop device; goes away again.
#[derive(Debug)]
pub struct Loop {
    pub device: String,
    pub image: PathBuf,
}

impl Loop {
    /// One on a new, sparse file in `folder`, through its page cache or past it.
    pub fn new(folder: &Path, name: &str, direct_io: bool, bytes: u64) -> Result<Self, String> {
        may_make()?;
        let image = folder.join(format!("{name}.img"));
        File::create(&image).and_then(|file| file.set_len(bytes)).map_err(|error| error.to_string())?;
        let direct_io = format!("--direct-io={}", if direct_io { "on" } else { "off" });
        let device = command("losetup", &["--find", "--show", &direct_io, text(&image)])?;
        Ok(Self { device, image })
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = command("losetup", &["--detach", &self.device]);
    }
}

/// A mounted filesystem; unmounted again.
#[derive(Debug)]
pub struct Mount {
    pub point: PathBuf,
}

impl Mount {
    /// Mounts `source` on a new folder.
    pub fn new(kind: &str, options: &str, source: &str, point: PathBuf) -> Result<Self, String> {
        fs::create_dir_all(&point).map_err(|error| error.to_string())?;
        command("mount", &["-t", kind, "-o", options, source, text(&point)])?;
        Ok(Self { point })
    }

    /// Makes a filesystem of this kind on a device, and mounts it.
    pub fn made(kind: &str, device: &str, point: PathBuf) -> Result<Self, String> {
        let program = format!("mkfs.{kind}");
        command(&program, &["-q", device])?;
        Self::new(kind, "rw", device, point)
    }

    pub fn text(&self) -> &str {
        text(&self.point)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = command("umount", &[text(&self.point)]);
    }
}

/// A filesystem on a loop device. The order of its members is the order in which they go.
#[derive(Debug)]
pub struct LoopMount {
    pub mount: Mount,
    pub device: Loop,
}

impl LoopMount {
    /// A filesystem of this kind on an image in `folder`.
    pub fn new(folder: &Path, name: &str, kind: &str, direct_io: bool) -> Result<Self, String> {
        let device = Loop::new(folder, name, direct_io, IMAGE_BYTES)?;
        let mount = Mount::made(kind, &device.device, folder.join(name))?;
        Ok(Self { mount, device })
    }
}

/// A device of device mapper; removed again.
#[derive(Debug)]
pub struct Mapped {
    pub name: String,
    pub device: String,
    sectors: u64,
    below: String,
}

impl Mapped {
    /// A device of one target over all of `below`. `options` follow the device and its offset.
    pub fn new(name: &str, target: &str, below: &str, options: &str) -> Result<Self, String> {
        let targets = command("dmsetup", &["targets"])?;
        if !targets.lines().any(|line| line.split_whitespace().next() == Some(target)) {
            return Err(format!("needs device mapper's target {target}"));
        }
        let sectors = must("blockdev", &["--getsz", below]).parse().map_err(|_| "no size".to_owned())?;
        let name = format!("fsyncmark-{name}-{}", std::process::id());
        let made = Self { device: format!("/dev/mapper/{name}"), name, sectors, below: below.to_owned() };
        let table = made.table(target, options);
        command("dmsetup", &["create", &made.name, "--table", &table])?;
        Ok(made)
    }

    fn table(&self, target: &str, options: &str) -> String {
        format!("0 {} {target} {} 0 {options}", self.sectors, self.below)
    }

    /// From now on another target: a drive that breaks while it is used.
    pub fn turn_into(&self, table: &str) {
        must("dmsetup", &["suspend", "--noflush", "--nolockfs", &self.name]);
        must("dmsetup", &["load", &self.name, "--table", &format!("0 {} {table}", self.sectors)]);
        must("dmsetup", &["resume", &self.name]);
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        let _ = command("dmsetup", &["remove", "--retry", &self.name]);
    }
}

/// A control group that throttles a disk, of version 1 or 2, whichever this system has.
#[derive(Debug)]
pub struct Group(PathBuf);

impl Group {
    /// One that lets this many bytes and operations be written a second.
    pub fn new(name: &str, disk: DeviceNumber, bytes_per_s: u64, ops_per_s: u64) -> Result<Self, String> {
        let number = format!("{}:{}", disk.major, disk.minor);
        let name = format!("fsyncmark-{name}-{}", std::process::id());
        let version_1 = Path::new("/sys/fs/cgroup/blkio");
        let is_version_1 = version_1.is_dir();
        let group = if is_version_1 { version_1 } else { Path::new("/sys/fs/cgroup") }.join(name);
        fs::create_dir(&group).map_err(|error| format!("needs control groups: {error}"))?;
        let made = Self(group);
        let set = |file: &str, limit: String| {
            fs::write(made.0.join(file), limit).map_err(|error| format!("needs the group's {file}: {error}"))
        };
        if is_version_1 {
            set("blkio.throttle.write_bps_device", format!("{number} {bytes_per_s}"))?;
            set("blkio.throttle.write_iops_device", format!("{number} {ops_per_s}"))?;
        } else {
            set("io.max", format!("{number} wbps={bytes_per_s} wiops={ops_per_s}"))?;
        }
        Ok(made)
    }

    /// A command that runs `command` inside the group, without its environment.
    pub fn inside(&self, command: &Command) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(self.0.join("cgroup.procs"));
        shell.arg(command.get_program()).args(command.get_args());
        shell
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}
