//! Which workloads of a result other programs disturbed, and what is left of the result without them.

use crate::analysis::disturbance::{Bystanders, OthersShare, PassTotals};
use crate::plan::workload::WorkloadDefinition;
use crate::wire::payload::Run;
use crate::wire::workload::{Pass, Workload};

/// The largest shares that others had of any pass of this workload; `None` for a workload that this program
/// does not know in this version. If a share of one pass is unknown, the largest is unknown too.
pub fn share_of_others(run: &Run, workload: &Workload) -> Option<OthersShare> {
    let definition = WorkloadDefinition::of_version(&workload.id, workload.version)?;
    let bystanders = bystanders(run);
    let of_pass = |pass: &Pass| {
        let Pass { operations, bytes, elapsed_ns, .. } = *pass;
        let totals = PassTotals { operations, bytes, elapsed_ns };
        let seen = pass.interference.as_ref();
        seen.map(|seen| bystanders.share_of_others(definition, totals, seen)).unwrap_or_default()
    };
    let larger = |one: Option<u64>, other: Option<u64>| one.zip(other).map(|(one, other)| one.max(other));
    workload.passes.iter().map(of_pass).reduce(|one, other| OthersShare {
        device_milli: larger(one.device_milli, other.device_milli),
        cpu_milli: larger(one.cpu_milli, other.cpu_milli),
    })
}

/// Whether others disturbed one of its passes.
pub fn is_disturbed(run: &Run, workload: &Workload) -> bool {
    share_of_others(run, workload).is_some_and(|share| share.disturbs())
}

/// The result without the workloads that others disturbed: advice rests on this part alone.
pub fn undisturbed(run: &Run) -> Run {
    let workloads = run.workloads.iter().filter(|workload| !is_disturbed(run, workload)).cloned().collect();
    Run { workloads, ..run.clone() }
}

/// How many times the devices of a result may have to write each byte.
pub fn copies_max(run: &Run) -> u64 {
    bystanders(run).copies_max()
}

fn bystanders(run: &Run) -> Bystanders {
    let classes: Vec<&str> = run.devices.iter().map(|device| device.class.as_str()).collect();
    Bystanders::on(run.env.cpu_count, &run.stack, &run.env.mount_flags, &classes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;
    use crate::plan::workload::HEADLINE;
    use crate::wire::interference::{DeviceTraffic, Interference};

    /// A second of 1,000 commits of 8 KiB on XFS on one NVMe drive and two CPUs, while others wrote and
    /// computed.
    fn run(other_bytes: u64, other_cpu_ns: u64) -> Run {
        let mut headline = examples::commits(HEADLINE, 1_000_000);
        let device =
            DeviceTraffic { bytes_written: headline.bytes + other_bytes, ..DeviceTraffic::default() };
        headline.passes[0].interference = Some(Interference {
            device: Some(device),
            other_cpu_ns: Some(other_cpu_ns),
            ..Interference::default()
        });
        let mut run = examples::run(vec![headline]);
        run.stack = ["xfs", "partition", "nvme"].map(str::to_owned).to_vec();
        run.env.mount_flags.clear();
        run.env.cpu_count = 2;
        run.devices.truncate(1);
        run.devices[0].class = "nvme".to_owned();
        run
    }

    fn share(run: &Run) -> OthersShare {
        share_of_others(run, &run.workloads[0]).unwrap()
    }

    #[test]
    fn others_bytes_are_what_the_pass_itself_cannot_have_caused() {
        let quiet = share(&run(0, 0));
        assert_eq!((quiet.device_milli, quiet.cpu_milli, quiet.disturbs()), (Some(0), Some(0), false));
        let own = 1_000 << 13;
        assert_eq!(share(&run(own / 19, 0)).device_milli, Some(49));
        assert!(!share(&run(own / 19, 0)).disturbs(), "a twentieth");
        assert!(share(&run(own / 18, 0)).disturbs_device());
        assert_eq!(share(&run(own * 97 / 3, 0)).to_string(), "96.9 % of the disk");
    }

    #[test]
    fn a_log_of_the_system_disturbs_nobody() {
        let mut slow = run(60_000, 0);
        slow.workloads[0].passes[0].operations = 10;
        slow.workloads[0].passes[0].bytes = 10 << 13;
        let device = slow.workloads[0].passes[0].interference.as_mut().unwrap().device.as_mut().unwrap();
        device.bytes_written = (10 << 13) + 60_000;
        assert_eq!(share(&slow).device_milli, Some(0), "42 %, of next to nothing");
    }

    #[test]
    fn cpu_time_of_others_counts_against_all_cpus() {
        assert_eq!(share(&run(0, 100_000_000)).cpu_milli, Some(50));
        assert!(!share(&run(0, 100_000_000)).disturbs());
        assert!(share(&run(0, 102_000_000)).disturbs_cpu());
        assert_eq!(share(&run(0, 2_000_000_000)).to_string(), "100 % of the CPUs");
    }

    #[test]
    fn what_nobody_can_tell_is_unknown_and_not_quiet() {
        let known = run(1 << 30, 0);
        let stacks = [
            vec!["btrfs", "nvme"],
            vec!["zfs", "unknown"],
            vec!["ext4", "md-raid5", "nvme"],
            vec!["nfs4"],
            vec![],
        ];
        for layers in stacks {
            let stack = layers.into_iter().map(str::to_owned).collect();
            assert_eq!(share(&Run { stack, ..known.clone() }).device_milli, None);
        }
        let mut journalled = known.clone();
        journalled.env.mount_flags.push("data=journal".to_owned());
        assert_eq!(share(&journalled).device_milli, None);
        let mut unseen = known.clone();
        unseen.workloads[0].passes[0].interference = None;
        assert_eq!(share(&unseen), OthersShare::default());
        let mut half = known;
        let pass = half.workloads[0].passes[0].clone();
        half.workloads[0].passes.push(Pass { interference: None, ..pass });
        assert_eq!(share(&half), OthersShare::default(), "one pass of two");
    }

    #[test]
    fn a_version_that_is_not_known_here_is_not_judged() {
        let mut newer = run(1 << 30, 0);
        newer.workloads[0].version += 1;
        assert_eq!(share_of_others(&newer, &newer.workloads[0]), None);
        assert!(!is_disturbed(&newer, &newer.workloads[0]));
    }

    #[test]
    fn a_mirror_writes_everything_once_for_each_member() {
        let mut mirrored = run(1_000 << 13, 0);
        mirrored.stack =
            ["overlay", "xfs", "luks", "md-raid1", "partition", "nvme"].map(str::to_owned).to_vec();
        assert!(share(&mirrored).disturbs_device());
        mirrored.devices.push(mirrored.devices[0].clone());
        assert_eq!(share(&mirrored).device_milli, Some(0));
    }

    #[test]
    fn a_new_block_and_an_fsync_may_write_more() {
        let mut growing = run(30_000 * 1_000, 0);
        assert!(share(&growing).disturbs_device());
        growing.workloads[0].id = "append-8k-fdatasync".to_owned();
        assert_eq!(share(&growing).device_milli, Some(0));
        let mut synced = run(16_000 * 1_000, 0);
        synced.workloads[0].id = "commit-8k-fsync".to_owned();
        assert_eq!(share(&synced).device_milli, Some(0));
    }

    #[test]
    fn nothing_is_advised_from_what_others_disturbed() {
        let disturbed = run(1 << 30, 0);
        assert!(undisturbed(&disturbed).workloads.is_empty());
        assert_eq!(undisturbed(&run(0, 0)).workloads.len(), 1);
    }
}
