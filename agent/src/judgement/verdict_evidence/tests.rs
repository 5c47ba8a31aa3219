//! Each piece of evidence on both sides of its threshold.

use super::*;
use crate::analysis::figures::examples;
use crate::plan::judged_ids::{
    DIRECT_FDATASYNC, DIRECT_NOSYNC, EMPTY_FLUSH, READ_FLOOR, WRITE_RANDOM, WRITE_ZEROS,
};
use crate::wire::workload::Histograms;

fn evidence_of(workloads: Vec<Workload>, kind: EvidenceKind) -> Option<Evidence> {
    gather_evidence(&examples::run(workloads)).into_iter().find(|evidence| evidence.kind == kind)
}

#[track_caller]
fn assert_telling(workloads: Vec<Workload>, kind: EvidenceKind, is_telling: bool) {
    let evidence = evidence_of(workloads, kind).unwrap_or_else(|| panic!("no {kind:?}"));
    assert_eq!(evidence.is_telling, is_telling, "{}", evidence.text);
}

#[test]
fn zeros_are_telling_above_a_fifth_more() {
    let pair =
        |zeros_ns| vec![examples::commits(WRITE_ZEROS, zeros_ns), examples::commits(WRITE_RANDOM, 1_200)];
    assert_telling(pair(1_010), EvidenceKind::Zeros, false);
    assert_telling(pair(990), EvidenceKind::Zeros, true);
    let mut uneven = pair(100);
    let mut slow = uneven[0].passes[0].clone();
    slow.elapsed_ns *= 20;
    uneven[0].passes.push(slow);
    assert_telling(uneven, EvidenceKind::Zeros, false);
}

#[test]
fn a_working_set_has_a_step_above_one_and_a_half() {
    let sets = |large_ns| {
        vec![examples::reads("read-4k-area-1m", 40_000), examples::reads("read-4k-area-256m", large_ns)]
    };
    assert_telling(sets(59_000), EvidenceKind::WorkingSet, false);
    assert_telling(sets(61_000), EvidenceKind::WorkingSet, true);
    let quick = |large_ns| {
        vec![examples::reads("read-4k-area-1m", 4_000), examples::reads("read-4k-area-4g", large_ns)]
    };
    assert_telling(quick(4_900), EvidenceKind::WorkingSet, true);
    assert!(
        evidence_of(quick(4_900), EvidenceKind::WorkingSet)
            .unwrap()
            .text
            .contains("a cache answers them all")
    );
    assert_telling(quick(5_100), EvidenceKind::WorkingSet, false);
    assert!(
        evidence_of(vec![examples::reads("read-4k-area-1m", 9_000)], EvidenceKind::WorkingSet).is_none(),
        "one point has no step"
    );
}

#[test]
fn a_commit_before_a_read_is_telling() {
    let pair = |commit_ns| vec![examples::commits(HEADLINE, commit_ns), examples::reads(READ_FLOOR, 50_000)];
    assert_telling(pair(49_000), EvidenceKind::SoonerThanRead, true);
    assert_telling(pair(51_000), EvidenceKind::SoonerThanRead, false);
}

#[test]
fn a_sync_that_costs_nothing_is_telling() {
    let write = Histograms { write: examples::latencies(1_000, 50_000), ..Histograms::default() };
    let pair = |durable_ns| {
        vec![
            examples::workload(DIRECT_NOSYNC, write.clone(), 50_000),
            examples::commits(DIRECT_FDATASYNC, durable_ns),
        ]
    };
    assert_telling(pair(59_000), EvidenceKind::UnsyncedWrites, true);
    assert_telling(pair(61_000), EvidenceKind::UnsyncedWrites, false);
}

#[test]
fn an_empty_flush_is_set_beside_a_read() {
    let reading = |flush_ns| {
        evidence_of(
            vec![examples::flushes(EMPTY_FLUSH, flush_ns), examples::reads(READ_FLOOR, 50_000)],
            EvidenceKind::EmptyFlush,
        )
        .unwrap()
        .text
    };
    assert!(reading(50_000).contains("not more than go there and back"), "{}", reading(50_000));
    assert!(reading(99_000).contains("near the way"), "{}", reading(99_000));
    assert!(reading(102_000).contains("does work there"), "{}", reading(102_000));
}

#[test]
fn a_rate_that_neither_grows_nor_varies_is_capped() {
    let pair = |samples: Vec<u64>, deep_ns| {
        let mut deep = examples::reads("randread-4k-qd32", deep_ns);
        deep.passes[0].rate_samples = samples;
        vec![deep, examples::reads("randread-4k-qd1", 120_000)]
    };
    let (even, uneven) = (vec![200; 20], [200, 210].repeat(10));
    assert!(evidence_of(pair(even.clone(), 110_000), EvidenceKind::RateCap).is_some());
    assert!(evidence_of(pair(even, 99_000), EvidenceKind::RateCap).is_none(), "more in flight bring more");
    assert!(evidence_of(pair(uneven, 110_000), EvidenceKind::RateCap).is_none(), "it varies");
}

#[test]
fn gaps_of_half_a_tail_are_a_part_of_it() {
    let pair = |gap_ns| {
        let lag = Histograms { lag: examples::latencies(1_000, gap_ns), ..Histograms::default() };
        vec![examples::commits(HEADLINE, 1_000_000), examples::workload("hiccup", lag, gap_ns)]
    };
    assert_telling(pair(490_000), EvidenceKind::Hiccup, false);
    assert_telling(pair(510_000), EvidenceKind::Hiccup, true);
}

#[test]
fn evidence_needs_what_it_is_about() {
    let run = examples::run(Vec::new());
    let kinds: Vec<_> = gather_evidence(&run).iter().map(|evidence| evidence.kind).collect();
    assert_eq!(kinds, [EvidenceKind::Declaration]);
    let mut run = examples::run(vec![examples::commits(HEADLINE, 100_000)]);
    run.devices.clear();
    run.workloads[0].flushes = None;
    assert_eq!(gather_evidence(&run), []);
}
