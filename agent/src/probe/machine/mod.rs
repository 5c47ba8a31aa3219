//! The machine itself: kernel, CPU, memory and clock source here, and in a file each:
//!
//! - `firmware`: who made it, and what do they call it?
//! - `provider`: which cloud is it, by its firmware?
//! - `virtualisation`: what runs it?
//! - `container`: in what container is this process?
//! - `control_groups`: how much of CPU, memory and disk may this process use?
//! - `cpu_time`: who had the CPUs since boot, and what did the hypervisor take?
//! - `activity_counters`: what goes on in the machine, counted since boot?

pub mod activity_counters;
pub mod container;
pub mod control_groups;
pub mod cpu_time;
pub mod firmware;
pub mod provider;
pub mod virtualisation;

use self::container::Container;
use self::firmware::Maker;
use self::provider::Provider;
use self::virtualisation::Virtualisation;
use super::tree::Tree;
use crate::text::{printable, printable_or_none};

/// Longest kernel version and clock source.
const SHORT_TEXT_LENGTH_MAX: usize = 64;
/// Longest CPU name.
const CPU_LENGTH_MAX: usize = 128;

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

/// The governor of the first CPU (`Documentation/admin-guide/pm/cpufreq.rst`).
fn governor(tree: &Tree) -> Option<&'static str> {
    const GOVERNORS: [&str; 6] =
        ["conservative", "ondemand", "performance", "powersave", "schedutil", "userspace"];
    let text = tree.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")?;
    GOVERNORS.into_iter().find(|known| *known == text.trim())
}

fn kernel_by_uname() -> String {
    let release = printable(&rustix::system::uname().release().to_string_lossy(), SHORT_TEXT_LENGTH_MAX);
    if release.is_empty() { "unknown".to_owned() } else { release }
}

/// The values of a key in a file of `key : value` lines.
fn values<'a>(text: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then_some(value.trim())
    })
}

fn cpu_count(cpuinfo: &str) -> u32 {
    let processors = u32::try_from(values(cpuinfo, "processor").count()).unwrap_or(0);
    let fallback =
        || std::thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(1));
    if processors > 0 { processors } else { fallback() }
}

fn cpu_model(cpuinfo: &str) -> Option<String> {
    let name = values(cpuinfo, "model name").next().map(str::to_owned).or_else(|| arm_name(cpuinfo))?;
    printable_or_none(&name, CPU_LENGTH_MAX)
}

/// 64-bit ARM states two numbers; these are the ones of servers and boards that people rent and own
/// (`MIDR_EL1`, named as in the kernel's `arch/arm64/include/asm/cputype.h`).
fn arm_name(cpuinfo: &str) -> Option<String> {
    const PARTS: [(&str, &str, &str); 14] = [
        ("0x41", "0xd03", "Cortex-A53"),
        ("0x41", "0xd05", "Cortex-A55"),
        ("0x41", "0xd07", "Cortex-A57"),
        ("0x41", "0xd08", "Cortex-A72"),
        ("0x41", "0xd0b", "Cortex-A76"),
        ("0x41", "0xd0c", "Neoverse-N1"),
        ("0x41", "0xd40", "Neoverse-V1"),
        ("0x41", "0xd41", "Cortex-A78"),
        ("0x41", "0xd49", "Neoverse-N2"),
        ("0x41", "0xd4f", "Neoverse-V2"),
        ("0x41", "0xd84", "Neoverse-V3"),
        ("0x41", "0xd8e", "Neoverse-N3"),
        ("0xc0", "0xac3", "Ampere-1"),
        ("0xc0", "0xac4", "Ampere-1A"),
    ];
    let implementer = values(cpuinfo, "CPU implementer").next()?;
    let part = values(cpuinfo, "CPU part").next()?;
    let name =
        PARTS.iter().find(|(i, p, _)| (*i, *p) == (implementer, part)).map(|(_, _, name)| (*name).to_owned());
    Some(name.unwrap_or_else(|| format!("implementer {implementer} part {part}")))
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
    fn an_arm_server_is_named_by_its_part_number() {
        let cpuinfo = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\nprocessor\t: 1\nSerial\t: 100000001234\n";
        assert_eq!(cpu_model(cpuinfo).as_deref(), Some("Neoverse-N1"));
        assert_eq!(cpu_count(cpuinfo), 2);
        let unknown = cpuinfo.replace("0xd0c", "0xfff");
        assert_eq!(cpu_model(&unknown).as_deref(), Some("implementer 0x41 part 0xfff"));
    }

    #[test]
    fn an_empty_system_has_a_cpu_all_the_same() {
        assert!(cpu_count("") >= 1);
        assert_eq!(cpu_model(""), None);
        assert_eq!(ram_bytes("MemTotal:       24684084 kB\n"), 24_684_084 * 1024);
        assert_eq!(ram_bytes(""), 0);
    }
}
