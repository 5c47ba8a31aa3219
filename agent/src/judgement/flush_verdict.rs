//! The verdict on flushes: whether a sync waits for the medium, or a cache or memory answers it. A program on
//! the machine cannot tell a cache that is protected against power loss from a flush that is ignored: where
//! both are possible, the verdict names both.

use std::ops::Range;

use crate::analysis::cache::{self, Drain, FlushCost, UNEVEN_RATIO};
use crate::analysis::figures;
use crate::enumeration::enumeration;
use crate::judgement::commit_flushes::{self, FlushShare};
use crate::judgement::ladder::{DURABLE_NS_MIN, PROGRAMMED_NS_MIN};
use crate::judgement::run_notes::{self, Note, NoteId};
use crate::judgement::verdict_evidence::{self, Evidence, EvidenceKind};
use crate::plan::workload::HEADLINE;
use crate::wire::payload::{Device, Run};
use crate::wire::workload::LatencyKind;

/// Fewer flushes a commit than this are called none in words: the counters are the device's, so a few may be
/// those of others.
const NO_FLUSH_BELOW: f64 = 0.05;
/// So many flushes a commit are called one in words, by the same margin.
const ONE_FLUSH: Range<f64> = 0.95..1.05;

/// The notes to show beside the verdict: all whose content the verdict does not say already.
pub fn notes_beside(run: &Run) -> Vec<Note> {
    let judgement = judge_flushes(run);
    let is_said = |note: &Note| judgement.as_ref().is_some_and(|judgement| judgement.says(note.id));
    run_notes::notes_on_run(run).into_iter().filter(|note| !is_said(note)).collect()
}

enumeration! {
    /// The conclusion from the evidence.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FlushVerdict {
        /// A volatile cache is declared and flushes do not get there, or ZFS heeds no sync.
        FlushesMissing => "flushes-missing",
        /// Faster than any durable medium.
        MemoryAnswers => "memory-answers",
        /// A volatile cache is declared, and only some commits had a flush of their own.
        PartlyFlushed => "partly-flushed",
        /// A flush costs more the more was written before it.
        VolatileAndFlushed => "volatile-and-flushed",
        /// A flush costs the same whatever was written, though not every device declares that it writes
        /// through.
        FlatFlush => "flat-flush",
        /// The cost of a flush neither stays the same nor grows much with what was written.
        UnclearFlush => "unclear-flush",
        /// Every device declares that it writes through, so no flushes are needed.
        NoFlushNeeded => "no-flush-needed",
        /// No drain was measured; commits take as long as programming flash does.
        AsSlowAsTheMedium => "as-slow-as-the-medium",
        /// No drain was measured; commits are faster than programming flash.
        QuickWithoutADrain => "quick-without-a-drain",
        /// No drain was measured, and not every device declares a volatile cache.
        CacheUnknown => "cache-unknown",
    }
}

impl FlushVerdict {
    /// The conclusion in words, after the colon of the sentence.
    const fn words(self) -> &'static str {
        match self {
            Self::FlushesMissing => {
                "something on the way drops the flushes, and a power cut may take commits that were acknowledged"
            }
            Self::MemoryAnswers => {
                "quicker than any durable medium behind a block device, so a memory answers"
            }
            Self::PartlyFlushed => {
                "only some commits had a flush of their own, and whether the others reached the medium is unclear"
            }
            Self::VolatileAndFlushed => {
                "a volatile cache that empties when it is asked; commits wait for the medium"
            }
            Self::FlatFlush => "either protected or ignored, only a power cut can tell",
            Self::UnclearFlush => "neither flat nor steep; measure again when nobody else uses the disk",
            Self::NoFlushNeeded => {
                "the kernel sends no flushes and trusts the device; only its data sheet and a power cut can tell"
            }
            Self::AsSlowAsTheMedium => {
                "commits take as long as a medium does; nothing here speaks against them"
            }
            Self::QuickWithoutADrain => {
                "quicker than flash is programmed, so protected, ignored, or answered by a host; the suite standard \
                 measures more"
            }
            Self::CacheUnknown => "what acknowledges a commit cannot be seen from here",
        }
    }
}

/// The verdict with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlushJudgement {
    /// The conclusion from all the evidence.
    pub verdict: FlushVerdict,
    /// The conclusion in one sentence: what is declared, what was counted, what was timed, what that can
    /// mean.
    pub sentence: String,
    /// What supports it, and what else was seen on the way.
    pub evidence: Vec<Evidence>,
}

impl FlushJudgement {
    /// Whether its sentence or its evidence says what a note says.
    fn says(&self, note: NoteId) -> bool {
        match note {
            // Both words name what can explain it: protection, or flushes that are ignored.
            NoteId::FastForAVolatileCache => {
                matches!(self.verdict, FlushVerdict::FlatFlush | FlushVerdict::QuickWithoutADrain)
            }
            NoteId::FasterThanMedia => self.verdict == FlushVerdict::MemoryAnswers,
            NoteId::ReadFloorFromACache => {
                self.evidence.iter().any(|each| each.kind == EvidenceKind::WorkingSet && each.is_telling)
            }
            _ => false,
        }
    }
}

/// The verdict on a result; `None` where no commit and no flush was measured.
pub fn judge_flushes(run: &Run) -> Option<FlushJudgement> {
    let facts = FlushFacts::from_run(run);
    if facts.commit_ns.is_none() && facts.flush_cost.is_none() {
        return None;
    }
    let verdict = facts.judge();
    Some(FlushJudgement {
        verdict,
        sentence: facts.sentence(verdict),
        evidence: verdict_evidence::gather_evidence(run),
    })
}

/// What the verdict rests on.
#[derive(Debug, Clone, Copy)]
struct FlushFacts<'a> {
    devices: &'a [Device],
    /// Median latency of a commit.
    commit_ns: Option<u64>,
    /// Counted on any device, whatever it declares.
    flushes_per_commit: Option<f64>,
    /// Only where every device declares that it needs flushes.
    flush_share: Option<FlushShare>,
    /// Only on ZFS.
    log_share: Option<FlushShare>,
    flush_cost: Option<FlushCost>,
}

impl<'a> FlushFacts<'a> {
    fn from_run(run: &'a Run) -> Self {
        let commits = figures::workload(run, HEADLINE);
        Self {
            devices: &run.devices,
            commit_ns: figures::percentile_of(run, HEADLINE, LatencyKind::Commit, 5_000),
            flushes_per_commit: commits.and_then(figures::flushes_per_operation),
            flush_share: commits
                .and_then(|commits| commit_flushes::count_flushes(&run.devices, commits))
                .map(|flushes| flushes.share),
            log_share: commits.and_then(commit_flushes::count_log_commits).map(|log| log.share),
            flush_cost: cache::flush_cost_of(run),
        }
    }

    /// Whether every device declares this write cache.
    fn declares(&self, write_cache: &str) -> bool {
        !self.devices.is_empty() && self.devices.iter().all(|device| device.write_cache == write_cache)
    }

    fn judge(&self) -> FlushVerdict {
        if [self.flush_share, self.log_share].contains(&Some(FlushShare::Missing)) {
            return FlushVerdict::FlushesMissing;
        }
        if self.commit_ns.is_some_and(|ns| ns < DURABLE_NS_MIN) {
            return FlushVerdict::MemoryAnswers;
        }
        if self.flush_share == Some(FlushShare::Partial) {
            return FlushVerdict::PartlyFlushed;
        }
        match self.flush_cost.map(|cost| cost.drain) {
            Some(Drain::Volatile) => FlushVerdict::VolatileAndFlushed,
            _ if self.declares("write through") => FlushVerdict::NoFlushNeeded,
            Some(Drain::Flat) => FlushVerdict::FlatFlush,
            Some(Drain::Unclear) => FlushVerdict::UnclearFlush,
            None if !self.declares("write back") => FlushVerdict::CacheUnknown,
            None if self.commit_ns.is_some_and(|ns| ns < PROGRAMMED_NS_MIN) => {
                FlushVerdict::QuickWithoutADrain
            }
            None => FlushVerdict::AsSlowAsTheMedium,
        }
    }

    fn sentence(&self, verdict: FlushVerdict) -> String {
        let parts: Vec<String> = [Some(self.declaration()), Some(self.flush_count()), self.drain_cost()]
            .into_iter()
            .flatten()
            .collect();
        format!("{}: {}.", parts.join("; "), verdict.words())
    }

    /// What the devices declare about their cache. Power-loss protection stands in data sheets only; no
    /// software can ask for it.
    fn declaration(&self) -> String {
        let all = |holds: &dyn Fn(&Device) -> bool| self.devices.iter().all(holds);
        let own_word = if all(&|device| device.volatile_write_cache == Some(false)) {
            ", no volatile cache by its own word"
        } else {
            ""
        };
        let fua = if all(&|device| device.fua == Some(true)) { " with FUA" } else { "" };
        if self.declares("write back") {
            format!("declared write back{fua}, no PLP known{own_word}")
        } else if self.declares("write through") {
            format!("declared write through{own_word}")
        } else if self.devices.windows(2).any(|pair| pair[0].write_cache != pair[1].write_cache) {
            "its disks declare different write caches, no PLP known".to_owned()
        } else {
            "its write cache is not declared, no PLP known".to_owned()
        }
    }

    fn flush_count(&self) -> String {
        match self.flushes_per_commit {
            None => "flushes cannot be counted here".to_owned(),
            Some(flushes) if flushes < NO_FLUSH_BELOW => "no flush per commit".to_owned(),
            Some(flushes) if ONE_FLUSH.contains(&flushes) => "one flush per commit".to_owned(),
            Some(flushes) => format!("{flushes:.2} flushes per commit"),
        }
    }

    fn drain_cost(&self) -> Option<String> {
        let FlushCost { ratio, drain, .. } = self.flush_cost?;
        Some(match drain {
            Drain::Unclear if ratio < UNEVEN_RATIO => "flush cost too uneven to compare".to_owned(),
            Drain::Flat => "flush cost flat to 64 MiB".to_owned(),
            _ => format!("flush cost {} as high after 64 MiB", figures::times(ratio)),
        })
    }
}

#[cfg(test)]
mod tests;
