//! The smaller verbs, one file each.

pub mod info;
pub mod key;
pub mod upload;
pub mod verify;
