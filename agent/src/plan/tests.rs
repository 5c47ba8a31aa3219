//! Each refusal, and what a plan states.

use std::path::Path;

use super::refusal::refuse_long_files;
use super::workload::{SUITES, Suite};
use super::{Choice, chosen, unchecked, whole_suite};
use crate::error::{Error, ErrorKind, Result};
use crate::probe::Facts;

fn facts() -> Facts {
    let mut facts = crate::probe::gather(Path::new("/var/tmp")).unwrap();
    let filesystem = &mut facts.filesystem;
    filesystem.name = "ext4".to_owned();
    (filesystem.in_memory, filesystem.read_only, filesystem.copies_on_write) = (false, false, false);
    (filesystem.size_bytes, filesystem.free_bytes) = (200 << 30, 100 << 30);
    facts
}

fn refusal(change: impl FnOnce(&mut Facts)) -> Error {
    let mut facts = facts();
    change(&mut facts);
    whole_suite(Path::new("/var/tmp"), &SUITES[0], &facts).unwrap_err()
}

#[test]
fn a_plan_states_what_it_writes_and_how_long_it_takes() {
    let plan = whole_suite(Path::new("/var/tmp"), &SUITES[0], &facts()).unwrap();
    assert_eq!(plan.file_bytes, (1 << 30) + (64 << 20));
    assert_eq!(plan.bytes_written_max, 5 << 30);
    assert_eq!((plan.seconds_usual, plan.seconds_max), (27, 63));
}

#[test]
fn memory_read_only_and_nearly_full_are_refused_with_advice() {
    for error in [
        refusal(|facts| facts.filesystem.in_memory = true),
        refusal(|facts| facts.filesystem.size_bytes = 0),
        refusal(|facts| facts.filesystem.read_only = true),
        refusal(|facts| facts.filesystem.free_bytes = 1 << 30),
    ] {
        assert_eq!(error.kind, ErrorKind::Refused, "{error}");
        assert!(error.advice.is_some(), "{error}");
    }
}

#[test]
fn where_overwriting_takes_new_space_room_for_everything_is_needed() {
    let little = |facts: &mut Facts| facts.filesystem.free_bytes = 3 << 30;
    let mut on_ext4 = facts();
    little(&mut on_ext4);
    assert!(whole_suite(Path::new("/var/tmp"), &SUITES[0], &on_ext4).is_ok());
    let error = refusal(|facts| {
        little(facts);
        facts.filesystem.copies_on_write = true;
    });
    assert!(error.what.contains("needs 5.50 GiB"), "{error}");
}

fn ids(only: &[&str], skip: &[&str], suite: &'static Suite) -> Result<Vec<&'static str>> {
    let texts = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
    let choice = Choice { only: texts(only), skip: texts(skip) };
    unchecked(Path::new("/"), suite, &choice).map(|plan| plan.workloads.iter().map(|one| one.id).collect())
}

#[test]
fn a_choice_takes_its_part_of_the_suite_and_nothing_else() {
    let quick = &SUITES[0];
    assert_eq!(ids(&["read-4k-floor"], &[], quick).unwrap(), ["read-4k-floor"]);
    assert_eq!(
        ids(&[], &["read-4k-floor", "commit-8k-dsync"], quick).unwrap(),
        ["commit-8k", "commit-8k-fsync"]
    );
    let foreign = ids(&["mix-4k"], &[], quick).unwrap_err();
    assert_eq!((foreign.kind, foreign.advice.unwrap().contains("deep")), (ErrorKind::Usage, true));
    let foreign = ids(&[], &["mix-4k"], quick).unwrap_err();
    assert_eq!((foreign.kind, foreign.advice.unwrap().contains("--skip")), (ErrorKind::Usage, true));
    assert_eq!(ids(&["commit-8k"], &["commit-8k"], quick).unwrap_err().kind, ErrorKind::Usage);
}

#[test]
fn a_part_of_a_suite_writes_what_its_workloads_write() {
    let choice = Choice { only: vec!["commit-8k-fsync".to_owned()], skip: Vec::new() };
    let plan = chosen(Path::new("/var/tmp"), &SUITES[0], &choice, &facts()).unwrap();
    assert!(!plan.is_whole);
    assert_eq!(plan.file_bytes, 64 << 20);
    assert_eq!(plan.bytes_written_max, (64 << 20) + (32 << 20) + (512 << 20) + 8192);
}

#[test]
fn the_limit_of_a_file_is_one_of_each() {
    let plan = whole_suite(Path::new("/var/tmp"), &SUITES[0], &facts()).unwrap();
    let longest = 1 << 30;
    assert!(plan.file_bytes > longest);
    assert_eq!(refuse_long_files(&plan, None), Ok(()));
    assert_eq!(refuse_long_files(&plan, Some(longest)), Ok(()));
    let error = refuse_long_files(&plan, Some(longest - 1)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(error.what.contains("less than the longest test file, 1.00 GiB"), "{error}");
}
