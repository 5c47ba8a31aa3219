//! Counters of what goes on in the machine. What went on in a time, such as a pass, is the difference of two
//! readings.

use std::path::{Path, PathBuf};

use super::control_groups::{self, OwnGroups};
use super::cpu_time::{self, CpuUse};
use crate::probe::storage::block_device::DeviceNumber;
use crate::probe::storage::diskstats::{self, Counters};
use crate::probe::storage::intent_log::IntentLog;
use crate::probe::tree::{Tree, read_attribute};
use crate::wire::interference::{DeviceTraffic, Interference, Pressure};

/// Reads the counters of one system.
#[derive(Debug, Clone)]
pub struct ActivityReader {
    tree: Tree,
    disks: Vec<DeviceNumber>,
    intent_log: Option<IntentLog>,
    groups: OwnGroups,
    pressure_files: Option<PathBuf>,
}

/// One reading: totals since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Activity {
    /// What the devices did.
    pub device: Option<Counters>,
    /// Flushes that they finished, which are counted even where nothing else is.
    pub flushes: Option<u64>,
    /// Commits of ZFS' intent log.
    pub intent_log_commits: Option<u64>,
    /// Who had the CPUs.
    pub cpu: Option<CpuUse>,
    /// For how long this process was stopped at its CPU limit.
    pub throttled_ns: Option<u64>,
    /// For how long tasks of the system had to wait for each resource.
    pub pressure: Option<Pressure>,
    /// The same for the tasks of this process' control group.
    pub own_pressure: Option<Pressure>,
}

impl ActivityReader {
    /// A reader of the system of `tree`, of these whole disks and of this intent log.
    pub fn new(tree: Tree, disks: Vec<DeviceNumber>, intent_log: Option<IntentLog>) -> Self {
        let (groups, pressure_files) = (control_groups::own_groups(&tree), tree.folder("/proc/pressure"));
        Self { tree, disks, intent_log, groups, pressure_files }
    }

    /// Reads all counters once.
    pub fn read(&self) -> Activity {
        let pressure = |folder: &Option<PathBuf>, suffix| pressure(folder.as_deref()?, suffix);
        let device = diskstats::read(&self.tree, &self.disks);
        Activity {
            device,
            flushes: device.and_then(|counters| counters.flushes),
            intent_log_commits: self.intent_log.as_ref().and_then(|log| log.commits(&self.tree)),
            cpu: cpu_time::read_use(&self.tree),
            throttled_ns: self.groups.throttled_ns(),
            pressure: pressure(&self.pressure_files, ""),
            own_pressure: pressure(&self.groups.version_2, ".pressure"),
        }
    }
}

impl Activity {
    /// What went on since an earlier reading. The waiting of the writers' threads is not in it: each thread
    /// can only read its own.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Interference {
        Interference {
            device: self.device.zip(earlier.device).map(|(now, then)| traffic(&now.since(&then))),
            other_cpu_ns: self.cpu.zip(earlier.cpu).and_then(|(now, then)| now.others_ns_since(&then)),
            steal_ns: self.cpu.zip(earlier.cpu).map(|(now, then)| now.stolen_ns_since(&then)),
            run_queue_ns: None,
            throttled_ns: self.throttled_ns.zip(earlier.throttled_ns).map(|(a, b)| a.saturating_sub(b)),
            pressure: self.pressure.zip(earlier.pressure).map(|(now, then)| rise(&now, &then)),
            own_pressure: self.own_pressure.zip(earlier.own_pressure).map(|(now, then)| rise(&now, &then)),
            cpu_mhz: None,
        }
    }
}

const fn traffic(counters: &Counters) -> DeviceTraffic {
    DeviceTraffic {
        reads: counters.reads,
        writes: counters.writes,
        bytes_read: counters.bytes_read,
        bytes_written: counters.bytes_written,
    }
}

const fn rise(now: &Pressure, then: &Pressure) -> Pressure {
    Pressure {
        cpu_ns: now.cpu_ns.saturating_sub(then.cpu_ns),
        io_ns: now.io_ns.saturating_sub(then.io_ns),
        memory_ns: now.memory_ns.saturating_sub(then.memory_ns),
    }
}

/// The files `cpu`, `io` and `memory` of a folder, with a suffix in control groups.
fn pressure(folder: &Path, suffix: &str) -> Option<Pressure> {
    let total = |name: &str| some_total_ns(&read_attribute(&folder.join(format!("{name}{suffix}")))?);
    Some(Pressure { cpu_ns: total("cpu")?, io_ns: total("io")?, memory_ns: total("memory")? })
}

/// `some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS`
fn some_total_ns(text: &str) -> Option<u64> {
    let some = text.lines().find(|line| line.starts_with("some "))?;
    let total = some.split(' ').find_map(|field| field.strip_prefix("total="))?;
    total.parse::<u64>().ok()?.checked_mul(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_of_some_is_what_counts() {
        let text = "some avg10=1.00 avg60=0.00 avg300=0.00 total=2753\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9";
        assert_eq!(some_total_ns(text), Some(2_753_000));
        assert_eq!(some_total_ns("full avg10=0.00 total=9"), None);
        assert_eq!(some_total_ns("some total=x"), None);
    }

    #[test]
    fn what_one_reading_does_not_know_stays_unknown() {
        let known =
            Activity { throttled_ns: Some(7), device: Some(Counters::default()), ..Activity::default() };
        assert_eq!(known.since(&Activity::default()), Interference::default());
        let later = Activity { throttled_ns: Some(9), ..known };
        assert_eq!(later.since(&known).throttled_ns, Some(2));
        assert_eq!(later.since(&known).device, Some(DeviceTraffic::default()));
    }
}
