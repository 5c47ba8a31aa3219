//! The tables of a page, one for each group of workloads, and the rates of all over time.

use std::fmt::Write as _;

use super::charts;
use super::text::read_and_escape;
use super::workload_row::WorkloadRow;
use crate::plan::workload_groups::{self, Group};

/// The workloads of one group, with whether each is the page's subject.
fn of_group<'a, 'b>(
    rows: &'a [WorkloadRow<'b>],
    subject: usize,
    group: Group,
) -> Vec<(&'a WorkloadRow<'b>, bool)> {
    let with_subject = rows.iter().enumerate().map(|(index, row)| (row, index == subject));
    with_subject
        .filter(|(row, _)| workload_groups::group_of(&row.workload.id, row.workload.version) == group)
        .collect()
}

/// A table for each group that has any workload.
pub(super) fn sections(rows: &[WorkloadRow<'_>], subject: usize) -> String {
    let mut html = "<section><div class=\"head\"><h2>Workloads</h2><p>Different workloads are different questions: none of \
                    them is ranked against another. A dot is p50, a tick p99.</p></div>\n"
        .to_owned();
    for group in Group::ALL {
        let rows = of_group(rows, subject, group);
        if !rows.is_empty() {
            html.push_str(&table(group, &rows));
        }
    }
    html + "</section>\n"
}

/// A column of the tables: its title, the classes of its head and of its cells, and what stands in a cell.
struct HtmlColumn {
    title: &'static str,
    head_class: &'static str,
    cell_class: &'static str,
    /// Whether cells say their title where a narrow page has no heads.
    is_labelled: bool,
    cell: fn(&WorkloadRow<'_>, is_subject: bool) -> String,
}

const COLUMNS: &[HtmlColumn] = &[
    HtmlColumn {
        title: "Workload",
        head_class: "",
        cell_class: "",
        is_labelled: false,
        cell: |row, _| format!("{}<small>{}</small>", read_and_escape(&row.workload.id), row.title()),
    },
    HtmlColumn {
        title: "a second",
        head_class: "fig",
        cell_class: "",
        is_labelled: true,
        cell: |row, _| format!("{}<small>{}</small>", row.rate(), row.rate_range()),
    },
    HtmlColumn {
        title: "p50",
        head_class: "fig optional",
        cell_class: "optional",
        is_labelled: true,
        cell: |row, _| row.latency(5_000),
    },
    HtmlColumn {
        title: "p99",
        head_class: "fig",
        cell_class: "",
        is_labelled: true,
        cell: |row, _| format!("{}<small>p99.9 {}</small>", row.latency(9_900), row.latency(9_990)),
    },
    HtmlColumn {
        title: "from p1 to p99.99",
        head_class: "chart",
        cell_class: "chart field",
        is_labelled: false,
        cell: |row, is_subject| {
            row.latencies.as_ref().map(|of| charts::trace(of, is_subject)).unwrap_or_default()
        },
    },
];

/// An attribute, or nothing where it has no value.
fn attribute(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {name}=\"{value}\"") }
}

fn table(group: Group, of: &[(&WorkloadRow<'_>, bool)]) -> String {
    let (mut head, mut rows) = (String::new(), String::new());
    for column in COLUMNS {
        let _ = write!(head, "<th{}>{}</th>", attribute("class", column.head_class), column.title);
    }
    for (row, is_subject) in of {
        rows.push_str("<tr>");
        for column in COLUMNS {
            let class = attribute("class", column.cell_class);
            let label = attribute("data-label", if column.is_labelled { column.title } else { "" });
            let _ = write!(rows, "<td{class}{label}>{}</td>", (column.cell)(row, *is_subject));
        }
        rows.push_str("</tr>\n");
    }
    format!(
        "<table><caption>{}</caption><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table>\n",
        group.title()
    )
}

/// The rate of each workload over time. The charts of durability and endurance are shown; those of other
/// groups are folded and can be opened.
pub(super) fn rates(rows: &[WorkloadRow<'_>], subject: usize) -> String {
    let mut html = String::new();
    for group in Group::ALL {
        let charts: String = of_group(rows, subject, group)
            .into_iter()
            .filter_map(|(row, is_subject)| rate(row, is_subject))
            .collect();
        if charts.is_empty() {
            continue;
        }
        let charts = format!("<div class=\"rates\">\n{charts}</div>");
        if matches!(group, Group::Durability | Group::Endurance) {
            html.push_str(&charts);
        } else {
            let _ = write!(html, "<details><summary>{}</summary>{charts}</details>", group.title());
        }
    }
    if html.is_empty() {
        return html;
    }
    format!(
        "<section><div class=\"head\"><h2>Rate over time</h2><p>Operations a second in each sample; the band is the mean \
         of the samples, and their standard deviation to both sides.</p></div>{html}</section>\n"
    )
}

fn rate(row: &WorkloadRow<'_>, is_subject: bool) -> Option<String> {
    // A search goes through many rates, so its rate over time shows what was offered, not what was answered.
    if row.workload.is_open_loop() {
        return None;
    }
    let chart = charts::rate(row.workload, is_subject)?;
    let seconds = row.workload.elapsed_ns as f64 / 1e9;
    let passes = row.workload.passes.len();
    Some(format!(
        "<figure{}><figcaption><b>{}</b><span>{} a second over {seconds:.1} s{}</span></figcaption>\
         <div class=\"plot\">{chart}</div></figure>\n",
        if is_subject { " class=\"wide\"" } else { "" },
        read_and_escape(&row.workload.id),
        row.rate(),
        if passes > 1 { format!(", {passes} passes with a gap between") } else { String::new() },
    ))
}
