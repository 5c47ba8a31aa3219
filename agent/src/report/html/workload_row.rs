//! A workload as the page shows it.

use super::charts::Curve;
use super::text::read_and_escape;
use crate::analysis::figures;
use crate::judgement::comparison::rate_range;
use crate::plan::workload::{self, HEADLINE, HEADLINE_COUNTS};
use crate::units;
use crate::wire::histogram::Distribution;
use crate::wire::workload::Workload;

/// A workload that finished an operation.
pub(super) struct WorkloadRow<'a> {
    pub workload: &'a Workload,
    /// `None` for an open loop, which has them at many rates.
    pub latencies: Option<Distribution>,
}

impl<'a> WorkloadRow<'a> {
    pub fn from_workload(workload: &'a Workload) -> Option<Self> {
        let _ = workload.whole_operations()?;
        Some(Self { workload, latencies: figures::latencies_shown(workload) })
    }

    pub fn rate(&self) -> String {
        figures::rate_text(self.workload)
    }

    pub fn latency(&self, per_ten_thousand: u64) -> String {
        self.latencies
            .as_ref()
            .map_or_else(|| units::NOT_SHOWN.to_owned(), |of| figures::percentile_text(of, per_ten_thousand))
    }

    pub fn curve(&self) -> Option<Curve<'_>> {
        self.latencies.as_ref().map(|latencies| Curve { name: &self.workload.id, latencies })
    }

    pub fn is_headline(&self) -> bool {
        self.workload.id == HEADLINE
    }

    pub fn headline(&self) -> String {
        format!("{} {}", self.rate(), self.noun())
    }

    /// What its rate counts, in words.
    pub fn noun(&self) -> String {
        if self.is_headline() {
            return HEADLINE_COUNTS.to_owned();
        }
        format!("operations a second of {}", read_and_escape(&self.workload.id))
    }

    /// The title of its row in the table of workloads; empty if this version does not know it.
    pub fn title(&self) -> &'static str {
        workload::WORKLOADS
            .iter()
            .find(|row| row.id == self.workload.id && row.version == self.workload.version)
            .map_or("", |row| row.title)
    }

    pub fn rate_range(&self) -> String {
        rate_range(self.workload)
            .map(|range| format!("{}–{}", units::rate(range.low_per_s), units::rate(range.high_per_s)))
            .unwrap_or_default()
    }
}
