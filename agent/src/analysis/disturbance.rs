//! Judges whether other programs disturbed a pass, by the interference that was measured while it ran.
//!
//! The bytes of others are those that the devices moved beyond what our own pass can have made them move,
//! which is known for each filesystem that was measured (`own_traffic` of `judgement.v1.json`). Pressure,
//! stolen time and throttling are not judged: syncs cause pressure themselves, and the other two belong to
//! the machine that is measured.

use std::fmt;

use crate::plan::workload::{Durability, FileState, PageCache, WorkloadDefinition};
use crate::sys::io_request::SyncCall;
use crate::units;
use crate::wire::interference::Interference;
use crate::wire::judgement::interference::{
    CPU_SHARE_MILLI_MAX, DEVICE_BYTES_PER_S_MAX, DEVICE_SHARE_MILLI_MAX, OTHER_CPU_NS_MIN,
    PASS_THROUGH_LAYERS, TIMESTAMPS_PER_S_MAX,
};
use crate::wire::judgement::{FilesystemTraffic, OWN_TRAFFIC};

/// The layer that writes everything to each of its members.
const MIRROR: &str = "md-raid1";
/// A filesystem that hands everything to the one below it.
const OVERLAY: &str = "overlay";
/// The mount option by which ext3 and ext4 write data twice.
const DATA_JOURNAL: &str = "data=journal";

/// What has to be known of a machine to tell what others did there from what a pass did itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bystanders {
    cpus: u32,
    drives: u64,
    /// What the devices have to do for a pass itself; `None` where nobody knows.
    own_traffic: Option<OwnTraffic>,
}

/// What the devices have to do for a pass itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OwnTraffic {
    filesystem: FilesystemTraffic,
    /// How often each byte is written.
    copies: u64,
}

impl OwnTraffic {
    /// What is known of a filesystem on these layers, above drives of these classes; `None` for a filesystem
    /// that nobody has measured and for a layer that may write more than it is given.
    fn below(layers: &[String], mount_flags: &[String], classes: &[&str]) -> Option<Self> {
        let mut layers = layers.iter().map(String::as_str).skip_while(|layer| *layer == OVERLAY);
        let name = layers.next()?;
        let filesystem = *OWN_TRAFFIC.iter().find(|row| row.filesystem == name)?;
        if mount_flags.iter().any(|flag| flag == DATA_JOURNAL) {
            return None;
        }
        let mut copies = 1;
        for layer in layers {
            if layer == MIRROR {
                copies = classes.len() as u64;
            } else if !PASS_THROUGH_LAYERS.contains(&layer) && !classes.contains(&layer) {
                return None;
            }
        }
        Some(Self { filesystem, copies })
    }

    /// The most bytes that a pass of ours makes the devices move.
    fn bytes_max(&self, workload: &WorkloadDefinition, pass: PassTotals) -> u64 {
        let PassTotals { operations, bytes, elapsed_ns } = pass;
        let row = &self.filesystem;
        let timestamps = operations.min(timestamps_max(elapsed_ns));
        let beside = match (workload.file_state, workload.durability) {
            (FileState::Growing | FileState::Fallocated, _) => operations.saturating_mul(row.new_block_bytes),
            (FileState::Overwritten, Durability::Call(SyncCall::Fsync)) => timestamps * row.fsync_bytes,
            (FileState::Overwritten, _) => timestamps * row.timestamp_bytes,
        };
        // What was in flight when the warm-up ended is finished within the pass.
        let in_flight = u64::from(workload.writers) * u64::from(workload.queue_depth);
        let bytes = bytes.saturating_add(in_flight * workload.operation_bytes());
        let is_concurrent = in_flight > 1 && workload.page_cache == PageCache::Through;
        let concurrent = if is_concurrent { operations.saturating_mul(row.concurrent_bytes) } else { 0 };
        bytes.saturating_add(beside).saturating_add(concurrent).saturating_mul(self.copies)
    }
}

/// How often a file's time of change moves within a pass at most.
fn timestamps_max(elapsed_ns: u64) -> u64 {
    let moved = u128::from(elapsed_ns) * u128::from(TIMESTAMPS_PER_S_MAX) / 1_000_000_000;
    u64::try_from(moved).unwrap_or(u64::MAX) + 1
}

/// What other programs had of a pass, in thousandths; `None` where that cannot be seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OthersShare {
    /// Of what the devices read and wrote.
    pub device_milli: Option<u64>,
    /// Of the time of all CPUs.
    pub cpu_milli: Option<u64>,
}

impl OthersShare {
    /// Whether they used the devices enough to change the figures.
    pub fn disturbs_device(&self) -> bool {
        self.device_milli.is_some_and(|milli| milli > DEVICE_SHARE_MILLI_MAX)
    }

    /// Whether they used the CPUs enough to change the figures.
    pub fn disturbs_cpu(&self) -> bool {
        self.cpu_milli.is_some_and(|milli| milli > CPU_SHARE_MILLI_MAX)
    }

    /// Whether they did either.
    pub fn disturbs(&self) -> bool {
        self.disturbs_device() || self.disturbs_cpu()
    }
}

/// For people, only the shares that disturb: `97 % of the disk, 12 % of the CPUs`.
impl fmt::Display for OthersShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = self.device_milli.filter(|_| self.disturbs_device());
        let cpu = self.cpu_milli.filter(|_| self.disturbs_cpu());
        if let Some(milli) = device {
            write!(f, "{} of the disk", units::percent_of_milli(milli))?;
        }
        if device.is_some() && cpu.is_some() {
            f.write_str(", ")?;
        }
        if let Some(milli) = cpu {
            write!(f, "{} of the CPUs", units::percent_of_milli(milli))?;
        }
        Ok(())
    }
}

/// How much a pass did, and in what time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassTotals {
    /// Operations finished.
    pub operations: u64,
    /// Bytes written and read by them.
    pub bytes: u64,
    /// Time of the pass.
    pub elapsed_ns: u64,
}

impl Bystanders {
    /// For a machine with so many CPUs, and a filesystem on these layers above drives of these classes.
    pub fn on(cpus: u32, layers: &[String], mount_flags: &[String], classes: &[&str]) -> Self {
        let own_traffic = OwnTraffic::below(layers, mount_flags, classes);
        Self { cpus, drives: classes.len() as u64, own_traffic }
    }

    /// How many times the devices may have to write each byte: as often as these layers do, where that is
    /// known. Elsewhere once on each drive, because what lies between may be a mirror.
    pub fn copies_max(&self) -> u64 {
        self.own_traffic.map_or(self.drives, |own_traffic| own_traffic.copies).max(1)
    }

    /// What others had of a pass of this workload.
    pub fn share_of_others(
        &self,
        workload: &WorkloadDefinition,
        pass: PassTotals,
        seen: &Interference,
    ) -> OthersShare {
        OthersShare {
            device_milli: self.device_share(workload, pass, seen),
            cpu_milli: self.cpu_share(pass, seen),
        }
    }

    /// The share of the devices' traffic. It counts as none below the rate that a system's own log reaches.
    fn device_share(
        &self,
        workload: &WorkloadDefinition,
        pass: PassTotals,
        seen: &Interference,
    ) -> Option<u64> {
        let device = seen.device?;
        let moved = device.bytes_read.saturating_add(device.bytes_written);
        let own = self.own_traffic?.bytes_max(workload, pass);
        let others = moved.saturating_sub(own);
        if per_s(others, pass.elapsed_ns)? <= u128::from(DEVICE_BYTES_PER_S_MAX) {
            return Some(0);
        }
        milli(others.into(), moved.into())
    }

    fn cpu_share(&self, pass: PassTotals, seen: &Interference) -> Option<u64> {
        cpu_milli(seen.other_cpu_ns?, pass.elapsed_ns, self.cpus)
    }
}

/// Whether others did so little in this time, in which the agent did nothing, that no pass would have been
/// disturbed.
pub fn is_idle(seen: &Interference, cpus: u32, elapsed_ns: u64) -> bool {
    let moved = seen.device.map_or(0, |device| device.bytes_read.saturating_add(device.bytes_written));
    let is_still = per_s(moved, elapsed_ns).is_some_and(|per_s| per_s <= u128::from(DEVICE_BYTES_PER_S_MAX));
    let cpu_milli = seen.other_cpu_ns.and_then(|ns| cpu_milli(ns, elapsed_ns, cpus));
    is_still && !OthersShare { device_milli: None, cpu_milli }.disturbs_cpu()
}

fn per_s(bytes: u64, elapsed_ns: u64) -> Option<u128> {
    (u128::from(bytes) * 1_000_000_000).checked_div(elapsed_ns.into())
}

/// The share of the CPUs' time. It counts as none below the error of the kernel's counting.
fn cpu_milli(others_ns: u64, elapsed_ns: u64, cpus: u32) -> Option<u64> {
    let others_ns = if others_ns < OTHER_CPU_NS_MIN { 0 } else { others_ns };
    milli(others_ns.into(), u128::from(elapsed_ns) * u128::from(cpus))
}

/// A part in thousandths of the whole, at most all of it.
fn milli(part: u128, whole: u128) -> Option<u64> {
    let milli = (part * 1_000).checked_div(whole)?;
    u64::try_from(milli.min(1_000)).ok()
}
