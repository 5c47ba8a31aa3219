//! Text in lines that are no wider than a terminal.

/// The columns that a line takes: its characters without the escape sequences of colours.
pub(super) fn visible_length(line: &str) -> usize {
    let mut in_escape = false;
    let is_visible = |letter: &char| {
        let hidden = in_escape || *letter == '\x1b';
        in_escape = hidden && *letter != 'm';
        !hidden
    };
    line.chars().filter(is_visible).count()
}

/// Breaks text into lines of at most `width` columns at its spaces.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("never empty");
        let needed = visible_length(line) + usize::from(!line.is_empty()) + visible_length(word);
        if needed > width && !line.is_empty() {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// Breaks a line that begins with two blanks; what follows below stands two further in.
pub(super) fn hang(text: &str, width: usize) -> String {
    format!("  {}", wrap(text, width.saturating_sub(4)).join("\n    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_breaks_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable", 3), ["unbreakable"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(hang("a  b cde", 9), "  a  b\n    cde");
    }
}
