//! What a server made of a run: its address, its level, whether it counts and why not, labels, badge, claim.

use super::Terminal;
use crate::delivery::server::{Receipt, RunOutcome};

/// The version of this program.
const OWN_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Columns of the names of what is shown.
const NAME_COLUMNS: usize = 9;

/// One line of it.
#[derive(Debug, PartialEq, Eq)]
enum OutcomeLine {
    /// Broken at spaces where a terminal is narrow.
    Sentence(String),
    /// Never broken, so that it can be copied.
    Whole(String),
}

/// Prints it; `outcome` is why nothing is known where that is so, or `None` where nobody asked.
pub fn print(terminal: &Terminal, receipt: &Receipt, outcome: Option<&Result<RunOutcome, String>>) {
    terminal.say_whole(&format!("  {}", terminal.bold(receipt.address())));
    for line in lines(receipt, outcome) {
        match line {
            OutcomeLine::Sentence(text) => terminal.say(&text),
            OutcomeLine::Whole(text) => terminal.say_whole(&text),
        }
    }
}

fn lines(receipt: &Receipt, outcome: Option<&Result<RunOutcome, String>>) -> Vec<OutcomeLine> {
    let mut lines = match outcome {
        Some(Ok(outcome)) => of_outcome(outcome),
        Some(Err(why)) => vec![sentence(&format!("  What became of it is not known: {why}."))],
        None => Vec::new(),
    };
    if let Some(claim) = &receipt.claim_url {
        lines
            .push(sentence("  Link this key with an account of yours here. Keep it private: it works once."));
        lines.push(OutcomeLine::Whole(format!("  {claim}")));
    }
    if let Some(newer) = &receipt.newer_agent {
        lines.push(sentence(&format!("  fsyncmark {} is out; this is {OWN_VERSION}.", newer.version)));
        lines.push(OutcomeLine::Whole(format!("  {}", newer.url)));
    }
    lines
}

fn of_outcome(outcome: &RunOutcome) -> Vec<OutcomeLine> {
    let mut lines = Vec::new();
    match outcome.counts {
        None => lines.push(sentence("  It is stored; its page will say what it counts for.")),
        Some(counts) => {
            lines.push(named("Level", outcome.level.as_deref().unwrap_or("not stated")));
            lines.push(named("Counts", &verdict(counts, &outcome.because)));
        }
    }
    for label in &outcome.labels {
        lines.push(named("Label", &format!("{}: {}", label.rule, label.text)));
    }
    if let Some(badge) = &outcome.badge_markdown {
        lines.push(named("Badge", "for a README:"));
        lines.push(OutcomeLine::Whole(badge.clone()));
    }
    lines
}

fn verdict(counts: bool, because: &[String]) -> String {
    let reasons = because.join("; ");
    match (counts, because.is_empty()) {
        (true, true) => "yes".to_owned(),
        (true, false) => format!("yes, but not for its plan: {reasons}"),
        (false, true) => "no; its page says why".to_owned(),
        (false, false) => format!("no: {reasons}"),
    }
}

fn named(name: &str, text: &str) -> OutcomeLine {
    sentence(&format!("  {name:<NAME_COLUMNS$}{text}"))
}

fn sentence(text: &str) -> OutcomeLine {
    OutcomeLine::Sentence(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delivery::server::{NewerAgent, OutcomeLabel};

    fn outcome(counts: Option<bool>, because: &[&str]) -> RunOutcome {
        RunOutcome {
            state: "done".to_owned(),
            level: Some("witnessed".to_owned()),
            counts,
            because: because.iter().map(|&text| text.to_owned()).collect(),
            labels: vec![OutcomeLabel {
                rule: "few-flushes".to_owned(),
                text: "few flushes".to_owned(),
                keeps_out: "run".to_owned(),
            }],
            badge_markdown: Some("[![a b](c)](d)".to_owned()),
        }
    }

    fn shown(receipt: &Receipt, outcome: Option<&Result<RunOutcome, String>>) -> String {
        let text = |line| match line {
            OutcomeLine::Sentence(text) | OutcomeLine::Whole(text) => text,
        };
        lines(receipt, outcome).into_iter().map(text).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_run_says_whether_it_counts_and_why_not() {
        let receipt = Receipt { claim_url: Some("https://a/claim/t/".to_owned()), ..Receipt::default() };
        let out = shown(&receipt, Some(&Ok(outcome(Some(false), &["one", "two"]))));
        assert_eq!(
            out,
            "  Level    witnessed\n  Counts   no: one; two\n  Label    few-flushes: few flushes\n\
             \u{20} Badge    for a README:\n[![a b](c)](d)\n\
             \u{20} Link this key with an account of yours here. Keep it private: it works once.\n\
             \u{20} https://a/claim/t/"
        );
        for (counts, because, said) in [
            (Some(true), &[][..], "Counts   yes\n"),
            (Some(true), &["why"], "Counts   yes, but not for its plan: why\n"),
            (Some(false), &[], "Counts   no; its page says why\n"),
            (None, &[], "It is stored; its page will say"),
        ] {
            let text = shown(&Receipt::default(), Some(&Ok(outcome(counts, because))));
            assert!(text.contains(said), "{text}");
        }
        assert_eq!(shown(&Receipt::default(), None), "");
        let unknown = shown(&Receipt::default(), Some(&Err("busy".to_owned())));
        assert_eq!(unknown, "  What became of it is not known: busy.");
    }

    #[test]
    fn a_newer_release_is_named_with_its_address() {
        let newer = NewerAgent { version: "9.0.0".to_owned(), url: "https://a/measure/".to_owned() };
        let shown = shown(&Receipt { newer_agent: Some(newer), ..Receipt::default() }, None);
        assert_eq!(shown, format!("  fsyncmark 9.0.0 is out; this is {OWN_VERSION}.\n  https://a/measure/"));
    }

    #[test]
    fn what_is_copied_is_never_broken() {
        let badge = lines(&Receipt::default(), Some(&Ok(outcome(Some(true), &[])))).pop().unwrap();
        assert_eq!(badge, OutcomeLine::Whole("[![a b](c)](d)".to_owned()));
    }
}
