//! The verb `info`: what was found, and every byte that an upload would carry.

use serde_json::{Value, json};

use crate::cli::InfoArgs;
use crate::engine::clock::{self, Monotonic};
use crate::envelope::{self, key_id};
use crate::error::Result;
use crate::home::Home;
use crate::key;
use crate::payload::{Clock, OtherIo, RUN_TYPE};
use crate::plan::{self, Plan};
use crate::probe::drive::Drive;
use crate::probe::filesystem::Filesystem;
use crate::probe::machine::Machine;
use crate::probe::{self, Facts, Tree};
use crate::report::{self, Figures, Header};
use crate::terminal::{self, Terminal};
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
        return terminal::print(&text);
    }
    let mut lines = describe_machine(&facts.machine);
    lines.push(("Filesystem", describe_filesystem(&facts.filesystem)));
    lines.push(("Stack", facts.storage.layers.join(" on ")));
    lines.extend(facts.storage.drives.iter().flat_map(describe_drive));
    lines.push(("Suite", describe_suite(plan::check(&args.dir, suite, &facts))));
    let lines: Vec<String> = lines.iter().map(|(name, value)| format!("{name:<12}{value}")).collect();
    Terminal::detect().print(&format!(
        "{}\n\nAn upload sends these three requests and nothing else; each is signed, its payload\n\
         in base64, its User-Agent {}.\n{text}",
        lines.join("\n"),
        upload::USER_AGENT
    ))
}

type Line = (&'static str, String);

fn or_not_stated(text: &str) -> &str {
    if text.is_empty() { "not stated" } else { text }
}

fn describe_machine(machine: &Machine) -> Vec<Line> {
    let virtualisation = match machine.virtualisation.wire_name() {
        "none" => "bare metal".to_owned(),
        name => format!("virtualisation: {name}"),
    };
    let hardware = format!(
        "{}, {} CPUs, {} memory, {virtualisation}",
        machine.cpu_model.as_deref().unwrap_or("CPU not stated"),
        machine.cpu_count,
        units::bytes(machine.ram_bytes)
    );
    let maker = machine.maker.vendor.as_ref().map(|vendor| {
        let product = machine.maker.product.as_deref().unwrap_or_default();
        ("Maker", format!("{vendor} {product}").trim_end().to_owned())
    });
    let kernel = format!(
        "{}, clock source {} at {} ns a reading",
        machine.kernel,
        machine.clock_source,
        clock::read_cost_ns(&Monotonic)
    );
    [Some(("Machine", hardware)), maker, Some(("Kernel", kernel))].into_iter().flatten().collect()
}

fn describe_filesystem(filesystem: &Filesystem) -> String {
    format!(
        "{} ({}), {} of {} free",
        filesystem.name,
        or_not_stated(&filesystem.mount_flags.join(" ")),
        units::bytes(filesystem.free_bytes),
        units::bytes(filesystem.size_bytes)
    )
}

fn describe_drive(drive: &Drive) -> [Line; 2] {
    let name = format!("{} {}", drive.vendor, drive.model);
    let identity = format!(
        "{}, firmware {}, {} over {}",
        or_not_stated(name.trim()),
        or_not_stated(&drive.firmware),
        units::bytes(drive.size_bytes),
        drive.transport
    );
    let queue = format!(
        "write cache: {}, FUA: {}, scheduler: {}, blocks {} / {} bytes",
        drive.write_cache.wire_name(),
        drive.fua.map_or("not stated", |flag| if flag { "yes" } else { "no" }),
        drive.scheduler.as_deref().unwrap_or("not stated"),
        drive.logical_block_bytes,
        drive.physical_block_bytes
    );
    [("Drive", identity), ("", queue)]
}

fn describe_suite(plan: Result<Plan>) -> String {
    match plan {
        Ok(plan) => format!(
            "{} writes at most {}, {} of it at a time, in about {} s",
            plan.suite.id,
            units::bytes(plan.bytes_written_max),
            units::bytes(plan.file_bytes),
            plan.seconds_usual
        ),
        Err(error) => format!("cannot be measured here: {}", error.to_string().replace('\n', "\n          ")),
    }
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
