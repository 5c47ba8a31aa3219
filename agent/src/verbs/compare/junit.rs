//! What `--fail-if-slower` found as JUnit's XML, which most servers of CI read: a workload is a test case,
//! one that is slower a failure, and one that could not be judged is skipped.

use std::fmt::Write as _;
use std::path::Path;

use crate::error::Result;
use crate::judgement::slowdown::{SlowdownJudgement, SlowdownOutcome};
use crate::report::output_file;

/// Writes the file, whole or not at all.
pub(super) fn write(path: &Path, held: &[SlowdownJudgement]) -> Result<()> {
    output_file::write(path, &xml(held))
}

fn xml(held: &[SlowdownJudgement]) -> String {
    let count = |outcome| held.iter().filter(|one| one.outcome == outcome).count();
    let (tests, failures) = (held.len(), count(SlowdownOutcome::Slower));
    let skipped = count(SlowdownOutcome::NotJudged);
    let numbers = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"");
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {numbers}>\n  <testsuite name=\"fsyncmark\" {numbers}>\n"
    );
    for one in held {
        let (id, text) = (escape(&one.workload), escape(&one.text));
        let body = match one.outcome {
            SlowdownOutcome::Holds => format!("<system-out>{text}</system-out>"),
            SlowdownOutcome::Slower => format!("<failure type=\"slower\" message=\"{text}\"/>"),
            SlowdownOutcome::NotJudged => format!("<skipped message=\"{text}\"/>"),
        };
        let _ = writeln!(xml, "    <testcase classname=\"fsyncmark\" name=\"{id}\">{body}</testcase>");
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// A text within XML. Ours are printable; what is not could not stand in XML at all.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slower_fails_and_not_judged_is_skipped() {
        let one = |workload: &str, outcome, text: &str| SlowdownJudgement {
            workload: workload.to_owned(),
            outcome,
            text: text.to_owned(),
        };
        let shown = xml(&[
            one("a", SlowdownOutcome::Holds, "as before"),
            one("b", SlowdownOutcome::Slower, "1 < \"2\" & \u{1b}3"),
            one("c", SlowdownOutcome::NotJudged, "why"),
        ]);
        assert!(shown.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{shown}");
        assert!(shown.contains("message=\"1 &lt; &quot;2&quot; &amp; 3\"/>"), "{shown}");
        assert!(shown.contains("name=\"c\"><skipped message=\"why\"/></testcase>"), "{shown}");
    }
}
