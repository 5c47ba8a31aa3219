//! A result as one HTML file that needs nothing else: no script, no request, light and dark. Every text of
//! the result is made printable and escaped, and the page's own policy forbids it to load or run anything.
//! Each file answers one question:
//!
//! - `whole_page`: which sections come in which order?
//! - `lead`: what stands first, in large?
//! - `judgement`: what does the result show?
//! - `tables`: which figures has each workload?
//! - `scaling`: how do rates grow with the writers?
//! - `surroundings`: on what was it measured, and what should a reader know of that?
//! - `workload_row`: how is a workload shown, wherever it is?
//! - `charts`: how is something drawn?
//! - `text`: how does a text become safe to show?

mod charts;
mod judgement;
mod lead;
mod scaling;
mod surroundings;
mod tables;
mod text;
mod whole_page;
mod workload_row;

pub use self::whole_page::page;

#[cfg(test)]
mod tests;
