//! Numbers for people: three significant figures, thousands with a comma, the unit after a space.

/// Shown where there is no figure.
pub const NOT_SHOWN: &str = "–";

/// Bytes in binary units: `1.06 GiB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = count as f64;
    let mut unit = "bytes";
    for next in UNITS {
        // What is shown decides, so that nothing is 1024 of a unit.
        if value.round() < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "bytes" { format!("{count} bytes") } else { format!("{} {unit}", three_figures(value)) }
}

/// A duration in nanoseconds in the unit that suits it: `89.2 µs`.
pub fn latency(ns: u64) -> String {
    let value = ns as f64;
    // From where three figures would round up to 1000, the next unit begins.
    match ns {
        0..1_000 => format!("{ns} ns"),
        1_000..999_500 => format!("{} µs", three_figures(value / 1e3)),
        999_500..999_500_000 => format!("{} ms", three_figures(value / 1e6)),
        _ => format!("{} s", three_figures(value / 1e9)),
    }
}

/// How many a second `count` in `elapsed_ns` are. A time of zero counts as one nanosecond.
pub fn per_s(count: u64, elapsed_ns: u64) -> f64 {
    count as f64 * 1e9 / elapsed_ns.max(1) as f64
}

/// A rate: `10,352`, and with a decimal below 100.
pub fn rate(per_second: f64) -> String {
    if per_second < 99.95 { format!("{per_second:.1}") } else { thousands(rounded(per_second)) }
}

/// A time since 1970 as a date in UTC: `2026-03-01 12:34 UTC`.
pub fn utc(unix_us: u64) -> String {
    let minutes = unix_us / 60_000_000;
    let (days, minute_of_day) = (minutes / 1_440, minutes % 1_440);
    // Days to the civil calendar (H. Hinnant), the year beginning in March so that the leap day is its last.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minute_of_day / 60, minute_of_day % 60)
}

/// An integer with a comma every three digits.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // rates are small and not negative
fn rounded(value: f64) -> u64 {
    value.round() as u64
}

fn three_figures(value: f64) -> String {
    match value {
        value if value < 9.995 => format!("{value:.2}"),
        value if value < 99.95 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

/// Thousandths as percent: `96.9 %`, `97 %`.
pub fn percent_of_milli(milli: u64) -> String {
    format!("{} %", milli as f64 / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_and_the_unit_that_suits_them() {
        assert_eq!(latency(668), "668 ns");
        assert_eq!(latency(89_234), "89.2 µs");
        assert_eq!(latency(9_999), "10.0 µs");
        assert_eq!(latency(5_300_000), "5.30 ms");
        assert_eq!(latency(1_234_000_000), "1.23 s");
        assert_eq!([latency(999_499), latency(999_500)], ["999 µs", "1.00 ms"]);
        assert_eq!([latency(999_499_999), latency(999_500_000)], ["999 ms", "1.00 s"]);
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(1_140_850_688), "1.06 GiB");
        assert_eq!(bytes(4 << 30), "4.00 GiB");
        assert_eq!([bytes((1 << 20) - 513), bytes((1 << 20) - 512)], ["1023 KiB", "1.00 MiB"]);
    }

    #[test]
    fn dates_are_civil() {
        assert_eq!(utc(0), "1970-01-01 00:00 UTC");
        assert_eq!(utc(784_111_777_000_000), "1994-11-06 08:49 UTC");
        assert_eq!(utc(1_709_208_000_000_000), "2024-02-29 12:00 UTC");
    }

    #[test]
    fn rates_have_commas() {
        assert_eq!(rate(10_352.4), "10,352");
        assert_eq!(rate(187.15), "187");
        assert_eq!(rate(61.27), "61.3");
        assert_eq!([rate(99.94), rate(99.96)], ["99.9", "100"]);
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(7), "7");
    }
}
