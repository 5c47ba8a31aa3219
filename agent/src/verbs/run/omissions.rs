//! The workloads of a plan that could not be measured in this folder: printed again after the tables, listed
//! in the JSON, and the error of a run that measured nothing.

use serde_json::{Value, json};

use crate::engine::suite_run::preparation::Omission;
use crate::error::{Error, ErrorKind};
use crate::report::terminal::Terminal;

/// Prints what was left out, each reason once.
pub(super) fn say(terminal: &Terminal, omissions: &[Omission]) {
    for sentence in sentences(omissions) {
        terminal.say(&format!("  Left out: {sentence}"));
    }
}

/// What could not be measured, as JSON.
pub(super) fn to_json(omissions: &[Omission]) -> Vec<Value> {
    omissions.iter().map(|one| json!({"workload": one.workload.id, "why": one.reason})).collect()
}

/// The error of a run in which no workload could be measured.
pub(super) fn nothing_measured(omissions: &[Omission]) -> Error {
    if omissions.is_empty() {
        return Error::new(ErrorKind::Internal, "nothing was measured");
    }
    Error::new(
        ErrorKind::Refused,
        format!("nothing can be measured here: {}", sentences(omissions).join("; ")),
    )
    .advise("Name a folder on another filesystem, or other workloads.")
}

/// Each reason with its workloads.
fn sentences(omissions: &[Omission]) -> Vec<String> {
    let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
    for Omission { workload, reason } in omissions {
        match by_reason.iter_mut().find(|(known, _)| known == reason) {
            Some((_, ids)) => ids.push(workload.id),
            None => by_reason.push((reason, vec![workload.id])),
        }
    }
    by_reason.into_iter().map(|(reason, ids)| format!("{} ({reason})", ids.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::workload::WorkloadDefinition;

    #[test]
    fn each_reason_is_said_once_with_all_that_it_holds_for() {
        let omission = |id, reason: &str| Omission {
            workload: WorkloadDefinition::with_id(id).unwrap(),
            reason: reason.to_owned(),
        };
        let omissions = [
            omission("read-4k-floor", "no O_DIRECT"),
            omission("append-8k-fdatasync", "no room"),
            omission("direct-16k-fsync", "no O_DIRECT"),
        ];
        let expected = ["read-4k-floor, direct-16k-fsync (no O_DIRECT)", "append-8k-fdatasync (no room)"];
        assert_eq!(sentences(&omissions), expected);
        let error = nothing_measured(&omissions);
        assert_eq!(error.kind, ErrorKind::Refused);
        assert!(error.what.contains("append-8k-fdatasync (no room)"), "{error}");
        assert_eq!(nothing_measured(&[]).kind, ErrorKind::Internal);
    }
}
