//! Whole suites on disks whose latencies are scripted: what is laid out, in which order it is measured, by
//! which engine, and what stays when something fails.

use crate::scripted_suite::{ScriptedSite, run_all, run_quick};
use fsyncmark::analysis::consistency;
use fsyncmark::disk::ring_queue::RingSupport;
use fsyncmark::engine::suite_run::SuiteOutcome;
use fsyncmark::engine::suite_run::preparation;
use fsyncmark::error::ErrorKind;
use fsyncmark::plan::pass_limits::PassLimits;
use fsyncmark::plan::workload::{SUITES, WORKLOADS, WorkloadDefinition};
use fsyncmark::report::payload_assembly;
use fsyncmark::wire::histogram::Distribution;
use fsyncmark::wire::workload::{EndReason, LatencyKind};

const MILLISECOND: u64 = 1_000_000;
/// Error numbers of Linux.
const EINTR: i32 = 4;
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const EOPNOTSUPP: i32 = 95;
const EROFS: i32 = 30;
const EDQUOT: i32 = 122;

#[test]
fn the_suite_fills_its_files_and_interleaves_its_passes() {
    let mut site = ScriptedSite::new();
    let (outcome, heard) = run_quick(&mut site, false);
    assert_eq!(
        site.log,
        [
            "fill 1024 MiB",
            "fill 64 MiB",
            "commit-8k",
            "commit-8k-fsync",
            "commit-8k",
            "commit-8k-dsync",
            "commit-8k",
            "read-4k-floor"
        ]
    );
    assert_eq!(heard[..2], ["1024 of 1088 MiB", "1088 of 1088 MiB"]);
    assert_eq!(outcome.seed_proof.as_deref(), Some("proof of 64 MiB"));
    assert_eq!(site.filled_from_seed, [64 << 20], "two files of one seed would hold the same blocks");
    assert!(outcome.ended_early.is_none());
    let headline = payload_assembly::workload(&outcome.workloads[0]);
    assert_eq!(
        (headline.operations, headline.elapsed_ns, headline.passes.len()),
        (120_000, 12_000 * MILLISECOND, 3)
    );
    assert_eq!(headline.bytes, headline.passes.iter().map(|pass| pass.bytes).sum::<u64>());
    assert_eq!((headline.flushes, headline.device_bytes), (Some(3_000), Some(3 << 20)));
    let dsync = payload_assembly::workload(&outcome.workloads[2]);
    // O_DSYNC: one call of 10 us; the 512 MiB of a pass are used up before its 4 s.
    assert_eq!((dsync.operations, dsync.passes[0].ended_by), (65_536, EndReason::Bytes));
    let kinds: Vec<_> = dsync.histograms.present().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, [LatencyKind::Commit]);
    let read = payload_assembly::workload(&outcome.workloads[3]);
    assert_eq!(read.histograms.present().map(|(kind, _)| kind).collect::<Vec<_>>(), [LatencyKind::Read]);
}

/// What was said of passes that are run again.
fn repeats(heard: &[String]) -> Vec<&str> {
    heard.iter().map(String::as_str).filter(|line| line.contains("again")).collect()
}

#[test]
fn a_pass_that_others_disturb_is_run_again_and_leaves_no_trace() {
    let (undisturbed, _) = run_quick(&mut ScriptedSite::new(), false);
    let mut site = ScriptedSite::new();
    site.other_bytes.insert(1, 100 << 30);
    let (outcome, heard) = run_quick(&mut site, false);
    assert_eq!(repeats(&heard), ["0.0 again: 99.6 % of the disk"]);
    let headline = |outcome: &SuiteOutcome| payload_assembly::workload(&outcome.workloads[0]);
    let (again, once) = (headline(&outcome), headline(&undisturbed));
    assert_eq!((again.repeated_passes, once.repeated_passes), (1, 0));
    assert_eq!((again.operations, again.passes.len()), (once.operations, once.passes.len()));
    assert_eq!(again.histograms, once.histograms, "nothing of the pass that was thrown away");
    assert_eq!((again.flushes, again.device_bytes), (once.flushes, once.device_bytes));
    assert_eq!(consistency::faults(&again), Vec::<String>::new());
}

#[test]
fn a_disturbed_pass_is_kept_where_running_it_again_fails() {
    const EIO: i32 = 5;
    let mut site = ScriptedSite { fail: Some((2, 100, EIO)), ..ScriptedSite::new() };
    site.other_bytes.insert(1, 100 << 30);
    let (outcome, heard) = run_quick(&mut site, false);
    assert_eq!(repeats(&heard).len(), 1);
    assert_eq!(outcome.ended_early.as_ref().unwrap().kind, ErrorKind::Io);
    let kept = payload_assembly::workload(&outcome.workloads[0]);
    assert_eq!((kept.passes.len(), kept.repeated_passes, outcome.workloads.len()), (1, 0, 1));
    assert!(kept.passes[0].is_whole());
    assert_eq!(consistency::faults(&kept), Vec::<String>::new());
}

#[test]
fn a_machine_that_is_never_quiet_is_measured_all_the_same() {
    let mut site = ScriptedSite::new();
    site.other_bytes.extend((1..1_000).map(|pass| (pass, 100 << 30)));
    let (outcome, heard) = run_quick(&mut site, false);
    assert!(outcome.ended_early.is_none());
    let passes: usize = outcome.workloads.iter().map(|workload| workload.passes.len()).sum();
    assert!((1..=passes.div_ceil(4)).contains(&repeats(&heard).len()), "{heard:?}");
    let written: u64 = outcome.workloads.iter().flat_map(|one| &one.passes).map(|pass| pass.bytes).sum();
    assert!(written < 5 << 30, "{written}");
}

#[test]
fn flushes_that_the_kernel_does_not_count_are_unknown_not_zero() {
    let mut site = ScriptedSite { counts_flushes: false, ..ScriptedSite::new() };
    let (outcome, _) = run_quick(&mut site, false);
    let headline = payload_assembly::workload(&outcome.workloads[0]);
    assert_eq!((headline.flushes, headline.device_bytes), (None, Some(3 << 20)));
}

#[test]
fn without_direct_io_the_read_floor_is_left_out_and_its_file_never_written() {
    let mut site = ScriptedSite { has_direct_io: Ok(false), ..ScriptedSite::new() };
    let (outcome, heard) = run_quick(&mut site, false);
    assert_eq!(heard[0], "read-4k-floor omitted: this filesystem has no O_DIRECT");
    assert!(!site.log.iter().any(|line| line.contains("1024") || line.contains("read")), "{:?}", site.log);
    assert_eq!(outcome.workloads.len(), 3);
    assert!(outcome.ended_early.is_none());
}

#[test]
fn doctor_asks_what_a_run_asks_whether_the_page_cache_can_be_bypassed() {
    let quick = SUITES[0].workloads();
    let ask = |answer: Result<bool, i32>| {
        let mut site = ScriptedSite { has_direct_io: answer, ..ScriptedSite::new() };
        let ended_early = run_quick(&mut site, false).0.ended_early;
        (preparation::can_bypass_page_cache(&mut site, &quick), ended_early)
    };
    assert_eq!(ask(Ok(true)), (Ok(true), None));
    assert_eq!(ask(Ok(false)), (Ok(false), None));
    let (error, ended_early) = ask(Err(EIO));
    assert_eq!(
        error.map_err(Some),
        Err(ended_early),
        "a device that fails is no filesystem without O_DIRECT"
    );
    assert_eq!(
        preparation::can_bypass_page_cache(
            &mut ScriptedSite { has_direct_io: Ok(false), ..ScriptedSite::new() },
            &[row("commit-8k")]
        ),
        Ok(true),
        "nothing of it goes past"
    );
}

#[test]
fn what_a_system_refuses_from_the_first_operation_on_is_left_out_alone() {
    for (id, opened) in [("commit-8k-rwf-dsync", 2), ("append-8k-fdatasync", 2)] {
        let mut site = ScriptedSite { fail: Some((opened, 1, EOPNOTSUPP)), ..ScriptedSite::new() };
        let (outcome, heard) =
            run_all(&mut site, &[row("commit-8k"), row(id), row("read-4k-floor")], &RingSupport::FULL, false);
        assert!(outcome.ended_early.is_none(), "{id}");
        assert!(
            heard.iter().any(|line| line.starts_with(&format!("{id} omitted: this system"))),
            "{heard:?}"
        );
        let ids: Vec<_> = outcome.workloads.iter().map(|measured| measured.workload.id).collect();
        assert_eq!(ids, ["commit-8k", "read-4k-floor"]);
    }
}

#[test]
fn a_failure_in_a_later_warm_up_keeps_what_the_devices_counted_before() {
    let whole = run_quick(&mut ScriptedSite::new(), false).0;
    let mut site = ScriptedSite { fail: Some((3, 100, EIO)), ..ScriptedSite::new() };
    let (outcome, _) = run_quick(&mut site, false);
    let (headline, counted) =
        (payload_assembly::workload(&outcome.workloads[0]), payload_assembly::workload(&whole.workloads[0]));
    assert_eq!((headline.passes.len(), counted.passes.len()), (1, 3));
    assert_eq!(headline.flushes.map(|once| 3 * once), counted.flushes);
    assert!(headline.engine.unwrap().cpu_ns <= counted.engine.unwrap().cpu_ns);
}

#[test]
fn what_is_refused_later_ends_the_run() {
    let mut site = ScriptedSite { fail: Some((4, 6_000, EOPNOTSUPP)), ..ScriptedSite::new() };
    let (outcome, _) = run_quick(&mut site, false);
    assert_eq!(outcome.ended_early.unwrap().kind, ErrorKind::Io);
}

#[test]
fn a_disk_that_fails_in_the_fourth_pass_leaves_the_three_before() {
    for (errno, advice) in
        [(ENOSPC, "Free some space"), (EDQUOT, "quota"), (EIO, "smartctl"), (EROFS, "dmesg")]
    {
        let mut site = ScriptedSite { fail: Some((4, 6_000, errno)), ..ScriptedSite::new() };
        let (outcome, heard) = run_quick(&mut site, false);
        let error = outcome.ended_early.unwrap();
        assert_eq!(error.kind, ErrorKind::Io);
        assert!(error.what.starts_with("cannot measure commit-8k-dsync"), "{error}");
        assert!(error.advice.unwrap().contains(advice));
        assert_eq!(heard.last().unwrap(), "2.0 Error");
        let ids: Vec<_> = outcome.workloads.iter().map(|measured| measured.workload.id).collect();
        assert_eq!(ids, ["commit-8k", "commit-8k-fsync", "commit-8k-dsync"]);
        // The warm-up of 32 MiB took 4,096 writes; the 6,000th failed.
        let dsync = payload_assembly::workload(&outcome.workloads[2]);
        assert_eq!((dsync.operations, dsync.passes[0].ended_by), (6_000 - 4_096 - 1, EndReason::Error));
        assert_eq!(payload_assembly::workload(&outcome.workloads[0]).passes.len(), 2);
    }
}

#[test]
fn ctrl_c_before_the_first_operation_leaves_nothing_and_says_so() {
    let (outcome, _) = run_quick(&mut ScriptedSite::new(), true);
    assert_eq!(outcome.ended_early.unwrap().kind, ErrorKind::Interrupted);
    assert!(outcome.workloads.is_empty());
}

#[test]
fn a_system_call_that_a_signal_cut_short_is_a_failure_and_no_wish_to_stop() {
    let while_filling = ScriptedSite { fill_errno: Some(EINTR), ..ScriptedSite::new() };
    let while_measuring = ScriptedSite { fail: Some((1, 6_000, EINTR)), ..ScriptedSite::new() };
    for mut site in [while_filling, while_measuring] {
        let (outcome, _) = run_quick(&mut site, false);
        assert_eq!(outcome.ended_early.unwrap().kind, ErrorKind::Io, "{:?}", site.log);
    }
}

fn row(id: &str) -> &'static WorkloadDefinition {
    WorkloadDefinition::with_id(id).unwrap()
}

#[test]
fn writers_side_by_side_are_one_workload_with_all_their_latencies() {
    let mut site = ScriptedSite::new();
    let (outcome, _) = run_all(&mut site, &[row("commit-8k-files-16")], &RingSupport::FULL, false);
    assert_eq!(site.log, [vec!["fill 16 MiB"; 16], vec!["commit-8k-files-16"]].concat());
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    // Threads end each other's passes at a moment that nobody scripts; at 100 us a commit none does more
    // than its share of 32 MiB.
    let most = 16 * 4_096;
    assert!((4_096..=most).contains(&measured.operations), "{}", measured.operations);
    let commit = Distribution::from(measured.histograms.commit.as_ref().unwrap());
    assert_eq!(commit.total(), measured.operations);
    assert_eq!((commit.min_ns, commit.max_ns), (100_000, 100_000));
    assert_eq!(measured.engine.unwrap().writers, 16);
}

#[test]
fn a_queue_keeps_its_depth_and_says_how_deep_it_was() {
    let (outcome, _) =
        run_all(&mut ScriptedSite::new(), &[row("randread-4k-qd32")], &RingSupport::FULL, false);
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    let engine = measured.engine.unwrap();
    assert_eq!((engine.kind.as_str(), engine.writers, engine.queue_depth), ("uring", 1, 32));
    assert_eq!(engine.fallback, None);
    // Reads take 10 us each, in parallel: 3.2 million a second.
    assert_eq!(measured.operations * 1_000_000_000 / measured.elapsed_ns, 3_200_000);
    assert!((31_900..=32_000).contains(&engine.effective_depth_milli), "{}", engine.effective_depth_milli);
}

#[test]
fn without_a_ring_threads_stand_in_and_the_result_says_why() {
    let reason = "io_uring_setup: Operation not permitted (os error 1)".to_owned();
    let none = RingSupport { ring_mode: None, reason: Some(reason.clone()) };
    let (outcome, _) = run_all(&mut ScriptedSite::new(), &[row("randread-8k-qd32x4")], &none, false);
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    let engine = measured.engine.unwrap();
    assert_eq!((engine.kind.as_str(), engine.writers, engine.queue_depth), ("psync", 64, 1));
    assert_eq!(engine.fallback, Some(reason));
    let reads = Distribution::from(measured.histograms.read.as_ref().unwrap());
    assert_eq!((reads.total(), reads.max_ns), (measured.operations, 10_000));
}

#[test]
fn a_search_that_lacks_both_direct_io_and_a_ring_is_left_out_once() {
    let mut site = ScriptedSite { has_direct_io: Ok(false), ..ScriptedSite::new() };
    let none = RingSupport { ring_mode: None, reason: None };
    let search = row("slo-randread-4k-1ms");
    let (outcome, heard) = run_all(&mut site, &[row("commit-8k"), search], &none, false);
    let omitted: Vec<_> =
        outcome.omissions.iter().map(|one| (one.workload.id, one.reason.as_str())).collect();
    assert_eq!(omitted, [(search.id, "this filesystem has no O_DIRECT")]);
    assert_eq!(heard.iter().filter(|line| line.contains("omitted")).count(), 1, "{heard:?}");
}

#[test]
fn each_write_of_a_queue_waits_for_its_own_sync() {
    let (outcome, _) =
        run_all(&mut ScriptedSite::new(), &[row("randwrite-8k-fsync-qd32x4")], &RingSupport::FULL, false);
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    let of = |kind| Distribution::from(measured.histograms.get(kind).unwrap());
    for (kind, took_ns) in
        [(LatencyKind::Write, 10_000), (LatencyKind::Sync, 90_000), (LatencyKind::Commit, 100_000)]
    {
        assert_eq!(of(kind).total(), measured.operations, "{kind:?}");
        assert_eq!((of(kind).min_ns, of(kind).max_ns), (took_ns, took_ns), "{kind:?}");
    }
}

#[test]
fn a_group_commits_for_all_and_a_single_committer_for_itself() {
    let (outcome, _) =
        run_all(&mut ScriptedSite::new(), &[row("group-commit-8k-16")], &RingSupport::FULL, false);
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    let commits = Distribution::from(measured.histograms.commit.as_ref().unwrap());
    let groups = Distribution::from(measured.histograms.sync.as_ref().unwrap());
    assert_eq!(commits.total(), measured.operations);
    assert!(groups.total() <= commits.total());
}

#[test]
fn a_file_that_is_used_up_begins_anew_before_every_pass_and_after_the_warm_up() {
    let mut site = ScriptedSite::new();
    let (outcome, _) = run_all(&mut site, &[row("append-8k-fdatasync")], &RingSupport::FULL, false);
    let id = "append-8k-fdatasync";
    assert_eq!(site.log, ["fill 512 MiB", "reset 512 MiB", id, "reset 512 MiB", id]);
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    assert_eq!((measured.operations, measured.elapsed_ns), (40_000, 4_000 * MILLISECOND));
}

#[test]
fn where_space_cannot_be_given_without_writing_those_workloads_are_left_out() {
    let mut site = ScriptedSite { can_allocate: false, ..ScriptedSite::new() };
    let workloads = [row("commit-8k"), row("fallocated-8k-fsync")];
    let (outcome, heard) = run_all(&mut site, &workloads, &RingSupport::FULL, false);
    assert!(heard.iter().any(|line| line.starts_with("fallocated-8k-fsync omitted: ")), "{heard:?}");
    assert_eq!((outcome.workloads.len(), outcome.ended_early.is_none()), (1, true));
}

#[test]
fn every_workload_of_the_table_can_be_measured() {
    for workload in WORKLOADS.iter().filter(|workload| workload.id != "hiccup") {
        // The clock of the hiccup probe is no scripted one, which stands still between two readings. Short:
        // what it does is proved above, here is only that nothing is left to do.
        let short = Box::leak(Box::new(WorkloadDefinition {
            passes: 1,
            limits: PassLimits {
                pass_ns_min: 1_000_000,
                pass_operations_min: 1,
                warm_up_ns: 1_000_000,
                ..workload.limits
            },
            ..*workload
        }));
        let (outcome, _) = run_all(&mut ScriptedSite::new(), &[short], &RingSupport::FULL, false);
        assert!(outcome.ended_early.is_none(), "{}", workload.id);
        let measured = payload_assembly::workload(&outcome.workloads[0]);
        let kinds: Vec<_> = measured.histograms.present().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, workload.latencies(), "{}", workload.id);
        assert_eq!(measured.bytes, measured.operations * workload.operation_bytes(), "{}", workload.id);
    }
}
