//! What lies under a folder: its filesystem, the devices below it, and what they have done.

pub mod bus;
pub mod device;
pub mod device_stack;
pub mod diskstats;
pub mod drive;
pub mod filesystem;
pub mod mounts;
pub mod node;
pub mod nvme;
pub mod stack;
