//! Texts from outside, made safe to show and to send.

use std::fmt::Display;

/// Printable ASCII of at most `length_max` characters; runs of anything else become one space.
pub fn printable(text: &str, length_max: usize) -> String {
    let spaced: String = text.chars().map(|c| if c.is_ascii_graphic() { c } else { ' ' }).collect();
    let mut clean = spaced.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    clean.truncate(length_max);
    clean.truncate(clean.trim_end().len());
    clean
}

/// What a library says of a file or of a server, which may repeat their own words.
pub fn printable_error(error: &impl Display) -> String {
    const LENGTH_MAX: usize = 300;
    printable(&error.to_string(), LENGTH_MAX)
}

/// `printable`, or `None` when nothing is left.
pub fn printable_or_none(text: &str, length_max: usize) -> Option<String> {
    Some(printable(text, length_max)).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_machine_is_printable_and_short() {
        assert_eq!(printable("  Samsung\tSSD \u{202e}980\u{7} PRO\n", 64), "Samsung SSD 980 PRO");
        assert_eq!(printable(&"x".repeat(100), 64).len(), 64);
        assert_eq!(printable("abc def", 4), "abc");
        assert_eq!(printable_or_none("\u{fffd}\n", 64), None);
    }
}
