//! The order of the passes, and how long they take: interleaved, so that a slow minute of the machine does
//! not fall on one workload alone.

use super::workload::{Stage, WorkloadDefinition};

/// One pass of one workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Index of the workload.
    pub workload: usize,
    /// Number of the pass of this workload, from 0.
    pub pass: u16,
}

/// All passes of these workloads: first the interleaved ones, then workload after workload those that stay
/// together, then those that come last.
pub fn order(workloads: &[&WorkloadDefinition]) -> Vec<Step> {
    let passes = |stage: Stage| -> Vec<u16> {
        workloads.iter().map(|workload| if workload.stage == stage { workload.passes } else { 0 }).collect()
    };
    let mut steps = interleave(&passes(Stage::Interleaved));
    for stage in [Stage::Together, Stage::Last] {
        for (workload, count) in passes(stage).into_iter().enumerate() {
            steps.extend((0..count).map(|pass| Step { workload, pass }));
        }
    }
    steps
}

/// How long all passes take at most, in seconds, with their warm-ups.
pub fn seconds_max(workloads: &[&WorkloadDefinition]) -> u64 {
    seconds(workloads, |workload| workload.limits.pass_ns_max)
}

/// How long all passes take on a device that is not slow, in seconds, with their warm-ups.
pub fn seconds_usual(workloads: &[&WorkloadDefinition]) -> u64 {
    seconds(workloads, |workload| workload.limits.pass_ns_min)
}

fn seconds(workloads: &[&WorkloadDefinition], pass_ns: fn(&WorkloadDefinition) -> u64) -> u64 {
    let each = |one: &&WorkloadDefinition| u64::from(one.passes) * (one.limits.warm_up_ns + pass_ns(one));
    workloads.iter().map(each).sum::<u64>() / 1_000_000_000
}

/// Spreads the passes over as many rounds as the workload with the most passes needs. In each round
/// the workloads keep their order; those with fewer passes than rounds take turns, the first of them in the
/// first round, so that rounds are about equally long.
pub fn interleave(passes: &[u16]) -> Vec<Step> {
    let rounds = passes.iter().copied().max().unwrap_or(0);
    let mut steps: Vec<(u16, Step)> = Vec::new();
    let mut turns = (0..rounds).cycle();
    for (workload, &count) in passes.iter().enumerate() {
        let mut rounds_of_passes: Vec<u16> = if count == rounds {
            (0..rounds).collect()
        } else {
            turns.by_ref().take(usize::from(count)).collect()
        };
        rounds_of_passes.sort_unstable();
        steps.extend(
            rounds_of_passes.into_iter().zip(0..).map(|(round, pass)| (round, Step { workload, pass })),
        );
    }
    steps.sort_by_key(|&(round, step)| (round, step.workload));
    steps.into_iter().map(|(_, step)| step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(passes: &[u16]) -> Vec<(usize, u16)> {
        interleave(passes).into_iter().map(|step| (step.workload, step.pass)).collect()
    }

    #[test]
    fn the_headline_opens_every_round_and_the_others_take_turns() {
        assert_eq!(order(&[3, 1, 1, 1]), [(0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0)]);
    }

    #[test]
    fn what_wears_the_device_comes_last_and_in_one_piece() {
        let ids = ["steady-randwrite-4k-qd32", "commit-8k", "precondition-128k"];
        let rows: Vec<_> = ids.iter().map(|id| WorkloadDefinition::with_id(id).unwrap()).collect();
        let order: Vec<usize> = super::order(&rows).iter().map(|step| step.workload).collect();
        assert_eq!(order[..3], [1, 1, 1]);
        assert_eq!((order[3..15].to_vec(), order[15]), (vec![0; 12], 2));
    }

    #[test]
    fn the_passes_of_a_search_follow_each_other_before_anything_wears_the_device() {
        let ids = ["precondition-128k", "slo-randread-4k-1ms", "commit-8k", "slo-randread-4k-10ms"];
        let rows: Vec<_> = ids.iter().map(|id| WorkloadDefinition::with_id(id).unwrap()).collect();
        let order: Vec<usize> = super::order(&rows).iter().map(|step| step.workload).collect();
        let search = usize::from(crate::plan::workload::slo::PASSES);
        assert_eq!(order, [vec![2; 3], vec![1; search], vec![3; search], vec![0]].concat());
    }

    #[test]
    fn every_pass_comes_once_and_in_order() {
        assert_eq!(order(&[2, 2, 1]), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)]);
        assert_eq!(order(&[3, 1, 1, 2]), [(0, 0), (1, 0), (3, 0), (0, 1), (2, 0), (0, 2), (3, 1)]);
        assert_eq!(order(&[1]), [(0, 0)]);
        assert_eq!(order(&[]), []);
    }

    #[test]
    fn whatever_the_passes_each_comes_once_in_order_and_rounds_are_about_equally_long() {
        for code in 0..4_u32.pow(6) {
            let passes: Vec<u16> = (0..6).map(|at| (code / 4_u32.pow(at) % 4) as u16).collect();
            let steps = order(&passes);
            for (workload, &count) in passes.iter().enumerate() {
                let of_one: Vec<u16> =
                    steps.iter().filter(|step| step.0 == workload).map(|step| step.1).collect();
                assert_eq!(of_one, (0..count).collect::<Vec<_>>(), "{passes:?}");
            }
            // Where the first workload opens the rounds, they can be told apart.
            if passes[0] > 0 && passes[0] == *passes.iter().max().unwrap() {
                let starts = steps.iter().enumerate().filter(|(_, step)| step.0 == 0).map(|(at, _)| at);
                let edges: Vec<usize> = starts.chain([steps.len()]).collect();
                let lengths: Vec<usize> = edges.windows(2).map(|pair| pair[1] - pair[0]).collect();
                assert!(lengths.iter().max().unwrap() - lengths.iter().min().unwrap() <= 1, "{passes:?}");
            }
        }
    }
}
