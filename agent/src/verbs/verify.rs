//! The verb `verify`: does the signature fit, and do the figures add up?

use ed25519_dalek::VerifyingKey;
use sha2::{Digest, Sha256};

use crate::cli::VerifyArgs;
use crate::delivery;
use crate::engine::histogram::Distribution;
use crate::envelope::{self, ENVELOPE_BYTES_MAX, Envelope, key_id};
use crate::error::{Error, Kind, Result};
use crate::hex;
use crate::home::Home;
use crate::key;
use crate::payload::{Pass, RUN_TYPE, Run, Workload};
use crate::probe::printable;
use crate::terminal::Terminal;
use crate::units;

/// How far the sum of a single writer's latencies may be from its time: the agent's own are exactly equal, a
/// loop that reads the clock twice loses less than this.
const SUM_TOLERANCE: f64 = 0.02;

/// Checks a file and says what was checked.
pub fn verify(args: &VerifyArgs) -> Result<()> {
    let bytes = read(&args.file)?;
    let envelope = Envelope::parse(&bytes)?;
    let (public_key, origin) = find_key(args.key.as_deref(), &envelope)?;
    let body = envelope.open(&public_key)?;
    let terminal = Terminal::detect();
    terminal.print(&format!(
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
    terminal.print(&describe(&run))?;
    let faults: Vec<String> = run.workloads.iter().flat_map(faults).collect();
    if !faults.is_empty() {
        let faults = faults.join("; ");
        return Err(Error::new(
            Kind::Data,
            format!("the signature fits, but the figures do not add up: {faults}"),
        ));
    }
    terminal.print(&format!(
        "{}\nfigures     add up: in each workload, histograms and passes hold as many\n            \
         operations as it states, and its latencies its time",
        table(&run)
    ))
}

/// Reads a file that is no longer than an envelope may be.
pub(crate) fn read(path: &std::path::Path) -> Result<Vec<u8>> {
    use std::io::Read;
    let failed =
        |error: std::io::Error| Error::from_io(Kind::NoInput, &format!("read {}", path.display()), &error);
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(ENVELOPE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The key that must have signed: the one that was asked for, else the one in the file if it matches its
/// id, else this machine's own.
pub(crate) fn find_key(stated: Option<&str>, envelope: &Envelope) -> Result<(VerifyingKey, &'static str)> {
    if let Some(text) = stated {
        return Ok((envelope::public_key(text)?, "the key that you named"));
    }
    let own =
        Home::locate().ok().and_then(|home| key::load(&home).ok().flatten()).map(|key| key.verifying_key());
    for signature in &envelope.signatures {
        if let Some(own) = own.filter(|own| key_id(own) == signature.keyid) {
            return Ok((own, "this machine's key"));
        }
        if let Some(text) = &signature.public_key {
            let public_key = envelope::public_key(text)?;
            if key_id(&public_key) == signature.keyid {
                return Ok((
                    public_key,
                    "the key in the file; compare its id with the one on the run's page",
                ));
            }
        }
    }
    let keyid = printable(&envelope.signatures[0].keyid, 64);
    Err(Error::new(Kind::NoInput, format!("the file does not carry the public key {keyid}"))
        .advise("Copy it from the run's page: fsyncmark verify FILE --key BASE64"))
}

fn describe(run: &Run) -> String {
    format!(
        "run         {}, {}\n            suite {} v{}{}, agent {} for {}\nclaim       {}",
        printable(&run.run_id, 64),
        units::utc(run.clock.wall_start_unix_us),
        printable(&run.suite.id, 64),
        run.suite.version,
        if run.suite.complete { "" } else { " (ended early)" },
        printable(&run.agent.version, 64),
        printable(&run.agent.target, 64),
        run.claim
    )
}

/// Rate and latencies of each workload, whose figures were found to add up.
fn table(run: &Run) -> String {
    let line = |workload: &Workload| {
        let latencies = workload.whole_operations();
        let latency = |q| latencies.as_ref().map(|l| units::latency(l.percentile_ns(q))).unwrap_or_default();
        format!(
            "            {:<18}{:>10} /s   p50 {:>8}   p99 {:>8}",
            printable(&workload.id, 64),
            units::rate(workload.operations as f64 * 1e9 / workload.elapsed_ns.max(1) as f64),
            latency(5_000),
            latency(9_900)
        )
    };
    run.workloads.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What contradicts itself in one workload.
pub(crate) fn faults(workload: &Workload) -> Vec<String> {
    let id = printable(&workload.id, 64);
    let mut faults = Vec::new();
    for (name, histogram) in workload.histograms.present() {
        let distribution = Distribution::from(histogram);
        if let Some(fault) = distribution.fault() {
            faults.push(format!("{id}: the {name} histogram {fault}"));
        } else if distribution.total() != workload.operations {
            faults.push(format!(
                "{id}: the {name} histogram holds {} operations, not {}",
                distribution.total(),
                workload.operations
            ));
        }
    }
    let passes = |field: fn(&Pass) -> u64| workload.passes.iter().map(field).fold(0, u64::saturating_add);
    for (name, stated, counted) in [
        ("operations", workload.operations, passes(|pass| pass.operations)),
        ("bytes", workload.bytes, passes(|pass| pass.bytes)),
        ("nanoseconds", workload.elapsed_ns, passes(|pass| pass.elapsed_ns)),
    ] {
        if stated != counted {
            faults.push(format!("{id}: its passes have {counted} {name}, not {stated}"));
        }
    }
    if let Some(whole) = workload.whole_operations() {
        let share = whole.sum_ns as f64 / workload.elapsed_ns.max(1) as f64;
        if (share - 1.0).abs() > SUM_TOLERANCE {
            faults.push(format!("{id}: its latencies add up to {:.0} % of its time", 100.0 * share));
        }
    }
    faults
}
