//! fio, the tool that everybody knows: our workloads as its command lines (`command`), and its jobs as our
//! workloads: `job` reads one with the `numbers` in it, `shape` is what it does, `nearest` finds ours.

pub mod command;
pub mod job;
pub mod nearest;
mod numbers;
pub mod shape;
