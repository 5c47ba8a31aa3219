//! The verb `verify`: is the signature valid, and do the figures add up?

use sha2::{Digest, Sha256};

use crate::analysis::{consistency, figures};
use crate::cli::VerifyArgs;
use crate::delivery::{self, key};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::workload::WorkloadDefinition;
use crate::report::terminal::Terminal;
use crate::text::printable;
use crate::wire::envelope::{Envelope, key_id};
use crate::wire::payload::{RUN_TYPE, Run};
use crate::wire::workload::Workload;
use crate::{hex, units};

/// Checks a file and prints what was checked.
pub fn verify(args: &VerifyArgs) -> Result<()> {
    let bytes = delivery::read_file(&args.file)?;
    let envelope = Envelope::parse(&bytes)?;
    let (public_key, origin) = key::find_signing_key(args.key.as_deref(), &envelope)?;
    let body = envelope.open(&public_key)?;
    let terminal = Terminal::detect();
    terminal.print_broken(&format!(
        "signature   fits: signed by key {}\n            {origin}\npayload     {}, {} bytes,\n            sha256 {}",
        key_id(&public_key),
        printable(&envelope.payload_type, 100),
        units::thousands(body.len() as u64),
        hex::encode(&Sha256::digest(&body))
    ))?;
    if envelope.payload_type != RUN_TYPE {
        return Ok(());
    }
    let run = delivery::read_run(&envelope, &body)?;
    terminal.print_broken(&describe(&run))?;
    let faults: Vec<String> = run.workloads.iter().flat_map(consistency::faults).collect();
    if !faults.is_empty() {
        let faults = faults.join("; ");
        return Err(Error::new(
            ErrorKind::Data,
            format!("the signature fits, but the figures do not add up: {faults}"),
        ));
    }
    terminal.print_broken(&format!(
        "{}\nfigures     add up: in each workload, histograms and passes hold as many\n            \
         operations as it states, and its latencies fit into its time",
        table(&run)
    ))
}

fn describe(run: &Run) -> String {
    let cloud = run.env.cloud_metadata.as_ref().map(|cloud| format!("\ncloud       {cloud}"));
    format!(
        "run         {}, {}\n            suite {} v{}{}, agent {} for {}\nclaim       {}{}",
        printable(&run.run_id, 64),
        units::utc(run.clock.wall_start_unix_us),
        printable(&run.suite.id, 64),
        run.suite.version,
        if run.suite.complete { "" } else { ", not the whole suite" },
        printable(&run.agent.version, 64),
        printable(&run.agent.target, 64),
        run.claim,
        cloud.unwrap_or_default()
    )
}

/// Rate and latencies of each workload.
fn table(run: &Run) -> String {
    let line = |workload: &Workload| {
        let named =
            format!("            {:<18}{:>10} /s", printable(&workload.id, 64), figures::rate_text(workload));
        if WorkloadDefinition::is_another_version(&workload.id, workload.version) {
            return format!("{named}   version {} is not known here", workload.version);
        }
        if workload.is_open_loop() {
            return named;
        }
        let latencies = workload.whole_operations();
        let latency = |q| latencies.as_ref().map(|l| figures::percentile_text(l, q)).unwrap_or_default();
        format!("{named}   p50 {:>8}   p99 {:>8}", latency(5_000), latency(9_900))
    };
    run.workloads.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::hostile_texts;

    #[test]
    fn no_text_of_a_result_is_an_order_to_the_terminal() {
        let whole =
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/wire/v1/valid/every-field.json"));
        let whole: Run = serde_json::from_str(whole).unwrap();
        for text in hostile_texts::TEXTS {
            let run = hostile_texts::poisoned(&whole, text, &[]);
            let mut shown = format!("{}\n{}", describe(&run), table(&run));
            for workload in &run.workloads {
                let odd = Workload { operations: 1, ..workload.clone() };
                shown += &consistency::faults(&odd).join("\n");
            }
            assert!(!shown.contains(hostile_texts::commands), "{shown:?}");
        }
    }

    #[test]
    fn a_search_is_listed_with_its_rate_alone() {
        let search = figures::examples::search("slo-randread-4k-1ms", [40_000, 50_000, 60_000]);
        let lines = table(&figures::examples::run(vec![
            search.clone(),
            figures::examples::reads("read-4k-floor", 50_000),
        ]));
        let (first, second) = lines.split_once('\n').unwrap();
        assert!(first.ends_with(&format!("{} /s", figures::rate_text(&search))), "{lines}");
        assert!(second.contains("p50  50.0 µs   p99  50.0 µs"), "{lines}");
    }

    #[test]
    fn a_version_that_is_not_known_here_is_said() {
        let newer = Workload { version: 2, ..figures::examples::reads("read-4k-floor", 50_000) };
        let line = table(&figures::examples::run(vec![newer]));
        assert!(line.ends_with("/s   version 2 is not known here"), "{line}");
    }
}
