//! The program as people run it: a process with flags, a folder on a disk, and a server of our own.

mod compare_and_report;
mod fio_commands;
mod history;
mod keys_and_runs;
#[cfg(target_os = "linux")]
mod kills;
#[cfg(target_os = "linux")]
mod narrow;
#[cfg(target_os = "linux")]
#[path = "../support/refusals.rs"]
mod refusals;
#[cfg(target_os = "linux")]
mod refused_calls;
mod run_info_doctor;
#[path = "../support/mod.rs"]
mod support;
#[cfg(target_os = "linux")]
mod turns;
mod upload_and_verify;
