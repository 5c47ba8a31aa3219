//! What the terminal can show: whether lines may be drawn over, colours, characters, columns.

use std::io::{self, IsTerminal};

/// The narrowest and the widest pictures.
const WIDTH_MIN: usize = 40;
const WIDTH: usize = 80;

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

    /// Live only on a real terminal; ASCII only where the locale says so. `NO_COLOR` takes away the colours,
    /// not the bars.
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

    /// Text in bold, where colours are shown.
    pub fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Dim text, for what is less important.
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
}

/// Columns of the terminal behind stderr, now: people resize their windows.
pub(super) fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

#[cfg(test)]
pub(super) mod examples {
    //! What tests take for a terminal.

    use super::*;

    /// A terminal that shows everything.
    pub fn terminal() -> TerminalVariables {
        TerminalVariables {
            is_terminal: true,
            term: Some("xterm-256color".to_owned()),
            locale: Some("en_US.UTF-8".to_owned()),
            columns: Some(120),
            ..TerminalVariables::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::examples::terminal;
    use super::*;

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
    }
}
