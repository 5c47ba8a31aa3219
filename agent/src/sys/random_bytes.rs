//! Random bytes.

/// Random bytes from the system.
///
/// # Panics
/// When the system has none, which no supported system does.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::getrandom(&mut bytes).expect("the system has random numbers");
    bytes
}
