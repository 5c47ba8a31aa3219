//! Guards over the table: it says exactly what the shared definition of each suite says, and nothing in it
//! changes under its name.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::*;
use crate::plan::pass_limits::PassLimits;
use crate::plan::schedule;

/// One line for each row that ever was: id, version, SHA-256 of its definition.
const DIGESTS: &str = include_str!("digests.txt");
/// Writes the definitions and the missing digests anew in place of comparing them.
const WRITE: &str = "FSYNCMARK_WRITE_DEFINITIONS";

fn digest(workload: &WorkloadDefinition) -> String {
    crate::hex::encode(&Sha256::digest(workload.to_definition().to_string()))
}

#[test]
fn a_row_that_was_published_is_never_edited() {
    let recorded: BTreeMap<(&str, &str), &str> = DIGESTS
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some(((words.next()?, words.next()?), words.next()?))
        })
        .collect();
    let mut missing = Vec::new();
    for workload in WORKLOADS {
        let (version, digest) = (workload.version.to_string(), digest(workload));
        match recorded.get(&(workload.id, version.as_str())) {
            Some(recorded) => assert_eq!(*recorded, digest, "{} changed: give it a new version", workload.id),
            None => missing.push(format!("{} {version} {digest}\n", workload.id)),
        }
    }
    if std::env::var_os(WRITE).is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/plan/workload/digests.txt");
        std::fs::write(path, DIGESTS.to_owned() + &missing.concat()).unwrap();
    } else {
        assert!(missing.is_empty(), "new rows, to be recorded with {WRITE}=1:\n{}", missing.concat());
    }
}

#[test]
fn every_row_is_in_a_suite() {
    let is_in_one =
        |row: &&WorkloadDefinition| SUITES.iter().any(|suite| suite.workload_ids.contains(&row.id));
    let nowhere: Vec<&str> = WORKLOADS.iter().filter(|row| !is_in_one(row)).map(|row| row.id).collect();
    assert_eq!(nowhere, [""; 0], "the recipe of the README says where a new row goes");
}

#[test]
fn every_suite_renders_to_exactly_its_shared_definition() {
    use sha2::{Digest, Sha256};
    for suite in SUITES {
        let name = format!("../apps/wire/suites/{}.v{}.json", suite.id, suite.version);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(crate::hex::encode(&Sha256::digest(&bytes)), suite.definition_sha256, "{}", suite.id);
        let definition: Value = serde_json::from_slice(&bytes).unwrap();
        let rendered = suite.to_definition();
        if std::env::var_os(WRITE).is_some() && rendered != definition {
            let text = serde_json::to_string_pretty(&rendered).unwrap() + "\n";
            std::fs::write(path, text).unwrap();
        } else {
            assert!(rendered == definition, "{}: the table and its definition differ", suite.id);
        }
    }
}

#[test]
fn every_suite_finds_its_workloads_and_opens_with_the_headline() {
    for suite in SUITES {
        assert_eq!(suite.workloads().len(), suite.workload_ids.len(), "{}", suite.id);
        assert_eq!(suite.workload_ids[0], HEADLINE);
    }
}

#[test]
fn the_headline_is_three_repeats_with_others_between_them() {
    for suite in SUITES {
        let steps = crate::plan::schedule::order(&suite.workloads());
        let places: Vec<usize> =
            steps.iter().enumerate().filter(|(_, step)| step.workload == 0).map(|(place, _)| place).collect();
        assert_eq!(places.len(), 3, "{}", suite.id);
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] > 1), "{}: {places:?}", suite.id);
    }
}

#[test]
fn what_is_searched_has_a_queue_and_the_passes_of_a_search() {
    for workload in WORKLOADS.iter().filter(|workload| workload.slo.is_some()) {
        assert_eq!((workload.passes, workload.stage), (slo::PASSES, Stage::Together), "{}", workload.id);
        assert!(workload.queue_depth > 1 && workload.writers == 1, "{}", workload.id);
    }
}

#[test]
fn zeros_are_overwritten_before_anybody_else_reads_the_file() {
    for suite in SUITES.iter().filter(|suite| suite.id != "quick") {
        let order: Vec<&str> = crate::plan::schedule::order(&suite.workloads())
            .iter()
            .map(|step| suite.workload_ids[step.workload])
            .collect();
        let zeros = order.iter().rposition(|id| *id == "write-64k-zeros").unwrap();
        assert_eq!(
            order[zeros - 1..=zeros + 2],
            [vec!["write-64k-zeros"; 2], vec!["write-64k-random"; 2]].concat()
        );
    }
}

#[test]
fn no_two_workloads_share_a_name() {
    let mut ids: Vec<_> = WORKLOADS.iter().map(|workload| workload.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), WORKLOADS.len(), "the table holds the newest version of each");
}

#[test]
fn every_row_says_what_it_is_and_what_it_can_be_laid_beside() {
    for workload in WORKLOADS {
        assert!(!workload.title.is_empty() && workload.title.len() < 80, "{}", workload.id);
        assert!(workload.comparable_with.len() > 20, "{}", workload.id);
        assert!(
            workload
                .id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        );
    }
}

#[test]
fn every_pass_has_an_end_by_time_and_by_bytes() {
    for workload in WORKLOADS {
        let PassLimits { warm_up_ns, pass_ns_min, pass_ns_max, pass_bytes_max, .. } = workload.limits;
        assert!(pass_ns_min <= pass_ns_max && pass_ns_max <= 300_000_000_000, "{}", workload.id);
        assert!(warm_up_ns <= 500_000_000 && pass_bytes_max <= 256 << 30, "{}", workload.id);
        // The wire takes this many rates, and more would be cut off.
        assert!(
            pass_ns_max / crate::engine::suite_run::SAMPLE_NS
                < crate::engine::rate_samples::SAMPLES_MAX as u64
        );
        assert!((1..=64).contains(&workload.passes), "{}", workload.id);
    }
}

#[test]
fn blocks_fit_into_their_file_and_past_the_page_cache_they_are_pages() {
    for workload in WORKLOADS {
        assert!(workload.area_bytes <= workload.file_bytes, "{}", workload.id);
        assert!(workload.operation_bytes() <= workload.area_bytes, "{}", workload.id);
        if workload.page_cache == PageCache::Past {
            assert_eq!(workload.area_bytes % workload.block_bytes, 0, "{}", workload.id);
            assert_eq!(workload.block_bytes % 4096, 0, "{}", workload.id);
        }
    }
}

#[test]
fn a_file_that_is_not_overwritten_is_never_used_up() {
    for workload in WORKLOADS.iter().filter(|workload| workload.file_state != FileState::Overwritten) {
        let PassLimits { warm_up_bytes_max, pass_bytes_max, .. } = workload.limits;
        let room = workload.area_bytes / workload.block_bytes * workload.block_bytes;
        assert!(warm_up_bytes_max <= room && pass_bytes_max <= room, "{}", workload.id);
        assert_eq!((workload.access, workload.writers), (Access::Sequential, 1), "{}", workload.id);
    }
}

#[test]
fn what_needs_a_queue_can_have_one_and_nothing_else_does() {
    for workload in WORKLOADS {
        assert!((1..=64).contains(&workload.writers), "{}", workload.id);
        assert!((1..=64).contains(&workload.queue_depth), "{}", workload.id);
        if workload.queue_depth > 1 {
            let by_call = matches!(workload.durability, Durability::Call(_));
            let possible = match workload.operation {
                Operation::Read | Operation::Write | Operation::Mix => {
                    workload.durability == Durability::None
                }
                Operation::Commit => by_call,
                Operation::Batch(_)
                | Operation::EmptySync
                | Operation::Doublewrite(_)
                | Operation::GroupCommit
                | Operation::ClockGap => false,
            };
            assert!(possible && workload.contents == Contents::Unique, "{}", workload.id);
            assert_eq!(workload.page_cache, PageCache::Past, "a write through the page cache would block");
        }
    }
}

#[test]
fn no_suite_can_write_more_than_it_states() {
    for suite in SUITES {
        let workloads = suite.workloads();
        let laid_out: u64 = files_of(&workloads)
            .iter()
            .filter(|file| file.state == FileState::Overwritten)
            .map(|file| file.bytes)
            .sum();
        let written: u64 = workloads.iter().map(|workload| workload.bytes_written_max()).sum();
        let sum = laid_out + written;
        assert!(sum <= suite.bytes_written_max, "{}: {} GiB", suite.id, sum >> 30);
        // The rest is for passes that others disturb and that run again.
        assert!(sum * 10 >= suite.bytes_written_max * 7, "{} states far more: {} GiB", suite.id, sum >> 30);
    }
}

#[test]
fn suites_take_about_as_long_as_their_titles_say() {
    for (id, seconds) in [("quick", 20..=60), ("standard", 180..=360), ("deep", 1_000..=2_400)] {
        let workloads = Suite::with_id(id).unwrap().workloads();
        let usual = schedule::seconds_usual(&workloads);
        assert!(seconds.contains(&usual), "{id}: {usual} s");
    }
}

#[test]
fn the_commit_file_is_as_long_as_the_seed_proof_spans() {
    let headline = SUITES[0].workloads()[0];
    let last = crate::disk::contents::proof_offsets().last().unwrap();
    assert!(last + crate::disk::contents::BLOCK_BYTES <= headline.file_bytes);
}
