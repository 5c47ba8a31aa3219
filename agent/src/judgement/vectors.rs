//! Whole runs with the judgement expected, which the server's tests read too
//! (tests/runs/test_judgement_vectors.py).

use std::path::PathBuf;

use serde_json::Value;

use super::flush_verdict;
use super::ladder::class_of;
use super::run_notes::{self, NoteId};
use crate::analysis::figures;
use crate::plan::workload::HEADLINE;
use crate::wire::payload::Run;
use crate::wire::workload::LatencyKind;

/// Notes that judge what a rule of the server judges, by the names of both.
const SHARED: [(NoteId, &str); 8] = [
    (NoteId::FlushesMissing, "few-flushes"),
    (NoteId::SyncDisabled, "zfs-sync-disabled"),
    (NoteId::FasterThanMedia, "faster-than-medium"),
    (NoteId::FastForAVolatileCache, "fast-for-volatile-cache"),
    (NoteId::OtherIo, "other-io"),
    (NoteId::OtherCpu, "other-cpu"),
    (NoteId::NearlyFull, "little-free-space"),
    (NoteId::ReadFloorFromACache, "reads-from-cache"),
];

fn vectors() -> Vec<(String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/wire/v1/judgement");
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
    };
    let mut found: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap().path())).collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

#[test]
fn every_run_is_judged_as_expected() {
    let vectors = vectors();
    assert!(vectors.len() >= 12);
    for (name, vector) in vectors {
        let run: Run = serde_json::from_value(vector["payload"].clone()).unwrap();
        let expected = &vector["expected"];
        let commit_ns = figures::percentile_of(&run, HEADLINE, LatencyKind::Commit, 5_000).unwrap();
        assert_eq!(class_of(commit_ns).slug, expected["class"], "{name}");
        assert_eq!(
            flush_verdict::judge_flushes(&run).unwrap().verdict.id(),
            expected["verdict"]["agent"],
            "{name}"
        );
        let mut labels: Vec<&str> = run_notes::notes_on_run(&run)
            .iter()
            .filter_map(|note| SHARED.iter().find(|(id, _)| *id == note.id).map(|(_, rule)| *rule))
            .collect();
        labels.sort_unstable();
        assert_eq!(serde_json::json!(labels), expected["labels"]["agent"], "{name}");
    }
}
