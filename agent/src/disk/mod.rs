//! The file under test: a real one, or one with scripted latencies. Each file answers one question:
//!
//! - `file_under_test`: what do the timed loops ask of it (`FileUnderTest`, `Queue`)?
//! - `test_site`: what does the engine ask of the place where a suite's test files lie (`TestSite`)?
//! - `test_folder`: how does a folder on a real disk answer that (`TestFolder`)?
//! - `test_file`: how is a file made, filled and opened, so that none is left behind (`TestFile`)?
//! - `leftovers`: who removes the name of a test file (`NameGuard`), and what did a killed run leave behind?
//! - `folder_lock`: whose turn is it in a folder (`FolderLock`)?
//! - `open_file`: what is done to an open file, and what makes a write durable (`OpenFile`, `FileCalls`)?
//! - `ring_queue`: how are many operations kept in flight (`io_uring`)?
//! - `contents`, `blocks`: what is written?
//! - `fake`: how does a test get a disk whose latencies it knows beforehand (`FakeDisk`)?

pub mod blocks;
pub mod contents;
pub mod fake;
mod file_under_test;
pub mod folder_lock;
pub mod leftovers;
pub mod open_file;
pub mod ring_queue;
pub mod test_file;
pub mod test_folder;
pub mod test_site;

pub use self::file_under_test::{FileUnderTest, Queue};
