//! What the program asks of the kernel and the CPU, and the only unsafe code: calls that the standard library
//! has no safe function for, and memory that the kernel reads and writes while the program goes on. Each file
//! answers one question:
//!
//! - `clock`: what time is it, and what does it cost to ask?
//! - `cpu`: what does the CPU say of its hypervisor?
//! - `memory`: in which memory do reads and writes find their bytes?
//! - `io_request`: what can be asked of an open file?
//! - `io_uring`: how are many such requests performed at once?
//! - `nvme`: what can an NVMe controller be asked?
//! - `atomic_write`: how is a file written whole or not at all?
//! - `signals`: how does a run end cleanly when it is told to stop?
//! - `random_bytes`: where do random bytes come from?

pub mod atomic_write;
pub mod clock;
pub mod cpu;
pub mod io_request;
#[cfg(target_os = "linux")]
pub mod io_uring;
pub mod memory;
#[cfg(target_os = "linux")]
pub mod nvme;
mod random_bytes;
pub mod signals;

/// Bytes of an NVMe controller's answer to Identify Controller (NVMe Base Specification, figure "Identify
/// Controller data structure").
pub const IDENTIFY_BYTES: usize = 4096;
/// Bytes of an NVMe controller's log page "SMART / Health Information".
pub const HEALTH_BYTES: usize = 512;

pub use self::random_bytes::random;
