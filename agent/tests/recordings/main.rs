//! Recorded data: the vectors that agent and server read, and trees of other machines' kernels.

mod analysis_vectors;
mod hostile;
mod layout;
mod stacks;
mod trees;
mod wire_contract;
