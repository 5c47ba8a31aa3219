//! What happens before the first pass: what cannot be measured here is found out, and the files are laid out.

use std::io;

use crate::disk::contents::Seed;
use crate::disk::test_site::{LayOutError, TestSite};
use crate::engine::suite_run::failures::{failure, interruption};
use crate::engine::suite_run::setup::{Observer, Setup};
use crate::error::Result;
use crate::plan::workload::{FileSpec, FileState, HEADLINE, PageCache, WorkloadDefinition, files_of};

/// A workload that cannot be measured here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// The workload.
    pub workload: &'static WorkloadDefinition,
    /// Why, as a clause.
    pub reason: String,
}

/// The workloads that cannot be measured here, as far as that is known.
pub struct Omissions<'a> {
    /// The observer that is told of each.
    pub observer: &'a dyn Observer,
    /// Those that were found so far.
    pub all: Vec<Omission>,
}

impl Omissions<'_> {
    /// Adds a workload, and tells the observer. One that is among them already keeps its first reason.
    pub fn add(&mut self, workload: &'static WorkloadDefinition, reason: &str) {
        if self.has(workload) {
            return;
        }
        self.observer.omitted(workload, reason);
        self.all.push(Omission { workload, reason: reason.to_owned() });
    }

    /// Whether this one is among them.
    pub fn has(&self, workload: &WorkloadDefinition) -> bool {
        self.all.iter().any(|omission| omission.workload == workload)
    }
}

fn past_page_cache(
    workloads: &[&'static WorkloadDefinition],
) -> impl Iterator<Item = &'static WorkloadDefinition> {
    workloads.iter().copied().filter(|workload| workload.page_cache == PageCache::Past)
}

/// Whether files can be used past the page cache on this site. Tries what the first of these workloads does.
pub fn can_bypass_page_cache<S: TestSite>(
    site: &mut S,
    workloads: &[&'static WorkloadDefinition],
) -> Result<bool> {
    let Some(first) = past_page_cache(workloads).next() else { return Ok(true) };
    site.can_bypass_page_cache(first).map_err(|error| failure("prepare the test file", &error))
}

/// Finds out what cannot be measured here and lays out the files of the other workloads. The headline's file
/// comes last, so that it is the freshest. Returns the seed proof of that file.
pub fn prepare<S: TestSite>(
    site: &mut S,
    setup: &Setup<'_>,
    omissions: &mut Omissions<'_>,
) -> Result<Option<String>> {
    if !can_bypass_page_cache(site, &setup.plan.workloads)? {
        past_page_cache(&setup.plan.workloads)
            .for_each(|workload| omissions.add(workload, "this filesystem has no O_DIRECT"));
    }
    if setup.ring.ring_mode.is_none() {
        let why = setup.ring.reason.as_deref().unwrap_or("this system has none");
        let reason = format!("operations that arrive by themselves need io_uring ({why})");
        let searches = setup.plan.workloads.iter().copied().filter(|workload| workload.slo.is_some());
        searches.for_each(|workload| omissions.add(workload, &reason));
    }
    let rest: Vec<_> =
        setup.plan.workloads.iter().copied().filter(|workload| !omissions.has(workload)).collect();
    let impossible = lay_out(site, setup, &files_of(&rest))?;
    for workload in rest.iter().filter(|workload| impossible.contains(&workload.file_of(0))) {
        omissions.add(workload, "this filesystem cannot give a file space without writing it");
    }
    let headline = rest.iter().find(|workload| workload.id == HEADLINE).map(|workload| workload.file_of(0));
    headline
        .map(|file| site.proof(file).map_err(|error| failure("read the test file back", &error)))
        .transpose()
}

/// Lays the files out; returns those whose state cannot be had here.
fn lay_out<S: TestSite>(site: &mut S, setup: &Setup<'_>, files: &[FileSpec]) -> Result<Vec<FileSpec>> {
    let headline = WorkloadDefinition::with_id(HEADLINE).map(|workload| workload.file_of(0));
    let is_filled = |file: &&FileSpec| file.state == FileState::Overwritten;
    let total: u64 = files.iter().filter(is_filled).map(|file| file.bytes).sum();
    let (mut done, mut impossible) = (0, Vec::new());
    for file in files {
        // Only the headline's file is described by the seed; any other gets one of its own, so that
        // no two blocks on the disk are alike.
        let own_seed = Seed::random();
        let seed = if Some(*file) == headline { setup.seed } else { &own_seed };
        let mut progress = |bytes: u64| setup.observer.preparing(done + bytes, total);
        match site.lay_out(*file, seed, setup.stop, &mut progress) {
            Ok(()) => {}
            Err(LayOutError::Stopped) => return Err(interruption()),
            Err(LayOutError::Io(error)) if error.kind() == io::ErrorKind::Unsupported => {
                impossible.push(*file);
            }
            Err(LayOutError::Io(error)) => return Err(failure("fill the test file", &error)),
        }
        done += if is_filled(&file) { file.bytes } else { 0 };
    }
    Ok(impossible)
}
