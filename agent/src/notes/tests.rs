//! Each note on a run that deserves it, and none on one that does not.
