//! fio's job files and arguments: whatever is in them is read or refused in words, and each job has a nearest
//! workload.
#![no_main]

use fsyncmark::plan::fio::nearest;
use fsyncmark::plan::fio::job::{JOB_FILE_BYTES_MAX, self};
use fsyncmark::plan::fio::shape::Shape;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    assert!(text.len() <= JOB_FILE_BYTES_MAX, "to be run with a smaller -max_len");
    let words: Vec<String> = text.lines().map(str::to_owned).collect();
    let in_arguments = job::from_arguments(&words).map(|given| given.jobs).unwrap_or_default();
    for job in job::from_file(text).unwrap_or_default().iter().chain(&in_arguments) {
        let (shape, remarks) = Shape::of_job(job);
        let found = nearest::find(&shape);
        assert!(!found.workload.id.is_empty() && remarks.iter().all(|remark| !remark.is_empty()));
    }
});
