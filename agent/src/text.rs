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

/// Text from a server as a terminal shows it: letters of any script, without what moves the cursor, hides
/// letters or turns the text around. Blanks of any kind become one space.
pub fn displayable(text: &str, length_max: usize) -> String {
    let kept = text.chars().filter(|&c| c.is_whitespace() || !(c.is_control() || is_invisible(c)));
    let spaced: String = kept.collect();
    let joined = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.chars().take(length_max).collect::<String>().trim_end().to_owned()
}

/// Whether a character has no shape of its own: marks of direction, joiners, tags (Unicode, category Cf).
const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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

    #[test]
    fn what_a_server_says_is_letters_and_nothing_that_a_terminal_obeys() {
        assert_eq!(
            displayable("  p99\t≥ 2\u{202e} ms\r\n\u{1b}[2J\u{9b}31m 读\u{200b}写\u{e0041}", 64),
            "p99 ≥ 2 ms [2J31m 读写"
        );
        assert_eq!(displayable("äöü", 2), "äö");
        assert_eq!(displayable("\u{2066}\u{feff}\u{0}", 9), "");
    }
}
