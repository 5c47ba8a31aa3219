//! The verbs of the command line: one file a verb, `run`, `compare` and `key` in folders of their own. A verb
//! is a member of `Verb` in `cli.rs`, which `main.rs` hands to its file. What several verbs share: `consent`
//! is the terms of an upload that a person agrees to, `result_file` reads a result that was kept,
//! `earlier_runs` those of the history. `sent` is what is said of a run that a server has.

pub mod compare;
pub mod consent;
pub mod doctor;
mod earlier_runs;
pub mod explain;
pub mod fio;
pub mod history;
pub mod info;
pub mod key;
pub mod man;
pub mod report;
pub mod result_file;
pub mod run;
mod sent;
pub mod upload;
pub mod verify;
pub mod withdraw;
