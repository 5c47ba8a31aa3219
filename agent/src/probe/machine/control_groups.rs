//! The limits that control groups set to this process. In a container with limits, a run measures the
//! container's share of a disk, and not the disk.
//!
//! Version 2 (`Documentation/admin-guide/cgroup-v2.rst`) has one tree, in which every group above counts.
//! Version 1 has a tree for each controller; there, a limit on I/O counts only for the group itself.

use std::path::{Path, PathBuf};

use crate::probe::storage::block_device::{DeviceNumber, parse_device_number};
use crate::probe::storage::mounts::{self, Mount};
use crate::probe::tree::{Tree, read_attribute};
pub use crate::wire::payload::Limits;

/// Bounds of the wire format.
const RATE_MAX: u64 = 1 << 50;
const CPU_MILLI_MAX: u64 = 65_536_000;
const WEIGHT_MAX: u64 = 10_000;
/// Version 1 states "no limit" as the largest number of whole pages; no machine has so much memory.
const MEMORY_BYTES_MAX: u64 = 1 << 50;
/// The most groups above one another that are looked at.
const GROUPS_MAX: usize = 64;

/// Reads the limits that hold for this process on `devices`.
pub fn probe(tree: &Tree, devices: &[DeviceNumber]) -> Limits {
    let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
    let text = tree.text("/proc/self/cgroup").unwrap_or_default();
    let mut limits = Limits::default();
    for (controllers, path) in text.lines().filter_map(membership) {
        let groups = groups(tree, &mounts, controllers, path);
        for (above, group) in groups.iter().enumerate() {
            if controllers.is_empty() {
                version_2(group, devices, &mut limits);
                continue;
            }
            for controller in controllers.split(',') {
                version_1(controller, group, devices, above > 0, &mut limits);
            }
        }
    }
    limits
}

/// The groups of this process in which the kernel counts how long it had to wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnGroups {
    /// The group of version 2.
    pub version_2: Option<PathBuf>,
    /// The group of version 1's controller `cpu`.
    cpu_version_1: Option<PathBuf>,
}

impl OwnGroups {
    /// For how long the process was stopped at the group's CPU limit.
    pub fn throttled_ns(&self) -> Option<u64> {
        let stated = |group: &Option<PathBuf>, name: &str| {
            let text = read_attribute(&group.as_ref()?.join("cpu.stat"))?;
            text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok())
        };
        let version_2 = stated(&self.version_2, "throttled_usec ").and_then(|us| us.checked_mul(1_000));
        version_2.or_else(|| stated(&self.cpu_version_1, "throttled_time "))
    }
}

/// Finds the groups of this process.
pub fn own_groups(tree: &Tree) -> OwnGroups {
    let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
    let mut found = OwnGroups::default();
    for (controllers, path) in
        tree.text("/proc/self/cgroup").unwrap_or_default().lines().filter_map(membership)
    {
        let own = || groups(tree, &mounts, controllers, path).into_iter().next();
        if controllers.is_empty() {
            found.version_2 = own();
        } else if controllers.split(',').any(|controller| controller == "cpu") {
            found.cpu_version_1 = own();
        }
    }
    found
}

/// `4:cpu,cpuacct:/path` names controllers; `0::/path` is version 2.
fn membership(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once(':')?;
    rest.split_once(':')
}

/// The folders of the group and of those above it, as far as they are mounted here: in a container the
/// mount begins at the container's own group, and the path may be stated from either root.
fn groups(tree: &Tree, mounts: &[Mount], controllers: &str, path: &str) -> Vec<PathBuf> {
    let first = controllers.split(',').next().unwrap_or_default();
    let is_ours = |mount: &&Mount| {
        let is_version_1 = mount.name == "cgroup" && mount.options.iter().any(|option| option == first);
        if controllers.is_empty() { mount.name == "cgroup2" } else { is_version_1 }
    };
    let Some(mount) = mounts.iter().rfind(is_ours) else { return Vec::new() };
    let Some(top) = mount.point.to_str().and_then(|point| tree.folder(point)) else { return Vec::new() };
    let path = Path::new(path);
    let inside = path.strip_prefix(&mount.root).or_else(|_| path.strip_prefix("/")).unwrap_or(Path::new(""));
    let own = top.join(inside).canonicalize().ok().filter(|own| own.starts_with(&top));
    let own = own.unwrap_or_else(|| top.clone());
    own.ancestors().take_while(|group| group.starts_with(&top)).take(GROUPS_MAX).map(Path::to_owned).collect()
}

fn tighten(limit: &mut Option<u64>, candidate: Option<u64>, max: u64) {
    if let Some(candidate) = candidate.filter(|&candidate| candidate <= max) {
        *limit = Some(limit.map_or(candidate, |limit| limit.min(candidate)));
    }
}

fn version_2(group: &Path, devices: &[DeviceNumber], limits: &mut Limits) {
    let text = |name: &str| read_attribute(&group.join(name)).unwrap_or_default();
    let (quota, period) = text("cpu.max")
        .split_once(' ')
        .map_or((None, None), |(quota, period)| (quota.parse().ok(), period.trim().parse().ok()));
    tighten(&mut limits.cpu_milli, milli(quota, period), CPU_MILLI_MAX);
    tighten(&mut limits.memory_bytes, text("memory.max").parse().ok(), MEMORY_BYTES_MAX);
    if limits.io_weight.is_none() {
        limits.io_weight =
            weight(&text("io.weight"), devices).filter(|weight| (1..=WEIGHT_MAX).contains(weight));
    }
    for line in text("io.max").lines().filter_map(|line| of_devices(line, devices)) {
        let value = |name: &str| line.split(' ').find_map(|pair| pair.strip_prefix(name)?.parse().ok());
        tighten(&mut limits.read_bytes_per_s, value("rbps="), RATE_MAX);
        tighten(&mut limits.write_bytes_per_s, value("wbps="), RATE_MAX);
        tighten(&mut limits.read_ops_per_s, value("riops="), RATE_MAX);
        tighten(&mut limits.write_ops_per_s, value("wiops="), RATE_MAX);
    }
}

fn version_1(controller: &str, group: &Path, devices: &[DeviceNumber], is_above: bool, limits: &mut Limits) {
    let text = |name: &str| read_attribute(&group.join(name)).unwrap_or_default();
    let number = |name: &str| text(name).parse::<u64>().ok();
    match controller {
        "cpu" => {
            let candidate = milli(number("cpu.cfs_quota_us"), number("cpu.cfs_period_us"));
            tighten(&mut limits.cpu_milli, candidate, CPU_MILLI_MAX);
        }
        "memory" => {
            tighten(&mut limits.memory_bytes, number("memory.limit_in_bytes"), MEMORY_BYTES_MAX);
        }
        "blkio" if !is_above => {
            let throttle = |name: &str| {
                let text = text(&format!("blkio.throttle.{name}_device"));
                let rates = text.lines().filter_map(|line| of_devices(line, devices)?.parse().ok());
                rates.min()
            };
            tighten(&mut limits.read_bytes_per_s, throttle("read_bps"), RATE_MAX);
            tighten(&mut limits.write_bytes_per_s, throttle("write_bps"), RATE_MAX);
            tighten(&mut limits.read_ops_per_s, throttle("read_iops"), RATE_MAX);
            tighten(&mut limits.write_ops_per_s, throttle("write_iops"), RATE_MAX);
        }
        _ => {}
    }
}

/// CPU time `quota` in each `period`, both in microseconds, as thousandths of a CPU.
fn milli(quota: Option<u64>, period: Option<u64>) -> Option<u64> {
    quota?.checked_mul(1000)?.checked_div(period?)
}

/// What a line `8:0 REST` says, if it is about one of these devices.
fn of_devices<'a>(line: &'a str, devices: &[DeviceNumber]) -> Option<&'a str> {
    let (number, rest) = line.trim().split_once(' ')?;
    parse_device_number(number).filter(|number| devices.contains(number)).map(|_| rest.trim())
}

/// `default 100`, then lines for single devices.
fn weight(text: &str, devices: &[DeviceNumber]) -> Option<u64> {
    let own = text.lines().find_map(|line| of_devices(line, devices)?.parse().ok());
    own.or_else(|| text.lines().find_map(|line| line.strip_prefix("default ")?.trim().parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISK: [DeviceNumber; 1] = [DeviceNumber { major: 259, minor: 0 }];

    #[test]
    fn only_lines_of_our_devices_count() {
        assert_eq!(of_devices("259:0 rbps=max", &DISK), Some("rbps=max"));
        assert_eq!(of_devices("8:0 1048576", &DISK), None);
        assert_eq!(of_devices("259:0", &DISK), None);
        assert_eq!(weight("default 100\n259:0 40", &DISK), Some(40));
        assert_eq!(weight("default 100\n8:0 40", &DISK), Some(100));
        assert_eq!(weight("", &DISK), None);
    }

    #[test]
    fn quotas_that_are_none_or_nonsense_are_no_limits() {
        assert_eq!(milli(Some(150_000), Some(100_000)), Some(1500));
        assert_eq!(milli(None, Some(100_000)), None, "max, or -1");
        assert_eq!(milli(Some(1), Some(0)), None);
        assert_eq!(milli(Some(u64::MAX), Some(1)), None);
        let mut limit = None;
        tighten(&mut limit, Some(RATE_MAX + 1), RATE_MAX);
        assert_eq!(limit, None);
        tighten(&mut limit, Some(7), RATE_MAX);
        tighten(&mut limit, Some(9), RATE_MAX);
        assert_eq!(limit, Some(7));
    }

    #[test]
    fn a_line_names_controllers_and_a_path() {
        assert_eq!(membership("4:cpu,cpuacct:/a:b"), Some(("cpu,cpuacct", "/a:b")));
        assert_eq!(membership("0::/user.slice"), Some(("", "/user.slice")));
        assert_eq!(membership("junk"), None);
    }
}
