//! What became of a run: the receipt for it, and what the server makes of it afterwards.

use serde::{Deserialize, Serialize};

use crate::text::{displayable, printable};

/// Longer addresses are cut.
const ADDRESS_LENGTH_MAX: usize = 500;
/// Longer texts of labels are cut.
const TEXT_LENGTH_MAX: usize = 500;
/// More labels than there are rules are not read.
const LABELS_MAX: usize = 64;

/// The longest version of a newer agent that is shown.
const VERSION_LENGTH_MAX: usize = 40;

/// The server's receipt for a run that it accepted.
#[derive(Debug, Clone, Default, Deserialize, PartialEq, Eq)]
pub struct Receipt {
    /// The address of the run's page.
    pub run_url: String,
    /// A short one, to be read aloud.
    #[serde(default)]
    pub short_url: Option<String>,
    /// The private address at which a person takes the key, where it has no owner yet. It is shown once and
    /// kept nowhere.
    #[serde(default)]
    pub claim_url: Option<String>,
    /// A newer release of this program that the server knows.
    #[serde(default)]
    pub newer_agent: Option<NewerAgent>,
}

/// A newer release of this program.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
pub struct NewerAgent {
    /// Its version.
    pub version: String,
    /// Where it can be had.
    pub url: String,
}

impl Receipt {
    /// The receipt in an answer of the server at `address`, its texts made safe; `None` where it is none.
    pub(super) fn read(body: &[u8], address: &str) -> Option<Self> {
        let receipt: Self = serde_json::from_slice(body).ok()?;
        let whole = |url: &str| {
            let url = printable(url, ADDRESS_LENGTH_MAX);
            if url.starts_with('/') { format!("{address}{url}") } else { url }
        };
        Some(Self {
            run_url: whole(&receipt.run_url),
            short_url: receipt.short_url.as_deref().map(whole),
            claim_url: receipt.claim_url.as_deref().map(whole),
            newer_agent: receipt.newer_agent.map(|newer| NewerAgent {
                version: printable(&newer.version, VERSION_LENGTH_MAX),
                url: whole(&newer.url),
            }),
        })
    }

    /// The address that is shown: the short one where there is one.
    pub fn address(&self) -> &str {
        self.short_url.as_deref().unwrap_or(&self.run_url)
    }
}

/// What a server makes of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunOutcome {
    /// `received`, `processing`, `done` or `poison`.
    pub state: String,
    /// How much can be defended about it, such as `witnessed`; `None` while it waits.
    pub level: Option<String>,
    /// Whether it counts in standings; `None` while it waits.
    pub counts: Option<bool>,
    /// Why it does not count, or not for its plan, as sentences.
    pub because: Vec<String>,
    /// What the server's rules found in it.
    pub labels: Vec<OutcomeLabel>,
    /// Its badge with a link to its page, for a README.
    pub badge_markdown: Option<String>,
}

/// What a rule found in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutcomeLabel {
    /// The rule's id, which `fsyncmark explain` knows.
    pub rule: String,
    /// What it says, in a few words.
    pub text: String,
    /// The part of the run that it keeps out of standings.
    pub keeps_out: String,
}

#[derive(Deserialize)]
struct OutcomeAnswer {
    state: String,
    level: Option<String>,
    slug: Option<String>,
    #[serde(default)]
    in_standings: bool,
    #[serde(default = "yes")]
    is_listed: bool,
    #[serde(default)]
    plan_in_doubt: bool,
    #[serde(default)]
    claimed_provider: String,
    #[serde(default)]
    claimed_plan: String,
    #[serde(default)]
    labels: Vec<LabelAnswer>,
}

#[derive(Deserialize)]
struct LabelAnswer {
    rule: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    keeps_out: String,
    #[serde(default)]
    is_released: bool,
}

const fn yes() -> bool {
    true
}

impl RunOutcome {
    /// What stands in an answer about the run with this page; `None` where it is no run.
    pub(super) fn read(body: &[u8], run_url: &str) -> Option<Self> {
        let answer: OutcomeAnswer = serde_json::from_slice(body).ok()?;
        let is_done = answer.state == "done";
        let level = answer.level.as_deref().map(|level| displayable(level, TEXT_LENGTH_MAX));
        Some(Self {
            state: displayable(&answer.state, TEXT_LENGTH_MAX),
            counts: is_done.then_some(answer.in_standings),
            because: if is_done { reasons(&answer, level.as_deref()) } else { Vec::new() },
            badge_markdown: answer.slug.as_deref().and_then(|slug| badge(&answer, slug, run_url)),
            labels: answer.labels.iter().take(LABELS_MAX).map(OutcomeLabel::of).collect(),
            level,
        })
    }

    /// Whether the server has nothing more to find out.
    pub fn is_final(&self) -> bool {
        !matches!(self.state.as_str(), "received" | "processing")
    }
}

impl OutcomeLabel {
    fn of(answer: &LabelAnswer) -> Self {
        Self {
            rule: displayable(&answer.rule, TEXT_LENGTH_MAX),
            text: displayable(&answer.text, TEXT_LENGTH_MAX),
            keeps_out: displayable(&answer.keeps_out, TEXT_LENGTH_MAX),
        }
    }
}

/// Why a run does not count at all, or not for its plan.
fn reasons(answer: &OutcomeAnswer, level: Option<&str>) -> Vec<String> {
    let said_by = |part: &str| -> Vec<String> {
        let labels = answer.labels.iter().filter(|label| !label.is_released && label.keeps_out == part);
        labels.map(|label| displayable(&label.text, TEXT_LENGTH_MAX)).collect()
    };
    if answer.in_standings {
        return if answer.plan_in_doubt { said_by("plan") } else { Vec::new() };
    }
    let mut reasons = said_by("run");
    if !answer.is_listed {
        reasons.push("it was withdrawn or excluded".to_owned());
    }
    if level == Some("signed") {
        reasons.push("it came without a challenge of the server, or too late for it".to_owned());
    }
    reasons
}

/// The badge of a run with a link to its page; `None` where the addresses are none.
fn badge(answer: &OutcomeAnswer, slug: &str, run_url: &str) -> Option<String> {
    let (site, _) = run_url.split_once("/runs/")?;
    let is_slug = !slug.is_empty() && slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let claim = format!("{} {}", answer.claimed_provider, answer.claimed_plan);
    let claim = displayable(&claim, TEXT_LENGTH_MAX);
    let name = if claim.is_empty() { "Durable commits a second".to_owned() } else { escape_markdown(&claim) };
    is_slug.then(|| format!("[![{name} on Fsyncmark]({site}/badge/run/{slug}.svg)]({site}/runs/{slug}/)"))
}

/// Plain text inside of Markdown: nothing in it ends the text or begins a link.
fn escape_markdown(text: &str) -> String {
    text.chars().flat_map(|c| ['\\', c].into_iter().skip(usize::from(!"\\[]`*_<>!".contains(c)))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::report::hostile_texts;

    const PAGE: &str = "https://a.example/runs/0199/";

    fn outcome(answer: &serde_json::Value) -> RunOutcome {
        RunOutcome::read(answer.to_string().as_bytes(), PAGE).unwrap()
    }

    fn label(keeps_out: &str, is_released: bool) -> serde_json::Value {
        json!({"rule": "r", "text": keeps_out, "keeps_out": keeps_out, "is_released": is_released})
    }

    #[test]
    fn a_receipt_has_whole_addresses_whatever_the_server_left_out() {
        let read = |text: &str| Receipt::read(text.as_bytes(), "https://a.example");
        let old = read(r#"{"run_url": "/runs/1/"}"#).unwrap();
        assert_eq!((old.address(), old.claim_url.as_deref()), ("https://a.example/runs/1/", None));
        let new = read(
            r#"{"run_url": "https://b/runs/1/", "short_url": "/r/abc", "claim_url": "https://b/claim/x\u001b[2J/"}"#,
        )
        .unwrap();
        assert_eq!(new.address(), "https://a.example/r/abc");
        assert_eq!(new.claim_url.as_deref(), Some("https://b/claim/x [2J/"));
        assert_eq!(read(r#"{"run_id": "1"}"#), None);
    }

    #[test]
    fn why_a_run_does_not_count_is_what_keeps_it_out() {
        let waiting = outcome(&json!({"state": "received", "level": null}));
        assert_eq!((waiting.counts, waiting.is_final(), waiting.because.len()), (None, false, 0));
        let labels = [label("run", false), label("run", true), label("plan", false), label("nothing", false)];
        let mut answer = json!({"state": "done", "level": "witnessed", "slug": "abc", "in_standings": false,
            "plan_in_doubt": true, "claimed_provider": "Het[zner]", "claimed_plan": "CX22", "labels": labels});
        let out = outcome(&answer);
        assert_eq!((out.counts, out.because, out.labels.len()), (Some(false), vec!["run".to_owned()], 4));
        assert_eq!(
            out.badge_markdown.unwrap(),
            "[![Het\\[zner\\] CX22 on Fsyncmark](https://a.example/badge/run/abc.svg)](https://a.example/runs/abc/)"
        );
        answer["in_standings"] = true.into();
        assert_eq!(outcome(&answer).because, ["plan"]);
        answer["plan_in_doubt"] = false.into();
        assert!(outcome(&answer).because.is_empty());
        let signed = json!({"state": "done", "level": "signed", "slug": "../x", "is_listed": false});
        let signed = outcome(&signed);
        assert_eq!(signed.badge_markdown, None, "a slug is no path");
        assert!(signed.because[0].contains("withdrawn") && signed.because[1].contains("without a challenge"));
    }

    #[test]
    fn no_text_of_a_server_is_an_order_to_the_terminal() {
        for text in hostile_texts::TEXTS {
            let answer = json!({"state": text, "level": text, "slug": text, "claimed_provider": text,
                "labels": [{"rule": text, "text": text, "keeps_out": text}]});
            let shown = serde_json::to_string(&outcome(&answer)).unwrap();
            assert!(!shown.contains(hostile_texts::commands) && !shown.contains("\\u00"), "{shown:?}");
        }
    }
}
