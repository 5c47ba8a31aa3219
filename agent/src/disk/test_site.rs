//! The place where a suite's test files lie, as the engine uses it: a folder, or a fake of a test.

use std::io;
use std::sync::atomic::AtomicBool;

use crate::disk::FileUnderTest;
use crate::disk::contents::Seed;
use crate::plan::workload::{FileSpec, WorkloadDefinition};
use crate::probe::machine::activity_counters::Activity;
use crate::sys::clock::Clock;

/// Why a test file was not laid out. A request to stop has its own member, because an `EINTR` of the system
/// is not one.
#[derive(Debug)]
pub enum LayOutError {
    /// The run was asked to stop.
    Stopped,
    /// The error of the system.
    Io(io::Error),
}

impl From<io::Error> for LayOutError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Where test files lie: a folder, or a test's fake.
pub trait TestSite: Send {
    /// An open test file.
    type File: FileUnderTest + Send;
    /// The clock that its files work by.
    type Clock: Clock + Send;

    /// Whether files here can be used past the page cache.
    fn can_bypass_page_cache(&mut self, workload: &WorkloadDefinition) -> io::Result<bool>;

    /// Creates a file and brings it into its state; reports the bytes written so far.
    ///
    /// # Errors
    /// `Unsupported` where that state cannot be had here.
    fn lay_out(
        &mut self,
        file: FileSpec,
        seed: &Seed,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), LayOutError>;

    /// Reads the seed proof back from a file that was laid out.
    fn proof(&mut self, file: FileSpec) -> io::Result<String>;

    /// Brings a file that is not overwritten into its first state again.
    fn reset(&mut self, file: FileSpec) -> io::Result<()>;

    /// Opens a writer's file for a pass, its pages dropped from the page cache.
    fn open(&mut self, workload: &WorkloadDefinition, writer: usize)
    -> io::Result<(Self::File, Self::Clock)>;

    /// The counters of what goes on in the machine.
    fn activity(&mut self) -> Activity;
}
