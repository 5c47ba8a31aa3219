//! Turns facts and figures into the payload that is signed.

use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::engine::suite_run::{self, WorkloadOutcome};
use crate::hex;
use crate::plan::workload;
use crate::probe::Facts;
use crate::probe::storage::drive::Drive;
use crate::text::printable;
use crate::wire::payload::{
    Agent, Claim, CloudMetadata, Consent, Device, Environment, RUN_SCHEMA, Run, RunClock, SuiteReference,
};
use crate::wire::workload::{Engine, Histograms, LatencyKind, Pass, Workload};

/// The largest value of a duration on the wire: ten days.
const DURATION_NS_MAX: u64 = 864_000_000_000_000;
/// The longest reason for another engine.
const FALLBACK_LENGTH_MAX: usize = 128;
/// The largest integer that every JSON reader keeps exactly.
const INTEGER_MAX: u64 = (1 << 53) - 1;

/// The part of a payload that is known before the first pass.
#[derive(Debug, Clone)]
pub struct Header<'a> {
    /// The run's own id.
    pub run_id: String,
    /// The suite that runs.
    pub suite: &'static workload::Suite,
    /// What the person agreed to, if anything yet.
    pub consent: Option<Consent>,
    /// The machine's pseudonym.
    pub machine: String,
    /// What the person says the machine is.
    pub claim: Claim,
    /// What the machine says it is.
    pub facts: &'a Facts,
    /// What the cloud says it is, if it was asked and answered.
    pub cloud_metadata: Option<CloudMetadata>,
}

/// The part of a payload that is known only after the run.
#[derive(Debug, Clone)]
pub struct RunFigures {
    /// When the run began, how long it took, and the clock that timed it.
    pub clock: RunClock,
    /// Thousandths of the CPUs' time that the hypervisor took meanwhile.
    pub steal_permille: Option<u32>,
    /// The server's challenge, if there was one.
    pub challenge: Option<String>,
    /// The proof that the file was written, where the server gave the seed.
    pub seed_proof: Option<String>,
    /// Whether the whole suite was measured.
    pub complete: bool,
    /// One entry per workload.
    pub workloads: Vec<Workload>,
}

/// The whole payload.
pub fn build(header: &Header<'_>, figures: RunFigures) -> Run {
    let storage = &header.facts.storage;
    Run {
        schema: RUN_SCHEMA.to_owned(),
        run_id: header.run_id.clone(),
        challenge: figures.challenge,
        seed_proof: figures.seed_proof,
        agent: agent(),
        suite: SuiteReference {
            id: header.suite.id.to_owned(),
            version: header.suite.version,
            sha256: suite_sha256(header.suite),
            complete: figures.complete,
        },
        consent: header.consent,
        clock: figures.clock,
        machine: header.machine.clone(),
        claim: header.claim.clone(),
        env: env(header, figures.steal_permille),
        stack: storage.layers.clone(),
        devices: storage.drives.iter().map(device).collect(),
        workloads: figures.workloads,
    }
}

/// This program. Its commit is known where the build was told (`FSYNCMARK_COMMIT`), as for releases.
pub fn agent() -> Agent {
    Agent {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("FSYNCMARK_COMMIT")
            .filter(|commit| hex::decode::<20>(commit).is_some())
            .map(str::to_owned),
        target: env!("FSYNCMARK_TARGET").to_owned(),
        self_sha256: std::env::current_exe().ok().and_then(|program| sha256_of_file(&program).ok()),
    }
}

/// SHA-256 of a suite's shared definition.
pub fn suite_sha256(suite: &workload::Suite) -> String {
    suite.definition_sha256.to_owned()
}

fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    digest.update(std::fs::read(path)?);
    Ok(hex::encode(&digest.finalize()))
}

fn env(header: &Header<'_>, steal_permille: Option<u32>) -> Environment {
    let facts = header.facts;
    let (machine, filesystem) = (&facts.machine, &facts.filesystem);
    Environment {
        os: std::env::consts::OS.to_owned(),
        kernel: machine.kernel.clone(),
        arch: std::env::consts::ARCH.to_owned(),
        cpu_model: machine.cpu_model.clone(),
        cpu_count: machine.cpu_count,
        ram_bytes: machine.ram_bytes.min(INTEGER_MAX),
        virt: machine.virtualisation.wire_name().to_owned(),
        cloud_vendor: machine.maker.vendor.clone(),
        cloud_product: machine.maker.product.clone(),
        provider: machine.provider.as_ref().map(|provider| provider.name.to_owned()),
        instance_type: machine.provider.as_ref().and_then(|provider| provider.instance_type.clone()),
        cloud_metadata: header.cloud_metadata.clone(),
        container: machine.container.map(|container| container.wire_name().to_owned()),
        cpu_governor: machine.governor.map(str::to_owned),
        steal_permille,
        limits: facts.limits.clone(),
        fs: filesystem.name.clone(),
        mount_flags: filesystem.mount_flags.clone(),
        fs_size_bytes: filesystem.size_bytes.min(INTEGER_MAX),
        fs_free_bytes: filesystem.free_bytes.min(INTEGER_MAX),
    }
}

fn device(drive: &Drive) -> Device {
    Device {
        class: drive.class.wire_name().to_owned(),
        transport: drive.transport.to_owned(),
        vendor: drive.vendor.clone(),
        model: drive.model.clone(),
        firmware: drive.firmware.clone(),
        size_bytes: drive.size_bytes.min(INTEGER_MAX),
        rotational: drive.rotational,
        write_cache: drive.write_cache.wire_name().to_owned(),
        fua: drive.fua,
        scheduler: drive.scheduler.clone(),
        logical_block_bytes: drive.logical_block_bytes,
        physical_block_bytes: drive.physical_block_bytes,
        queue_depth: drive.queue_depth,
        pcie: drive.pcie,
        volatile_write_cache: drive.volatile_write_cache,
        wear_percent: drive.wear_percent,
        driver: drive.driver.clone(),
        driver_write_cache: drive.driver_write_cache.map(|cache| cache.wire_name().to_owned()),
        raid_volume: drive.raid_volume,
    }
}

/// One workload's figures on the wire.
pub fn workload(outcome: &WorkloadOutcome) -> Workload {
    let passes: Vec<Pass> = outcome
        .passes
        .iter()
        .map(|pass| Pass {
            operations: pass.operations,
            bytes: pass.bytes,
            elapsed_ns: pass.elapsed_ns.min(DURATION_NS_MAX),
            ended_by: pass.ended_by,
            rate_samples: pass.rate_samples.clone(),
            open_loop: pass.open_loop,
            interference: pass.interference,
        })
        .collect();
    let histograms = Histograms::collect(|kind| {
        // In a search, each pass has its own lag.
        let is_of_passes = kind == LatencyKind::Lag && outcome.workload.slo.is_some();
        outcome.recorder.merge(kind).filter(|_| !is_of_passes).map(Into::into)
    });
    let elapsed_ns = passes.iter().map(|pass| pass.elapsed_ns).sum::<u64>().min(DURATION_NS_MAX);
    Workload {
        id: outcome.workload.id.to_owned(),
        version: outcome.workload.version,
        operations: passes.iter().map(|pass| pass.operations).sum(),
        bytes: passes.iter().map(|pass| pass.bytes).sum(),
        elapsed_ns,
        sample_ns: suite_run::SAMPLE_NS,
        passes,
        flushes: outcome.flushes,
        device_bytes: outcome.device_bytes,
        intent_log_commits: outcome.intent_log_commits,
        engine: Some(engine(outcome, &histograms, elapsed_ns)),
        repeated_passes: outcome.repeated_passes,
        histograms,
    }
}

/// The engine, and how deep its queue really was: by Little's law the mean number in flight is the sum of all
/// latencies over the elapsed time.
fn engine(outcome: &WorkloadOutcome, histograms: &Histograms, elapsed_ns: u64) -> Engine {
    let choice = &outcome.engine_choice;
    let in_flight_ns: u128 = match &histograms.commit {
        Some(commit) => commit.sum_ns.into(),
        None => histograms.present().map(|(_, histogram)| u128::from(histogram.sum_ns)).sum(),
    };
    let milli = in_flight_ns * 1_000 / u128::from(elapsed_ns.max(1));
    Engine {
        kind: choice.engine.wire_name().to_owned(),
        writers: u32::try_from(choice.writers).unwrap_or(u32::MAX),
        queue_depth: u32::try_from(choice.queue_depth).unwrap_or(u32::MAX),
        effective_depth_milli: u64::try_from(milli).unwrap_or(u64::MAX),
        cpu_ns: outcome.cpu_ns.min(DURATION_NS_MAX),
        fallback: choice.reason.as_ref().map(|reason| printable(reason, FALLBACK_LENGTH_MAX)),
    }
}
