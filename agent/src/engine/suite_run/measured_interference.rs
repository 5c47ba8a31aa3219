//! Measures what else went on during a pass: the counters of the machine are read before and after it.

use crate::disk::test_site::TestSite;
use crate::engine::pass::PassOutcome;
use crate::probe::machine::activity_counters::Activity;
use crate::sys::clock;
use crate::wire::interference::Interference;

/// The counters at a moment before or after a pass.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// The counters of the machine.
    pub activity: Activity,
    /// CPU time of this process so far.
    pub cpu_ns: u64,
}

impl Moment {
    /// Reads them now.
    pub fn now<S: TestSite>(site: &mut S) -> Self {
        Self { activity: site.activity(), cpu_ns: clock::process_cpu_ns() }
    }
}

/// What else went on during a pass; `None` where nothing can be seen.
pub fn interference(pass: &PassOutcome, before: &Moment, after: &Moment) -> Option<Interference> {
    let seen = Interference {
        run_queue_ns: pass.threads.run_queue_ns,
        cpu_mhz: pass.threads.cpu_mhz,
        ..after.activity.since(&before.activity)
    };
    (seen != Interference::default()).then_some(seen)
}
