//! What the CPU reports about itself.
#![allow(unsafe_code)]

/// The twelve letters by which a hypervisor names itself to its guests (`KVMKVMKVM`), or nothing on
/// bare metal and on CPUs that have no such place.
#[cfg(target_arch = "x86_64")]
#[allow(unused_unsafe)] // newer compilers call this instruction safe, older ones do not
pub fn hypervisor_signature() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    /// Leaf 1, register ECX, bit 31: "a hypervisor is present"; reserved as zero by every real CPU.
    const HYPERVISOR_BIT: u32 = 1 << 31;
    const HYPERVISOR_LEAF: u32 = 0x4000_0000;
    // SAFETY: every x86-64 CPU has the CPUID instruction, and it touches nothing but registers.
    let features = unsafe { __cpuid(1) };
    if features.ecx & HYPERVISOR_BIT == 0 {
        return None;
    }
    // SAFETY: as above; hypervisors answer this leaf when they set the bit.
    let leaf = unsafe { __cpuid(HYPERVISOR_LEAF) };
    let letters: Vec<u8> = [leaf.ebx, leaf.ecx, leaf.edx].into_iter().flat_map(u32::to_le_bytes).collect();
    Some(String::from_utf8_lossy(&letters).trim_matches(['\0', ' ']).to_owned())
}

/// Other architectures have no such instruction.
#[cfg(not(target_arch = "x86_64"))]
pub fn hypervisor_signature() -> Option<String> {
    None
}
