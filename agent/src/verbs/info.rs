//! The verb `info`: what was found, and every byte that an upload would carry.

use serde_json::{Value, json};

use crate::cli::InfoArgs;
use crate::delivery::home::Home;
use crate::delivery::key;
use crate::delivery::server::statements;
use crate::error::Result;
use crate::plan::workload::{SUITES, Suite, WorkloadDefinition};
use crate::plan::{self, Plan};
use crate::probe::machine::Machine;
use crate::probe::storage::filesystem::Filesystem;
use crate::probe::tree::Tree;
use crate::probe::{self, Facts, metadata};
use crate::report::payload_assembly::{self, Header, RunFigures};
use crate::report::terminal::{self, Terminal, storage};
use crate::sys::clock::{self, Monotonic};
use crate::units;
use crate::wire::USER_AGENT;
use crate::wire::envelope::{self, key_id};
use crate::wire::payload::{CloudMetadata, Limits, RUN_TYPE, RunClock};

/// Stands for values that only a run can know.
const MEASURED: &str = "(measured)";
/// Stands for values that the first run creates.
const NOT_MADE_YET: &str = "(made on first use)";
/// Columns of the names of what was found.
const NAME_COLUMNS: usize = 12;

/// Prints what was found, and what an upload would carry. Creates nothing, neither key nor folder.
pub fn info(args: &InfoArgs) -> Result<()> {
    let home = Home::locate()?;
    let facts = probe::gather(&args.dir)?;
    let suite = &SUITES[0];
    let provider = facts.machine.provider_name();
    let answer = args.ask_cloud.then(|| metadata::ask(provider));
    let metadata = answer.as_ref().and_then(|answer| answer.as_ref().ok());
    let requests = requests(args, &home, &facts, metadata, suite)?;
    let text = serde_json::to_string_pretty(&requests).expect("texts and numbers only");
    if args.json {
        return terminal::print(&text);
    }
    let mut lines = describe_machine(&facts.machine);
    lines.extend(answer.as_ref().map(|answer| ("Metadata", metadata::describe_answer(provider, answer))));
    lines.push(("Filesystem", describe_filesystem(&facts.filesystem)));
    lines.extend(with_heading("Stack", storage::lines(&facts.storage)));
    lines.extend(
        facts.storage.drives.iter().flat_map(|drive| with_heading("Drive", storage::drive_lines(drive))),
    );
    lines.extend(describe_limits(&facts.limits));
    lines.push(("Suite", describe_suite(plan::whole_suite(&args.dir, suite, &facts))));
    let lines: Vec<String> =
        lines.iter().map(|(name, value)| format!("{name:<NAME_COLUMNS$}{value}")).collect();
    let terminal = Terminal::detect();
    terminal.print_broken(&format!(
        "{}\n\nAn upload sends these three requests and asks what became of the run; each is signed, its \
         payload in base64, its User-Agent {}.",
        lines.join("\n"),
        USER_AGENT
    ))?;
    terminal.print(&text)
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
    let cloud = machine.provider.as_ref().map(|provider| {
        let kind = provider.instance_type.as_deref().unwrap_or_default();
        ("Cloud", format!("{} {kind}", provider.name).trim_end().to_owned())
    });
    let container = machine.container.map(|container| ("Container", container.wire_name().to_owned()));
    let governor = machine.governor.map_or(String::new(), |governor| format!(", CPU governor {governor}"));
    let kernel = format!(
        "{}, clock source {} at {} ns a reading{governor}",
        machine.kernel,
        machine.clock_source,
        clock::read_cost_ns(&Monotonic)
    );
    [Some(("Machine", hardware)), maker, cloud, container, Some(("Kernel", kernel))]
        .into_iter()
        .flatten()
        .collect()
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

/// Lines of which the first one has a name before it.
fn with_heading(name: &'static str, lines: Vec<String>) -> Vec<Line> {
    lines.into_iter().enumerate().map(|(place, line)| (if place == 0 { name } else { "" }, line)).collect()
}

/// What the control groups allow, where they limit anything.
pub(super) fn describe_limits(limits: &Limits) -> Option<Line> {
    let rate =
        |name: &str, value: Option<u64>| value.map(|value| format!("{name} {}/s", units::bytes(value)));
    let operations = |name: &str, value: Option<u64>| value.map(|value| format!("{value} {name}/s"));
    let parts: Vec<String> = [
        limits.cpu_milli.map(|milli| format!("{} CPUs", cpus(milli))),
        limits.memory_bytes.map(|bytes| format!("{} memory", units::bytes(bytes))),
        rate("reads", limits.read_bytes_per_s),
        rate("writes", limits.write_bytes_per_s),
        operations("reads", limits.read_ops_per_s),
        operations("writes", limits.write_ops_per_s),
        limits
            .io_weight
            .filter(|&weight| weight != 100)
            .map(|weight| format!("I/O weight {weight} (usual: 100)")),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!parts.is_empty()).then(|| ("Limits", parts.join(", ")))
}

/// A number of CPUs to a tenth, and below a tenth to a thousandth: `2.5`, `0.050`.
fn cpus(milli: u64) -> String {
    match milli {
        0..100 => format!("0.{milli:03}"),
        _ => format!("{}.{}", milli / 1_000, milli % 1_000 / 100),
    }
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
        Err(error) => {
            let advice = error.advice.map(|advice| format!("\n{:NAME_COLUMNS$}{advice}", ""));
            format!("cannot be measured here: {}{}", error.what, advice.unwrap_or_default())
        }
    }
}

/// The three requests of an upload, their payloads as they would be sent.
fn requests(
    args: &InfoArgs,
    home: &Home,
    facts: &Facts,
    cloud_metadata: Option<&CloudMetadata>,
    suite: &'static Suite,
) -> Result<Value> {
    let key = key::load(home)?;
    let key_id = key.as_ref().map_or(NOT_MADE_YET.to_owned(), |key| key_id(&key.verifying_key()));
    let public_key =
        key.as_ref().map_or(NOT_MADE_YET.to_owned(), |key| envelope::public_key_base64(&key.verifying_key()));
    let text = |bytes: Vec<u8>| serde_json::from_slice::<Value>(&bytes).expect("we wrote it");
    let request = |method: &str, path: String, kind: &str, payload: Value| json!({"method": method, "path": path, "payloadType": kind, "payload": payload});
    let run_id = "(new for each run)";
    Ok(json!([
        request(
            "PUT",
            format!("/api/v1/keys/{key_id}"),
            statements::KEY_TYPE,
            json!({"schema": statements::KEY_SCHEMA, "public_key": public_key}),
        ),
        request(
            "POST",
            "/api/v1/challenges".to_owned(),
            statements::CHALLENGE_TYPE,
            text(statements::challenge_request(run_id, suite, None)),
        ),
        request(
            "PUT",
            format!("/api/v1/runs/{run_id}"),
            RUN_TYPE,
            run_payload(args, home, facts, cloud_metadata, suite)
        ),
    ]))
}

fn run_payload(
    args: &InfoArgs,
    home: &Home,
    facts: &Facts,
    cloud_metadata: Option<&CloudMetadata>,
    suite: &'static Suite,
) -> Value {
    let machine = key::known_machine_pseudonym(&Tree::live(), home).unwrap_or(NOT_MADE_YET.to_owned());
    let header = Header {
        run_id: "(new for each run)".to_owned(),
        suite,
        consent: Some(crate::wire::payload::CONSENT),
        machine,
        claim: args.claim.clone().into(),
        facts,
        cloud_metadata: cloud_metadata.cloned(),
    };
    let clock = RunClock {
        wall_start_unix_us: 0,
        mono_elapsed_ns: 0,
        boottime_elapsed_ns: 0,
        source: facts.machine.clock_source.clone(),
        read_cost_ns: 0,
    };
    let figures = RunFigures {
        clock,
        steal_permille: None,
        challenge: None,
        seed_proof: None,
        complete: true,
        workloads: Vec::new(),
    };
    let mut payload =
        serde_json::to_value(payload_assembly::build(&header, figures)).expect("texts and numbers only");
    payload["challenge"] = json!("(the server's, if it answers)");
    payload["seed_proof"] = json!("(SHA-256 of test data that follow from the challenge)");
    for name in ["wall_start_unix_us", "mono_elapsed_ns", "boottime_elapsed_ns", "read_cost_ns"] {
        payload["clock"][name] = json!(MEASURED);
    }
    payload["env"]["steal_permille"] = json!(MEASURED);
    payload["suite"]["complete"] = json!(MEASURED);
    payload["workloads"] = suite.workloads().into_iter().map(workload_payload).collect();
    payload
}

fn workload_payload(workload: &WorkloadDefinition) -> Value {
    let histogram = json!({
        "kind": "log128", "sum_ns": MEASURED, "min_ns": MEASURED, "max_ns": MEASURED,
        "counts": "(measured: pairs of bucket and count)",
    });
    let histograms: serde_json::Map<String, Value> =
        workload.latencies().iter().map(|kind| (kind.name().to_owned(), histogram.clone())).collect();
    let pressure = json!({"cpu_ns": MEASURED, "io_ns": MEASURED, "memory_ns": MEASURED});
    let pass = json!({
        "operations": MEASURED, "bytes": MEASURED, "elapsed_ns": MEASURED, "ended_by": MEASURED,
        "rate_samples": "(measured: operations in each tenth of a second)",
        "interference": {
            "device": {"reads": MEASURED, "writes": MEASURED, "bytes_read": MEASURED, "bytes_written": MEASURED},
            "other_cpu_ns": MEASURED, "steal_ns": MEASURED, "run_queue_ns": MEASURED, "throttled_ns": MEASURED,
            "pressure": pressure, "own_pressure": pressure, "cpu_mhz": MEASURED,
        },
    });
    json!({
        "id": workload.id, "version": workload.version, "operations": MEASURED, "bytes": MEASURED,
        "elapsed_ns": MEASURED, "sample_ns": crate::engine::suite_run::SAMPLE_NS,
        "passes": vec![pass; workload.passes.into()],
        "histograms": histograms, "flushes": MEASURED, "device_bytes": MEASURED,
        "engine": {
            "kind": "(psync, uring or uring-plain)", "writers": MEASURED, "queue_depth": MEASURED,
            "effective_depth_milli": MEASURED, "cpu_ns": MEASURED, "fallback": "(why it is another engine)",
        },
        "repeated_passes": MEASURED,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_share_of_a_cpu_is_not_none() {
        let shown =
            |milli| describe_limits(&Limits { cpu_milli: Some(milli), ..Limits::default() }).unwrap().1;
        assert_eq!([5, 99, 100, 2_500].map(shown), ["0.005 CPUs", "0.099 CPUs", "0.1 CPUs", "2.5 CPUs"]);
    }
}
