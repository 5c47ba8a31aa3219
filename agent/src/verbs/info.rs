//! The verb `info`: what was found, and every byte that an upload would carry.

use serde_json::{Value, json};

use crate::cli::InfoArgs;
use crate::engine::clock::{self, Monotonic};
use crate::envelope::{self, key_id};
use crate::error::Result;
use crate::home::Home;
use crate::key;
use crate::payload::{Clock, OtherIo, RUN_TYPE};
use crate::plan;
use crate::probe::{self, Facts, Tree};
use crate::report::{self, Figures, Header};
use crate::units;
use crate::upload;
use crate::workload::{SUITES, Suite, Workload};

/// Stands for what only a run can know.
const MEASURED: &str = "(measured)";
/// Stands for what the first run makes.
const MADE_ON_FIRST_USE: &str = "(made on first use)";

/// Prints both. Makes nothing: neither key nor folder.
pub fn info(args: &InfoArgs) -> Result<()> {
    let home = Home::locate()?;
    let facts = probe::gather(&args.dir)?;
    let suite = &SUITES[0];
    let requests = requests(args, &home, &facts, suite)?;
    let text = serde_json::to_string_pretty(&requests).expect("texts and numbers only");
    if args.json {
        println!("{text}");
        return Ok(());
    }
    for (name, value) in describe(&facts) {
        println!("{name:<12}{value}");
    }
    match plan::check(&args.dir, suite, &facts) {
        Ok(plan) => println!(
            "{:<12}{} writes at most {}, {} of it at a time, in about {} s",
            "Suite",
            suite.id,
            units::bytes(plan.bytes_written_max),
            units::bytes(plan.file_bytes),
            plan.seconds_usual
        ),
        Err(error) => println!("{:<12}cannot be measured here: {error}", "Suite"),
    }
    println!(
        "\nAn upload sends these three requests and nothing else; each is signed, its payload in base64.\n{text}"
    );
    Ok(())
}

fn describe(facts: &Facts) -> Vec<(&'static str, String)> {
    let (machine, filesystem) = (&facts.machine, &facts.filesystem);
    let or_not_stated = |text: &str| if text.is_empty() { "not stated".to_owned() } else { text.to_owned() };
    let yes_no = |flag: Option<bool>| flag.map_or("not stated", |flag| if flag { "yes" } else { "no" });
    let mut lines = vec![
        (
            "Machine",
            format!(
                "{}, {} CPUs, {} memory, {}",
                machine.cpu_model.as_deref().unwrap_or("CPU not stated"),
                machine.cpu_count,
                units::bytes(machine.ram_bytes),
                match machine.virtualisation.wire_name() {
                    "none" => "bare metal".to_owned(),
                    name => format!("virtualisation: {name}"),
                }
            ),
        ),
        (
            "Kernel",
            format!(
                "{}, clock source {} at {} ns a reading",
                machine.kernel,
                machine.clock_source,
                clock::read_cost_ns(&Monotonic)
            ),
        ),
        (
            "Filesystem",
            format!(
                "{} ({}), {} of {} free",
                filesystem.name,
                or_not_stated(&filesystem.mount_flags.join(" ")),
                units::bytes(filesystem.free_bytes),
                units::bytes(filesystem.size_bytes)
            ),
        ),
        ("Stack", facts.storage.layers.join(" on ")),
    ];
    if let Some(vendor) = &machine.maker.vendor {
        lines.insert(
            1,
            ("Maker", format!("{vendor} {}", machine.maker.product.as_deref().unwrap_or_default())),
        );
    }
    for drive in &facts.storage.drives {
        let name = format!("{} {}", drive.vendor, drive.model);
        lines.push((
            "Drive",
            format!(
                "{}, firmware {}, {} over {}",
                or_not_stated(name.trim()),
                or_not_stated(&drive.firmware),
                units::bytes(drive.size_bytes),
                drive.transport
            ),
        ));
        lines.push((
            "",
            format!(
                "write cache: {}, FUA: {}, scheduler: {}, blocks {} / {} bytes",
                drive.write_cache.wire_name(),
                yes_no(drive.fua),
                drive.scheduler.as_deref().unwrap_or("not stated"),
                drive.logical_block_bytes,
                drive.physical_block_bytes
            ),
        ));
    }
    lines
}

/// The three requests of an upload, their payloads as they would be sent.
fn requests(args: &InfoArgs, home: &Home, facts: &Facts, suite: &'static Suite) -> Result<Value> {
    let key = key::load(home)?;
    let key_id = key.as_ref().map_or(MADE_ON_FIRST_USE.to_owned(), |key| key_id(&key.verifying_key()));
    let public_key = key
        .as_ref()
        .map_or(MADE_ON_FIRST_USE.to_owned(), |key| envelope::public_key_base64(&key.verifying_key()));
    let text = |bytes: Vec<u8>| serde_json::from_slice::<Value>(&bytes).expect("we wrote it");
    let request = |method: &str, path: String, kind: &str, payload: Value| json!({"method": method, "path": path, "payloadType": kind, "payload": payload});
    let run_id = "(new for each run)";
    Ok(json!([
        request(
            "PUT",
            format!("/api/v1/keys/{key_id}"),
            upload::KEY_TYPE,
            json!({"schema": upload::KEY_SCHEMA, "public_key": public_key}),
        ),
        request(
            "POST",
            "/api/v1/challenges".to_owned(),
            upload::CHALLENGE_TYPE,
            text(upload::challenge_request(run_id, suite)),
        ),
        request("PUT", format!("/api/v1/runs/{run_id}"), RUN_TYPE, run_payload(args, home, facts, suite)),
    ]))
}

fn run_payload(args: &InfoArgs, home: &Home, facts: &Facts, suite: &'static Suite) -> Value {
    let machine = key::known_machine_pseudonym(&Tree::live(), home).unwrap_or(MADE_ON_FIRST_USE.to_owned());
    let header = Header {
        run_id: "(new for each run)".to_owned(),
        suite,
        consent: Some(report::CONSENT),
        machine,
        claim: args.claim.clone().into(),
        facts,
        other_io: OtherIo::default(),
    };
    let clock = Clock {
        wall_start_unix_us: 0,
        mono_elapsed_ns: 0,
        boottime_elapsed_ns: 0,
        source: facts.machine.clock_source.clone(),
        read_cost_ns: 0,
    };
    let figures = Figures { clock, challenge: None, seed_proof: None, complete: true, workloads: Vec::new() };
    let mut payload = serde_json::to_value(report::build(&header, figures)).expect("texts and numbers only");
    payload["challenge"] = json!("(the server's, if it answers)");
    payload["seed_proof"] = json!("(SHA-256 of test data that follow from the challenge)");
    for name in ["wall_start_unix_us", "mono_elapsed_ns", "boottime_elapsed_ns", "read_cost_ns"] {
        payload["clock"][name] = json!(MEASURED);
    }
    for name in ["interval_ns", "reads", "writes", "bytes"] {
        payload["env"]["other_io"][name] = json!(MEASURED);
    }
    payload["suite"]["complete"] = json!(MEASURED);
    payload["workloads"] = suite.workloads().into_iter().map(workload_payload).collect();
    payload
}

fn workload_payload(workload: &Workload) -> Value {
    let histogram = json!({
        "kind": "log128", "sum_ns": MEASURED, "min_ns": MEASURED, "max_ns": MEASURED,
        "counts": "(measured: pairs of bucket and count)",
    });
    let histograms: serde_json::Map<String, Value> =
        workload.histograms().iter().map(|name| ((*name).to_owned(), histogram.clone())).collect();
    let pass = json!({
        "operations": MEASURED, "bytes": MEASURED, "elapsed_ns": MEASURED, "ended_by": MEASURED,
        "rate_samples": "(measured: operations in each half second)",
    });
    json!({
        "id": workload.id, "version": workload.version, "operations": MEASURED, "bytes": MEASURED,
        "elapsed_ns": MEASURED, "sample_ns": crate::measure::SAMPLE_NS,
        "passes": vec![pass; workload.passes.into()],
        "histograms": histograms, "flushes": MEASURED, "device_bytes": MEASURED,
    })
}
