//! A folder on a real disk, as the place where a suite's test files lie.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::open_file::OpenFile;
use super::test_file::TestFile;
use crate::disk::contents::Seed;
use crate::disk::test_site::{LayOutError, TestSite};
use crate::plan::file_naming::FileNaming;
use crate::plan::workload::{FileSpec, FileState, WorkloadDefinition};
use crate::probe::machine::activity_counters::{Activity, ActivityReader};
use crate::probe::storage::Storage;
use crate::probe::tree::Tree;
use crate::sys::clock::Monotonic;

/// A folder and the test files in it. Dropping it removes these files.
#[derive(Debug)]
pub struct TestFolder {
    dir: PathBuf,
    naming: FileNaming,
    reader: ActivityReader,
    counts_flushes: bool,
    counts_bytes: bool,
    files: Vec<(FileSpec, TestFile)>,
}

impl TestFolder {
    /// A place for test files in `dir`; `storage` says which disks' counters belong to it.
    pub fn new(dir: PathBuf, naming: FileNaming, storage: &Storage) -> Self {
        let reader = ActivityReader::new(Tree::live(), storage.disks.clone(), storage.intent_log.clone());
        Self {
            dir,
            naming,
            reader,
            counts_flushes: storage.counts_flushes,
            counts_bytes: storage.counts_bytes,
            files: Vec::new(),
        }
    }

    fn file(&self, spec: FileSpec) -> io::Result<&TestFile> {
        let file = self.files.iter().find(|(other, _)| *other == spec).map(|(_, file)| file);
        file.ok_or_else(|| io::Error::other("the test file was not laid out"))
    }
}

impl TestSite for TestFolder {
    type File = OpenFile;
    type Clock = Monotonic;

    fn can_bypass_page_cache(&mut self, workload: &WorkloadDefinition) -> io::Result<bool> {
        TestFile::create(&self.dir, self.naming)?.can_bypass_page_cache(workload)
    }

    fn lay_out(
        &mut self,
        file: FileSpec,
        seed: &Seed,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), LayOutError> {
        let test_file = TestFile::create(&self.dir, self.naming)?;
        match file.state {
            FileState::Overwritten => test_file.fill(file.bytes, seed, stop, progress)?,
            FileState::Growing | FileState::Fallocated => test_file.reset(file)?,
        }
        self.files.push((file, test_file));
        Ok(())
    }

    fn proof(&mut self, file: FileSpec) -> io::Result<String> {
        self.file(file)?.proof()
    }

    fn reset(&mut self, file: FileSpec) -> io::Result<()> {
        self.file(file)?.reset(file)
    }

    fn open(&mut self, workload: &WorkloadDefinition, writer: usize) -> io::Result<(OpenFile, Monotonic)> {
        let file = self.file(workload.file_of(writer))?;
        file.drop_page_cache()?;
        Ok((file.open(workload)?, Monotonic))
    }

    fn activity(&mut self) -> Activity {
        let activity = self.reader.read();
        Activity {
            device: activity.device.filter(|_| self.counts_bytes),
            flushes: activity.flushes.filter(|_| self.counts_flushes),
            ..activity
        }
    }
}
