//! Lowercase hexadecimal digits.

use std::fmt::Write;

/// Two digits per byte.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Exactly `N` bytes from `2 N` digits, or nothing.
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_decodes_and_nothing_else_does() {
        assert_eq!(encode(&[0, 255, 16]), "00ff10");
        assert_eq!(decode::<3>("00ff10"), Some([0, 255, 16]));
        for wrong in ["00ff1", "00ff101", "00ff1g", "+0ff10", "00ff1\u{e9}"] {
            assert_eq!(decode::<3>(wrong), None, "{wrong}");
        }
    }
}
