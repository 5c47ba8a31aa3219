//! The machine itself. Each file answers one question:
//!
//! - `overview`: what is known of it as a whole, its kernel, its memory, its clock source?
//! - `cpu`: what are its CPUs called, and how many are there?
//! - `firmware`: who made it, and what do they call it?
//! - `provider`: which cloud is it, by its firmware?
//! - `virtualisation`: what runs it?
//! - `container`: in what container is this process?
//! - `control_groups`: how much of CPU, memory and disk may this process use?
//! - `cpu_time`: who had the CPUs since boot, and what did the hypervisor take?
//! - `activity_counters`: what goes on in the machine, counted since boot?

pub mod activity_counters;
pub mod container;
pub mod control_groups;
mod cpu;
pub mod cpu_time;
pub mod firmware;
mod overview;
pub mod provider;
pub mod virtualisation;

pub use self::overview::{Machine, probe};
