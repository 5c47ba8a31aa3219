//! `run --dry-run`: what would be measured, what it would write, how long it would take.

use serde_json::json;

use crate::cli::RunArgs;
use crate::error::Result;
use crate::plan::Plan;
use crate::plan::workload::WorkloadDefinition;
use crate::probe::{Facts, metadata};
use crate::report::terminal::Terminal;
use crate::units;

/// What makers promise a drive for each byte of its size: 600 TB for a consumer SSD of 1 TB.
const RATED_WRITES: f64 = 600.0;

/// Prints the plan and carries out nothing of it.
pub fn print(args: &RunArgs, plan: &Plan, facts: &Facts) -> Result<()> {
    // The metadata service that it would ask before it measures, and what.
    let provider = facts.machine.provider_name();
    let proof = || format!(" {}", metadata::describe_proof(provider));
    let asks = args
        .ask_cloud
        .map(|_| metadata::describe_question(provider) + &args.wants_proof().then(proof).unwrap_or_default());
    if args.json {
        let workloads: Vec<_> = plan
            .workloads
            .iter()
            .map(|workload| {
                let mut row = workload.to_definition();
                row["comparable_with"] = json!(workload.comparable_with);
                row
            })
            .collect();
        let text = json!({
            "suite": plan.suite.id,
            "whole": plan.is_whole,
            "bytes_written_max": plan.bytes_written_max,
            "file_bytes": plan.file_bytes,
            "seconds_usual": plan.seconds_usual,
            "seconds_max": plan.seconds_max,
            "asks": asks,
            "workloads": workloads,
        });
        return crate::report::terminal::print(&text.to_string());
    }
    Terminal::detect().print_broken(&describe(plan, facts.storage.smallest_drive_bytes(), asks.as_deref()))
}

fn describe(plan: &Plan, disk_bytes: Option<u64>, asks: Option<&str>) -> String {
    let rows: Vec<String> = plan.workloads.iter().map(|workload| row(workload)).collect();
    format!(
        "{}\n{}\n\nIn all: {}\n        {}\n{}",
        plan.suite.title,
        rows.join("\n"),
        writes(plan, disk_bytes),
        time(plan),
        match asks {
            Some(asks) => format!("First:  {asks}\nNothing was written, nobody was asked."),
            None => "Nothing was written.".to_owned(),
        }
    )
}

fn row(workload: &WorkloadDefinition) -> String {
    let seconds = |ns: u64| (workload.limits.warm_up_ns + ns) / 1_000_000_000;
    let (least, most) = (seconds(workload.limits.pass_ns_min), seconds(workload.limits.pass_ns_max));
    let from = if least > 0 { format!("{least} to ") } else { "up to ".to_owned() };
    format!(
        "\n  {}, version {}: {}\n      {} x {from}{most} s, writes at most {}\n      like {}",
        workload.id,
        workload.version,
        workload.title,
        workload.passes,
        units::bytes(workload.bytes_written_max()),
        workload.comparable_with,
    )
}

fn time(plan: &Plan) -> String {
    let minutes = |seconds: u64| seconds.div_ceil(60).max(1);
    format!(
        "{} to {} min, and the time to fill the files",
        minutes(plan.seconds_usual),
        minutes(plan.seconds_max)
    )
}

/// What is written, and its share of what a drive of this size is rated for.
pub fn writes(plan: &Plan, disk_bytes: Option<u64>) -> String {
    let share = disk_bytes
        .map(|size| plan.bytes_written_max as f64 / (size as f64 * RATED_WRITES) * 100.0)
        .map(|percent| {
            format!("; a consumer SSD of this size is rated for {RATED_WRITES} times its size, of which that is {percent:.2} %")
        });
    format!(
        "at most {} written, files of {}{}",
        units::bytes(plan.bytes_written_max),
        units::bytes(plan.file_bytes),
        share.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::workload::SUITES;
    use crate::plan::{self, Choice};

    #[test]
    fn every_workload_is_listed_with_what_it_writes_and_what_it_is_like() {
        for suite in SUITES {
            let plan = plan::unchecked("/".as_ref(), suite, &Choice::default()).unwrap();
            let text = describe(&plan, Some(1 << 40), None);
            for workload in suite.workloads() {
                assert!(text.contains(&format!("\n  {}, version", workload.id)), "{}", workload.id);
                assert!(text.contains(workload.comparable_with));
            }
            assert!(text.ends_with("\nNothing was written."));
            let asking = describe(&plan, None, Some("Asks somebody."));
            assert!(asking.ends_with("\nFirst:  Asks somebody.\nNothing was written, nobody was asked."));
        }
    }

    #[test]
    fn the_share_of_a_drives_endurance_is_stated_where_its_size_is_known() {
        let plan = plan::unchecked("/".as_ref(), &SUITES[0], &Choice::default()).unwrap();
        let known = writes(&plan, Some(4 << 30));
        assert!(known.ends_with("of which that is 0.21 %"), "{known}");
        assert_eq!(writes(&plan, None), "at most 5.00 GiB written, files of 1.06 GiB");
    }
}
