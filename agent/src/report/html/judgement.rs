//! The verdict of a page with its evidence, what the figures mean for software, and what to try.

use std::fmt::Write as _;

use super::text::{escape, read_and_escape};
use crate::judgement::{flush_verdict, software_impact, suggestions, workload_notes};
use crate::wire::payload::Run;

/// Both columns; empty where no commit was measured.
pub(super) fn section(run: &Run) -> String {
    let Some(judgement) = flush_verdict::judge_flushes(run) else { return String::new() };
    let mut evidence = String::new();
    for each in &judgement.evidence {
        let class = if each.is_telling { " class=\"telling\"" } else { "" };
        let _ = writeln!(evidence, "<li{class}>{}</li>", escape(&each.text));
    }
    for (workload, text) in workload_notes::notes_on_workloads(run) {
        let _ =
            writeln!(evidence, "<li><code>{}</code>: {}.</li>", read_and_escape(&workload.id), escape(&text));
    }
    let mut impacts = String::new();
    for each in software_impact::impacts_on_software(run) {
        let from: Vec<String> = each.from.iter().map(|id| format!("<code>{}</code>", escape(id))).collect();
        let _ = writeln!(
            impacts,
            "<div><dt>{}</dt><dd>{}<small>from {}</small></dd></div>",
            each.software,
            escape(&each.text),
            from.join(", ")
        );
    }
    let mut tries = String::new();
    for each in suggestions::suggestions_for(run) {
        let _ = writeln!(tries, "<li>{}</li>", escape(&each.text));
    }
    let tries = if tries.is_empty() {
        String::new()
    } else {
        format!("<h2>What to try</h2><ul class=\"notes\">\n{tries}</ul>")
    };
    format!(
        "<section class=\"two\"><div><h2>Who answers a sync</h2><p class=\"verdict\">{}</p><ul class=\"evidence\">\n\
         {evidence}</ul><p class=\"more\"><code>fsyncmark explain {}</code></p></div><div><h2>What it means for</h2>\
         <dl class=\"facts meant\">\n{impacts}</dl>{tries}</div></section>\n",
        escape(&judgement.sentence),
        judgement.verdict.id(),
    )
}
