//! Signs of a cache: whether a flush costs more the more there is to flush, and whether small areas are read
//! faster than large ones.

use crate::plan::judged_ids::EMPTY_FLUSH;
use crate::plan::workload;
use crate::wire::histogram::Distribution;
use crate::wire::judgement::{drain, working_set};
use crate::wire::payload::Run;
use crate::wire::workload::Workload;

/// Below this ratio of the flush after the most bytes to the empty one, a flush does no work that grows with
/// what was written.
pub const FLAT_RATIO: f64 = drain::FLAT_RATIO_BELOW;
/// A flush cannot cost less than one that has nothing to do: below this ratio, other programs used the disk
/// during the probe.
pub const UNEVEN_RATIO: f64 = 1.0 / FLAT_RATIO;
/// Above this ratio, a volatile cache is emptied.
pub const VOLATILE_RATIO: f64 = drain::VOLATILE_RATIO_ABOVE;
/// The fewest flushes whose median means anything.
const FLUSHES_MIN: u64 = drain::FLUSHES_MIN as u64;
/// If an area is read this many times slower than the next smaller one, a cache of the smaller one's size
/// answers.
pub const STEP_RATIO: f64 = working_set::STEP_RATIO_MIN;

/// What is written before each flush of the drain probe, with the workload that does it, in rising order.
pub const DRAINS: [(&str, &str); 6] = [
    ("0", EMPTY_FLUSH),
    ("4 KiB", "drain-4k"),
    ("64 KiB", "drain-64k"),
    ("1 MiB", "drain-1m"),
    ("16 MiB", "drain-16m"),
    ("64 MiB", "drain-64m"),
];
/// Areas of the working-set probe, with the workload that reads each, in rising order.
pub const AREAS: [(&str, &str); 5] = [
    ("64 KiB", "read-4k-area-64k"),
    ("1 MiB", "read-4k-area-1m"),
    ("16 MiB", "read-4k-area-16m"),
    ("256 MiB", "read-4k-area-256m"),
    ("4 GiB", "read-4k-area-4g"),
];

const MIB: f64 = 1_048_576.0;

/// What the cost of a flush shows about the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drain {
    /// It does no measurable work: protected against power loss, not volatile, or ignored. Only a power
    /// cut can tell these apart.
    Flat,
    /// It empties a volatile cache.
    Volatile,
    /// Neither is clear, or the empty flush cost far more than the flush of the most bytes.
    Unclear,
}

/// How the cost of a flush depends on the bytes written before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlushCost {
    /// Slope of the line fitted by least squares, in nanoseconds per MiB.
    pub slope_ns_per_mib: f64,
    /// Cost of the flush after the most bytes over that of the flush after the fewest.
    pub ratio: f64,
    /// The conclusion from `ratio`.
    pub drain: Drain,
}

/// Fits the cost of flushes. `points` are (bytes written before, median of the sync in nanoseconds),
/// ascending; `None` for fewer than two amounts, or where the first flush took no time.
pub fn flush_cost(points: &[(u64, u64)]) -> Option<FlushCost> {
    let (&(_, first_ns), &(_, last_ns)) = (points.first()?, points.last()?);
    if points.len() < 2 || first_ns == 0 {
        return None;
    }
    let count = points.len() as f64;
    let mib = |bytes: u64| bytes as f64 / MIB;
    let mean_mib = points.iter().map(|&(bytes, _)| mib(bytes)).sum::<f64>() / count;
    let mean_ns = points.iter().map(|&(_, ns)| ns as f64).sum::<f64>() / count;
    let (covariance, variance) = points.iter().fold((0.0, 0.0), |(covariance, variance), &(bytes, ns)| {
        let offset = mib(bytes) - mean_mib;
        (covariance + offset * (ns as f64 - mean_ns), variance + offset * offset)
    });
    let ratio = last_ns as f64 / first_ns as f64;
    // A flush between the two ends costs no more than the more expensive of them, unless other programs used
    // the disk.
    let ends_ns = first_ns.max(last_ns) as f64;
    let is_disturbed = points.iter().any(|&(_, ns)| ns as f64 > FLAT_RATIO * ends_ns);
    let drain = if is_disturbed {
        Drain::Unclear
    } else if ratio > VOLATILE_RATIO {
        Drain::Volatile
    } else if (UNEVEN_RATIO..FLAT_RATIO).contains(&ratio) {
        Drain::Flat
    } else {
        Drain::Unclear
    };
    (variance > 0.0).then(|| FlushCost { slope_ns_per_mib: covariance / variance, ratio, drain })
}

/// One area of the working-set sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkingSet {
    /// Its size.
    pub bytes: u64,
    /// Median of a read.
    pub p50_ns: u64,
    /// Mean of a read in each pass, nanoseconds.
    pub means_ns: Vec<f64>,
}

/// The step where reads become slower.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CacheStep {
    /// The largest area that is still read fast: about the size of the cache.
    pub quick_bytes: u64,
    /// The next larger area.
    pub slow_bytes: u64,
    /// Median of the larger area over that of the smaller one.
    pub ratio: f64,
}

/// The largest step between neighbouring areas, which are given in ascending order. A step counts from half
/// again in the median, and only if every pass shows it. `None` where all areas are alike.
pub fn step(areas: &[WorkingSet]) -> Option<CacheStep> {
    let repeats = |quick: &WorkingSet, slow: &WorkingSet| {
        let slowest = quick.means_ns.iter().copied().fold(0.0, f64::max);
        let quickest = slow.means_ns.iter().copied().fold(f64::INFINITY, f64::min);
        quickest > slowest
    };
    areas
        .windows(2)
        .filter(|pair| repeats(&pair[0], &pair[1]) && pair[0].p50_ns > 0)
        .map(|pair| CacheStep {
            quick_bytes: pair[0].bytes,
            slow_bytes: pair[1].bytes,
            ratio: pair[1].p50_ns as f64 / pair[0].p50_ns as f64,
        })
        .filter(|step| step.ratio >= STEP_RATIO)
        .max_by(|one, other| one.ratio.total_cmp(&other.ratio))
}

/// The workloads of a family that a run has, each with the size it stands for, in ascending order.
fn family<'a>(
    run: &'a Run,
    members: &[(&str, &str)],
    size: fn(&workload::WorkloadDefinition) -> u64,
) -> Vec<(u64, &'a Workload)> {
    let mut rows: Vec<_> = run
        .workloads
        .iter()
        .filter(|member| members.iter().any(|(_, id)| *id == member.id))
        .filter_map(|member| {
            let row = workload::WorkloadDefinition::of_version(&member.id, member.version)?;
            Some((size(row), member))
        })
        .collect();
    rows.sort_by_key(|&(size, _)| size);
    rows
}

/// The flush cost of a run that has the drain probe. Amounts with too few flushes are left out; without the
/// first and the last amount there is nothing to compare, so the answer is `None`.
pub fn flush_cost_of(run: &Run) -> Option<FlushCost> {
    let most = workload::WorkloadDefinition::with_id(DRAINS[DRAINS.len() - 1].1)?.operation_bytes();
    let points: Vec<(u64, u64)> = family(run, &DRAINS, workload::WorkloadDefinition::operation_bytes)
        .into_iter()
        .filter_map(|(bytes, member)| {
            let syncs = Distribution::from(member.histograms.sync.as_ref()?);
            (syncs.total() >= FLUSHES_MIN).then(|| (bytes, syncs.percentile_ns(5_000)))
        })
        .collect();
    let is_whole = points.first()?.0 == 0 && points.last()?.0 == most;
    if is_whole { flush_cost(&points) } else { None }
}

/// The step of a run that has the working-set sweep.
pub fn step_of(run: &Run) -> Option<CacheStep> {
    let areas: Vec<WorkingSet> = family(run, &AREAS, |row| row.area_bytes)
        .into_iter()
        .filter_map(|(bytes, member)| {
            let reads = Distribution::from(member.histograms.read.as_ref()?);
            let rates = member.passes.iter().filter_map(super::rate_per_s);
            let means_ns = rates.map(|rate| 1e9 / rate).collect();
            Some(WorkingSet { bytes, p50_ns: reads.percentile_ns(5_000), means_ns })
        })
        .collect();
    step(&areas)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;

    /// Bytes written before the flush, as the workloads of the family state them.
    const DRAINED: [u64; 6] = [0, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20];

    fn cost(medians_us: [u64; 6]) -> FlushCost {
        let points: Vec<_> = DRAINED.into_iter().zip(medians_us.map(|us| us * 1_000)).collect();
        flush_cost(&points).unwrap()
    }

    #[test]
    fn devices_whose_nature_is_known_are_told_apart() {
        // A virtual disk that declares a write-back cache, and a loop device over the page cache.
        let disk = cost([42, 44, 43, 44, 45, 94]);
        assert_eq!(disk.drain, Drain::Flat);
        let cached = cost([108, 177, 168, 564, 3_600, 21_900]);
        assert_eq!(cached.drain, Drain::Volatile);
        assert!((300_000.0..400_000.0).contains(&cached.slope_ns_per_mib), "{cached:?}");
        assert_eq!(cost([100, 100, 100, 100, 200, 500]).drain, Drain::Unclear);
        assert_eq!(flush_cost(&[(0, 100)]), None);
        assert_eq!(cost([300, 100, 100, 100, 100, 100]).drain, Drain::Flat);
        assert_eq!(cost([301, 100, 100, 100, 100, 100]).drain, Drain::Unclear, "others used the disk");
    }

    #[test]
    fn what_flushes_cost_needs_three_after_nothing_and_three_after_the_most() {
        let mut run = examples::run(vec![
            examples::flushes("drain-64m", 4_400_000),
            examples::flushes("drain-4k", 44_000),
            examples::flushes(EMPTY_FLUSH, 44_000),
        ]);
        assert_eq!(flush_cost_of(&run).unwrap().drain, Drain::Volatile);
        run.workloads[2].histograms.sync = examples::latencies(2, 44_000);
        assert_eq!(flush_cost_of(&run), None);
        run.workloads[2].histograms.sync = examples::latencies(3, 44_000);
        run.workloads[0].histograms.sync = examples::latencies(2, 4_400_000);
        assert_eq!(flush_cost_of(&run), None);
    }

    fn area(bytes: u64, p50_us: u64, means_us: [f64; 2]) -> WorkingSet {
        WorkingSet { bytes, p50_ns: p50_us * 1_000, means_ns: means_us.map(|us| us * 1_000.0).to_vec() }
    }

    #[test]
    fn a_step_counts_when_it_is_there_every_time() {
        let tiers = [
            area(1 << 20, 30, [31.0, 32.0]),
            area(16 << 20, 31, [33.0, 32.0]),
            area(1 << 30, 76, [80.0, 78.0]),
        ];
        let largest = step(&tiers).unwrap();
        assert_eq!((largest.quick_bytes, largest.slow_bytes), (16 << 20, 1 << 30));
        let once = [area(1 << 20, 30, [31.0, 90.0]), area(1 << 30, 76, [80.0, 78.0])];
        assert_eq!(step(&once), None);
        let flat = [area(1 << 20, 43, [45.0, 45.0]), area(1 << 30, 57, [60.0, 61.0])];
        assert_eq!(step(&flat), None);
    }
}
