//! The machine as a whole: kernel, memory and clock source, and what the other files find out of it.

use super::container::{self, Container};
use super::cpu::{cpu_count, cpu_model, governor, values};
use super::firmware::{self, Maker};
use super::provider::{self, Provider};
use super::virtualisation::{self, Virtualisation};
use crate::probe::tree::Tree;
use crate::text::{printable, printable_or_none};

/// Longest kernel version and clock source.
const SHORT_TEXT_LENGTH_MAX: usize = 64;
/// The machine, without anything that identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Kernel release.
    pub kernel: String,
    /// The CPU's name.
    pub cpu_model: Option<String>,
    /// CPUs online.
    pub cpu_count: u32,
    /// Memory.
    pub ram_bytes: u64,
    /// What this system runs on.
    pub virtualisation: Virtualisation,
    /// Who made it, which in a cloud is the cloud.
    pub maker: Maker,
    /// The cloud, if the firmware names one.
    pub provider: Option<Provider>,
    /// The container that this process runs in.
    pub container: Option<Container>,
    /// The CPU frequency governor; `None` where it cannot be seen, as in most clouds.
    pub governor: Option<&'static str>,
    /// The kernel's clock source.
    pub clock_source: String,
}

impl Machine {
    /// The name of the cloud, if the firmware names one.
    pub fn provider_name(&self) -> Option<&'static str> {
        self.provider.as_ref().map(|provider| provider.name)
    }
}

/// Reads all of it.
pub fn probe(tree: &Tree, hypervisor_signature: Option<&str>) -> Machine {
    let cpuinfo = tree.text("/proc/cpuinfo").unwrap_or_default();
    let short = |path: &str| tree.text(path).and_then(|text| printable_or_none(&text, SHORT_TEXT_LENGTH_MAX));
    Machine {
        kernel: short("/proc/sys/kernel/osrelease").unwrap_or_else(kernel_by_uname),
        cpu_model: cpu_model(&cpuinfo),
        cpu_count: cpu_count(&cpuinfo),
        ram_bytes: ram_bytes(&tree.text("/proc/meminfo").unwrap_or_default()),
        virtualisation: virtualisation::probe(tree, hypervisor_signature),
        maker: firmware::maker(tree),
        provider: provider::probe(tree),
        container: container::probe(tree),
        governor: governor(tree),
        clock_source: short("/sys/devices/system/clocksource/clocksource0/current_clocksource")
            .unwrap_or_else(|| "unknown".to_owned()),
    }
}

fn kernel_by_uname() -> String {
    let release = printable(&rustix::system::uname().release().to_string_lossy(), SHORT_TEXT_LENGTH_MAX);
    if release.is_empty() { "unknown".to_owned() } else { release }
}

fn ram_bytes(meminfo: &str) -> u64 {
    let kib = values(meminfo, "MemTotal")
        .next()
        .and_then(|value| value.strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0).saturating_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_stated_in_kibibytes() {
        assert_eq!(ram_bytes("MemTotal:       24684084 kB\n"), 24_684_084 * 1024);
        assert_eq!(ram_bytes(""), 0);
    }
}
