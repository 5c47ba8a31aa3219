//! How much CPU time the hypervisor gave to other guests.

use crate::probe::tree::Tree;

/// Totals since boot over all CPUs, in the kernel's ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CpuTime {
    /// Ticks in which this system wanted to run and was not let.
    pub stolen: u64,
    /// All ticks, idle ones included.
    pub total: u64,
}

impl CpuTime {
    /// Thousandths of the CPUs' time that were stolen since an earlier reading; `None` when no tick passed.
    pub fn stolen_permille_since(&self, earlier: &Self) -> Option<u32> {
        let total = self.total.saturating_sub(earlier.total);
        let stolen = self.stolen.saturating_sub(earlier.stolen).min(total);
        u32::try_from(stolen.checked_mul(1000)?.checked_div(total)?).ok()
    }
}

/// Reads the first line of `/proc/stat`.
pub fn read(tree: &Tree) -> Option<CpuTime> {
    parse(tree.text("/proc/stat")?.lines().next()?)
}

/// `cpu user nice system idle iowait irq softirq steal guest guest_nice`; the guests' time is part of the
/// first two.
fn parse(line: &str) -> Option<CpuTime> {
    const STEAL: usize = 7;
    let ticks: Vec<u64> =
        line.strip_prefix("cpu ")?.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let total = ticks.iter().take(STEAL + 1).fold(0, |sum: u64, ticks| sum.saturating_add(*ticks));
    Some(CpuTime { stolen: *ticks.get(STEAL)?, total })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steal_is_the_eighth_number() {
        let earlier = parse("cpu  100 0 50 800 10 0 5 35 90 0").unwrap();
        assert_eq!(earlier, CpuTime { stolen: 35, total: 1000 });
        let later = parse("cpu  200 0 100 1600 20 0 10 120 190 0").unwrap();
        assert_eq!(later.stolen_permille_since(&earlier), Some(80));
        assert_eq!(earlier.stolen_permille_since(&earlier), None, "no time passed");
        assert_eq!(earlier.stolen_permille_since(&later), None, "counters went back");
    }

    #[test]
    fn what_is_not_such_a_line_is_nothing() {
        for line in ["", "cpu", "cpu 1 2 3", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3 4 5 6 7 -8"] {
            assert_eq!(parse(line), None, "{line}");
        }
        let huge = u64::MAX.to_string();
        assert!(parse(&format!("cpu {huge} {huge} 0 0 0 0 0 {huge}")).is_some());
    }
}
