//! Sentences for a person on stderr, answers from stdin, and results on stdout.

use std::io::{self, BufRead, IsTerminal, Write};

use super::abilities::{Glyphs, Style, Terminal};
use super::wrapping::{visible_length, wrap};
use crate::error::{Error, ErrorKind, Result};

/// The most columns of the names that stand before texts.
const NAME_COLUMNS_MAX: usize = 16;
/// Indent of the second line of a long sentence whose first line has none.
const HANGING_INDENT: usize = 2;

impl Terminal {
    /// Prints one or more lines on stderr; those that are too long for a terminal are wrapped at spaces. A
    /// closed stderr is ignored.
    pub fn say(&self, text: &str) {
        let mut shown = String::new();
        for line in text.split('\n') {
            shown.push_str(&self.break_line(line));
            shown.push('\n');
        }
        self.show(&shown);
    }

    /// Prints a line on stderr that nothing breaks, so that it can be copied: an address, or Markdown.
    pub fn say_whole(&self, line: &str) {
        self.show(&format!("{line}\n"));
    }

    /// Shows on a terminal what is waited for, over what it showed before; elsewhere nothing. An empty text
    /// takes it away.
    pub fn show_waiting(&self, text: &str) {
        if self.style == Style::Live {
            let shown: String = text.chars().take(self.width - 1).collect();
            self.show(&format!("\r\x1b[K{shown}"));
        }
    }

    /// Writes text that is laid out already on stderr, in the characters that it can show.
    pub(super) fn show(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        let written = match self.glyphs {
            Glyphs::Unicode => stderr.write_all(text.as_bytes()),
            Glyphs::Ascii => stderr.write_all(to_ascii(text).as_bytes()),
        };
        let _ = written.and_then(|()| stderr.flush());
    }

    fn break_line(&self, line: &str) -> String {
        let indent = line.len() - line.trim_start_matches(' ').len();
        self.break_line_to(line, if indent == 0 { HANGING_INDENT } else { indent })
    }

    /// Breaks a line that is too long; what follows below stands `hanging` columns in.
    fn break_line_to(&self, line: &str, hanging: usize) -> String {
        let Some(width) = self.sentence_width.filter(|&width| visible_length(line) > width) else {
            return line.to_owned();
        };
        // Whatever stands before that column stays as it is: an indent, or a name and blanks.
        let begin = line.char_indices().nth(hanging).map_or(0, |(at, _)| at);
        let begin = if line[..begin].ends_with(' ') { begin } else { 0 };
        let broken = wrap(&line[begin..], width - hanging);
        line[..begin].to_owned() + &broken.join(&format!("\n{}", " ".repeat(hanging)))
    }

    /// Prints lines for people on stdout.
    pub fn print(&self, text: &str) -> Result<()> {
        match self.glyphs {
            Glyphs::Unicode => print(text),
            Glyphs::Ascii => print(&to_ascii(text)),
        }
    }

    /// Prints lines for people on stdout, as `NAME  TEXT` or indented; on a terminal those that are too long
    /// are broken below where their text begins.
    pub fn print_broken(&self, text: &str) -> Result<()> {
        if !io::stdout().is_terminal() {
            return self.print(text);
        }
        let lines: Vec<String> =
            text.split('\n').map(|line| self.break_line_to(line, text_column(line))).collect();
        self.print(&lines.join("\n"))
    }

    /// Whether there is a person who can answer.
    pub fn can_ask(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Asks a question; anything but an explicit yes is a no.
    pub fn ask(&self, question: &str) -> bool {
        let _ = write!(std::io::stderr().lock(), "{question} [y/N] ");
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
    }
}

/// The column in which the text of a line begins: behind its indent, or behind a name and two blanks.
fn text_column(line: &str) -> usize {
    let letters: Vec<char> = line.chars().collect();
    let indent = letters.iter().take_while(|&&letter| letter == ' ').count();
    if indent > 0 {
        return indent;
    }
    let end = letters.windows(2).position(|pair| pair == [' ', ' ']).unwrap_or(0);
    let blanks = letters[end..].iter().take_while(|&&letter| letter == ' ').count();
    let column = end + blanks;
    if blanks > 1 && column <= NAME_COLUMNS_MAX { column } else { HANGING_INDENT }
}

/// Prints one or more lines on stdout. A reader that went away is ignored; a full disk is an error.
pub fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::from_io(ErrorKind::CannotCreate, "write to stdout", &error))
        }
        _ => Ok(()),
    }
}

/// The nearest ASCII for the few characters that sentences here use. Others, as in the name of a file,
/// stay what they are.
fn to_ascii(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'µ' => 'u',
            '·' => '.',
            '━' | '─' | '–' => '-',
            '│' | '├' => '|',
            '└' => '`',
            '●' => '#',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::terminal::TerminalVariables;
    use crate::report::terminal::abilities::examples::terminal;

    #[test]
    fn long_sentences_break_at_spaces_and_keep_their_indent() {
        let narrow = Terminal::choose(&TerminalVariables { columns: Some(40), ..terminal() });
        let text = format!("  {} eins zwei drei vier fünf sechs", narrow.bold("Null"));
        assert_eq!(narrow.break_line(&text), "  \x1b[1mNull\x1b[0m eins zwei drei vier fünf sechs");
        let text = format!("{text} sieben acht");
        assert_eq!(
            narrow.break_line(&text),
            "  \x1b[1mNull\x1b[0m eins zwei drei vier fünf sechs\n  sieben acht"
        );
        let error = "fsyncmark: /dev/shm lies on tmpfs, which keeps nothing";
        assert_eq!(narrow.break_line(error), "fsyncmark: /dev/shm lies on tmpfs,\n  which keeps nothing");
        let file = Terminal::choose(&TerminalVariables { is_terminal: false, ..terminal() });
        assert_eq!(file.break_line(&error.repeat(3)), error.repeat(3), "a file can be searched");
    }

    #[test]
    fn a_named_text_is_broken_below_its_begin() {
        let narrow = Terminal::choose(&TerminalVariables { columns: Some(40), ..terminal() });
        let broken = |line: &str| narrow.break_line_to(line, text_column(line));
        assert_eq!(
            broken("claim       one two three four five six seven"),
            "claim       one two three four five six\n            seven"
        );
        assert_eq!(
            broken("      1 x 4 to 10 s, writes at most 544 MiB of"),
            "      1 x 4 to 10 s, writes at most 544\n      MiB of"
        );
        assert_eq!(
            broken("Deep: every workload, preconditioned, in an hour"),
            "Deep: every workload, preconditioned,\n  in an hour"
        );
    }

    #[test]
    fn what_ascii_has_no_letter_for_gets_the_nearest() {
        assert_eq!(to_ascii("89 µs · ━│● ä"), "89 us . -|# ä");
        assert_eq!(to_ascii(crate::units::NOT_SHOWN), "-");
    }
}
