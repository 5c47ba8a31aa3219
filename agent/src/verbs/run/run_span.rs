//! The span of a run: when it began, how long it took, and what the hypervisor took of the CPUs meanwhile. It
//! begins when the plan is carried out: what a person was asked before, and a wait for a quiet machine, are
//! not in it.

use crate::probe::machine::cpu_time::{self, CpuTime};
use crate::probe::tree::Tree;
use crate::sys::clock::{self, Clock as _, Monotonic};
use crate::wire::payload::RunClock;

/// The begin of a run.
pub(super) struct RunBegin {
    wall_unix_us: u64,
    mono_ns: u64,
    boottime_ns: u64,
    cpu_time: Option<CpuTime>,
}

impl RunBegin {
    /// The run begins now, on the system of `tree`.
    pub fn now(tree: &Tree) -> Self {
        Self {
            wall_unix_us: clock::wall_unix_us(),
            mono_ns: Monotonic.now_ns(),
            boottime_ns: clock::boottime_ns(),
            cpu_time: cpu_time::read(tree),
        }
    }

    /// When it began and how long it has taken until now.
    pub fn clock(&self, source: &str, read_cost_ns: u64) -> RunClock {
        RunClock {
            wall_start_unix_us: self.wall_unix_us,
            mono_elapsed_ns: Monotonic.now_ns() - self.mono_ns,
            boottime_elapsed_ns: clock::boottime_ns() - self.boottime_ns,
            source: source.to_owned(),
            read_cost_ns,
        }
    }

    /// Thousandths of the CPUs' time that the hypervisor has taken until now; `None` where that cannot be
    /// seen.
    pub fn steal_permille(&self, tree: &Tree) -> Option<u32> {
        cpu_time::read(tree)?.stolen_permille_since(&self.cpu_time?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stolen_before_the_run_began_is_not_its_own() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("proc")).unwrap();
        let tree = Tree::at(dir.path());
        let count = |idle: u64, stolen: u64| {
            std::fs::write(dir.path().join("proc/stat"), format!("cpu  0 0 0 {idle} 0 0 0 {stolen} 0 0\n"))
                .unwrap();
        };
        // Half of the time was stolen before the run began, and a hundredth since.
        count(1_000, 1_000);
        let begin = RunBegin::now(&tree);
        assert_eq!(begin.steal_permille(&tree), None, "no time passed");
        count(1_990, 1_010);
        assert_eq!(begin.steal_permille(&tree), Some(10));
        std::fs::remove_file(dir.path().join("proc/stat")).unwrap();
        assert_eq!(begin.steal_permille(&tree), None);
    }
}
