//! What a person sees: sentences on stderr, a live display where the terminal can show one, and the
//! final picture. Nothing here is called while an operation is timed.
//!
//! `live` and `live_plain` show a run that goes on, `result_line` a workload that is over; `summary` is the final picture,
//! made of `tables` and `charts`; `storage` shows what lies under a folder.

mod charts;
pub mod live;
mod live_plain;
mod result_line;
pub mod storage;
pub mod summary;
mod tables;

use std::io::{self, BufRead, IsTerminal, Write};

use crate::error::{Error, ErrorKind, Result};

/// The narrowest and the widest pictures.
const WIDTH_MIN: usize = 40;
const WIDTH: usize = 80;
/// Indent of the second line of a long sentence whose first line has none.
const HANGING_INDENT: usize = 2;

/// What stderr can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// Whether lines may be drawn over.
    pub style: Style,
    /// Whether colours, bold and dim letters are shown.
    pub colours: Colours,
    /// Whether boxes and bars may be used.
    pub glyphs: Glyphs,
    /// Columns of pictures and tables.
    pub width: usize,
    /// Columns at which sentences are wrapped; `None` for a file, so that they can be searched for.
    pub sentence_width: Option<usize>,
}

/// Whether lines may be drawn over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A terminal that moves its cursor.
    Live,
    /// A file, a pipe or a dumb terminal: one line after another.
    Plain,
}

/// Whether colours, bold and dim letters are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// On a terminal that knows them.
    Shown,
    /// Elsewhere, and for a person who wants none.
    Hidden,
}

/// Which characters pictures are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyphs {
    /// Blocks and lines.
    Unicode,
    /// What a locale without UTF-8 can show.
    Ascii,
}

/// The environment that decides what stderr can show.
#[derive(Debug, Clone, Default)]
pub struct TerminalVariables {
    /// Whether stderr is a terminal.
    pub is_terminal: bool,
    /// `TERM`.
    pub term: Option<String>,
    /// Whether `NO_COLOR` is set to something.
    pub no_color: bool,
    /// The first of `LC_ALL`, `LC_CTYPE`, `LANG` that is set.
    pub locale: Option<String>,
    /// Columns of the terminal.
    pub columns: Option<usize>,
}

impl Terminal {
    /// What this process' stderr can show.
    pub fn detect() -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self::choose(&TerminalVariables {
            is_terminal: std::io::stderr().is_terminal(),
            term: variable("TERM"),
            no_color: variable("NO_COLOR").is_some(),
            locale: variable("LC_ALL").or_else(|| variable("LC_CTYPE")).or_else(|| variable("LANG")),
            columns: columns(),
        })
    }

    /// Live only on a real terminal; ASCII only where the locale says so. `NO_COLOR` takes away the colours, not the
    /// bars.
    pub fn choose(surroundings: &TerminalVariables) -> Self {
        let dumb = surroundings.term.as_deref().is_none_or(|term| term == "dumb");
        let live = surroundings.is_terminal && !dumb;
        let locale = surroundings.locale.as_deref().unwrap_or("UTF-8").to_ascii_uppercase();
        let unicode = locale.contains("UTF-8") || locale.contains("UTF8");
        let width = surroundings.columns.unwrap_or(WIDTH).clamp(WIDTH_MIN, WIDTH);
        Self {
            style: if live { Style::Live } else { Style::Plain },
            colours: if live && !surroundings.no_color { Colours::Shown } else { Colours::Hidden },
            glyphs: if unicode { Glyphs::Unicode } else { Glyphs::Ascii },
            width,
            sentence_width: surroundings.is_terminal.then_some(width),
        }
    }

    /// Prints one or more lines on stderr; those that are too long for a terminal are wrapped at spaces. A closed
    /// stderr is ignored.
    pub fn say(&self, text: &str) {
        let mut shown = String::new();
        for line in text.split('\n') {
            shown.push_str(&self.break_line(line));
            shown.push('\n');
        }
        self.show(&shown);
    }

    /// Writes text that is laid out already on stderr, in the characters that it can show.
    fn show(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        let written = match self.glyphs {
            Glyphs::Unicode => stderr.write_all(text.as_bytes()),
            Glyphs::Ascii => stderr.write_all(to_ascii(text).as_bytes()),
        };
        let _ = written.and_then(|()| stderr.flush());
    }

    fn break_line(&self, line: &str) -> String {
        let Some(width) = self.sentence_width.filter(|&width| visible_length(line) > width) else {
            return line.to_owned();
        };
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        let hanging = if indent == 0 { HANGING_INDENT } else { indent };
        let broken = wrap(text, width - hanging);
        " ".repeat(indent) + &broken.join(&format!("\n{}", " ".repeat(hanging)))
    }

    /// Prints lines for people on stdout.
    pub fn print(&self, text: &str) -> Result<()> {
        match self.glyphs {
            Glyphs::Unicode => print(text),
            Glyphs::Ascii => print(&to_ascii(text)),
        }
    }

    /// Text in bold, where colours are shown.
    pub fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Text in the background.
    pub fn dim(&self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Text in the accent colour: the subject, and warnings.
    pub fn accent(&self, text: &str) -> String {
        self.paint("38;5;202", text)
    }

    fn paint(&self, code: &str, text: &str) -> String {
        match self.colours {
            Colours::Shown => format!("\x1b[{code}m{text}\x1b[0m"),
            Colours::Hidden => text.to_owned(),
        }
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

/// Columns of the terminal behind stderr, now: people resize their windows.
fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

/// The columns that a line takes: its characters without the escape sequences of colours.
fn visible_length(line: &str) -> usize {
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

/// The nearest ASCII for the few characters that sentences here use. Others, as in the name of a file,
/// stay what they are.
fn to_ascii(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'µ' => 'u',
            '·' => '.',
            '━' | '─' => '-',
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

    fn terminal() -> TerminalVariables {
        TerminalVariables {
            is_terminal: true,
            term: Some("xterm-256color".to_owned()),
            locale: Some("en_US.UTF-8".to_owned()),
            columns: Some(120),
            ..TerminalVariables::default()
        }
    }

    #[test]
    fn only_a_real_terminal_is_drawn_over() {
        assert_eq!(Terminal::choose(&terminal()).style, Style::Live);
        for plain in [
            TerminalVariables { is_terminal: false, ..terminal() },
            TerminalVariables { term: Some("dumb".to_owned()), ..terminal() },
            TerminalVariables { term: None, ..terminal() },
        ] {
            let chosen = Terminal::choose(&plain);
            assert_eq!(chosen.style, Style::Plain, "{plain:?}");
            assert_eq!(chosen.accent("x"), "x");
        }
    }

    #[test]
    fn no_color_takes_the_colours_and_leaves_the_bars() {
        let chosen = Terminal::choose(&TerminalVariables { no_color: true, ..terminal() });
        assert_eq!((chosen.style, chosen.accent("x").as_str()), (Style::Live, "x"));
        assert_eq!(Terminal::choose(&terminal()).bold("x"), "\x1b[1mx\x1b[0m");
    }

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
    fn text_breaks_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable", 3), ["unbreakable"]);
        assert_eq!(wrap("", 3), [""]);
    }

    #[test]
    fn pictures_are_at_most_eighty_columns_wide() {
        assert_eq!(Terminal::choose(&terminal()).width, 80);
        assert_eq!(Terminal::choose(&TerminalVariables { columns: Some(60), ..terminal() }).width, 60);
        assert_eq!(Terminal::choose(&TerminalVariables { columns: None, ..terminal() }).width, 80);
    }

    #[test]
    fn a_locale_without_utf8_gets_ascii() {
        let posix = Terminal::choose(&TerminalVariables { locale: Some("C".to_owned()), ..terminal() });
        assert_eq!(posix.glyphs, Glyphs::Ascii);
        assert_eq!(
            Terminal::choose(&TerminalVariables { locale: None, ..terminal() }).glyphs,
            Glyphs::Unicode
        );
        assert_eq!(to_ascii("89 µs · ━│● ä"), "89 us . -|# ä");
    }
}
