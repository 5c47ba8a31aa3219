//! How a workload and a suite are written down for the server and for readers. A property that a workload
//! does not have, or that is the same in almost all workloads, is left out.

use serde_json::{Value, json};

use super::definition::{
    Access, Contents, Durability, FileState, PageCache, Sharing, Stage, WorkloadDefinition,
};
use super::slo::{LOAD_PERCENTS, SEARCHES, TRIALS};
use super::suite::Suite;
use crate::sys::io_request::SyncCall;

impl Suite {
    /// The definition of the suite and of all its workloads.
    pub fn to_definition(&self) -> Value {
        json!({
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "bytes_written_max": self.bytes_written_max,
            "workloads": self.workloads().into_iter().map(WorkloadDefinition::to_definition).collect::<Vec<_>>(),
        })
    }
}

impl WorkloadDefinition {
    /// Everything that decides what is measured.
    pub fn to_definition(&self) -> Value {
        let mut row = json!({
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "operation": self.operation.facts().name,
            "file": {"size_bytes": self.file_bytes, "state": self.state_name()},
            "access": match self.access {
                Access::Sequential => "sequential",
                Access::Random => "random",
            },
            "block_bytes": self.operation_bytes(),
            "page_cache": self.page_cache == PageCache::Through,
            "sync": self.sync_name(),
            "writers": self.writers,
            "queue_depth": self.queue_depth,
            "passes": self.passes,
            "warm_up_ns": self.limits.warm_up_ns,
            "warm_up_bytes_max": self.limits.warm_up_bytes_max,
            "pass_ns_min": self.limits.pass_ns_min,
            "pass_operations_min": self.limits.pass_operations_min,
            "pass_ns_max": self.limits.pass_ns_max,
            "pass_bytes_max": self.limits.pass_bytes_max,
            "histograms": self.latencies().iter().map(|kind| kind.name()).collect::<Vec<_>>(),
        });
        let mut note = |is_special: bool, name: &str, value: Value| {
            if is_special {
                row[name] = value;
            }
        };
        note(self.operation_bytes() != self.block_bytes, "write_bytes", json!(self.block_bytes));
        note(self.area_bytes != self.file_bytes, "area_bytes", json!(self.area_bytes));
        note(self.sharing == Sharing::OwnFiles, "files", json!("own"));
        note(self.contents == Contents::Zeros, "contents", json!("zeros"));
        note(self.stage == Stage::Together, "stage", json!("together"));
        note(self.stage == Stage::Last, "stage", json!("last"));
        if let Some(slo) = self.slo {
            row["search"] = json!({
                "p99_ns_max": slo.p99_ns_max,
                "searches": SEARCHES,
                "trials": TRIALS,
                "load_percents": LOAD_PERCENTS,
            });
        }
        row
    }

    fn state_name(&self) -> &'static str {
        match self.file_state {
            FileState::Overwritten => "overwritten",
            FileState::Growing => "growing",
            FileState::Fallocated => "fallocated",
        }
    }

    /// What makes a write durable, as definitions of suites name it.
    pub fn sync_name(&self) -> &'static str {
        match self.durability {
            Durability::Call(SyncCall::Fdatasync) => "fdatasync",
            Durability::Call(SyncCall::Fsync) => "fsync",
            Durability::ODsync => "o_dsync",
            Durability::RwfDsync => "rwf_dsync",
            Durability::None => "none",
        }
    }
}
