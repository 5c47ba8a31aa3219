//! Waits until other programs leave the machine alone, because what they do while a pass runs changes its
//! figures.

use std::time::{Duration, Instant};

use crate::analysis::disturbance::is_idle;
use crate::probe::Facts;
use crate::probe::machine::activity_counters::{Activity, ActivityReader};
use crate::probe::tree::Tree;
use crate::report::terminal::Terminal;
use crate::sys::clock::{Clock as _, Monotonic};

/// How long each look at the machine lasts: long enough for the ticks in which the kernel counts CPU time.
const LOOK: Duration = Duration::from_secs(1);
/// How long to wait on a terminal, where somebody can end it.
const USUAL_WAIT_S: u64 = 15;

/// For how many seconds to wait: as many as the person said; else a few on a terminal, and none elsewhere.
pub(super) fn wait_s(told: Option<u64>, is_watched: bool) -> u64 {
    told.unwrap_or(if is_watched { USUAL_WAIT_S } else { 0 })
}

/// Waits until a look finds nothing that would disturb a pass, `wait_s` seconds at most.
pub(super) fn wait_for_quiet(terminal: &Terminal, facts: &Facts, wait_s: u64) {
    if wait_s == 0 {
        return;
    }
    let reader = ActivityReader::new(Tree::live(), facts.storage.disks.clone(), None);
    let end = Instant::now() + Duration::from_secs(wait_s);
    let mut was_said = false;
    loop {
        if is_idle_now(&reader, facts.machine.cpu_count) {
            return;
        }
        if Instant::now() >= end {
            terminal.say("  Others still use the machine: passes that they disturb are run again where that is possible, and marked.");
            return;
        }
        if !was_said {
            terminal.say(&format!(
                "  Other programs use the machine: waiting up to {wait_s} s until they stop (--wait-quiet=0 does not)."
            ));
            was_said = true;
        }
    }
}

/// Whether the machine is idle for the length of a look.
fn is_idle_now(reader: &ActivityReader, cpus: u32) -> bool {
    let (began_ns, before): (u64, Activity) = (Monotonic.now_ns(), reader.read());
    std::thread::sleep(LOOK);
    let seen = reader.read().since(&before);
    is_idle(&seen, cpus, Monotonic.now_ns() - began_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_watches_waits_unasked() {
        assert_eq!((wait_s(None, true), wait_s(None, false)), (USUAL_WAIT_S, 0));
        assert_eq!((wait_s(Some(0), true), wait_s(Some(600), false)), (0, 600));
    }
}
