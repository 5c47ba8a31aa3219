//! fio, the tool that everybody knows: our workloads as its command lines, and its jobs as our workloads.

pub mod command;
pub mod job;
pub mod nearest;
mod numbers;
pub mod shape;
