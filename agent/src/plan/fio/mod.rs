//! fio, the tool that everybody knows. Each file answers one question:
//!
//! - `command`: how does fio do what one of our workloads does?
//! - `job`: which options has a job of fio?
//! - `numbers`: which number does an option mean, with its unit?
//! - `shape`: what does a job, or a workload, do?
//! - `nearest`: which of our workloads comes nearest to a job?

pub mod command;
pub mod job;
pub mod nearest;
mod numbers;
pub mod shape;
