//! Notes on a whole run, to be read before one believes it: each states a fact, what can explain it, and what can be
//! done. None of them judges anybody's honesty.

mod others;

use crate::analysis::figures;
use crate::analysis::{interference, repeats};
use crate::judgement::commit_flushes::{self, CommitFlushes, FlushShare};
use crate::judgement::ladder::{DURABLE_NS_MIN, PROGRAMMED_NS_MIN};
use crate::plan::workload::HEADLINE;
use crate::probe::storage::filesystem::ZFS_WITHOUT_FLUSHES;
use crate::sys::clock;
use crate::units;
use crate::wire::histogram::Distribution;
use crate::wire::judgement::filesystem::FREE_SHARE_MIN;
use crate::wire::judgement::surroundings::{CLOCK_SOURCES_WITHOUT_SYSTEM_CALL, MOUNT_FLAGS_WITHOUT_FLUSHES};
use crate::wire::payload::{Run, RunClock};
use crate::wire::workload::Workload;

/// From more than this many bytes on the device for each byte committed, a note is shown. Overwriting in place
/// without a journal writes 1.0, ext4 with a journal 1.1, btrfs 15 to 19.
const AMPLIFICATION_MAX: f64 = 1.5;
/// From this many medians on, p99.9 of the commits is worth mentioning.
const TAIL_RATIO_MIN: u64 = 20;
/// The clocks that include sleep and those that do not differ by less than this while the machine is awake.
const SLEEP_NS_MIN: u64 = 100_000_000;

/// Every note there is. `fsyncmark explain` knows each by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteId {
    /// Not the whole suite was measured.
    Incomplete,
    /// A volatile cache is declared and flushes do not get there.
    FlushesMissing,
    /// ZFS heeds no sync.
    SyncDisabled,
    /// Faster than any durable medium.
    FasterThanMedia,
    /// Quick for a drive that declares a volatile cache.
    FastForAVolatileCache,
    /// Others used the device during a pass.
    OtherIo,
    /// Others used the CPUs during a pass.
    OtherCpu,
    /// The device writes more than is committed.
    Amplified,
    /// The passes differ.
    Unsteady,
    /// One commit in a thousand stalls.
    LongTail,
    /// Little of the filesystem is free.
    NearlyFull,
    /// The machine slept during the run.
    Slept,
    /// Reading the clock is slow.
    SlowClock,
    /// A cache answered the reads.
    ReadFloorFromACache,
    /// The time of a read is not known.
    NoReadFloor,
    /// The device cannot be seen.
    DeviceUnknown,
    /// The drive does not say its model.
    ModelHidden,
    /// What others did cannot be seen.
    OthersUnseen,
}

impl NoteId {
    /// Every note.
    pub const ALL: [Self; 18] = [
        Self::Incomplete,
        Self::FlushesMissing,
        Self::SyncDisabled,
        Self::FasterThanMedia,
        Self::FastForAVolatileCache,
        Self::OtherIo,
        Self::OtherCpu,
        Self::Amplified,
        Self::Unsteady,
        Self::LongTail,
        Self::NearlyFull,
        Self::Slept,
        Self::SlowClock,
        Self::ReadFloorFromACache,
        Self::NoReadFloor,
        Self::DeviceUnknown,
        Self::ModelHidden,
        Self::OthersUnseen,
    ];

    /// Its id, for people and programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::FlushesMissing => "flushes-missing",
            Self::SyncDisabled => "sync-disabled",
            Self::FasterThanMedia => "faster-than-media",
            Self::FastForAVolatileCache => "fast-for-a-volatile-cache",
            Self::OtherIo => "other-io",
            Self::OtherCpu => "other-cpu",
            Self::Amplified => "amplified",
            Self::Unsteady => "unsteady",
            Self::LongTail => "long-tail",
            Self::NearlyFull => "nearly-full",
            Self::Slept => "slept",
            Self::SlowClock => "slow-clock",
            Self::ReadFloorFromACache => "read-floor-from-a-cache",
            Self::NoReadFloor => "no-read-floor",
            Self::DeviceUnknown => "device-unknown",
            Self::ModelHidden => "model-hidden",
            Self::OthersUnseen => "others-unseen",
        }
    }
}

/// A note on a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Which note it is.
    pub id: NoteId,
    /// One to three sentences.
    pub text: String,
}

/// All notes that apply, the most important first.
pub fn notes_on_run(run: &Run) -> Vec<Note> {
    let headline = figures::workload(run, HEADLINE);
    let others = headline.and_then(|headline| interference::share_of_others(run, headline));
    [
        incomplete(run),
        headline.and_then(|headline| flushes_missing(run, headline)),
        headline.and_then(sync_disabled),
        headline.and_then(faster_than_media),
        headline.and_then(|headline| fast_for_a_volatile_cache(run, headline)),
        others.and_then(others::other_io).map(|text| Note::new(NoteId::OtherIo, text)),
        others.and_then(others::other_cpu).map(|text| Note::new(NoteId::OtherCpu, text)),
        headline.and_then(amplification),
        headline.and_then(unsteady),
        headline.and_then(long_tail),
        nearly_full(run),
        sleep(run),
        slow_clock(run),
        read_floor_from_a_cache(run),
        no_read_floor(run),
        device_hidden(run),
        others.and_then(others::others_unseen).map(|text| Note::new(NoteId::OthersUnseen, text)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Note {
    const fn new(id: NoteId, text: String) -> Self {
        Self { id, text }
    }
}

fn commit_ns(workload: &Workload, per_ten_thousand: u64) -> Option<u64> {
    figures::percentile(&Distribution::from(workload.histograms.commit.as_ref()?), per_ten_thousand)
}

fn read_floor_ns(run: &Run) -> Option<u64> {
    figures::read_floor(run).map(|reads| reads.percentile_ns(5_000))
}

fn incomplete(run: &Run) -> Option<Note> {
    if run.suite.complete {
        return None;
    }
    Some(Note::new(
        NoteId::Incomplete,
        "Not the whole suite was measured: the run ended early, or workloads were left out.".to_owned(),
    ))
}

fn flushes_missing(run: &Run, headline: &Workload) -> Option<Note> {
    let CommitFlushes { per_commit, share } = commit_flushes::count_flushes(&run.devices, headline)?;
    if share != FlushShare::Missing {
        return None;
    }
    let is_off = |flag: &&String| MOUNT_FLAGS_WITHOUT_FLUSHES.contains(&flag.as_str());
    let cause = match run.env.mount_flags.iter().find(is_off).map(String::as_str) {
        Some(ZFS_WITHOUT_FLUSHES) => {
            format!("ZFS is told to send none ({ZFS_WITHOUT_FLUSHES}): set it to 0.")
        }
        Some(flag) => format!("The filesystem is mounted with {flag}: remount it without."),
        None => "A mount option, a layer in between or the hypervisor's cache mode drops them: look there."
            .to_owned(),
    };
    Some(Note::new(
        NoteId::FlushesMissing,
        format!(
            "The device declares a volatile write cache, but {per_commit:.2} flushes a commit reached it. {cause} \
             Commits that were acknowledged may not survive a power cut."
        ),
    ))
}

fn sync_disabled(headline: &Workload) -> Option<Note> {
    let CommitFlushes { per_commit, share } = commit_flushes::count_log_commits(headline)?;
    if share != FlushShare::Missing {
        return None;
    }
    Some(Note::new(
        NoteId::SyncDisabled,
        format!(
            "ZFS committed its intent log {per_commit:.2} times a commit: the property sync of the dataset is \
             disabled. Commits that were acknowledged lie in memory for seconds."
        ),
    ))
}

fn faster_than_media(headline: &Workload) -> Option<Note> {
    let p50_ns = commit_ns(headline, 5_000)?;
    if p50_ns >= DURABLE_NS_MIN {
        return None;
    }
    Some(Note::new(
        NoteId::FasterThanMedia,
        format!(
            "Half of all commits took less than {}: faster than durable media behind a block device. Memory may \
             have acknowledged them: is this disk a file on another machine, or in RAM?",
            units::latency(p50_ns)
        ),
    ))
}

fn fast_for_a_volatile_cache(run: &Run, headline: &Workload) -> Option<Note> {
    let p50_ns = commit_ns(headline, 5_000)?;
    let CommitFlushes { per_commit, share } = commit_flushes::count_flushes(&run.devices, headline)?;
    if share != FlushShare::Counted || !(DURABLE_NS_MIN..PROGRAMMED_NS_MIN).contains(&p50_ns) {
        return None;
    }
    let floor = read_floor_ns(run)
        .map(|ns| format!(" (reading 4 KiB takes {})", units::latency(ns)))
        .unwrap_or_default();
    Some(Note::new(
        NoteId::FastForAVolatileCache,
        format!(
            "The device declares a volatile write cache and gets {per_commit:.2} flushes a commit, yet half of all \
             commits take {} or less{floor}. Power-loss protection explains that; so does a host that answers from \
             its memory, or a drive that ignores flushes. Only a power cut can tell.",
            units::latency(p50_ns)
        ),
    ))
}

fn amplification(headline: &Workload) -> Option<Note> {
    let ratio = headline.device_bytes? as f64 / headline.bytes.max(1) as f64;
    if ratio <= AMPLIFICATION_MAX {
        return None;
    }
    Some(Note::new(
        NoteId::Amplified,
        format!(
            "The device wrote {ratio:.1} bytes for each byte committed: the filesystem's own, or others'. Less is \
             left for commits, and flash wears faster."
        ),
    ))
}

fn unsteady(headline: &Workload) -> Option<Note> {
    let spread = repeats::spread_of_passes(headline).filter(repeats::Spread::is_unsteady)?;
    Some(Note::new(
        NoteId::Unsteady,
        format!(
            "The passes differ: {} to {} commits a second, {:.0} % of their median. A shared machine, burst credits or \
             a filling cache do that; run it again, at another hour too.",
            units::rate(spread.low_per_s),
            units::rate(spread.high_per_s),
            spread.relative * 100.0
        ),
    ))
}

fn long_tail(headline: &Workload) -> Option<Note> {
    let (p50_ns, p999_ns) = (commit_ns(headline, 5_000)?, commit_ns(headline, 9_990)?);
    if p999_ns < p50_ns.saturating_mul(TAIL_RATIO_MIN) {
        return None;
    }
    Some(Note::new(
        NoteId::LongTail,
        format!(
            "One commit in a thousand takes {} or more, {} times the median: a database shows that as stalls.",
            units::latency(p999_ns),
            p999_ns / p50_ns.max(1)
        ),
    ))
}

fn nearly_full(run: &Run) -> Option<Note> {
    let share = run.env.fs_free_bytes as f64 / run.env.fs_size_bytes.max(1) as f64;
    if run.env.fs_size_bytes == 0 || share >= FREE_SHARE_MIN {
        return None;
    }
    Some(Note::new(
        NoteId::NearlyFull,
        format!(
            "Only {:.1} % of the filesystem is free: SSDs and filesystems get slower as they fill.",
            share * 100.0
        ),
    ))
}

fn sleep(run: &Run) -> Option<Note> {
    let asleep_ns = run.clock.boottime_elapsed_ns.saturating_sub(run.clock.mono_elapsed_ns);
    if asleep_ns < SLEEP_NS_MIN {
        return None;
    }
    Some(Note::new(
        NoteId::Slept,
        format!("The machine slept for {} during the run: measure again.", units::latency(asleep_ns)),
    ))
}

fn slow_clock(run: &Run) -> Option<Note> {
    if clock::is_quick(run.clock.read_cost_ns) {
        return None;
    }
    let RunClock { source, read_cost_ns, .. } = &run.clock;
    let cause = if CLOCK_SOURCES_WITHOUT_SYSTEM_CALL.contains(&source.as_str()) {
        "This source needs no system call on hardware: an emulator or a sandbox stands in between."
    } else {
        "A clock source that needs no system call, such as tsc or kvm-clock, would be exact."
    };
    Some(Note::new(
        NoteId::SlowClock,
        format!(
            "Reading the clock takes {read_cost_ns} ns (clock source {source}), and every latency includes one \
             reading. {cause}"
        ),
    ))
}

fn read_floor_from_a_cache(run: &Run) -> Option<Note> {
    let floor_ns = read_floor_ns(run).filter(|&floor_ns| floor_ns < DURABLE_NS_MIN)?;
    Some(Note::new(
        NoteId::ReadFloorFromACache,
        format!(
            "Half of all reads past the page cache took {} or less: a cache answered them, such as that of ZFS or \
             of the host, not the medium.",
            units::latency(floor_ns)
        ),
    ))
}

fn no_read_floor(run: &Run) -> Option<Note> {
    if !run.suite.complete || read_floor_ns(run).is_some() {
        return None;
    }
    Some(Note::new(
        NoteId::NoReadFloor,
        "This filesystem has no O_DIRECT, so the time of a read from the device is not known.".to_owned(),
    ))
}

fn device_hidden(run: &Run) -> Option<Note> {
    match run.devices.as_slice() {
        [] => Some(Note::new(
            NoteId::DeviceUnknown,
            format!(
                "Which device is behind {} cannot be seen here, so its write cache and its flushes are unknown.",
                run.env.fs
            ),
        )),
        [device, ..] if device.model.is_empty() => Some(Note::new(
            NoteId::ModelHidden,
            format!(
                "The drive's model is hidden ({}): the result counts for the plan or machine, not for a drive.",
                device.class
            ),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
