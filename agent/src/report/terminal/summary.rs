//! The final picture: the tables, the figure with its place on the ladder, the verdict with its evidence,
//! what it means, what to try, and what else to know. What counts most stands last: that is what remains on a
//! screen.

use super::charts::{draw_ladder, draw_percentiles};
use super::{Terminal, tables, wrap};
use crate::analysis::figures;
use crate::judgement::flush_verdict::{self, FlushJudgement};
use crate::judgement::{software_impact, suggestions, workload_notes};
use crate::plan::workload::{HEADLINE, HEADLINE_COUNTS, WorkloadDefinition};
use crate::report::shown_run::ShownRun;
use crate::units;
use crate::wire::payload::Run;
use crate::wire::workload::Workload;

/// Columns of the names of software.
const SOFTWARE_COLUMNS: usize = 16;

/// Prints what was measured.
pub fn print(terminal: &Terminal, shown: ShownRun<'_>) {
    terminal.say(&lines(terminal, shown).join("\n"));
}

fn lines(terminal: &Terminal, shown: ShownRun<'_>) -> Vec<String> {
    let run = shown.run;
    let mut lines = vec![String::new()];
    if let Some(cloud) = &run.env.cloud_metadata {
        let where_it_was = format!("Measured on {cloud}, by the word of its metadata service.");
        lines.extend(indent(terminal, &where_it_was).iter().map(|line| terminal.dim(line)));
        lines.push(String::new());
    }
    lines.extend(tables::draw(terminal, run));
    if let Some(headline) = figures::workload(run, HEADLINE) {
        let warning = workload_notes::not_the_disks(run, headline);
        let is_disturbed = warning.is_some();
        lines.extend(warning.map(|(claim, why)| warn(terminal, claim, &why)).unwrap_or_default());
        lines.extend(figure(terminal, headline));
        if let Some(latencies) = headline.whole_operations() {
            if !is_disturbed {
                lines.extend(draw_ladder(terminal, latencies.percentile_ns(5_000)));
            }
            lines.extend(draw_percentiles(terminal, &latencies));
        }
    }
    lines.extend(
        flush_verdict::judge_flushes(run)
            .map(|judgement| verdict_lines(terminal, &judgement))
            .unwrap_or_default(),
    );
    lines.extend(software_lines(terminal, run));
    let tries: Vec<String> =
        suggestions::suggestions_for(run).into_iter().map(|suggestion| suggestion.text).collect();
    lines.extend(part(terminal, "What to try", &tries));
    let notes: Vec<String> = flush_verdict::notes_beside(run).into_iter().map(|note| note.text).collect();
    lines.extend(part(terminal, "To know before you believe it", &notes));
    lines
}

/// The warning above a headline figure that others disturbed, which is therefore not the disk's.
fn warn(terminal: &Terminal, claim: &str, why: &str) -> Vec<String> {
    let text = format!("{claim} {why} Stop them and measure again, or wait for them: --wait-quiet.");
    let mut lines: Vec<String> = indent(terminal, &text).iter().map(|line| terminal.bold(line)).collect();
    lines.push(String::new());
    lines
}

/// The headline figure.
fn figure(terminal: &Terminal, headline: &Workload) -> Vec<String> {
    let number = units::rate(figures::rate(headline));
    let passes: Vec<String> = headline
        .passes
        .iter()
        .map(|pass| units::rate(units::per_s(pass.operations, pass.elapsed_ns)))
        .collect();
    let how = format!(
        "{}; {} {}",
        headline_in_words(),
        if passes.len() == 1 { "pass" } else { "passes" },
        passes.join(" · ")
    );
    let mut lines = vec![format!("  {} {HEADLINE_COUNTS}", terminal.accent(&terminal.bold(&number)))];
    lines.extend(indent(terminal, &how).iter().map(|line| terminal.dim(line)));
    lines.push(String::new());
    lines
}

/// What the headline figure counts, as the table of workloads defines it.
fn headline_in_words() -> String {
    let headline = WorkloadDefinition::with_id(HEADLINE).expect("every suite opens with the headline");
    format!("one writer, {} KiB, {} after each", headline.block_bytes >> 10, headline.sync_name())
}

/// A heading in bold, after an empty line.
fn head(terminal: &Terminal, title: &str) -> [String; 2] {
    [String::new(), format!("  {}", terminal.bold(title))]
}

/// A heading with sentences below it, each with a mark.
fn part(terminal: &Terminal, title: &str, texts: &[String]) -> Vec<String> {
    if texts.is_empty() {
        return Vec::new();
    }
    let mut lines = head(terminal, title).to_vec();
    lines.extend(texts.iter().flat_map(|text| mark_paragraph(terminal, &terminal.accent("!"), text)));
    lines
}

fn verdict_lines(terminal: &Terminal, judgement: &FlushJudgement) -> Vec<String> {
    let mut lines = head(terminal, "Who answers a sync").to_vec();
    lines.extend(indent(terminal, &judgement.sentence));
    for evidence in &judgement.evidence {
        let mark = if evidence.is_telling { terminal.accent("*") } else { terminal.dim("-") };
        lines.extend(mark_paragraph(terminal, &mark, &evidence.text));
    }
    lines
}

/// What it means for each kind of software, with the workloads that it was computed from.
fn software_lines(terminal: &Terminal, run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    for impact in software_impact::impacts_on_software(run) {
        if lines.is_empty() {
            lines.extend(head(terminal, "What it means for"));
        }
        let text = format!("{} ({})", impact.text, impact.from.join(", "));
        let room = terminal.width.saturating_sub(2 + SOFTWARE_COLUMNS);
        for (index, line) in wrap(&text, room).into_iter().enumerate() {
            let name = if index == 0 { impact.software } else { "" };
            lines.push(format!("  {name:<SOFTWARE_COLUMNS$}{line}"));
        }
    }
    lines
}

fn indent(terminal: &Terminal, text: &str) -> Vec<String> {
    wrap(text, terminal.width.saturating_sub(2)).into_iter().map(|line| format!("  {line}")).collect()
}

fn mark_paragraph(terminal: &Terminal, mark: &str, text: &str) -> Vec<String> {
    let wrapped = wrap(text, terminal.width.saturating_sub(4));
    let with_mark = |(index, line): (usize, String)| {
        if index == 0 { format!("  {mark} {line}") } else { format!("    {line}") }
    };
    wrapped.into_iter().enumerate().map(with_mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;
    use crate::analysis::figures::examples::example;
    use crate::judgement::run_notes;
    use crate::report::hostile_texts;
    use crate::report::terminal::TerminalVariables;
    use crate::report::terminal::wrapping::visible_length;
    use crate::wire::payload::CloudMetadata;

    fn terminal(width: usize) -> Terminal {
        Terminal::choose(&TerminalVariables { columns: Some(width), ..TerminalVariables::default() })
    }

    #[test]
    fn nothing_is_wider_than_the_terminal() {
        for width in [40, 60, 72, 80] {
            for line in lines(&terminal(width), ShownRun::unsigned(&example())) {
                // The longest word of all is a name of a workload.
                assert!(visible_length(&line) <= width.max(48), "{width}: {line}");
            }
        }
    }

    #[test]
    fn every_part_is_there_and_what_counts_most_is_last() {
        let text = lines(&terminal(80), ShownRun::unsigned(&example())).join("\n");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"));
        let parts = [
            "Durability",
            "durable commits a second",
            "The fsync ladder",
            "you are here",
            "slowest",
            "Who answers a sync",
            "PostgreSQL",
            "What to try",
        ];
        assert!(parts.map(at).is_sorted(), "{text}");
        assert!(text.contains("declared write back"), "{text}");
    }

    #[test]
    fn the_headline_is_described_by_its_row() {
        assert_eq!(headline_in_words(), "one writer, 8 KiB, fdatasync after each");
        assert_eq!(WorkloadDefinition::with_id(HEADLINE).unwrap().writers, 1);
    }

    #[test]
    fn what_the_verdict_says_is_not_said_again() {
        let run = example();
        let beside = flush_verdict::notes_beside(&run);
        let covered = run_notes::notes_on_run(&run).into_iter().find(|note| !beside.contains(note));
        let text = lines(&terminal(80), ShownRun::unsigned(&run))
            .join(" ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let covered = covered.expect("the example has one").text;
        assert!(!text.contains(&covered), "{covered}");
    }

    #[test]
    fn no_text_of_a_result_is_an_order_to_the_terminal() {
        let mut shown = String::new();
        for text in hostile_texts::TEXTS {
            for spared in [&[][..], &["id"], &["id", "write_cache", "stack"]] {
                let mut run = hostile_texts::poisoned(&example(), text, spared);
                run.clock.read_cost_ns = 250;
                let mut nameless = run.clone();
                nameless.devices.iter_mut().for_each(|device| device.model.clear());
                let unseen = Run { devices: Vec::new(), ..run.clone() };
                for run in [run, nameless, unseen] {
                    shown += &lines(&terminal(80), ShownRun::unsigned(&run)).join("\n");
                    assert!(!shown.contains(hostile_texts::commands), "{text:?} in {shown:?}");
                }
            }
        }
        for sentence in ["(clock source tsc 31m)", "Which device is behind", "The drive's model is hidden"] {
            assert!(shown.contains(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_the_cloud_says_is_shown_where_it_was_asked() {
        let mut run = example();
        assert!(!lines(&terminal(80), ShownRun::unsigned(&run)).join("\n").contains("metadata"));
        let (instance_type, region) = (None, Some("fsn1".to_owned()));
        run.env.cloud_metadata =
            Some(CloudMetadata { provider: "hetzner".to_owned(), instance_type, region });
        let text = lines(&terminal(80), ShownRun::unsigned(&run)).join("\n");
        assert!(text.contains("Measured on hetzner / fsn1, by the word of its metadata service."), "{text}");
    }

    #[test]
    fn a_run_without_its_headline_is_shown_too() {
        let run = examples::run(vec![examples::reads("read-4k-floor", 50_000)]);
        let text = lines(&terminal(80), ShownRun::unsigned(&run)).join("\n");
        assert!(text.contains("read-4k-floor") && !text.contains("durable commits"), "{text}");
    }
}
