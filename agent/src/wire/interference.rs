//! Interference, as a result stores it: what else went on while a pass ran. It is the devices' whole traffic,
//! the CPU time of other programs, and the time for which the agent had to wait. Whether it disturbed the
//! pass is not stored: whoever reads the result judges that.

use serde::{Deserialize, Serialize};

/// What else went on during one pass; `None` for what this system does not say, which is not the same as
/// quiet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interference {
    /// What the devices below the filesystem did, for any program.
    pub device: Option<DeviceTraffic>,
    /// CPU time of other programs, over all CPUs. The kernel's own threads, which work for the agent too, are
    /// not in it.
    pub other_cpu_ns: Option<u64>,
    /// Time that the hypervisor gave to other guests, over all CPUs.
    pub steal_ns: Option<u64>,
    /// Time for which threads of the agent were ready and had no CPU, over all of them and with their
    /// warm-up.
    pub run_queue_ns: Option<u64>,
    /// Time for which the agent's control group was stopped at its CPU limit.
    pub throttled_ns: Option<u64>,
    /// Pressure stall information of the whole system.
    pub pressure: Option<Pressure>,
    /// The same of the agent's control group.
    pub own_pressure: Option<Pressure>,
    /// Frequency of the slowest CPU on which a writer ended, in MHz.
    pub cpu_mhz: Option<u32>,
}

/// Traffic of block devices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the names say it
pub struct DeviceTraffic {
    pub reads: u64,
    pub writes: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
}

/// Time for which at least one task waited for each resource (`Documentation/accounting/psi.rst`, the lines
/// `some`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Pressure {
    pub cpu_ns: u64,
    pub io_ns: u64,
    pub memory_ns: u64,
}
