//! What the program can be told to do: one file a verb, `run` in a folder of its own.

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
pub mod stack_view;
pub mod upload;
pub mod verify;
