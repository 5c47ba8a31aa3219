//! The verb `explain`: what a word of the report means, and what to do about it.

use crate::cli::ExplainArgs;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::workload::WORKLOADS;
use crate::report::terminal::{Terminal, wrap};
use crate::text::printable;

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/explain/", $name))
    };
}

/// The texts of all entries, as they stand in `data/explain/`; the build fills in the figures of the
/// judgement. The first line of an entry has its kinds, its names and its title, `[kinds] name, name: title`.
/// The next line says what it is, and a third, which begins with `Do: `, what to do. A capital N in the last
/// part of a name stands for any number, such as 4, x4 or 64k.
const TEXTS: &[&str] = &[
    text!("suites.txt"),
    text!("workloads.txt"),
    text!("notes.txt"),
    text!("verdicts.txt"),
    text!("classes.txt"),
    text!("levels.txt"),
    text!("terms.txt"),
    text!("generated_labels.txt"),
];
/// The prefix of the paragraph that says what to do.
const ADVICE: &str = "Do: ";
/// Kinds in the order in which they are listed, with the heads of their lists.
const KINDS: &[(&str, &str)] = &[
    ("suite", "Suites"),
    ("workload", "Workloads"),
    ("note", "Notes of a report"),
    ("verdict", "Verdicts of a report"),
    ("label", "Labels of a server"),
    ("class", "Classes of the fsync ladder"),
    ("level", "Levels of evidence"),
    ("term", "Terms"),
];
/// The most names suggested for an unknown one.
const SUGGESTIONS_MAX: usize = 3;
/// The most names suggested because they begin with the word or contain it: as many as fit into a paragraph.
const PREFIXED_MAX: usize = 12;
/// Shorter words are part of too many names.
const PREFIX_LENGTH_MIN: usize = 3;
/// Columns of the names in the list.
const NAME_COLUMNS: usize = 28;

/// One thing that can be explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is: `workload`, `label`, …
    pub kinds: Vec<&'static str>,
    /// Its names; the first is the one that is listed.
    pub names: Vec<&'static str>,
    /// A few words.
    pub title: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// What to do.
    pub advice: &'static str,
}

/// Explains one thing, or lists all.
pub fn explain(args: &ExplainArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let word = normal(&args.id.join("-"));
    if word.is_empty() {
        return terminal.print(&list(terminal.width));
    }
    let entries = entries();
    match find(&entries, &word) {
        Some(entry) => terminal.print(&describe(entry, &word, terminal.width)),
        None => Err(unknown_name(&entries, &word)),
    }
}

/// Everything that can be explained, in the order of the files. What is both a note and a label is one entry,
/// in the words of the note.
pub fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for entry in TEXTS.iter().flat_map(|text| read_entries(text)) {
        match entries.iter_mut().find(|earlier| earlier.names[0] == entry.names[0]) {
            Some(earlier) => earlier.kinds.extend(entry.kinds),
            None => entries.push(entry),
        }
    }
    entries
}

fn read_entries(text: &'static str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((kinds, rest)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) else {
            continue;
        };
        let Some((names, title)) = rest.split_once(": ") else { continue };
        let meaning = lines.next().unwrap_or_default();
        let advice = lines.next().and_then(|line| line.strip_prefix(ADVICE)).unwrap_or_default();
        entries.push(Entry {
            kinds: kinds.split(", ").collect(),
            names: names.split(", ").collect(),
            title,
            meaning,
            advice,
        });
    }
    entries
}

/// The entry of this name, or of the family that it belongs to.
pub fn find<'a>(entries: &'a [Entry], name: &str) -> Option<&'a Entry> {
    let first_with = |matches: &dyn Fn(&str) -> bool| {
        entries.iter().find(|entry| entry.names.iter().any(|known| matches(known)))
    };
    first_with(&|known| known.eq_ignore_ascii_case(name))
        .or_else(|| first_with(&|known| is_of_family(known, name)))
}

/// Whether a name is that of `family` with a number in place of the N, or without N and the hyphen before it.
fn is_of_family(family: &str, name: &str) -> bool {
    if family.strip_suffix("-N") == Some(name) {
        return true;
    }
    let Some(number) = family.strip_suffix('N').and_then(|stem| name.strip_prefix(stem)) else {
        return false;
    };
    let digits = number.trim_end_matches(['k', 'm', 'g']);
    !digits.is_empty() && number.len() - digits.len() <= 1 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name as people write it, in the form of the file: `NVMe with PLP` becomes `nvme-with-plp`.
fn normal(name: &str) -> String {
    let lower = name.trim().to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric() && c != '.').filter(|part| !part.is_empty());
    printable(&parts.collect::<Vec<_>>().join("-"), 100)
}

fn describe(entry: &Entry, word: &str, width: usize) -> String {
    let mut lines = vec![format!("{} ({})", entry.names[0], entry.kinds.join(", ")), entry.title.to_owned()];
    if let Some(workload) = WORKLOADS.iter().find(|workload| workload.id == word) {
        lines.push(format!("{}, version {}", workload.title, workload.version));
    }
    lines.push(String::new());
    lines.extend(wrap(entry.meaning, width));
    lines.push(String::new());
    lines.extend(wrap(&format!("What to do: {}", entry.advice), width));
    lines.join("\n")
}

fn list(width: usize) -> String {
    let entries = entries();
    let mut lines = vec!["fsyncmark explain NAME says what it means and what to do.".to_owned()];
    for &(kind, head) in KINDS {
        lines.extend([String::new(), head.to_owned()]);
        for entry in entries.iter().filter(|entry| entry.kinds.contains(&kind)) {
            let room = width.saturating_sub(2 + NAME_COLUMNS);
            let mut title = wrap(entry.title, room).into_iter();
            lines.push(format!("  {:<NAME_COLUMNS$}{}", entry.names[0], title.next().unwrap_or_default()));
            lines.extend(title.map(|line| format!("  {:NAME_COLUMNS$}{line}", "")));
        }
    }
    lines.join("\n")
}

/// Suggestions for an unknown name: those that begin with it or contain it, else those that differ in the
/// fewest letters. A family of workloads counts as its members do.
fn suggestions<'a>(entries: &'a [Entry], word: &str) -> Vec<&'a str> {
    let names = || entries.iter().flat_map(|entry| entry.names.iter().copied());
    let begins = |name: &str| name.starts_with(word);
    let contains = |name: &str| name.contains(word);
    for holds in [&begins as &dyn Fn(&str) -> bool, &contains] {
        let matches: Vec<&str> = names().filter(|name| holds(name)).take(PREFIXED_MAX).collect();
        if word.len() >= PREFIX_LENGTH_MIN && !matches.is_empty() {
            return matches;
        }
    }
    let mut nearest: Vec<&str> = names().chain(WORKLOADS.iter().map(|workload| workload.id)).collect();
    nearest.sort_by_key(|name| changes(name, word));
    nearest.dedup();
    nearest.truncate(SUGGESTIONS_MAX);
    nearest
}

fn unknown_name(entries: &[Entry], word: &str) -> Error {
    Error::new(ErrorKind::NoInput, format!("nothing here is called {word}")).advise(format!(
        "Did you mean {}? All names: fsyncmark explain",
        suggestions(entries, word).join(", ")
    ))
}

/// How many letters must be inserted, removed or replaced to turn one word into the other (Levenshtein).
fn changes(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::ladder::DURABLE_NS_MIN;
    use crate::judgement::ladder::LADDER;
    use crate::judgement::run_notes::NoteId;
    use crate::plan::workload::SUITES;
    use crate::units;
    use std::collections::BTreeSet;

    /// The name of everything of one kind is known, and explained as that kind.
    #[track_caller]
    fn assert_explained(kind: &str, name: &str) {
        let entries = entries();
        let entry = find(&entries, name).unwrap_or_else(|| panic!("data/explain/ has no {kind} {name}"));
        assert!(entry.kinds.contains(&kind), "{name} is explained as {:?}, not as {kind}", entry.kinds);
    }

    #[test]
    fn every_workload_suite_and_class_is_explained() {
        for workload in WORKLOADS {
            assert_explained("workload", workload.id);
        }
        for suite in SUITES {
            assert_explained("suite", suite.id);
        }
        for rung in LADDER {
            assert_explained("class", &normal(rung.name));
        }
    }

    #[test]
    fn every_note_of_a_report_is_explained() {
        for id in NoteId::ALL {
            assert_explained("note", id.id());
        }
        let entries = entries();
        for note in entries.iter().filter(|entry| entry.kinds.contains(&"note")) {
            assert!(NoteId::ALL.iter().any(|id| id.id() == note.names[0]), "{} is no note", note.names[0]);
        }
    }

    #[test]
    fn every_verdict_of_a_report_is_explained() {
        for conclusion in crate::judgement::flush_verdict::FlushVerdict::ALL {
            assert_explained("verdict", conclusion.id());
        }
    }

    #[test]
    fn every_level_of_the_server_is_explained() {
        for level in ["published", "imported", "signed", "witnessed"] {
            assert_explained("level", level);
        }
    }

    #[test]
    fn entries_are_whole_and_names_are_used_once() {
        let entries = entries();
        let mut names = BTreeSet::new();
        for entry in &entries {
            assert!(entry.meaning.ends_with('.') && !entry.advice.is_empty(), "{:?}", entry.names);
            assert!(entry.kinds.iter().all(|kind| KINDS.iter().any(|(known, _)| known == kind)), "{entry:?}");
            for name in &entry.names {
                assert!(names.insert(*name), "{name} is there twice");
                assert!(name.ends_with('N') || normal(name) == *name, "{name} can never be found");
            }
        }
        for text in TEXTS {
            let heads = text.lines().filter(|line| line.starts_with('[')).count();
            assert_eq!(read_entries(text).len(), heads, "a line is not as the others");
        }
    }

    #[test]
    fn figures_of_the_judgement_are_those_that_decide() {
        let entries = entries();
        let meaning = |name| find(&entries, name).unwrap().meaning;
        let few = crate::wire::judgement::flushes::MISSING_PER_COMMIT_BELOW;
        assert!(meaning("flushes-missing").contains(&format!("less than {few} flushes a commit")));
        let memory = units::latency(DURABLE_NS_MIN).replace(".00 µs", " us");
        assert!(meaning("memory-answers").contains(&format!("less than {memory},")), "{memory}");
    }

    #[test]
    fn what_is_a_note_and_a_label_is_listed_as_both() {
        let entries = entries();
        assert_eq!(find(&entries, "other-io").unwrap().kinds, ["note", "label"]);
    }

    #[test]
    fn names_are_found_as_people_write_them() {
        let entries = entries();
        let first = |name: &str| find(&entries, &normal(name)).map(|entry| entry.names[0]);
        assert_eq!(first("NVMe with PLP"), Some("nvme-with-plp"));
        assert_eq!(first("O_DSYNC"), Some("o-dsync"));
        assert_eq!(first("P99.9"), Some("p99.9"));
        assert_eq!(first("direct-16k-fsync-x32"), Some("direct-16k-fsync"));
        assert_eq!(first("drain-64m"), Some("drain-N"));
        assert_eq!([first("drain"), first("group-commit-8k")], [Some("drain-N"), Some("group-commit-8k-N")]);
        assert_eq!(first("drain-mm"), None);
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        let advice = |name: &str| unknown_name(&entries(), name).advice.unwrap();
        assert!(advice("fdatasnyc").starts_with("Did you mean fdatasync,"), "{}", advice("fdatasnyc"));
        assert!(advice("writers").contains("commit-8k-writers-N"));
        let begun = advice("direct-2m");
        assert!(begun.contains("direct-2m-nosync, direct-2m-nosync-xN") && !begun.contains("16k"), "{begun}");
        assert!(
            advice("commit-8k-fsnc").starts_with("Did you mean commit-8k-fsync,"),
            "{}",
            advice("commit-8k-fsnc")
        );
        assert!(advice("read-4k-area-64q").starts_with("Did you mean read-4k-area-64k,"));
        assert_eq!((changes("kitten", "sitting"), changes("", "ab"), changes("a", "a")), (3, 2, 0));
    }

    #[test]
    fn what_is_shown_fits_the_terminal() {
        for entry in entries() {
            for width in [40, 80] {
                assert!(describe(&entry, "", width).lines().all(|line| line.chars().count() <= 80));
            }
        }
        assert!(list(80).lines().all(|line| line.chars().count() <= 80));
    }
}
