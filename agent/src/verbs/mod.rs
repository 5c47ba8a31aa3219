//! What the program can be told to do: one file a verb, `run` in a folder of its own. A verb is a member of `Verb` in
//! `cli.rs`, which `main.rs` hands to its file. What several verbs share: `consent` is the terms that somebody agrees
//! to, `result_file` reads a result that was kept.

pub mod compare;
pub mod consent;
pub mod doctor;
pub mod explain;
pub mod fio;
pub mod info;
pub mod key;
pub mod man;
pub mod report;
pub mod result_file;
pub mod run;
pub mod upload;
pub mod verify;
