//! Notes on single workloads, in a sentence each: that others disturbed it, where a cache ended, whether it
//! became steady, how much time went by in stalls, and which rate keeps a limit of latency.

use crate::analysis::disturbance::OthersShare;
use crate::analysis::stall::{self, STALL_MEDIANS};
use crate::analysis::steady::{self, WINDOW_ROUNDS};
use crate::analysis::{cliff, disturbed_workloads, figures, slo};
use crate::plan::judged_ids::STEADY;
use crate::plan::workload::WorkloadDefinition;
use crate::plan::workload::slo::{SEARCHES, TRIALS};
use crate::plan::workload_groups::{self, Group};
use crate::units;
use crate::wire::payload::Run;
use crate::wire::workload::Workload;

/// The share of time in stalls, in thousandths, from which a user notices them.
const STALL_MILLI_MIN: u64 = 100;

/// All notes, each with its workload.
pub fn notes_on_workloads(run: &Run) -> Vec<(&Workload, String)> {
    run.workloads.iter().filter_map(|workload| Some((workload, note_on(run, workload)?))).collect()
}

/// Where others disturbed a workload whose figure stands in large: what to know first, and why.
pub fn not_the_disks(run: &Run, workload: &Workload) -> Option<(&'static str, String)> {
    let others = disturbing_share(run, workload)?;
    Some(("This is not the disk's figure:", format!("other programs had {others} during a pass.")))
}

fn disturbing_share(run: &Run, workload: &Workload) -> Option<OthersShare> {
    disturbed_workloads::share_of_others(run, workload).filter(OthersShare::disturbs)
}

fn note_on(run: &Run, workload: &Workload) -> Option<String> {
    disturbing_share(run, workload).map_or_else(
        || own_note(workload),
        |others| Some(format!("others had {others} during a pass, so these are not the disk's figures")),
    )
}

fn own_note(workload: &Workload) -> Option<String> {
    let Workload { id, version, .. } = workload;
    if WorkloadDefinition::is_another_version(id, *version) {
        return Some(format!(
            "this program does not know its version {version}, and shows it without a judgement"
        ));
    }
    match workload_groups::group_of(id, *version) {
        Group::Slo => useful_rate(workload),
        Group::Endurance if workload.id == STEADY => Some(steady_state(workload)),
        Group::Endurance => endurance(workload),
        Group::Durability => stalls_of(workload),
        _ => None,
    }
}

fn useful_rate(workload: &Workload) -> Option<String> {
    let rate = slo::useful_rate(workload)?;
    let loads: Vec<String> =
        rate.loads.iter().map(|load| format!("{} % {}", load.percent, units::latency(load.p99_ns))).collect();
    let at =
        if loads.is_empty() { String::new() } else { format!("; p99 at a load of {}", loads.join(", ")) };
    let late = if rate.late_trials == 0 {
        String::new()
    } else {
        let trials = SEARCHES * TRIALS;
        format!("; in {} of {trials} trials the processors were too busy to begin in time", rate.late_trials)
    };
    Some(format!(
        "{} a second keep the limit, of {} at capacity{at}{late}",
        units::thousands(rate.per_s),
        units::rate(rate.capacity_per_s)
    ))
}

fn steady_state(workload: &Workload) -> String {
    match steady::steady_state(workload) {
        Some(rate) => {
            format!("steady by round {}, at {} a second", rate.round, units::rate(rate.mean_per_s))
        }
        None => format!("no {WINDOW_ROUNDS} rounds were steady"),
    }
}

fn endurance(workload: &Workload) -> Option<String> {
    let megabytes = |per_s: f64| units::rate(per_s / 1e6);
    Some(match cliff::endurance(workload)? {
        cliff::Endurance::Cliff { bytes, before_per_s, after_per_s, .. } => format!(
            "the rate falls from {} to {} MB/s after {}",
            megabytes(before_per_s),
            megabytes(after_per_s),
            units::bytes(bytes)
        ),
        cliff::Endurance::None { bytes, .. } => {
            format!("the rate did not fall within {}", units::bytes(bytes))
        }
    })
}

fn stalls_of(workload: &Workload) -> Option<String> {
    let milli = stall::share_milli(&workload.whole_operations()?);
    (milli >= STALL_MILLI_MIN && figures::rate(workload) > 0.0).then(|| {
        format!("{} % of the time went by in operations over {STALL_MEDIANS} times the median", milli / 10)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;
    use crate::wire::histogram::{Distribution, bucket_of};

    #[test]
    fn stalls_are_said_from_a_tenth_of_the_time_on() {
        let notes = |stalls: u64| {
            let mut workload = examples::commits("commit-8k", 1_000);
            let counts = vec![(bucket_of(1_000), 1_000), (bucket_of(20_000), stalls)];
            let sum_ns = 1_000_000 + stalls * 20_000;
            let latencies = Distribution { counts, sum_ns, min_ns: 1_000, max_ns: 20_000 };
            workload.histograms.commit = Some(latencies.into());
            let run = examples::run(vec![workload]);
            notes_on_workloads(&run).into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!((notes(5).len(), notes(6).len()), (0, 1), "9.1 % and 10.7 %");
        assert_eq!(notes(6), ["10 % of the time went by in operations over 10 times the median"]);
    }

    #[test]
    fn trials_in_which_the_processors_were_busy_are_said() {
        let mut search = examples::search("slo-randread-4k-1ms", [50_000; 3]);
        let text = own_note(&search).unwrap();
        assert!(text.contains(" a second keep the limit, of 100,000 at capacity"), "{text}");
        assert!(text.ends_with("in 3 of 24 trials the processors were too busy to begin in time"), "{text}");
        for open in search.passes.iter_mut().filter_map(|pass| pass.open_loop.as_mut()) {
            open.lag_p99_ns = 0;
        }
        assert!(!own_note(&search).unwrap().contains("too busy"));
    }

    #[test]
    fn a_version_that_is_not_known_here_is_said_and_not_judged() {
        let mut search = examples::search("slo-randread-4k-1ms", [50_000; 3]);
        search.version += 1;
        let text = own_note(&search).unwrap();
        assert_eq!(text, "this program does not know its version 2, and shows it without a judgement");
        assert_eq!((slo::useful_rate(&search), figures::rate_shown(&search)), (None, None));
        let headline = Workload { version: 2, ..examples::commits("commit-8k", 100_000) };
        assert_eq!(figures::workload(&examples::run(vec![headline]), "commit-8k"), None);
    }

    #[test]
    fn a_steady_state_is_named_with_its_round() {
        let mut workload = examples::commits("steady-randwrite-4k-qd32", 1_000);
        let rounds = |count: usize| vec![examples::commits("x", 1_000).passes[0].clone(); count];
        workload.passes = rounds(4);
        assert_eq!(own_note(&workload).unwrap(), "no 5 rounds were steady");
        workload.passes = rounds(6);
        assert!(own_note(&workload).unwrap().starts_with("steady by round 5,"), "{:?}", own_note(&workload));
    }
}
