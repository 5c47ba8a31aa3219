//! The CPU: what it is called, how many there are, and who sets its frequency.

use crate::probe::tree::Tree;
use crate::text::printable_or_none;

/// Longest CPU name.
const CPU_LENGTH_MAX: usize = 128;

/// The governor of the first CPU (`Documentation/admin-guide/pm/cpufreq.rst`).
pub(super) fn governor(tree: &Tree) -> Option<&'static str> {
    const GOVERNORS: [&str; 6] =
        ["conservative", "ondemand", "performance", "powersave", "schedutil", "userspace"];
    let text = tree.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")?;
    GOVERNORS.into_iter().find(|known| *known == text.trim())
}

/// The values of a key in a file of `key : value` lines, such as `/proc/cpuinfo`.
pub(super) fn values<'a>(text: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then_some(value.trim())
    })
}

/// CPUs online.
pub(super) fn cpu_count(cpuinfo: &str) -> u32 {
    let processors = u32::try_from(values(cpuinfo, "processor").count()).unwrap_or(0);
    let fallback =
        || std::thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(1));
    if processors > 0 { processors } else { fallback() }
}

/// The name of the first CPU.
pub(super) fn cpu_model(cpuinfo: &str) -> Option<String> {
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
    }
}
