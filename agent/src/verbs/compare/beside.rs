//! Two sides beside each other, for people.

use crate::analysis::figures::times;
use crate::judgement::comparison::{Comparison, EQUAL_WITHIN, Figures, Pair, RateVerdict};
use crate::report::terminal::wrap;
use crate::units;

/// Columns of a row's name, of each side, and of the words behind them.
const NAME_COLUMNS: usize = 14;
const SIDE_COLUMNS: usize = 18;
const SIDE_COLUMNS_MIN: usize = 11;
const WORDS_COLUMNS: usize = 18;

/// The comparison for people.
pub(super) fn text(comparison: &Comparison, a: &str, b: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for (letter, title) in [("A", a), ("B", b)] {
        lines.extend(hanging_paragraph(letter, title, width));
    }
    if !comparison.differences.is_empty() {
        lines.push(String::new());
    }
    for difference in &comparison.differences {
        lines.extend(hanging_paragraph("!", &difference.text, width));
    }
    for pair in &comparison.pairs {
        lines.push(String::new());
        lines.extend(rows(pair, width));
    }
    lines.join("\n")
}

/// A paragraph after a mark, with its further lines indented.
fn hanging_paragraph(mark: &str, text: &str, width: usize) -> Vec<String> {
    let wrapped = wrap(text, width.saturating_sub(4));
    wrapped
        .iter()
        .enumerate()
        .map(|(index, line)| {
            format!("{} {line}", if index == 0 { format!("  {mark}") } else { "   ".to_owned() })
        })
        .collect()
}

fn rows(pair: &Pair, width: usize) -> Vec<String> {
    let latency = |ns: Option<u64>| ns.map_or_else(|| "not known".to_owned(), units::latency);
    let row = |name: &str, a: &str, b: &str, words: &str| row(name, [a, b], words, width);
    let (a, b) = (&pair.a, &pair.b);
    let mut lines: Vec<String> = hanging_paragraph("", &format!("{}: {}", pair.id, sentence(pair)), width)
        .into_iter()
        .map(|line| format!("  {}", line.trim_start()))
        .collect();
    lines.extend(row("", "A", "B", ""));
    lines.extend(row("a second", &units::rate(a.per_s), &units::rate(b.per_s), &more(a.per_s, b.per_s)));
    if a.rate_range.is_some() || b.rate_range.is_some() {
        let ends = |figures: &Figures| {
            figures.rate_range.as_ref().map_or_else(
                || "not known".to_owned(),
                |range| format!("{}-{}", units::rate(range.low_per_s), units::rate(range.high_per_s)),
            )
        };
        lines.extend(row("  spread", &ends(a), &ends(b), &spread_of(a, b)));
    }
    for (name, of_a, of_b) in
        [("p50", a.p50_ns, b.p50_ns), ("p99", a.p99_ns, b.p99_ns), ("p99.9", a.p999_ns, b.p999_ns)]
    {
        if of_a.is_some() || of_b.is_some() {
            let words = of_a.zip(of_b).map(|(a, b)| quicker(a, b)).unwrap_or_default();
            lines.extend(row(name, &latency(of_a), &latency(of_b), &words));
        }
    }
    lines
}

/// A row of the table; its words stand below where there is no room for them beside it.
fn row(name: &str, [a, b]: [&str; 2], words: &str, width: usize) -> Vec<String> {
    let sides = width.saturating_sub(2 + NAME_COLUMNS + WORDS_COLUMNS) / 2;
    let columns = sides.clamp(SIDE_COLUMNS_MIN, SIDE_COLUMNS) - 1;
    let line = format!("  {name:<NAME_COLUMNS$} {a:>columns$} {b:>columns$}");
    if words.is_empty() {
        return vec![line.trim_end().to_owned()];
    }
    let whole = format!("{line}  {words}");
    if whole.chars().count() <= width {
        return vec![whole];
    }
    let below = width.saturating_sub(2);
    vec![line, format!("  {words:>below$}")]
}

/// The result for the rates, with the direction in words.
pub(super) fn sentence(pair: &Pair) -> String {
    let (of_a, of_b) = (width_of(&pair.a), width_of(&pair.b));
    let percent = (pair.rate_ratio_b_to_a.max(1.0 / pair.rate_ratio_b_to_a) - 1.0) * 100.0;
    match pair.verdict {
        RateVerdict::Disturbed => {
            format!(
                "not compared: other programs disturbed {}, so it is not the disk's figure.",
                disturbed_sides(pair)
            )
        }
        RateVerdict::AFaster if pair.b.per_s <= 0.0 => "apart. No rate of B keeps the limit.".to_owned(),
        RateVerdict::BFaster if pair.a.per_s <= 0.0 => "apart. No rate of A keeps the limit.".to_owned(),
        _ if pair.a.per_s <= 0.0 || pair.b.per_s <= 0.0 => {
            "not apart. Some searches found no rate.".to_owned()
        }
        RateVerdict::AFaster => {
            format!("apart. A does {} as many a second as B.", times(1.0 / pair.rate_ratio_b_to_a))
        }
        RateVerdict::BFaster => {
            format!("apart. B does {} as many a second as A.", times(pair.rate_ratio_b_to_a))
        }
        RateVerdict::WithinSpread => format!(
            "not apart. The rates differ by {percent:.1} %, A varies by {of_a} itself and B by {of_b}."
        ),
        RateVerdict::SpreadUnknown => format!(
            "the rates differ by {percent:.1} %; there are too few passes and samples to say whether that is more \
             than chance."
        ),
    }
}

fn disturbed_sides(pair: &Pair) -> &'static str {
    match (pair.a.disturbed, pair.b.disturbed) {
        (true, true) => "both",
        (true, false) => "A",
        _ => "B",
    }
}

fn width_of(figures: &Figures) -> String {
    let Some(range) = &figures.rate_range else { return "an unknown share".to_owned() };
    if range.low_per_s <= 0.0 {
        return "everything, down to a standstill,".to_owned();
    }
    format!("{:.1} %", (range.high_per_s / range.low_per_s - 1.0) * 100.0)
}

/// What the two ranges were taken from.
fn spread_of(a: &Figures, b: &Figures) -> String {
    let name = |figures: &Figures| {
        figures.rate_range.as_ref().map_or_else(String::new, |range| match range.of.as_str() {
            "samples" => "half of samples".to_owned(),
            of => of.to_owned(),
        })
    };
    let (of_a, of_b) = (name(a), name(b));
    if of_a == of_b || of_b.is_empty() {
        of_a
    } else {
        format!("{of_a}, {of_b}").trim_start_matches(", ").to_owned()
    }
}

/// Which of two rates is higher.
fn more(a: f64, b: f64) -> String {
    if a <= 0.0 || b <= 0.0 {
        return String::new();
    }
    direction(b / a, "more")
}

/// Which of two latencies is shorter.
fn quicker(a_ns: u64, b_ns: u64) -> String {
    direction(a_ns.max(1) as f64 / b_ns.max(1) as f64, "quicker")
}

/// Which side is ahead, in words; `ratio` is above 1 where that is B.
fn direction(ratio: f64, word: &str) -> String {
    let (letter, ratio) = if ratio >= 1.0 { ('B', ratio) } else { ('A', 1.0 / ratio) };
    if ratio < 1.0 + EQUAL_WITHIN {
        "equal".to_owned()
    } else if ratio < 2.0 {
        format!("{letter} {:.1} % {word}", (ratio - 1.0) * 100.0)
    } else {
        format!("{letter} {ratio:.1}x {word}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::sides::title;
    use super::*;
    use crate::analysis::figures::examples::example;
    use crate::judgement::comparison::{self, ComparisonSide};
    use crate::report::hostile_texts;
    use crate::wire::payload::Run;

    #[test]
    fn the_direction_is_in_words() {
        assert_eq!(direction(1.004, "more"), "equal");
        assert_eq!(direction(1.0 / 1.004, "more"), "equal");
        assert_eq!(direction(1.25, "more"), "B 25.0 % more");
        assert_eq!(direction(0.5, "quicker"), "A 2.0x quicker");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let a = example();
        let mut b = Run { run_id: "another".to_owned(), ..a.clone() };
        b.env.kernel = "x".repeat(50);
        for workload in &mut b.workloads {
            workload.elapsed_ns *= 1_000;
        }
        let comparison =
            comparison::compare(&ComparisonSide::from_run(a.clone()), &ComparisonSide::from_run(b));
        let shown = text(&comparison, &title(&a, "signed"), "B", 80);
        let words = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            words.sort_unstable();
            words
        };
        for width in [60, 80] {
            let narrow = text(&comparison, &title(&a, "signed"), "B", width);
            for line in narrow.lines() {
                assert!(line.chars().count() <= width, "{line}");
            }
            assert_eq!(words(&narrow), words(&shown), "nothing is cut");
        }
        assert!(shown.contains("A 1,000x more") || shown.contains("A 1000.0x more"), "{shown}");
    }

    #[test]
    fn no_text_of_a_result_is_an_order_to_the_terminal() {
        for text_of_b in hostile_texts::TEXTS {
            for spared in [&[][..], &["id"]] {
                let (a, b) = (example(), hostile_texts::poisoned(&example(), text_of_b, spared));
                let title_of_b = title(&b, "not signed");
                let sides = [a, b].map(ComparisonSide::from_run);
                let shown = text(&comparison::compare(&sides[0], &sides[1]), "A", &title_of_b, 80);
                assert!(!shown.contains(hostile_texts::commands), "{shown:?}");
                assert!(shown.contains("differ:"), "{shown}");
            }
        }
    }

    #[test]
    fn a_search_that_found_no_rate_has_no_ratio() {
        let side = |limit_per_s| {
            let search = crate::analysis::figures::examples::search("slo-randread-4k-1ms", [limit_per_s; 3]);
            ComparisonSide::from_run(crate::analysis::figures::examples::run(vec![search]))
        };
        let text_of = |a, b| rows(&comparison::compare(&side(a), &side(b)).pairs[0], 80).join("\n");
        for text in [text_of(0, 50_000), text_of(50_000, 0), text_of(0, 0)] {
            assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
        }
        assert!(text_of(0, 50_000).contains("No rate of A keeps the limit"), "{}", text_of(0, 50_000));
    }
}
