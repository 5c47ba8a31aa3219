//! What a result shows: where it stands on the ladder, who answers a sync and what speaks for it, what to know
//! before one believes it, what it means for software, and how two results compare.

pub mod comparison;
pub mod evidence;
pub mod ladder;
pub mod meaning;
pub mod notes;
pub mod verdict;

#[cfg(test)]
mod vectors;
