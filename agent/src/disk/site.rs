//! A folder on a real disk, as the place where a suite's test files lie.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::file::{FileDisk, Naming, TestFile};
use crate::engine::contents::Seed;
use crate::measure::Site;
use crate::probe::Tree;
use crate::probe::diskstats::{self, Counters};
use crate::probe::drive::{DeviceNumber, Storage};
use crate::workload::{FileSpec, Workload};

/// A folder and the test files in it. Dropping it removes them.
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    naming: Naming,
    disks: Vec<DeviceNumber>,
    counts_flushes: bool,
    files: Vec<(FileSpec, TestFile)>,
}

impl Folder {
    /// Test files will lie in `dir`; the disks of `storage` are watched meanwhile.
    pub fn new(dir: PathBuf, naming: Naming, storage: &Storage) -> Self {
        let Storage { disks, counts_flushes, .. } = storage;
        Self { dir, naming, disks: disks.clone(), counts_flushes: *counts_flushes, files: Vec::new() }
    }

    fn file(&self, spec: FileSpec) -> io::Result<&TestFile> {
        let found = self.files.iter().find(|(other, _)| *other == spec).map(|(_, file)| file);
        found.ok_or_else(|| io::Error::other("the test file was not laid out"))
    }
}

impl Site for Folder {
    type Disk = FileDisk;

    fn can_bypass_page_cache(&mut self, workload: &Workload) -> io::Result<bool> {
        TestFile::create(&self.dir, self.naming)?.can_bypass_page_cache(workload)
    }

    fn lay_out(
        &mut self,
        file: FileSpec,
        seed: &Seed,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<()> {
        let made = TestFile::create(&self.dir, self.naming)?;
        made.fill(file.bytes, seed, stop, progress)?;
        self.files.push((file, made));
        Ok(())
    }

    fn proof(&mut self, file: FileSpec) -> io::Result<String> {
        self.file(file)?.proof()
    }

    fn open(&mut self, workload: &Workload) -> io::Result<FileDisk> {
        let file = self.file(workload.file())?;
        file.drop_page_cache()?;
        file.open(workload)
    }

    fn counters(&mut self) -> Option<Counters> {
        let counters = diskstats::read(&Tree::live(), &self.disks)?;
        Some(Counters { flushes: counters.flushes.filter(|_| self.counts_flushes), ..counters })
    }
}
