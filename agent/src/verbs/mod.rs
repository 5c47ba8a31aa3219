//! The smaller verbs, one file each.

pub mod compare;
pub mod doctor;
pub mod explain;
pub mod fio;
pub mod info;
pub mod key;
pub mod man;
pub mod report;
pub mod stack_view;
pub mod upload;
pub mod verify;
