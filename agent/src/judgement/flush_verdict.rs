//! Who answers a sync: what a result shows about the way between a commit and the medium, in plain words, with the
//! evidence. A measurement from inside cannot tell protection from a flush that is ignored: where both fit, both are
//! named.

use crate::analysis::cache::{self, Drain, FlushCost, UNEVEN_RATIO};
use crate::analysis::figures;
use crate::judgement::commit_flushes::{self, FlushShare};
use crate::judgement::ladder::{DURABLE_NS_MIN, PROGRAMMED_NS_MIN};
use crate::judgement::run_notes::{self, Note, NoteId};
use crate::judgement::verdict_evidence::{self, Evidence, EvidenceKind};
use crate::plan::workload::HEADLINE;
use crate::wire::payload::{Device, Run};
use crate::wire::workload::LatencyKind;

/// The notes to show beside the verdict: all whose content the verdict does not say already.
pub fn notes_beside(run: &Run) -> Vec<Note> {
    let judgement = judge_flushes(run);
    let is_said = |note: &Note| judgement.as_ref().is_some_and(|judgement| judgement.says(note.id));
    run_notes::notes_on_run(run).into_iter().filter(|note| !is_said(note)).collect()
}

/// The conclusion from the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushVerdict {
    /// A volatile cache is declared and flushes do not get there.
    FlushesMissing,
    /// Faster than any durable medium.
    Memory,
    /// A volatile cache is declared, and only some commits had a flush of their own.
    PartlyFlushed,
    /// A flush costs more the more was written before it.
    Volatile,
    /// A flush costs the same whatever was written, though a volatile cache is declared.
    Flat,
    /// Neither flat nor steep.
    Between,
    /// No volatile cache is declared, so no flushes are needed.
    WriteThrough,
    /// No drain was measured; commits take as long as programming flash does.
    AsSlowAsMedium,
    /// No drain was measured; commits are faster than programming flash.
    Quick,
    /// Neither the cache is known nor a drain measured.
    Unknown,
}

impl FlushVerdict {
    /// Every one.
    pub const ALL: [Self; 10] = [
        Self::FlushesMissing,
        Self::Memory,
        Self::PartlyFlushed,
        Self::Volatile,
        Self::Flat,
        Self::Between,
        Self::WriteThrough,
        Self::AsSlowAsMedium,
        Self::Quick,
        Self::Unknown,
    ];

    /// Its name, for `fsyncmark explain`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::FlushesMissing => "flushes-missing",
            Self::Memory => "memory-answers",
            Self::PartlyFlushed => "partly-flushed",
            Self::Volatile => "volatile-and-flushed",
            Self::Flat => "flat-flush",
            Self::Between => "unclear-flush",
            Self::WriteThrough => "no-flush-needed",
            Self::AsSlowAsMedium => "as-slow-as-the-medium",
            Self::Quick => "quick-without-a-drain",
            Self::Unknown => "cache-unknown",
        }
    }

    /// The conclusion in words, after the colon of the sentence.
    const fn words(self) -> &'static str {
        match self {
            Self::FlushesMissing => {
                "something on the way drops the flushes, and a power cut may take commits that were acknowledged"
            }
            Self::Memory => "quicker than any durable medium behind a block device, so a memory answers",
            Self::PartlyFlushed => {
                "only some commits had a flush of their own, and whether the others reached the medium is unclear"
            }
            Self::Volatile => "a volatile cache that empties when it is asked; commits wait for the medium",
            Self::Flat => "either protected or ignored, only a power cut can tell",
            Self::Between => "neither flat nor steep; measure again when nobody else uses the disk",
            Self::WriteThrough => {
                "the kernel sends no flushes and trusts the device; only its data sheet and a power cut can tell"
            }
            Self::AsSlowAsMedium => "commits take as long as a medium does; nothing here speaks against them",
            Self::Quick => {
                "quicker than flash is programmed, so protected, ignored, or answered by a host; the suite standard \
                 measures more"
            }
            Self::Unknown => "what acknowledges a commit cannot be seen from here",
        }
    }
}

/// The verdict with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlushJudgement {
    /// The conclusion from all the evidence.
    pub verdict: FlushVerdict,
    /// The conclusion in one sentence: what is declared, what was counted, what was timed, what that can mean.
    pub sentence: String,
    /// What supports it, and what else was seen on the way.
    pub evidence: Vec<Evidence>,
}

impl FlushJudgement {
    /// Whether its sentence or its evidence says what a note says.
    fn says(&self, note: NoteId) -> bool {
        match note {
            // Both words name what can explain it: protection, or flushes that are ignored.
            NoteId::FastForAVolatileCache => matches!(self.verdict, FlushVerdict::Flat | FlushVerdict::Quick),
            NoteId::FasterThanMedia => self.verdict == FlushVerdict::Memory,
            NoteId::ReadFloorFromACache => {
                self.evidence.iter().any(|each| each.kind == EvidenceKind::WorkingSet && each.is_telling)
            }
            _ => false,
        }
    }
}

/// The verdict on a result; `None` where no commit and no flush was measured.
pub fn judge_flushes(run: &Run) -> Option<FlushJudgement> {
    let facts = FlushFacts::of(run);
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
    device: Option<&'a Device>,
    /// Median latency of a commit.
    commit_ns: Option<u64>,
    /// Counted on any device, whatever it declares.
    flushes_per_commit: Option<f64>,
    /// Only for a device that needs flushes.
    flush_share: Option<FlushShare>,
    flush_cost: Option<FlushCost>,
}

impl<'a> FlushFacts<'a> {
    fn of(run: &'a Run) -> Self {
        let (device, commits) = (run.devices.first(), figures::workload(run, HEADLINE));
        Self {
            device,
            commit_ns: figures::percentile_of(run, HEADLINE, LatencyKind::Commit, 5_000),
            flushes_per_commit: commits.and_then(figures::flushes_per_operation),
            flush_share: commits
                .and_then(|commits| commit_flushes::count_flushes(device, commits))
                .map(|flushes| flushes.share),
            flush_cost: cache::flush_cost_of(run),
        }
    }

    fn declares(&self, write_cache: &str) -> bool {
        self.device.is_some_and(|device| device.write_cache == write_cache)
    }

    fn judge(&self) -> FlushVerdict {
        if self.flush_share == Some(FlushShare::Missing) {
            return FlushVerdict::FlushesMissing;
        }
        if self.commit_ns.is_some_and(|ns| ns < DURABLE_NS_MIN) {
            return FlushVerdict::Memory;
        }
        if self.flush_share == Some(FlushShare::Partial) {
            return FlushVerdict::PartlyFlushed;
        }
        match self.flush_cost.map(|cost| cost.drain) {
            Some(Drain::Volatile) => FlushVerdict::Volatile,
            _ if self.declares("write through") => FlushVerdict::WriteThrough,
            Some(Drain::Flat) => FlushVerdict::Flat,
            Some(Drain::Unclear) => FlushVerdict::Between,
            None if !self.declares("write back") => FlushVerdict::Unknown,
            None if self.commit_ns.is_some_and(|ns| ns < PROGRAMMED_NS_MIN) => FlushVerdict::Quick,
            None => FlushVerdict::AsSlowAsMedium,
        }
    }

    fn sentence(&self, verdict: FlushVerdict) -> String {
        let parts: Vec<String> = [Some(self.declaration()), Some(self.flush_count()), self.drain_cost()]
            .into_iter()
            .flatten()
            .collect();
        format!("{}: {}.", parts.join("; "), verdict.words())
    }

    /// What the device declares about its cache. Power-loss protection stands in data sheets only; no software can
    /// ask for it.
    fn declaration(&self) -> String {
        let own_word = match self.device.and_then(|device| device.volatile_write_cache) {
            Some(false) => ", no volatile cache by its own word",
            _ => "",
        };
        let fua = match self.device.and_then(|device| device.fua) {
            Some(true) => " with FUA",
            _ => "",
        };
        match self.device.map(|device| device.write_cache.as_str()) {
            Some("write back") => format!("declared write back{fua}, no PLP known{own_word}"),
            Some("write through") => format!("declared write through{own_word}"),
            _ => "its write cache is not declared, no PLP known".to_owned(),
        }
    }

    fn flush_count(&self) -> String {
        match self.flushes_per_commit {
            None => "flushes cannot be counted here".to_owned(),
            Some(flushes) if flushes < 0.05 => "no flush per commit".to_owned(),
            Some(flushes) if (0.95..1.05).contains(&flushes) => "one flush per commit".to_owned(),
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
mod tests {
    use super::*;
    use crate::analysis::figures::examples;

    /// A device that declares write back without FUA, and commits of `commit_ns`.
    fn run(commit_ns: u64) -> Run {
        let mut run = examples::run(vec![examples::commits(HEADLINE, commit_ns)]);
        run.devices[0].write_cache = "write back".to_owned();
        (run.devices[0].fua, run.devices[0].volatile_write_cache) = (Some(false), None);
        run
    }

    fn drain_cost(commit_ns: u64, empty_ns: u64, full_ns: u64) -> Run {
        let mut run = run(commit_ns);
        run.workloads
            .extend([examples::flushes("empty-flush", empty_ns), examples::flushes("drain-64m", full_ns)]);
        run
    }

    fn verdict(run: &Run) -> FlushVerdict {
        judge_flushes(run).unwrap().verdict
    }

    #[test]
    fn the_sentence_names_what_was_declared_counted_and_timed() {
        assert_eq!(
            judge_flushes(&drain_cost(100_000, 44_000, 106_000)).unwrap().sentence,
            "declared write back, no PLP known; one flush per commit; flush cost flat to 64 MiB: either protected or \
             ignored, only a power cut can tell."
        );
        assert_eq!(
            judge_flushes(&drain_cost(400_000, 108_000, 21_900_000)).unwrap().sentence,
            "declared write back, no PLP known; one flush per commit; flush cost 203 times as high after 64 MiB: a \
             volatile cache that empties when it is asked; commits wait for the medium."
        );
    }

    #[test]
    fn a_flush_is_flat_below_three_times_and_steep_above_ten() {
        // Buckets are a little wide: sizes are taken that are exact.
        for (full_ns, expected) in [
            (330, FlushVerdict::Between),
            (337, FlushVerdict::Flat),
            (2_990, FlushVerdict::Flat),
            (3_008, FlushVerdict::Between),
            (9_900, FlushVerdict::Between),
            (10_200, FlushVerdict::Volatile),
        ] {
            let run = drain_cost(400_000, 1_000 * 44, full_ns * 44);
            let ratio = cache::flush_cost_of(&run).unwrap().ratio;
            assert_eq!(verdict(&run), expected, "{full_ns}: {ratio}");
        }
    }

    #[test]
    fn fewer_than_three_flushes_decide_nothing() {
        let mut run = drain_cost(400_000, 44_000, 4_400_000);
        run.workloads[2].histograms.sync = examples::latencies(3, 4_400_000);
        assert_eq!(verdict(&run), FlushVerdict::Volatile);
        run.workloads[2].histograms.sync = examples::latencies(2, 4_400_000);
        assert_eq!((cache::flush_cost_of(&run), verdict(&run)), (None, FlushVerdict::AsSlowAsMedium));
    }

    #[test]
    fn flushes_that_do_not_arrive_outweigh_all_else() {
        let mut run = drain_cost(100_000, 44_000, 44_000);
        run.workloads[0].flushes = Some(500);
        assert_eq!(verdict(&run), FlushVerdict::Flat);
        run.workloads[0].flushes = Some(499);
        assert_eq!(verdict(&run), FlushVerdict::PartlyFlushed);
        run.workloads[0].flushes = Some(100);
        assert_eq!(verdict(&run), FlushVerdict::PartlyFlushed);
        run.workloads[0].flushes = Some(99);
        assert_eq!(verdict(&run), FlushVerdict::FlushesMissing);
        assert!(judge_flushes(&run).unwrap().sentence.contains("; 0.10 flushes per commit;"));
        run.devices[0].fua = Some(true);
        assert_eq!(verdict(&run), FlushVerdict::FlushesMissing, "a sync after the write needs a flush");
        run.workloads[0].flushes = None;
        assert_eq!(verdict(&run), FlushVerdict::Flat, "not counted is not missing");
    }

    #[test]
    fn what_the_verdict_says_is_no_note_beside_it() {
        let run = run(DURABLE_NS_MIN - 100);
        let ids = |notes: Vec<Note>| notes.iter().map(|note| note.id).collect::<Vec<_>>();
        assert!(ids(run_notes::notes_on_run(&run)).contains(&NoteId::FasterThanMedia));
        assert!(!ids(notes_beside(&run)).contains(&NoteId::FasterThanMedia));
    }

    #[test]
    fn a_note_stays_where_the_verdict_does_not_say_it() {
        let ids = |run: &Run| notes_beside(run).iter().map(|note| note.id).collect::<Vec<_>>();
        let mut run = run(DURABLE_NS_MIN - 100);
        run.devices[0].write_cache = "write back".to_owned();
        run.workloads[0].flushes = Some(0);
        assert_eq!(verdict(&run), FlushVerdict::FlushesMissing);
        assert!(ids(&run).contains(&NoteId::FasterThanMedia));
        run.workloads.clear();
        assert!(judge_flushes(&run).is_none());
        let all: Vec<_> = run_notes::notes_on_run(&run).iter().map(|note| note.id).collect();
        assert_eq!(ids(&run), all, "without a verdict every note is shown");
    }

    #[test]
    fn a_commit_too_quick_for_a_cache_that_is_emptied_is_a_note_beside_that_verdict() {
        let ids = |run: &Run| notes_beside(run).iter().map(|note| note.id).collect::<Vec<_>>();
        let quick_ns = PROGRAMMED_NS_MIN - 2_000;
        let (volatile, flat) =
            (drain_cost(quick_ns, 44_000, 4_400_000), drain_cost(quick_ns, 44_000, 44_000));
        assert_eq!((verdict(&volatile), verdict(&flat)), (FlushVerdict::Volatile, FlushVerdict::Flat));
        assert!(ids(&volatile).contains(&NoteId::FastForAVolatileCache));
        assert!(!ids(&flat).contains(&NoteId::FastForAVolatileCache));
    }

    #[test]
    fn faster_than_media_is_memory() {
        assert_eq!(verdict(&run(DURABLE_NS_MIN - 100)), FlushVerdict::Memory);
        assert_eq!(verdict(&run(DURABLE_NS_MIN)), FlushVerdict::Quick);
    }

    #[test]
    fn without_a_drain_only_the_time_of_programming_flash_is_left() {
        assert_eq!(verdict(&run(PROGRAMMED_NS_MIN - 2_000)), FlushVerdict::Quick);
        assert_eq!(verdict(&run(PROGRAMMED_NS_MIN)), FlushVerdict::AsSlowAsMedium);
    }

    #[test]
    fn what_is_declared_decides_where_no_slope_is_seen() {
        let mut run = drain_cost(20_000, 2_000, 2_000);
        run.devices[0].write_cache = "write through".to_owned();
        run.workloads[0].flushes = Some(0);
        assert_eq!(verdict(&run), FlushVerdict::WriteThrough);
        assert!(
            judge_flushes(&run)
                .unwrap()
                .sentence
                .starts_with("declared write through; no flush per commit; ")
        );
        run.workloads.truncate(1);
        assert_eq!(verdict(&run), FlushVerdict::WriteThrough);
        run.devices[0].volatile_write_cache = Some(false);
        assert!(judge_flushes(&run).unwrap().sentence.contains("no volatile cache by its own word"));
        run.devices.clear();
        assert_eq!(verdict(&run), FlushVerdict::Unknown);
        run.workloads.clear();
        assert_eq!(judge_flushes(&run), None);
    }

    #[test]
    fn examples_of_the_wire_have_verdicts() {
        let read = |text: &str| {
            judge_flushes(&serde_json::from_str(text).unwrap()).map(|judgement| judgement.verdict)
        };
        let example = |name: &str| {
            let path = format!("{}/../tests/wire/v1/valid/{name}.json", env!("CARGO_MANIFEST_DIR"));
            read(&std::fs::read_to_string(path).unwrap())
        };
        assert_eq!(example("witnessed"), Some(FlushVerdict::Quick));
        assert_eq!(example("device-unknown"), Some(FlushVerdict::Unknown));
        assert_eq!(example("every-field"), Some(FlushVerdict::WriteThrough));
    }

    #[test]
    fn no_word_of_it_judges_anybody() {
        for verdict in FlushVerdict::ALL {
            for word in ["lying", "lie", "honest", "cheat", "fake", "dishonest"] {
                let is_said = verdict.words().split(|c: char| !c.is_alphabetic()).any(|each| each == word);
                assert!(!is_said, "{verdict:?}: {word}");
            }
        }
    }
}
