//! When two results are apart, and what is said of what differs between them.

use super::*;
use crate::analysis::figures::examples::example;

fn with_rate(per_s: f64, low_per_s: f64, high_per_s: f64) -> Figures {
    let rate_range = Some(RateRange { low_per_s, high_per_s, of: "passes".to_owned() });
    let latency_spread = LatencyRanges::default();
    Figures { per_s, p50_ns: None, p99_ns: None, p999_ns: None, rate_range, latency_spread, disturbed: false }
}

#[test]
fn rates_are_apart_only_by_more_than_either_varies() {
    let steady = with_rate(100.0, 99.0, 101.0);
    assert_eq!(verdict(&steady, &with_rate(110.0, 109.0, 111.0)), RateVerdict::BFaster);
    assert_eq!(verdict(&with_rate(110.0, 109.0, 111.0), &steady), RateVerdict::AFaster);
    assert_eq!(verdict(&steady, &with_rate(101.5, 100.5, 102.5)), RateVerdict::WithinSpread);
    // Not overlapping, and still no more than B varies by itself.
    assert_eq!(verdict(&steady, &with_rate(105.0, 101.5, 110.0)), RateVerdict::WithinSpread);
    // A pass in which nothing was done: anything is within that.
    assert_eq!(verdict(&steady, &with_rate(500.0, 0.0, 900.0)), RateVerdict::WithinSpread);
    let unknown = Figures { rate_range: None, ..steady.clone() };
    assert_eq!(verdict(&steady, &unknown), RateVerdict::SpreadUnknown);
    let disturbed = Figures { disturbed: true, ..with_rate(900.0, 890.0, 910.0) };
    assert_eq!(verdict(&steady, &disturbed), RateVerdict::Disturbed);
}

#[test]
fn a_ratio_can_be_from_the_worst_of_b_over_the_best_of_a_on() {
    let (low, high) = ratio_range(&with_rate(100.0, 80.0, 125.0), &with_rate(50.0, 40.0, 60.0)).unwrap();
    assert!((low - 0.32).abs() < 1e-9 && (high - 0.75).abs() < 1e-9, "{low} {high}");
    assert_eq!(ratio_range(&with_rate(100.0, 0.0, 125.0), &with_rate(50.0, 40.0, 60.0)), None);
}

#[test]
fn a_search_varies_by_what_each_of_its_searches_found() {
    let search = crate::analysis::figures::examples::search("slo-randread-4k-1ms", [40_000, 50_000, 60_000]);
    let of_search = figures(&search).unwrap();
    let range = of_search.rate_range.unwrap();
    assert_eq!(
        (range.of.as_str(), of_search.p50_ns, of_search.p99_ns, of_search.p999_ns),
        ("searches", None, None, None)
    );
    assert!((39_000.0..40_000.0).contains(&range.low_per_s), "{range:?}");
    assert!((49_000.0..50_000.0).contains(&of_search.per_s), "{}", of_search.per_s);
    assert!((59_000.0..60_000.0).contains(&range.high_per_s), "{range:?}");
    let cut_short = Workload { passes: search.passes[..5].to_vec(), ..search };
    assert_eq!((figures(&cut_short), super::rate_range(&cut_short)), (None, None));
}

#[test]
fn three_passes_or_eight_samples_make_a_spread() {
    let mut workload = example().workloads[0].clone();
    let pass = workload.passes[0].clone();
    workload.passes.resize(PASSES_MIN, pass);
    assert_eq!(rate_range(&workload).unwrap().of, "passes");
    workload.passes.truncate(1);
    workload.sample_ns = 500_000_000;
    workload.passes[0].rate_samples = vec![10, 80, 20, 70, 30, 60, 40, 50];
    let expected = RateRange { low_per_s: 40.0, high_per_s: 120.0, of: "samples".to_owned() };
    assert_eq!(rate_range(&workload), Some(expected));
    workload.passes[0].rate_samples.pop();
    assert_eq!(rate_range(&workload), None);
}

#[test]
fn what_differs_is_named_and_what_does_not_is_not() {
    let a = example();
    let ids = |b: Run| -> Vec<&'static str> {
        let comparison = compare(&ComparisonSide::from_run(a.clone()), &ComparisonSide::from_run(b));
        comparison.differences.iter().map(|difference| difference.id).collect()
    };
    assert_eq!(ids(a.clone()), ["same-run"]);
    let mut b = Run { run_id: "another".to_owned(), ..a.clone() };
    b.env.mount_flags.reverse();
    assert_eq!(ids(b.clone()), [""; 0]);
    b.env.fs = "xfs".to_owned();
    b.env.kernel = "6.1".to_owned();
    b.env.mount_flags.push("nobarrier".to_owned());
    b.devices[0].model.push('X');
    b.suite.complete = false;
    assert_eq!(ids(b), ["incomplete", "filesystem", "mount-options", "drive", "kernel"]);
}

#[test]
fn another_version_of_a_workload_is_another_workload() {
    let a = example();
    let mut b = Run { run_id: "another".to_owned(), ..a.clone() };
    b.workloads[0].version += 1;
    b.workloads.pop();
    let comparison = compare(&ComparisonSide::from_run(a.clone()), &ComparisonSide::from_run(b));
    let ids: Vec<&str> = comparison.differences.iter().map(|difference| difference.id).collect();
    assert_eq!(ids, ["workload-version", "workload-missing"]);
    assert_eq!(comparison.pairs.len(), a.workloads.len() - 2);
}
