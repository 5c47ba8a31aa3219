//! Notes on a whole run, to be read before its figures are believed: each states a fact, what can explain it,
//! and what can be done. None of them judges anybody's honesty.

use crate::analysis::disturbance::OthersShare;
use crate::analysis::figures;
use crate::analysis::{disturbed_workloads, repeats};
use crate::enumeration::enumeration;
use crate::judgement::commit_flushes::{self, CommitFlushes, FlushShare};
use crate::judgement::ladder::{DURABLE_NS_MIN, PROGRAMMED_NS_MIN};
use crate::plan::workload::HEADLINE;
use crate::probe::storage::filesystem::ZFS_WITHOUT_FLUSHES;
use crate::sys::clock;
use crate::text::printable;
use crate::units;
use crate::wire::histogram::Distribution;
use crate::wire::judgement::filesystem::FREE_SHARE_MIN;
use crate::wire::judgement::surroundings::{CLOCK_SOURCES_WITHOUT_SYSTEM_CALL, MOUNT_FLAGS_WITHOUT_FLUSHES};
use crate::wire::payload::{Run, RunClock};
use crate::wire::workload::Workload;

/// From more than this many bytes in each copy for each byte committed, a note is shown. Overwriting in
/// place without a journal writes 1.0, ext4 with a journal 1.1, btrfs 15 to 19.
const AMPLIFICATION_MAX: f64 = 1.5;
/// From this many medians on, p99.9 of the commits is worth mentioning.
const TAIL_RATIO_MIN: u64 = 20;
/// Longer words of a result are cut when they are shown.
const WORD_LENGTH_SHOWN: usize = 64;
/// The clocks that include sleep and those that do not differ by less than this while the machine is awake.
const SLEEP_NS_MIN: u64 = 100_000_000;

enumeration! {
    /// Every note there is, the most important first: they are shown in this order. `fsyncmark explain` knows
    /// each by its id.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum NoteId {
        /// Not the whole suite was measured.
        Incomplete => "incomplete",
        /// A volatile cache is declared and flushes do not get there.
        FlushesMissing => "flushes-missing",
        /// ZFS heeds no sync.
        SyncDisabled => "sync-disabled",
        /// Faster than any durable medium.
        FasterThanMedia => "faster-than-media",
        /// Quick for a drive that declares a volatile cache.
        FastForAVolatileCache => "fast-for-a-volatile-cache",
        /// Others used the device during a pass.
        OtherIo => "other-io",
        /// Others used the CPUs during a pass.
        OtherCpu => "other-cpu",
        /// The device writes more than is committed.
        Amplified => "amplified",
        /// The passes differ.
        Unsteady => "unsteady",
        /// One commit in a thousand stalls.
        LongTail => "long-tail",
        /// Little of the filesystem is free.
        NearlyFull => "nearly-full",
        /// The machine slept during the run.
        Slept => "slept",
        /// Reading the clock is slow.
        SlowClock => "slow-clock",
        /// A cache answered the reads.
        ReadFloorFromACache => "read-floor-from-a-cache",
        /// The time of a read is not known.
        NoReadFloor => "no-read-floor",
        /// The device cannot be seen.
        DeviceUnknown => "device-unknown",
        /// The drive does not say its model.
        ModelHidden => "model-hidden",
        /// What others did cannot be seen.
        OthersUnseen => "others-unseen",
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

/// All notes that apply, in the order of [`NoteId`].
pub fn notes_on_run(run: &Run) -> Vec<Note> {
    let headline = figures::workload(run, HEADLINE);
    let facts = NoteFacts {
        run,
        headline,
        others: headline.and_then(|headline| disturbed_workloads::share_of_others(run, headline)),
    };
    NoteId::ALL.into_iter().filter_map(|id| Some(Note { id, text: facts.text_of(id)? })).collect()
}

/// What notes are made of.
struct NoteFacts<'a> {
    run: &'a Run,
    headline: Option<&'a Workload>,
    /// What other programs had of the headline's passes.
    others: Option<OthersShare>,
}

impl NoteFacts<'_> {
    /// The text of a note; `None` where it does not apply.
    fn text_of(&self, id: NoteId) -> Option<String> {
        let &Self { run, headline, others } = self;
        match id {
            NoteId::Incomplete => incomplete(run),
            NoteId::FlushesMissing => flushes_missing(run, headline?),
            NoteId::SyncDisabled => sync_disabled(headline?),
            NoteId::FasterThanMedia => faster_than_media(headline?),
            NoteId::FastForAVolatileCache => fast_for_a_volatile_cache(run, headline?),
            NoteId::OtherIo => other_io(others?),
            NoteId::OtherCpu => other_cpu(others?),
            NoteId::Amplified => amplified(run, headline?),
            NoteId::Unsteady => unsteady(headline?),
            NoteId::LongTail => long_tail(headline?),
            NoteId::NearlyFull => nearly_full(run),
            NoteId::Slept => slept(run),
            NoteId::SlowClock => slow_clock(run),
            NoteId::ReadFloorFromACache => read_floor_from_a_cache(run),
            NoteId::NoReadFloor => no_read_floor(run),
            NoteId::DeviceUnknown => device_unknown(run),
            NoteId::ModelHidden => model_hidden(run),
            NoteId::OthersUnseen => others_unseen(others?),
        }
    }
}

fn commit_ns(workload: &Workload, per_ten_thousand: u64) -> Option<u64> {
    figures::percentile(&Distribution::from(workload.histograms.commit.as_ref()?), per_ten_thousand)
}

fn read_floor_ns(run: &Run) -> Option<u64> {
    figures::read_floor(run).map(|reads| reads.percentile_ns(5_000))
}

fn incomplete(run: &Run) -> Option<String> {
    if run.suite.complete {
        return None;
    }
    Some("Not the whole suite was measured: the run ended early, or workloads were left out.".to_owned())
}

fn flushes_missing(run: &Run, headline: &Workload) -> Option<String> {
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
    Some(format!(
        "The device declares a volatile write cache, but {per_commit:.2} flushes a commit reached it. {cause} \
         Commits that were acknowledged may not survive a power cut."
    ))
}

fn sync_disabled(headline: &Workload) -> Option<String> {
    let CommitFlushes { per_commit, share } = commit_flushes::count_log_commits(headline)?;
    (share == FlushShare::Missing).then(|| {
        format!(
            "ZFS committed its intent log {per_commit:.2} times a commit: the property sync of the dataset is \
         disabled. Commits that were acknowledged lie in memory for seconds."
        )
    })
}

fn faster_than_media(headline: &Workload) -> Option<String> {
    let p50_ns = commit_ns(headline, 5_000)?;
    if p50_ns >= DURABLE_NS_MIN {
        return None;
    }
    Some(format!(
        "Half of all commits took less than {}: faster than durable media behind a block device. Memory may \
         have acknowledged them: is this disk a file on another machine, or in RAM?",
        units::latency(p50_ns)
    ))
}

fn fast_for_a_volatile_cache(run: &Run, headline: &Workload) -> Option<String> {
    let p50_ns = commit_ns(headline, 5_000)?;
    let CommitFlushes { per_commit, share } = commit_flushes::count_flushes(&run.devices, headline)?;
    if share != FlushShare::Counted || !(DURABLE_NS_MIN..PROGRAMMED_NS_MIN).contains(&p50_ns) {
        return None;
    }
    let floor = read_floor_ns(run)
        .map(|ns| format!(" (reading 4 KiB takes {})", units::latency(ns)))
        .unwrap_or_default();
    Some(format!(
        "The device declares a volatile write cache and gets {per_commit:.2} flushes a commit, yet half of all \
         commits take {} or less{floor}. Power-loss protection explains that; so does a host that answers from \
         its memory, or a drive that ignores flushes. Only a power cut can tell.",
        units::latency(p50_ns)
    ))
}

fn other_io(others: OthersShare) -> Option<String> {
    let milli = others.device_milli.filter(|_| others.disturbs_device())?;
    let text = format!(
        "Other programs had {} of what the disk moved during a pass of the headline, so its figures are not the \
         disk's. Stop them and measure again.",
        units::percent_of_milli(milli)
    );
    Some(text)
}

fn other_cpu(others: OthersShare) -> Option<String> {
    let milli = others.cpu_milli.filter(|_| others.disturbs_cpu())?;
    let text = format!(
        "Other programs had {} of the CPUs during a pass of the headline, so its figures are not the disk's. Stop \
         them and measure again.",
        units::percent_of_milli(milli)
    );
    Some(text)
}

fn others_unseen(others: OthersShare) -> Option<String> {
    let unseen = match (others.device_milli, others.cpu_milli) {
        (Some(_), Some(_)) => return None,
        (None, Some(_)) => "used the disk",
        (Some(_), None) => "used the CPUs",
        (None, None) => "used disk or CPUs",
    };
    let text =
        format!("Whether other programs {unseen} during the passes cannot be seen here: only you know it.");
    Some(text)
}

fn amplified(run: &Run, headline: &Workload) -> Option<String> {
    let ratio = figures::bytes_per_byte(headline)?;
    let copies = disturbed_workloads::copies_max(run);
    if ratio <= AMPLIFICATION_MAX * copies as f64 {
        return None;
    }
    let who = match copies {
        1 => "The device".to_owned(),
        copies => format!("The {copies} devices, which may hold a copy each,"),
    };
    Some(format!(
        "{who} wrote {ratio:.1} bytes for each byte committed: the filesystem's own, or others'. Less is left for \
         commits, and flash wears faster."
    ))
}

fn unsteady(headline: &Workload) -> Option<String> {
    let spread = repeats::spread_of_passes(headline).filter(repeats::Spread::is_unsteady)?;
    Some(format!(
        "The passes differ: {} to {} commits a second, {:.0} % of their median. A shared machine, burst credits or \
         a filling cache do that; run it again, at another hour too.",
        units::rate(spread.low_per_s),
        units::rate(spread.high_per_s),
        spread.relative * 100.0
    ))
}

fn long_tail(headline: &Workload) -> Option<String> {
    let (p50_ns, p999_ns) = (commit_ns(headline, 5_000)?, commit_ns(headline, 9_990)?);
    if p999_ns < p50_ns.saturating_mul(TAIL_RATIO_MIN) {
        return None;
    }
    Some(format!(
        "One commit in a thousand takes {} or more, {} times the median: a database shows that as stalls.",
        units::latency(p999_ns),
        p999_ns / p50_ns.max(1)
    ))
}

fn nearly_full(run: &Run) -> Option<String> {
    let share = run.env.fs_free_bytes as f64 / run.env.fs_size_bytes.max(1) as f64;
    if run.env.fs_size_bytes == 0 || share >= FREE_SHARE_MIN {
        return None;
    }
    Some(format!(
        "Only {:.1} % of the filesystem is free: SSDs and filesystems get slower as they fill.",
        share * 100.0
    ))
}

fn slept(run: &Run) -> Option<String> {
    let asleep_ns = run.clock.boottime_elapsed_ns.saturating_sub(run.clock.mono_elapsed_ns);
    if asleep_ns < SLEEP_NS_MIN {
        return None;
    }
    Some(format!("The machine slept for {} during the run: measure again.", units::latency(asleep_ns)))
}

fn slow_clock(run: &Run) -> Option<String> {
    if clock::is_quick(run.clock.read_cost_ns) {
        return None;
    }
    let RunClock { source, read_cost_ns, .. } = &run.clock;
    let cause = if CLOCK_SOURCES_WITHOUT_SYSTEM_CALL.contains(&source.as_str()) {
        "This source needs no system call on hardware: an emulator or a sandbox stands in between."
    } else {
        "A clock source that needs no system call, such as tsc or kvm-clock, would be exact."
    };
    Some(format!(
        "Reading the clock takes {read_cost_ns} ns (clock source {}), and every latency includes one reading. \
         {cause}",
        printable(source, WORD_LENGTH_SHOWN)
    ))
}

fn read_floor_from_a_cache(run: &Run) -> Option<String> {
    let floor_ns = read_floor_ns(run).filter(|&floor_ns| floor_ns < DURABLE_NS_MIN)?;
    Some(format!(
        "Half of all reads past the page cache took {} or less: a cache answered them, such as that of ZFS or \
         of the host, not the medium.",
        units::latency(floor_ns)
    ))
}

fn no_read_floor(run: &Run) -> Option<String> {
    if !run.suite.complete || read_floor_ns(run).is_some() {
        return None;
    }
    Some("This filesystem has no O_DIRECT, so the time of a read from the device is not known.".to_owned())
}

fn device_unknown(run: &Run) -> Option<String> {
    run.devices.is_empty().then(|| {
        format!(
            "Which device is behind {} cannot be seen here, so its write cache and its flushes are unknown.",
            printable(&run.env.fs, WORD_LENGTH_SHOWN)
        )
    })
}

fn model_hidden(run: &Run) -> Option<String> {
    if run.devices.iter().all(|device| !device.model.is_empty()) {
        return None;
    }
    let classes = run.devices_state(|device| {
        if device.model.is_empty() { printable(&device.class, WORD_LENGTH_SHOWN) } else { String::new() }
    });
    let whose = if run.devices.len() == 1 { "The drive's model" } else { "The model of a drive" };
    Some(format!(
        "{whose} is hidden ({}): the result counts for the plan or machine, not for a drive.",
        classes.join(", ")
    ))
}

#[cfg(test)]
mod tests;
