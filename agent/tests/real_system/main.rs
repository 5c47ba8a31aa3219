//! The program on what a kernel really does: stacks of devices, devices that fail, interrupted
//! calls, metadata services.
#![cfg(target_os = "linux")]

#[macro_use]
#[path = "../support/stacks.rs"]
mod stacks;
#[path = "../support/mod.rs"]
mod support;

mod ask_cloud;
mod failing_devices;
mod interruptions;
mod real_stacks;
mod recognised_stacks;
