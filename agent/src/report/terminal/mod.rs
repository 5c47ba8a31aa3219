//! What a person sees in a terminal. Nothing here is called while an operation is timed. Each file answers
//! one question:
//!
//! - `abilities`: what can the terminal show?
//! - `conversation`: how is something said, asked or printed?
//! - `wrapping`: where does a line break?
//! - `live`, `live_plain`: what is shown while a run goes on, on a terminal and in a file?
//! - `result_line`: what is shown of a workload that is over?
//! - `summary`: what is shown of a whole result, and in which order?
//! - `tables`, `charts`: how are its figures shown?
//! - `outcome`: what is shown of what a server made of it?
//! - `storage`: what lies under a folder?

mod abilities;
mod charts;
mod conversation;
pub mod live;
mod live_plain;
pub mod outcome;
mod result_line;
pub mod storage;
pub mod summary;
mod tables;
mod wrapping;

pub use self::abilities::{Colours, Glyphs, Style, Terminal, TerminalVariables};
pub use self::conversation::print;
pub use self::wrapping::wrap;
