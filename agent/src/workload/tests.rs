//! Guards over the table: it says exactly what the shared definition of each suite says.

use serde_json::{Value, json};

use super::*;

fn render_suite(suite: &Suite) -> Value {
    json!({
        "id": suite.id,
        "version": suite.version,
        "title": suite.title,
        "bytes_written_max": suite.bytes_written_max,
        "workloads": suite.workloads().into_iter().map(render_workload).collect::<Vec<_>>(),
    })
}

fn render_workload(workload: &Workload) -> Value {
    json!({
        "id": workload.id,
        "version": workload.version,
        "title": workload.title,
        "operation": match workload.operation {
            Operation::Commit => "commit",
            Operation::Read => "read",
        },
        "file": {
            "size_bytes": workload.file_bytes,
            "state": match workload.file_state {
                FileState::Overwritten => "overwritten",
            },
        },
        "access": match workload.access {
            Access::Sequential => "sequential",
            Access::Random => "random",
        },
        "block_bytes": workload.block_bytes,
        "page_cache": workload.page_cache == PageCache::Through,
        "sync": match workload.durability {
            Durability::Call(SyncCall::Fdatasync) => "fdatasync",
            Durability::Call(SyncCall::Fsync) => "fsync",
            Durability::ODsync => "o_dsync",
            Durability::None => "none",
        },
        "writers": 1,
        "queue_depth": 1,
        "passes": workload.passes,
        "warm_up_ns": workload.limits.warm_up_ns,
        "warm_up_bytes_max": workload.limits.warm_up_bytes_max,
        "pass_ns_min": workload.limits.pass_ns_min,
        "pass_operations_min": workload.limits.pass_operations_min,
        "pass_ns_max": workload.limits.pass_ns_max,
        "pass_bytes_max": workload.limits.pass_bytes_max,
        "histograms": workload.histograms(),
    })
}

#[test]
fn every_suite_renders_to_exactly_its_shared_definition() {
    for suite in SUITES {
        let definition: Value = serde_json::from_slice(suite.definition).unwrap();
        assert_eq!(render_suite(suite), definition, "{}", suite.id);
    }
}

#[test]
fn no_two_workloads_share_a_name_and_a_version() {
    let mut names: Vec<_> = WORKLOADS.iter().map(|workload| (workload.id, workload.version)).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), WORKLOADS.len());
}

#[test]
fn every_suite_finds_its_workloads_and_opens_with_the_headline() {
    for suite in SUITES {
        assert_eq!(suite.workloads().len(), suite.workload_ids.len(), "{}", suite.id);
        assert_eq!(suite.workload_ids[0], HEADLINE);
    }
}

#[test]
fn a_file_is_a_whole_number_of_blocks_and_a_block_a_whole_number_of_pages() {
    for workload in WORKLOADS {
        assert_eq!(workload.file_bytes % workload.block_bytes, 0, "{}", workload.id);
        assert_eq!(workload.block_bytes % 4096, 0, "{}", workload.id);
        assert!(workload.passes > 0, "{}", workload.id);
    }
}

#[test]
fn no_suite_can_write_more_than_it_states() {
    for suite in SUITES {
        let workloads = suite.workloads();
        let mut files: Vec<_> = workloads.iter().map(|workload| workload.file()).collect();
        files.sort_unstable();
        files.dedup();
        let laid_out: u64 = files.iter().map(|file| file.bytes).sum();
        let written: u64 = workloads.iter().map(|workload| workload.bytes_written_max()).sum();
        assert!(laid_out + written <= suite.bytes_written_max, "{}", suite.id);
    }
}

#[test]
fn the_commit_file_is_as_long_as_the_seed_proof_spans() {
    let headline = SUITES[0].workloads()[0];
    let last = crate::engine::contents::proof_offsets().last().unwrap();
    assert!(last + crate::engine::contents::BLOCK_BYTES <= headline.file_bytes);
}
