//! The verbs `man` and `completions`: the manual page and the completions of shells, both made
//! from the command line's own description, so that they cannot say anything else.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};

use crate::cli::{Cli, CompletionsArgs, EXAMPLES, Shell};
use crate::error::Result;
use crate::exit_code::EXIT_CODES;
use crate::report::terminal;

/// Prints the manual page.
pub fn man() -> Result<()> {
    terminal::print(page().trim_end())
}

/// The completions of each shell as `clap_complete` makes them. They are files, because its code would be
/// five times as large in the program as its output; a test compares them with the command line.
const fn script(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => {
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/completions/fsyncmark.bash"))
        }
        Shell::Zsh => include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/completions/_fsyncmark")),
        Shell::Fish => {
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/completions/fsyncmark.fish"))
        }
    }
}

/// Prints the completions of one shell.
pub fn completions(args: &CompletionsArgs) -> Result<()> {
    terminal::print(script(args.shell).trim_end())
}

/// One page for all verbs, in the language of man(7).
pub fn page() -> String {
    let mut command = Cli::command();
    command.build();
    let mut page = format!(
        ".TH FSYNCMARK 1 \"\" \"fsyncmark {}\" \"User Commands\"\n.SH NAME\nfsyncmark \\- {}\n.SH SYNOPSIS\n",
        env!("CARGO_PKG_VERSION"),
        escape("measures how many durable commits a second a disk really does")
    );
    for verb in all_verbs(&command) {
        let _ = writeln!(page, "{}\n.br", usage(verb));
    }
    page.push_str(".SH DESCRIPTION\n");
    page.push_str(&paragraphs(&about(&command)));
    page.push_str(".SH COMMANDS\n");
    for verb in all_verbs(&command) {
        let _ = writeln!(page, ".SS {}\n{}", usage(verb), paragraphs(&about(verb)).trim_end());
        for arg in verb.get_arguments().filter(|arg| arg.get_id() != "help") {
            let _ = writeln!(page, ".TP\n{}\n{}", name(arg), paragraphs(&help(arg)).trim_end());
        }
        if let Some(after) = verb.get_after_help() {
            page.push_str(&verbatim(&after.to_string()));
        }
    }
    let _ = write!(page, ".SH EXIT STATUS\n{}", verbatim(EXIT_CODES.trim_start_matches("Exit codes:\n")));
    let examples = EXAMPLES.trim_start_matches("Examples:\n");
    let (examples, rest) = examples.split_once("\n\nFolders:\n").unwrap_or((examples, ""));
    let (folders, environment) = rest.split_once("\n\nAlso from the environment:\n").unwrap_or((rest, ""));
    for (head, text) in [("EXAMPLES", examples), ("FILES", folders), ("ENVIRONMENT", environment)] {
        let _ = write!(page, ".SH {head}\n{}", verbatim(text));
    }
    page.push_str(".SH SEE ALSO\nfsync(2), fdatasync(2), fio(1)\n");
    page
}

/// The verbs that people use, `help` and hidden ones left out.
fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help")
}

/// The verbs with those below them: `key`, `key rotate`.
fn all_verbs(command: &Command) -> Vec<&Command> {
    verbs(command).flat_map(|verb| std::iter::once(verb).chain(verbs(verb))).collect()
}

fn about(command: &Command) -> String {
    command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string).unwrap_or_default()
}

/// What an option does, with its values and its default.
fn help(arg: &Arg) -> String {
    let mut help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    if arg.get_action().takes_values() {
        let values: Vec<String> =
            arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        if !values.is_empty() {
            let _ = write!(help, ": {}", values.join(", "));
        }
        if let Some(default) = arg.get_default_values().first() {
            let _ = write!(help, " [default: {}]", default.to_string_lossy());
        }
    }
    help
}

/// `fsyncmark verify [OPTIONS] FILE`, names in bold and values in italics.
fn usage(verb: &Command) -> String {
    let mut usage = format!("\\fB{}\\fR", escape(verb.get_bin_name().unwrap_or_else(|| verb.get_name())));
    if verb.get_arguments().any(|arg| !arg.is_positional() && arg.get_id() != "help") {
        usage.push_str(" [\\fIOPTIONS\\fR]");
    }
    for arg in verb.get_positionals() {
        let many = if arg.get_num_args().is_some_and(|count| count.max_values() > 1) { "..." } else { "" };
        let value = format!("{}{many}", value(arg));
        let _ = if arg.is_required_set() { write!(usage, " {value}") } else { write!(usage, " [{value}]") };
    }
    usage
}

fn value(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    format!("\\fI{}\\fR", escape(names.first().map_or("VALUE", |name| name.as_str())))
}

fn name(arg: &Arg) -> String {
    let Some(long) = arg.get_long() else { return value(arg) };
    let long = format!("\\fB{}\\fR", escape(&format!("--{long}")));
    if arg.get_action().takes_values() { format!("{long} {}", value(arg)) } else { long }
}

/// Text that is filled; an empty line starts a new paragraph.
fn paragraphs(text: &str) -> String {
    text.split("\n\n").map(|paragraph| guard(&escape(paragraph))).collect::<Vec<_>>().join("\n.PP\n") + "\n"
}

/// Text whose lines stay as they are.
fn verbatim(text: &str) -> String {
    format!(".PP\n.nf\n{}\n.fi\n", guard(&escape(text)))
}

/// Backslashes and hyphens as they are typed.
fn escape(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}

/// Protects a line that begins with a dot or an apostrophe, which would be a request.
fn guard(text: &str) -> String {
    let guarded = |line: &str| {
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line.to_owned() }
    };
    text.lines().map(guarded).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_verb_and_every_option_is_in_the_manual_and_nothing_hidden_is() {
        let page = page();
        let mut command = Cli::command();
        command.build();
        assert!(all_verbs(&command).iter().any(|verb| verb.get_bin_name() == Some("fsyncmark key rotate")));
        for verb in all_verbs(&command) {
            let name = verb.get_bin_name().unwrap();
            assert!(page.contains(&format!(".SS \\fB{name}\\fR")), "{name}");
            for arg in verb.get_arguments().filter_map(Arg::get_long).filter(|&arg| arg != "help") {
                assert!(page.contains(&format!("\\fB{}\\fR", escape(&format!("--{arg}")))), "{arg}");
            }
        }
        assert!(!page.contains(&escape(crate::disk::leftovers::WATCH_VERB)));
        for head in ["NAME", "SYNOPSIS", "COMMANDS", "EXIT STATUS", "EXAMPLES", "FILES", "ENVIRONMENT"] {
            assert!(page.contains(&format!(".SH {head}\n")), "{head}");
        }
    }

    /// What `clap_complete` makes of the command line without what is hidden.
    fn completion_script(shell: Shell) -> String {
        let command = Cli::command();
        let mut shown = Command::new("fsyncmark").subcommands(verbs(&command).cloned());
        let mut script = Vec::new();
        let shell = match shell {
            Shell::Bash => clap_complete::Shell::Bash,
            Shell::Zsh => clap_complete::Shell::Zsh,
            Shell::Fish => clap_complete::Shell::Fish,
        };
        clap_complete::generate(shell, &mut shown, "fsyncmark", &mut script);
        // To a shell, the blanks before a line mean nothing; of the script they are a fifth.
        let script = String::from_utf8(script).unwrap();
        script.lines().map(|line| line.trim_start().to_owned() + "\n").collect()
    }

    #[test]
    fn the_completions_are_those_of_the_command_line() {
        for (&shell, file) in
            Shell::value_variants().iter().zip(["fsyncmark.bash", "_fsyncmark", "fsyncmark.fish"])
        {
            let path = format!("{}/data/completions/{file}", env!("CARGO_MANIFEST_DIR"));
            if std::env::var_os("FSYNCMARK_UPDATE").is_some() {
                std::fs::write(path, completion_script(shell)).unwrap();
            } else {
                assert!(
                    completion_script(shell) == script(shell),
                    "{file} is old: FSYNCMARK_UPDATE=1 cargo test completions"
                );
            }
        }
    }

    #[test]
    fn text_is_never_taken_for_a_request() {
        assert_eq!(guard(&escape(".x\n'y\na\\b --c")), "\\&.x\n\\&'y\na\\eb \\-\\-c");
    }
}
