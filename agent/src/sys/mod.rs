//! What the program asks of the kernel and the CPU: clocks, signals, random bytes, files that are written
//! whole, and the only unsafe code: calls that the standard library has no safe function for, and memory that
//! the kernel reads and writes while the program goes on.
//!
//! `clock` tells the time, `cpu` asks the CPU for its hypervisor; `io_request` is one request to a file,
//! `io_uring` performs many at once, `memory` holds the bytes for both; `nvme` asks a controller;
//! `atomic_write` writes a file whole or not at all, and `signals` lets a run end cleanly when it is told to
//! stop.

pub mod atomic_write;
pub mod clock;
pub mod cpu;
pub mod io_request;
#[cfg(target_os = "linux")]
pub mod io_uring;
pub mod memory;
#[cfg(target_os = "linux")]
pub mod nvme;
pub mod signals;

/// Bytes of an NVMe controller's answer to Identify Controller (NVMe Base Specification, figure "Identify
/// Controller data structure").
pub const IDENTIFY_BYTES: usize = 4096;
/// Bytes of an NVMe controller's log page "SMART / Health Information".
pub const HEALTH_BYTES: usize = 512;

/// Random bytes from the system.
///
/// # Panics
/// When the system has none, which no supported system does.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::getrandom(&mut bytes).expect("the system has random numbers");
    bytes
}
