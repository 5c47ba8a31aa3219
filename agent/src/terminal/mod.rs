//! What a person sees: sentences on stderr, a live display where the terminal can show one, and the
//! final picture. Nothing here is called while an operation is timed.

pub mod live;
pub mod summary;

use std::io::{BufRead, IsTerminal, Write};

/// The narrowest and the widest that pictures are drawn.
const WIDTH_MIN: usize = 40;
const WIDTH: usize = 80;

/// What stderr can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// Whether lines may be drawn over and coloured.
    pub style: Style,
    /// Whether boxes and bars may be used.
    pub glyphs: Glyphs,
    /// Columns to use.
    pub width: usize,
}

/// Whether lines may be drawn over and coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A terminal that moves its cursor and shows colours.
    Live,
    /// A file, a pipe, a dumb terminal, or a person who wants it so: one line after another.
    Plain,
}

/// Which characters pictures are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyphs {
    /// Blocks and lines.
    Unicode,
    /// What a locale without UTF-8 can show.
    Ascii,
}

/// What of the environment decides.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
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
        let columns =
            rustix::termios::tcgetwinsize(std::io::stderr()).ok().map(|size| usize::from(size.ws_col));
        Self::choose(&Surroundings {
            is_terminal: std::io::stderr().is_terminal(),
            term: variable("TERM"),
            no_color: variable("NO_COLOR").is_some(),
            locale: variable("LC_ALL").or_else(|| variable("LC_CTYPE")).or_else(|| variable("LANG")),
            columns: columns.filter(|&columns| columns > 0),
        })
    }

    /// Live only on a real terminal; ASCII only where the locale says that it knows nothing else.
    pub fn choose(surroundings: &Surroundings) -> Self {
        let dumb = surroundings.term.as_deref().is_none_or(|term| term == "dumb");
        let live = surroundings.is_terminal && !dumb && !surroundings.no_color;
        let locale = surroundings.locale.as_deref().unwrap_or("UTF-8").to_ascii_uppercase();
        let unicode = locale.contains("UTF-8") || locale.contains("UTF8");
        Self {
            style: if live { Style::Live } else { Style::Plain },
            glyphs: if unicode { Glyphs::Unicode } else { Glyphs::Ascii },
            width: surroundings.columns.unwrap_or(WIDTH).clamp(WIDTH_MIN, WIDTH),
        }
    }

    /// Prints a line, or several, on stderr. A closed stderr is nobody's problem.
    pub fn say(&self, text: &str) {
        let text = if self.glyphs == Glyphs::Ascii { to_ascii(text) } else { text.to_owned() };
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }

    /// Text in bold, where colours are shown.
    pub fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Text that steps back.
    pub fn dim(&self, text: &str) -> String {
        self.paint("2", text)
    }

    /// The one accent: the subject, and warnings.
    pub fn hot(&self, text: &str) -> String {
        self.paint("38;5;202", text)
    }

    fn paint(&self, code: &str, text: &str) -> String {
        match self.style {
            Style::Live => format!("\x1b[{code}m{text}\x1b[0m"),
            Style::Plain => text.to_owned(),
        }
    }

    /// Whether there is a person who can answer.
    pub fn can_ask(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Asks a question; only an explicit yes is one.
    pub fn ask(&self, question: &str) -> bool {
        let _ = write!(std::io::stderr().lock(), "{question} [y/N] ");
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
    }
}

/// The nearest ASCII for the few characters that sentences here use.
fn to_ascii(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'µ' => 'u',
            '·' | '…' => '.',
            '–' | '—' | '━' | '─' => '-',
            '█' | '▌' | '▪' => '#',
            '│' => '|',
            '▲' => '^',
            '×' => 'x',
            '✓' => '+',
            c if c.is_ascii() => c,
            _ => '?',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal() -> Surroundings {
        Surroundings {
            is_terminal: true,
            term: Some("xterm-256color".to_owned()),
            locale: Some("en_US.UTF-8".to_owned()),
            columns: Some(120),
            ..Surroundings::default()
        }
    }

    #[test]
    fn only_a_real_terminal_is_drawn_over() {
        assert_eq!(Terminal::choose(&terminal()).style, Style::Live);
        for plain in [
            Surroundings { is_terminal: false, ..terminal() },
            Surroundings { term: Some("dumb".to_owned()), ..terminal() },
            Surroundings { term: None, ..terminal() },
            Surroundings { no_color: true, ..terminal() },
        ] {
            let chosen = Terminal::choose(&plain);
            assert_eq!(chosen.style, Style::Plain, "{plain:?}");
            assert_eq!(chosen.hot("x"), "x");
        }
    }

    #[test]
    fn pictures_are_at_most_eighty_columns_wide() {
        assert_eq!(Terminal::choose(&terminal()).width, 80);
        assert_eq!(Terminal::choose(&Surroundings { columns: Some(60), ..terminal() }).width, 60);
        assert_eq!(Terminal::choose(&Surroundings { columns: None, ..terminal() }).width, 80);
    }

    #[test]
    fn a_locale_without_utf8_gets_ascii() {
        let posix = Terminal::choose(&Surroundings { locale: Some("C".to_owned()), ..terminal() });
        assert_eq!(posix.glyphs, Glyphs::Ascii);
        assert_eq!(Terminal::choose(&Surroundings { locale: None, ..terminal() }).glyphs, Glyphs::Unicode);
        assert_eq!(to_ascii("89 µs · 1×"), "89 us . 1x");
    }
}
