//! Admin commands to NVMe controllers (`linux/nvme_ioctl.h`): only commands that change nothing. The kernel
//! lets only root open a controller.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::fs::File;
use std::io;

use rustix::ioctl::{self, Ioctl, IoctlOutput, Opcode};

use super::{HEALTH_BYTES, IDENTIFY_BYTES};

/// The feature "Volatile Write Cache".
pub const VOLATILE_WRITE_CACHE: u32 = 0x06;
const GET_LOG_PAGE: u8 = 0x02;
const IDENTIFY: u8 = 0x06;
const GET_FEATURES: u8 = 0x0a;
/// How long a drive may take to answer.
const TIMEOUT_MS: u32 = 1000;

/// An open controller.
#[derive(Debug)]
pub struct Controller(File);

impl Controller {
    /// Opens `/dev/NAME`.
    pub fn open(name: &str) -> io::Result<Self> {
        File::open(format!("/dev/{name}")).map(Self)
    }

    /// The answer to Identify Controller.
    pub fn identify(&mut self) -> io::Result<[u8; IDENTIFY_BYTES]> {
        const CONTROLLER: u32 = 1;
        let mut answer = [0; IDENTIFY_BYTES];
        self.ask(IDENTIFY, 0, CONTROLLER, &mut answer)?;
        Ok(answer)
    }

    /// The log page "SMART / Health Information" of the whole controller.
    pub fn health(&mut self) -> io::Result<[u8; HEALTH_BYTES]> {
        const ALL_NAMESPACES: u32 = 0xffff_ffff;
        const SMART: u32 = 0x02;
        #[allow(clippy::cast_possible_truncation)] // 127: the number of 32-bit words, less one
        const WORDS: u32 = (HEALTH_BYTES / 4 - 1) as u32;
        let mut answer = [0; HEALTH_BYTES];
        self.ask(GET_LOG_PAGE, ALL_NAMESPACES, SMART | WORDS << 16, &mut answer)?;
        Ok(answer)
    }

    /// The current value of a feature that has no data.
    pub fn feature(&mut self, feature: u32) -> io::Result<u32> {
        self.ask(GET_FEATURES, 0, feature, &mut [])
    }

    /// Sends one command that reads, and returns the result's 32 bits.
    fn ask(&mut self, opcode: u8, namespace: u32, cdw10: u32, answer: &mut [u8]) -> io::Result<u32> {
        let command = Command {
            opcode,
            namespace,
            address: if answer.is_empty() { 0 } else { answer.as_mut_ptr() as u64 },
            data_bytes: u32::try_from(answer.len()).map_err(io::Error::other)?,
            cdw10,
            timeout_ms: TIMEOUT_MS,
            ..Command::default()
        };
        // SAFETY: the request's number says how large `Command` is, and its layout is the kernel's. The
        // kernel writes `data_bytes` into `answer`, which is borrowed until the call returns: it waits
        // for the drive, or has taken the command back after the time-out.
        let (status, result) = unsafe { ioctl::ioctl(&self.0, AdminCommand(command)) }?;
        if status == 0 { Ok(result) } else { Err(io::Error::other("the drive refuses")) }
    }
}

/// `struct nvme_admin_cmd`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct Command {
    opcode: u8,
    flags: u8,
    reserved: u16,
    namespace: u32,
    cdw2: u32,
    cdw3: u32,
    metadata: u64,
    address: u64,
    metadata_bytes: u32,
    data_bytes: u32,
    cdw10: u32,
    cdw11_to_15: [u32; 5],
    timeout_ms: u32,
    result: u32,
}

struct AdminCommand(Command);

// SAFETY: `as_ptr` gives the command that the request's number stands for, and `output_from_ptr` reads it
// back from there.
unsafe impl Ioctl for AdminCommand {
    /// The drive's status and the result's 32 bits.
    type Output = (IoctlOutput, u32);
    const IS_MUTATING: bool = true;

    fn opcode(&self) -> Opcode {
        ioctl::opcode::read_write::<Command>(b'N', 0x41)
    }

    fn as_ptr(&mut self) -> *mut c_void {
        (&raw mut self.0).cast()
    }

    unsafe fn output_from_ptr(out: IoctlOutput, command: *mut c_void) -> rustix::io::Result<Self::Output> {
        // SAFETY: the pointer is what `as_ptr` gave.
        Ok((out, unsafe { (*command.cast::<Command>()).result }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_is_the_kernels() {
        // `NVME_IOCTL_ADMIN_CMD`, the same on x86-64 and arm64.
        assert_eq!(AdminCommand(Command::default()).opcode(), 0xc048_4e41);
        assert_eq!(std::mem::offset_of!(Command, address), 24);
        assert_eq!(std::mem::offset_of!(Command, cdw10), 40);
        assert_eq!(std::mem::offset_of!(Command, timeout_ms), 64);
    }

    #[test]
    fn what_is_no_controller_answers_nothing() {
        let mut other = Controller::open("null").unwrap();
        assert!(other.identify().is_err() && other.health().is_err());
    }
}
