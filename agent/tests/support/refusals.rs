//! Kernels that refuse something: a seccomp filter answers in the filesystem's place. It holds for the
//! thread that asks for it and for every process that this thread starts, and cannot be taken back.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// The bit of `O_TMPFILE` that is its own, the same on x86-64 and arm64 (`asm-generic/fcntl.h`).
const NAMELESS: u64 = 0o20_000_000;

/// From now on `O_TMPFILE` is answered as by a filesystem that does not have it.
pub fn without_nameless_files() {
    let asks_in_argument = |index: u8| {
        let bits = SeccompCmpOp::MaskedEq(NAMELESS);
        let asks = SeccompCondition::new(index, SeccompCmpArgLen::Dword, bits, NAMELESS).unwrap();
        vec![SeccompRule::new(vec![asks]).unwrap()]
    };
    let mut rules = BTreeMap::from([(libc::SYS_openat, asks_in_argument(2))]);
    // Newer architectures have no call of this name.
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, asks_in_argument(1));
    refuse(rules, libc::EOPNOTSUPP);
}

/// From now on `O_DIRECT` is answered as by a filesystem that does not have it.
pub fn without_direct_io() {
    let bit = u64::try_from(libc::O_DIRECT).unwrap();
    let asks_in_argument = |index: u8| {
        let asks = SeccompCondition::new(index, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(bit), bit);
        vec![SeccompRule::new(vec![asks.unwrap()]).unwrap()]
    };
    let mut rules = BTreeMap::from([(libc::SYS_openat, asks_in_argument(2))]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, asks_in_argument(1));
    refuse(rules, libc::EINVAL);
}

/// From now on buffers and files cannot be registered with an `io_uring`, as where `ulimit -l` is too small.
pub fn without_registered_buffers() {
    refuse(BTreeMap::from([(libc::SYS_io_uring_register, Vec::new())]), libc::ENOMEM);
}

/// From now on no file can get another name: as where the filesystem is full, nothing that is replaced
/// arrives.
pub fn without_renames() {
    let mut rules = BTreeMap::from([(libc::SYS_renameat, Vec::new()), (libc::SYS_renameat2, Vec::new())]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_rename, Vec::new());
    refuse(rules, libc::ENOSPC);
}

/// From now on no file can have a second name, as on vfat and exFAT.
pub fn without_hard_links() {
    let mut rules = BTreeMap::from([(libc::SYS_linkat, Vec::new())]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_link, Vec::new());
    refuse(rules, libc::EPERM);
}

/// From now on no file can be locked, as on an NFS server without a lock manager.
pub fn without_locks() {
    refuse(BTreeMap::from([(libc::SYS_flock, Vec::new())]), libc::ENOLCK);
}

/// From now on the kernel has no random bytes: what no system that is supported does, and so a bug of
/// fsyncmark that a test can bring about.
pub fn without_random_bytes() {
    refuse(BTreeMap::from([(libc::SYS_getrandom, Vec::new())]), libc::EIO);
}

/// From now on these calls answer with this error number.
fn refuse(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) {
    let answer = SeccompAction::Errno(u32::try_from(errno).unwrap());
    let architecture = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, answer, architecture).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    seccompiler::apply_filter(&program).expect("Linux with seccomp");
}
