//! The evidence for the verdict on flushes: each observation on the way of a sync, in a sentence with its
//! figures.

use crate::analysis::cache::{
    self, AREAS, DRAINS, Drain, FLAT_RATIO, FlushCost, UNEVEN_RATIO, VOLATILE_RATIO,
};
use crate::analysis::figures::{self, times};
use crate::analysis::rate_per_s;
use crate::judgement::ladder::DURABLE_NS_MIN;
use crate::plan::judged_ids::{
    DIRECT_FDATASYNC, DIRECT_NOSYNC, EMPTY_FLUSH, HICCUP, READ_FLOOR, READS_32_IN_FLIGHT,
    READS_ONE_AT_A_TIME, WRITE_RANDOM, WRITE_ZEROS,
};
use crate::plan::workload::HEADLINE;
use crate::units;
use crate::wire::payload::{Device, Run};
use crate::wire::workload::{LatencyKind, Workload};

/// Zeros that are written faster than random bytes by more than this factor are compressed or left out.
const ZEROS_RATIO_MAX: f64 = 1.2;
/// A durable write that takes less than this many times as long as a write without a sync does not wait for
/// the medium.
const DURABLE_RATIO_MIN: f64 = 1.2;
/// A rate that varies less than this looks as if a limit held it.
const CAP_VARIATION_MAX: f64 = 0.01;
/// If 32 operations in flight reach less than this many times the rate of one, a limit may hold the rate.
const CAP_RATIO_MAX: f64 = 1.2;
/// Gaps of the clock that are at least this share of p99.9 explain a part of it.
const HICCUP_SHARE_MIN: f64 = 0.5;

/// What a piece of evidence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceKind {
    /// What the device declares.
    Declaration,
    /// How many flushes the kernel counted.
    FlushCount,
    /// What a flush costs after a certain amount was written.
    Drain,
    /// What an empty flush costs beside a read.
    EmptyFlush,
    /// Whether a commit is faster than a read.
    SoonerThanRead,
    /// What a sync adds to a write.
    UnsyncedWrites,
    /// Whether zeros are written faster.
    Zeros,
    /// Whether small areas are read faster.
    WorkingSet,
    /// A rate that is held at a limit, as provisioned IOPS are.
    RateCap,
    /// How long nothing could run on the machine.
    Hiccup,
}

/// One observation, with its figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// What it is about.
    pub kind: EvidenceKind,
    /// A sentence with its figures.
    pub text: String,
    /// Whether it is out of the ordinary.
    pub is_telling: bool,
}

/// Every observation, in the order of the way from the program to the medium.
pub fn gather_evidence(run: &Run) -> Vec<Evidence> {
    let headline = figures::workload(run, HEADLINE);
    let mut declarations: Vec<Evidence> = run.devices.iter().map(declaration).collect();
    declarations.dedup();
    let observations = [
        headline.and_then(flush_count),
        drain(run),
        empty_flush(run),
        sooner_than_read(run),
        unsynced_writes(run),
        zeros(run),
        working_set(run),
        rate_cap(run),
        hiccup(run),
    ];
    declarations.into_iter().chain(observations.into_iter().flatten()).collect()
}

const fn plain(kind: EvidenceKind, text: String) -> Evidence {
    Evidence { kind, text, is_telling: false }
}

fn declaration(device: &Device) -> Evidence {
    let model = format!("{} {}", device.vendor, device.model);
    let model = crate::text::printable(model.trim(), 80);
    let yes_or_no = |flag: Option<bool>| match flag {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    };
    plain(
        EvidenceKind::Declaration,
        format!(
            "Declared: {}{}; FUA {}; volatile cache by the drive's own word (VWC) {}. Whether it has power-loss \
             protection stands in its data sheet, not in anything that software can ask.",
            crate::text::printable(&device.write_cache, 20),
            if model.is_empty() { String::new() } else { format!(" ({model})") },
            yes_or_no(device.fua),
            yes_or_no(device.volatile_write_cache),
        ),
    )
}

fn flush_count(headline: &Workload) -> Option<Evidence> {
    let flushes = figures::flushes_per_operation(headline)?;
    let bytes = figures::bytes_per_byte(headline)
        .map(|bytes| format!(", and the device wrote {bytes:.2} bytes for each byte committed"))
        .unwrap_or_default();
    Some(plain(
        EvidenceKind::FlushCount,
        format!("Counted by the kernel: {flushes:.2} flushes per commit{bytes} ({HEADLINE})."),
    ))
}

/// Median flush after each drain that was measured.
pub fn drains(run: &Run) -> Vec<(&'static str, u64)> {
    medians(run, &DRAINS, LatencyKind::Sync)
}

/// Median read of each working set that was measured.
pub fn areas(run: &Run) -> Vec<(&'static str, u64)> {
    medians(run, &AREAS, LatencyKind::Read)
}

fn medians(run: &Run, of: &[(&'static str, &'static str)], kind: LatencyKind) -> Vec<(&'static str, u64)> {
    of.iter().filter_map(|(size, id)| Some((*size, figures::percentile_of(run, id, kind, 5_000)?))).collect()
}

fn list(points: &[(&str, u64)]) -> String {
    let text = |(size, ns): &(&str, u64)| {
        format!("{} {}", if *size == "0" { "nothing" } else { size }, units::latency(*ns))
    };
    points.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn drain(run: &Run) -> Option<Evidence> {
    let FlushCost { ratio, drain, .. } = cache::flush_cost_of(run)?;
    let reading = match drain {
        Drain::Flat => "flat",
        Drain::Volatile => "steep",
        Drain::Unclear if ratio < UNEVEN_RATIO => "too uneven to tell",
        Drain::Unclear => "between the two",
    };
    Some(Evidence {
        kind: EvidenceKind::Drain,
        text: format!(
            "One flush after so much was written past the page cache: {}. The last is {} the first: {reading} (below \
             {FLAT_RATIO:.0} is flat, above {VOLATILE_RATIO:.0} steep).",
            list(&drains(run)),
            times(ratio)
        ),
        is_telling: true,
    })
}

/// Whether a flush does any work: the way to the device and back takes as long as that of a read.
fn empty_flush(run: &Run) -> Option<Evidence> {
    let flush_ns = figures::percentile_of(run, EMPTY_FLUSH, LatencyKind::Sync, 5_000)?;
    let reads = figures::read_floor(run)?;
    let read_ns = reads.percentile_ns(5_000);
    let reading = if flush_ns <= read_ns {
        "with nothing written, a flush does not more than go there and back"
    } else if flush_ns > 2 * read_ns {
        "even with nothing written, a flush does work there"
    } else {
        "that is near the way there and back"
    };
    Some(plain(
        EvidenceKind::EmptyFlush,
        format!(
            "An empty flush takes {}; the quickest read of 4 KiB {}, half of them {}: {reading}.",
            units::latency(flush_ns),
            units::latency(reads.min_ns),
            units::latency(read_ns)
        ),
    ))
}

fn sooner_than_read(run: &Run) -> Option<Evidence> {
    let commit_ns = figures::percentile_of(run, HEADLINE, LatencyKind::Commit, 5_000)?;
    let read_ns = figures::percentile_of(run, READ_FLOOR, LatencyKind::Read, 5_000)?;
    let is_telling = commit_ns < read_ns;
    let reading = if is_telling {
        "a commit is durable sooner than a block can be read, so a memory on the way acknowledges it"
    } else {
        "a commit takes longer than reading a block"
    };
    Some(Evidence {
        kind: EvidenceKind::SoonerThanRead,
        text: format!(
            "Half of all commits take {}, half of all reads {}: {reading}.",
            units::latency(commit_ns),
            units::latency(read_ns)
        ),
        is_telling,
    })
}

/// What a sync adds to a write past the page cache.
fn unsynced_writes(run: &Run) -> Option<Evidence> {
    let plain_ns = figures::percentile_of(run, DIRECT_NOSYNC, LatencyKind::Write, 5_000)?;
    let durable_ns = figures::percentile_of(run, DIRECT_FDATASYNC, LatencyKind::Commit, 5_000)?;
    let ratio = durable_ns as f64 / plain_ns.max(1) as f64;
    let is_telling = ratio < DURABLE_RATIO_MIN;
    Some(Evidence {
        kind: EvidenceKind::UnsyncedWrites,
        text: format!(
            "16 KiB past the page cache take {} without a sync and {} with fdatasync, {} as long{}.",
            units::latency(plain_ns),
            units::latency(durable_ns),
            times(ratio),
            if is_telling { ": making it durable costs next to nothing" } else { "" }
        ),
        is_telling,
    })
}

/// Operations a second of each pass.
fn pass_rates<'a>(run: &'a Run, id: &str) -> impl Iterator<Item = f64> + use<'a> {
    figures::workload(run, id).into_iter().flat_map(|workload| &workload.passes).filter_map(rate_per_s)
}

/// The rate of zeros over that of random bytes, and whether zeros were faster in every pass.
pub fn zeros_ratio(run: &Run) -> Option<(f64, bool)> {
    let ratio = figures::rate_of(run, WRITE_ZEROS)? / figures::rate_of(run, WRITE_RANDOM)?;
    let slowest = pass_rates(run, WRITE_ZEROS).fold(f64::INFINITY, f64::min);
    let quickest = pass_rates(run, WRITE_RANDOM).fold(0.0, f64::max);
    Some((ratio, slowest > quickest * ZEROS_RATIO_MAX))
}

fn zeros(run: &Run) -> Option<Evidence> {
    let (ratio, is_telling) = zeros_ratio(run)?;
    let reading = if is_telling {
        "a layer below compresses or leaves zeros out"
    } else if ratio > ZEROS_RATIO_MAX {
        "not in every pass, so others used the disk meanwhile"
    } else {
        "nothing below looks at the contents"
    };
    Some(Evidence {
        kind: EvidenceKind::Zeros,
        text: format!("Zeros are written {} as quickly as random bytes: {reading}.", times(ratio)),
        is_telling,
    })
}

fn working_set(run: &Run) -> Option<Evidence> {
    let points = areas(run);
    if points.len() < 2 {
        return None;
    }
    let step = cache::step_of(run);
    let is_quick = points.iter().all(|&(_, ns)| ns < DURABLE_NS_MIN);
    let reading = match step {
        Some(cache::CacheStep { quick_bytes, slow_bytes, ratio }) => format!(
            "{} as long over {} as over {}: a cache of a size between answers the smaller ones",
            times(ratio),
            units::bytes(slow_bytes),
            units::bytes(quick_bytes)
        ),
        None if is_quick => {
            "quicker than any durable medium at every size: a cache answers them all".to_owned()
        }
        None => "no step: no cache of these sizes is on the way".to_owned(),
    };
    Some(Evidence {
        kind: EvidenceKind::WorkingSet,
        text: format!("Random reads over so much of a file: {}; {reading}.", list(&points)),
        is_telling: step.is_some() || is_quick,
    })
}

/// Whether a rate is held at a limit: more operations in flight do not raise it, and it hardly varies.
fn rate_cap(run: &Run) -> Option<Evidence> {
    let deep = figures::workload(run, READS_32_IN_FLIGHT)?;
    let (deep_per_s, one_per_s) = (figures::rate(deep), figures::rate_of(run, READS_ONE_AT_A_TIME)?);
    let variation = figures::variation(deep)?;
    (variation < CAP_VARIATION_MAX && deep_per_s < one_per_s * CAP_RATIO_MAX).then(|| Evidence {
        kind: EvidenceKind::RateCap,
        text: format!(
            "32 reads in flight bring {} a second, one {}, and the rate varies by {:.1} %: it is held there, as \
             provisioned IOPS are.",
            units::rate(deep_per_s),
            units::rate(one_per_s),
            variation * 100.0
        ),
        is_telling: true,
    })
}

fn hiccup(run: &Run) -> Option<Evidence> {
    let gaps = figures::distribution_of(run, HICCUP, LatencyKind::Lag)?;
    let tail_ns = figures::percentile_of(run, HEADLINE, LatencyKind::Commit, 9_990)?;
    let is_telling = gaps.max_ns as f64 >= tail_ns as f64 * HICCUP_SHARE_MIN;
    Some(Evidence {
        kind: EvidenceKind::Hiccup,
        text: format!(
            "The machine itself stood still for up to {} while nothing was done; p99.9 of a commit is {}{}.",
            units::latency(gaps.max_ns),
            units::latency(tail_ns),
            if is_telling { ", so that tail is not the disk's alone" } else { "" }
        ),
        is_telling,
    })
}

#[cfg(test)]
mod tests;
