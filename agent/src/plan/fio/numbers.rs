//! Numbers as fio takes them, with their units.

/// A number with a unit, as fio takes it: k, kb and ki are 1024 by default.
pub(super) fn bytes(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let power = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        "p" => 5,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1_u64.checked_shl(10 * power)?)
}

/// A time as fio takes it: seconds without a unit.
pub(super) fn nanoseconds(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let ns: u64 = match unit {
        "us" => 1_000,
        "ms" => 1_000_000,
        "" | "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_fio_and_never_overflow() {
        for (text, number) in [("8k", 8192), ("8KiB", 8192), ("2300", 2300), ("1g", 1 << 30), ("3t", 3 << 40)]
        {
            assert_eq!(bytes(text), Some(number), "{text}");
        }
        for wrong in ["", "k", "-1", "4x", "99999999999p", "4k5", "10%", "\u{664}k"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
        assert_eq!(
            [nanoseconds("500ms"), nanoseconds("2"), nanoseconds("1h")],
            [Some(500_000_000), Some(2_000_000_000), Some(3_600_000_000_000)]
        );
        assert_eq!([nanoseconds("s"), nanoseconds("99999999999999d")], [None, None]);
    }
}
