//! Which workloads are shown together: a suite has too many for one table.

use crate::enumeration::enumeration;
use crate::plan::workload::{OperationFacts, PageCache, Stage, Subject, Transfer, WorkloadDefinition};

enumeration! {
    /// A group of workloads in a report. Groups are shown in this order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Group {
        /// What one writer makes durable, and what the same writes cost without a sync.
        Durability,
        /// What many writers make durable side by side.
        Writers,
        /// What the medium does with many operations in flight.
        Media,
        /// The highest rate that keeps a limit of latency.
        Slo,
        /// Probes that tell who answers a sync: a cache, the controller or the medium.
        Probes,
        /// The rate that remains after long writing.
        Endurance,
        /// Workloads that this version does not know.
        Other,
    }
}

impl Group {
    /// Its heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Durability => "Durability",
            Self::Writers => "Writers side by side",
            Self::Media => "Media",
            Self::Slo => "Under a limit of latency",
            Self::Probes => "Probes",
            Self::Endurance => "Endurance",
            Self::Other => "Others",
        }
    }
}

/// One kind of commit, measured with 1 to 32 writers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sweep {
    /// Its name in a few words.
    pub name: &'static str,
    /// The prefix of its workloads' ids, before the number of writers.
    pub stem: &'static str,
    /// The workload with one writer.
    pub of_one: &'static str,
}

/// How many writers a sweep may have, in order.
pub const WRITERS: [u16; 6] = [1, 2, 4, 8, 16, 32];

/// Many writers on one file.
pub const ONE_FILE: Sweep = sweep("all to one file", "commit-8k-writers-", "commit-8k");
/// Many writers, each on a file of its own.
pub const FILE_EACH: Sweep = sweep("a file for each", "commit-8k-files-", "commit-8k");
/// Many writers that share their syncs.
pub const GROUP_COMMIT: Sweep = sweep("group commit", "group-commit-8k-", "commit-8k");

/// Sweeps that are drawn in one chart.
#[derive(Debug, Clone, Copy)]
pub struct SweepFamily {
    /// What all of them write.
    pub title: &'static str,
    /// How each makes its writes durable, or how its writers share files.
    pub sweeps: [Sweep; 3],
}

/// Every sweep.
pub const SWEEP_FAMILIES: [SweepFamily; 3] = [
    SweepFamily { title: "commit-8k by several writers", sweeps: [ONE_FILE, FILE_EACH, GROUP_COMMIT] },
    SweepFamily {
        title: "16 KiB past the page cache",
        sweeps: [
            sweep("16k, no sync", "direct-16k-nosync-x", "direct-16k-nosync"),
            sweep("16k, fdatasync", "direct-16k-fdatasync-x", "direct-16k-fdatasync"),
            sweep("16k, fsync", "direct-16k-fsync-x", "direct-16k-fsync"),
        ],
    },
    SweepFamily {
        title: "2 MiB past the page cache",
        sweeps: [
            sweep("2m, no sync", "direct-2m-nosync-x", "direct-2m-nosync"),
            sweep("2m, fdatasync", "direct-2m-fdatasync-x", "direct-2m-fdatasync"),
            sweep("2m, fsync", "direct-2m-fsync-x", "direct-2m-fsync"),
        ],
    },
];

/// The sweeps of all families.
pub fn all_sweeps() -> impl Iterator<Item = &'static Sweep> {
    SWEEP_FAMILIES.iter().flat_map(|family| &family.sweeps)
}

const fn sweep(name: &'static str, stem: &'static str, of_one: &'static str) -> Sweep {
    Sweep { name, stem, of_one }
}

impl Sweep {
    /// The id of its workload with this many writers.
    pub fn id(&self, writers: u16) -> String {
        if writers == 1 { self.of_one.to_owned() } else { format!("{}{writers}", self.stem) }
    }

    fn has(&self, id: &str) -> bool {
        id.strip_prefix(self.stem).is_some_and(|number| number.parse::<u16>().is_ok())
    }
}

/// The group of the workload of this name and version.
pub fn group_of(id: &str, version: u16) -> Group {
    let Some(row) = WorkloadDefinition::of_version(id, version) else { return Group::Other };
    if all_sweeps().any(|sweep| sweep.has(id)) {
        return Group::Writers;
    }
    if row.slo.is_some() {
        return Group::Slo;
    }
    if row.stage == Stage::Last {
        return Group::Endurance;
    }
    if row.is_probe() {
        return Group::Probes;
    }
    let OperationFacts { subject, transfer, .. } = row.operation.facts();
    // What a commit costs without its sync.
    let is_bare_commit =
        transfer == Transfer::Write && row.queue_depth == 1 && row.page_cache == PageCache::Past;
    match subject {
        Subject::Probe => Group::Probes,
        Subject::Durability => Group::Durability,
        Subject::Medium if is_bare_commit => Group::Durability,
        Subject::Medium => Group::Media,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::workload::WORKLOADS;

    #[test]
    fn every_row_has_a_group_and_every_member_of_a_sweep_is_a_row() {
        for row in WORKLOADS {
            assert_ne!(group_of(row.id, row.version), Group::Other, "{}", row.id);
        }
        for sweep in all_sweeps() {
            for writers in WRITERS {
                let row = WorkloadDefinition::with_id(&sweep.id(writers))
                    .unwrap_or_else(|| panic!("{}", sweep.id(writers)));
                assert_eq!(row.writers, writers);
                assert_eq!(group_of(row.id, row.version) == Group::Writers, writers > 1, "{}", row.id);
            }
        }
    }

    #[test]
    fn groups_are_what_their_titles_say() {
        for (id, group) in [
            ("commit-8k", Group::Durability),
            ("direct-2m-nosync", Group::Durability),
            ("doublewrite-16k-batch", Group::Durability),
            ("direct-2m-nosync-x8", Group::Writers),
            ("group-commit-8k-32", Group::Writers),
            ("read-4k-floor", Group::Media),
            ("mix-1m", Group::Media),
            ("drain-64m", Group::Probes),
            ("write-64k-zeros", Group::Probes),
            ("hiccup", Group::Probes),
            ("precondition-128k", Group::Endurance),
            ("slo-randread-4k-1ms", Group::Slo),
            ("commit-8k-writers-many", Group::Other),
            ("slo-of-a-later-version", Group::Other),
            ("read-4k-area-of-a-later-version", Group::Other),
        ] {
            assert_eq!(group_of(id, 1), group, "{id}");
            assert_eq!(group_of(id, 2), Group::Other, "what another version did is not known here");
        }
    }
}
