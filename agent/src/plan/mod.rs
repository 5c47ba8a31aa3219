//! Turns a request and the facts about the machine into a plan that may run, or refuses with advice before a
//! byte is written. Each file answers one question:
//!
//! - `choice`: what did the person choose of a suite?
//! - `planned_run`: what will be measured, what does it write, and how long does it take?
//! - `refusal`: why may that not run here?
//! - `workload`: what can be measured, and which suites are made of it?
//! - `judged_ids`: which workloads are judged by name?
//! - `workload_groups`: which are shown together?
//! - `pass_limits`: when does a pass of one end?
//! - `schedule`: in which order do the passes come, and how long do they take?
//! - `file_naming`: do the test files have names here?
//! - `fio`: what would fio do instead?

mod choice;
pub mod file_naming;
pub mod fio;
pub mod judged_ids;
pub mod pass_limits;
mod planned_run;
mod refusal;
pub mod schedule;
pub mod workload;
pub mod workload_groups;

pub use self::choice::{Choice, chosen, unchecked, whole_suite};
pub use self::planned_run::Plan;

#[cfg(test)]
mod tests;
