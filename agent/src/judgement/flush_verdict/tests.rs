//! The verdict on each kind of device, and the notes that stay beside it.

use super::*;
use crate::analysis::figures::examples;
use crate::plan::judged_ids::EMPTY_FLUSH;
use crate::wire::judgement::flushes::{COUNTED_PER_COMMIT_MIN, MISSING_PER_COMMIT_BELOW};

/// A device that declares write back without FUA, and commits of `commit_ns`.
fn run(commit_ns: u64) -> Run {
    let mut run = examples::run(vec![examples::commits(HEADLINE, commit_ns)]);
    run.devices[0].write_cache = "write back".to_owned();
    (run.devices[0].fua, run.devices[0].volatile_write_cache) = (Some(false), None);
    run
}

fn drain_cost(commit_ns: u64, empty_ns: u64, full_ns: u64) -> Run {
    let mut run = run(commit_ns);
    run.workloads.extend([examples::flushes(EMPTY_FLUSH, empty_ns), examples::flushes("drain-64m", full_ns)]);
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
        (330, FlushVerdict::UnclearFlush),
        (337, FlushVerdict::FlatFlush),
        (2_990, FlushVerdict::FlatFlush),
        (3_008, FlushVerdict::UnclearFlush),
        (9_900, FlushVerdict::UnclearFlush),
        (10_200, FlushVerdict::VolatileAndFlushed),
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
    assert_eq!(verdict(&run), FlushVerdict::VolatileAndFlushed);
    run.workloads[2].histograms.sync = examples::latencies(2, 4_400_000);
    assert_eq!((cache::flush_cost_of(&run), verdict(&run)), (None, FlushVerdict::AsSlowAsTheMedium));
}

#[test]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a part of 1,000 commits
fn flushes_that_do_not_arrive_outweigh_all_else() {
    let mut run = drain_cost(100_000, 44_000, 44_000);
    let commits = run.workloads[0].operations as f64;
    let [counted, unclear] =
        [COUNTED_PER_COMMIT_MIN, MISSING_PER_COMMIT_BELOW].map(|share| (commits * share).ceil() as u64);
    run.workloads[0].flushes = Some(counted);
    assert_eq!(verdict(&run), FlushVerdict::FlatFlush);
    run.workloads[0].flushes = Some(counted - 1);
    assert_eq!(verdict(&run), FlushVerdict::PartlyFlushed);
    run.workloads[0].flushes = Some(unclear);
    assert_eq!(verdict(&run), FlushVerdict::PartlyFlushed);
    run.workloads[0].flushes = Some(unclear - 1);
    assert_eq!(verdict(&run), FlushVerdict::FlushesMissing);
    let counted = format!("; {:.2} flushes per commit;", (unclear - 1) as f64 / commits);
    assert!(judge_flushes(&run).unwrap().sentence.contains(&counted));
    run.devices[0].fua = Some(true);
    assert_eq!(verdict(&run), FlushVerdict::FlushesMissing, "a sync after the write needs a flush");
    run.workloads[0].flushes = None;
    assert_eq!(verdict(&run), FlushVerdict::FlatFlush, "not counted is not missing");
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
    let (volatile, flat) = (drain_cost(quick_ns, 44_000, 4_400_000), drain_cost(quick_ns, 44_000, 44_000));
    assert_eq!(
        (verdict(&volatile), verdict(&flat)),
        (FlushVerdict::VolatileAndFlushed, FlushVerdict::FlatFlush)
    );
    assert!(ids(&volatile).contains(&NoteId::FastForAVolatileCache));
    assert!(!ids(&flat).contains(&NoteId::FastForAVolatileCache));
}

#[test]
fn faster_than_media_is_memory() {
    assert_eq!(verdict(&run(DURABLE_NS_MIN - 100)), FlushVerdict::MemoryAnswers);
    assert_eq!(verdict(&run(DURABLE_NS_MIN)), FlushVerdict::QuickWithoutADrain);
}

#[test]
fn without_a_drain_only_the_time_of_programming_flash_is_left() {
    assert_eq!(verdict(&run(PROGRAMMED_NS_MIN - 2_000)), FlushVerdict::QuickWithoutADrain);
    assert_eq!(verdict(&run(PROGRAMMED_NS_MIN)), FlushVerdict::AsSlowAsTheMedium);
}

#[test]
fn what_is_declared_decides_where_no_slope_is_seen() {
    let mut run = drain_cost(20_000, 2_000, 2_000);
    run.devices[0].write_cache = "write through".to_owned();
    run.workloads[0].flushes = Some(0);
    assert_eq!(verdict(&run), FlushVerdict::NoFlushNeeded);
    assert!(
        judge_flushes(&run).unwrap().sentence.starts_with("declared write through; no flush per commit; ")
    );
    run.workloads.truncate(1);
    assert_eq!(verdict(&run), FlushVerdict::NoFlushNeeded);
    run.devices[0].volatile_write_cache = Some(false);
    assert!(judge_flushes(&run).unwrap().sentence.contains("no volatile cache by its own word"));
    run.devices.clear();
    assert_eq!(verdict(&run), FlushVerdict::CacheUnknown);
    run.workloads.clear();
    assert_eq!(judge_flushes(&run), None);
}

#[test]
fn disks_that_declare_different_caches_declare_nothing_together() {
    let mut run = drain_cost(20_000, 2_000, 2_000);
    run.devices[0].write_cache = "write through".to_owned();
    run.workloads.truncate(1);
    run.devices.push(run.devices[0].clone());
    assert_eq!(verdict(&run), FlushVerdict::NoFlushNeeded);
    run.devices[1].write_cache = "write back".to_owned();
    assert_eq!(verdict(&run), FlushVerdict::CacheUnknown);
    let sentence = judge_flushes(&run).unwrap().sentence;
    assert!(sentence.starts_with("its disks declare different write caches, no PLP known; "), "{sentence}");
}

#[test]
fn examples_of_the_wire_have_verdicts() {
    let read =
        |text: &str| judge_flushes(&serde_json::from_str(text).unwrap()).map(|judgement| judgement.verdict);
    let example = |name: &str| {
        let path = format!("{}/../tests/wire/v1/valid/{name}.json", env!("CARGO_MANIFEST_DIR"));
        read(&std::fs::read_to_string(path).unwrap())
    };
    assert_eq!(example("witnessed"), Some(FlushVerdict::QuickWithoutADrain));
    assert_eq!(example("device-unknown"), Some(FlushVerdict::CacheUnknown));
    assert_eq!(example("every-field"), Some(FlushVerdict::NoFlushNeeded));
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
