//! The verb `run`: from flags to a figure on the screen and a result in the spool or at the server.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use serde::Serialize;

use crate::cli::{ClaimArgs, RunArgs};
use crate::delivery::{self, Parcel};
use crate::disk::leftovers;
use crate::disk::site::Folder;
use crate::dry_run;
use crate::engine::clock::{self, Clock as _, Monotonic};
use crate::engine::contents::Seed;
use crate::engine::recorder::Recorder;
use crate::engine::uring::Support;
use crate::envelope::Envelope;
use crate::error::{Error, Kind, Result};
use crate::fio::command;
use crate::home::Home;
use crate::html;
use crate::key;
use crate::measure::{self, Outcome, Setup};
use crate::metadata;
use crate::payload::{Claim, Clock, CloudMetadata, Run};
use crate::plan::{self, Choice, Plan};
use crate::probe::{self, Facts, Tree, diskstats};
use crate::report::{self, Figures, Header};
use crate::retry;
use crate::signals::Stop;
use crate::spool::Spool;
use crate::terminal::{Terminal, live, print, summary};
use crate::units;
use crate::upload::{Challenge, Server};
use crate::workload::{HEADLINE, Suite, Workload};

/// How long the device is watched before the run, to see what others do with it.
const IDLE_WATCH: Duration = Duration::from_secs(1);

impl From<ClaimArgs> for Claim {
    fn from(args: ClaimArgs) -> Self {
        Self { provider: args.provider, plan: args.plan, region: args.region }
    }
}

/// What became of a run.
struct Ending {
    run: Run,
    envelope: Envelope,
    /// Where the signed result waits; nothing once it is delivered, or when it could not be kept.
    spool_file: Option<PathBuf>,
    run_url: Option<String>,
}

/// Measures, shows, keeps, and sends if that was agreed.
pub fn run(args: &RunArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let suite = Suite::named(&args.suite).expect("the command line takes only known suites");
    let choice = Choice { only: args.only.clone(), skip: args.skip.clone() };
    if args.as_fio {
        let plan = plan::make(&args.dir, suite, &choice)?;
        let dir = std::path::absolute(&args.dir).unwrap_or_else(|_| args.dir.clone());
        return terminal.print(&command::script(&plan.workloads, &dir));
    }
    let home = Home::locate()?;
    args.html.as_deref().map(html::check).transpose()?;
    let server = args.server.as_deref().filter(|_| !args.no_upload).map(Server::at).transpose()?;
    let facts = probe::gather(&args.dir)?;
    if args.dry_run {
        let plan = plan::make(&args.dir, suite, &choice)?;
        let asks = args.ask_cloud.then(|| metadata::announce(facts.machine.provider_name()));
        return dry_run::print(&plan, disk_bytes(&facts), asks.as_deref(), args.json);
    }
    let swept = leftovers::sweep(&args.dir);
    let plan = plan::check_choice(&args.dir, suite, &choice, &facts)?;
    agree_to_write(&terminal, args, &plan, &facts)?;
    let key = key::load_or_make(&home)?;
    let stop = Stop::install()?;
    say_plan(&terminal, &plan, &facts, swept);
    let cloud_metadata = if args.ask_cloud { ask_cloud(&terminal, &facts) } else { None };
    let agreed = agree(&terminal, args, cloud_metadata.as_ref(), server.as_ref());
    let server = server.filter(|_| agreed);
    let run_id = new_run_id();
    let challenge =
        server.as_ref().and_then(|server| ask_for_challenge(&terminal, server, &key, &run_id, suite));
    let header = Header {
        run_id,
        suite,
        consent: agreed.then_some(report::CONSENT),
        machine: key::machine_pseudonym(&Tree::live(), &home)?,
        claim: args.claim.clone().into(),
        facts: &facts,
        cloud_metadata,
        other_io: diskstats::watch_idle(&facts.storage.disks, IDLE_WATCH),
    };
    let (figures, ended_early) = measure(&terminal, &plan, &facts, &stop, challenge);
    if figures.workloads.is_empty() {
        return Err(ended_early.unwrap_or_else(|| Error::new(Kind::Internal, "nothing was measured")));
    }
    let run = report::build(&header, figures);
    // Meanwhile the window may have another size.
    let terminal = Terminal::detect();
    summary::print(&terminal, &run);
    let envelope = delivery::seal(&run, &key);
    let mut ending = Ending { run, envelope, spool_file: None, run_url: None };
    let kept = keep(&mut ending, &Spool::of(&home));
    // What is measured cannot be lost any more: delivering it may be broken off at once.
    stop.end();
    let drawn = draw(&terminal, args, &ending);
    let problem = kept.and_then(|()| match (server, ended_early) {
        (Some(server), None) => send(&mut ending, &server, &key, &Spool::of(&home), &terminal),
        (_, ended_early) => {
            say_kept(&terminal, args, &ending);
            ended_early.map_or(Ok(()), Err)
        }
    });
    if let (Err(_), Err(error)) = (&problem, &drawn) {
        terminal.say(&format!("  {error}"));
    }
    print_result(args, &ending, problem.as_ref().err()).and(problem).and(drawn)
}

/// Makes the page, where one is wanted. What fails here loses nothing: `fsyncmark report` makes it again.
fn draw(terminal: &Terminal, args: &RunArgs, ending: &Ending) -> Result<()> {
    let Some(path) = &args.html else { return Ok(()) };
    html::write(path, &ending.run, Some(&ending.envelope))?;
    terminal.say(&format!("\n  The page is in {}", path.display()));
    Ok(())
}

/// What is written without a question: a thousandth of what small drives of today are rated for.
const UNASKED_BYTES: u64 = 100 << 30;

/// The size of the drive that wears, if it is known.
fn disk_bytes(facts: &Facts) -> Option<u64> {
    facts.storage.drives.first().map(|drive| drive.size_bytes)
}

/// Asks before a drive is worn visibly.
fn agree_to_write(terminal: &Terminal, args: &RunArgs, plan: &Plan, facts: &Facts) -> Result<()> {
    if args.yes || plan.bytes_written_max <= UNASKED_BYTES {
        return Ok(());
    }
    terminal.say(&format!("  {}.", dry_run::written(plan, disk_bytes(facts))));
    if terminal.can_ask() && terminal.ask("  Write that much?") {
        return Ok(());
    }
    Err(Error::new(Kind::Refused, "nobody agreed to write that much")
        .advise("Add --yes to agree, or leave workloads out with --skip or --only."))
}

/// Keeps the signed result, so that neither a power cut nor a server can lose it any more.
fn keep(ending: &mut Ending, spool: &Spool) -> Result<()> {
    let kept = spool.save(&ending.run.run_id, &ending.envelope.to_bytes());
    ending.spool_file = Some(kept.map_err(|error| Error {
        kind: Kind::NotDelivered,
        what: error.what,
        advice: Some(
            "The signed result is on stdout: save it, and send it with fsyncmark upload FILE.".to_owned(),
        ),
    })?);
    Ok(())
}

fn send(
    ending: &mut Ending,
    server: &Server,
    key: &SigningKey,
    spool: &Spool,
    terminal: &Terminal,
) -> Result<()> {
    let file = spool.path(&ending.run.run_id);
    let parcel = Parcel { file, envelope: ending.envelope.clone(), run: ending.run.clone() };
    terminal.say("");
    let delivered = parcel.deliver(server, key, spool, retry::AFTER_A_RUN, terminal);
    ending.spool_file = Some(parcel.file).filter(|file| file.exists());
    let url = delivered?;
    terminal.say(&format!("  {}", terminal.bold(&url)));
    ending.run_url = Some(url);
    Ok(())
}

fn say_plan(terminal: &Terminal, plan: &Plan, facts: &Facts, swept: usize) {
    if swept > 0 {
        terminal.say(&format!("  Removed {swept} test file(s) that a killed run had left here."));
    }
    let drive = facts.storage.drives.first();
    let model = drive.map(|drive| drive.model.as_str()).filter(|model| !model.is_empty());
    terminal.say(&format!(
        "  {}\n  {}{}\n  Writes at most {}, in files of {} that go away.\n  Takes {} s once they are filled.",
        terminal.bold(plan.suite.title),
        facts.storage.layers.join(" on "),
        model.map(|model| format!(", {model}")).unwrap_or_default(),
        units::bytes(plan.bytes_written_max),
        units::bytes(plan.file_bytes),
        if plan.seconds_usual == plan.seconds_max {
            plan.seconds_usual.to_string()
        } else {
            format!("{} to {}", plan.seconds_usual, plan.seconds_max)
        },
    ));
}

fn say_kept(terminal: &Terminal, args: &RunArgs, ending: &Ending) {
    let Some(file) = &ending.spool_file else { return };
    terminal.say(&format!(
        "\n  Nothing was sent. The signed result is kept in\n    {}\n  To send it:  fsyncmark upload --server {}",
        file.display(),
        args.server.as_deref().unwrap_or("URL")
    ));
}

/// Asks the cloud what this machine is, and says what came of it.
fn ask_cloud(terminal: &Terminal, facts: &Facts) -> Option<CloudMetadata> {
    let provider = facts.machine.provider_name();
    let told = metadata::ask(provider);
    terminal.say(&format!("  {}", metadata::recount(provider, &told)));
    told.ok()
}

/// What a yes means; what a cloud said is only in results for which it was asked.
pub fn terms(server: &Server, with_cloud: bool) -> String {
    format!(
        "  What is sent to {} is published there under CC0: rates and latency histograms; kernel, CPU, memory, \
         virtualisation; filesystem and mount options; drive model and firmware; a pseudonym of this machine; \
         {}. Never host or user names, addresses, serial numbers or paths. \
         Every byte of it: fsyncmark info",
        server.address(),
        if with_cloud {
            "what you say it is; and the instance type and region that its cloud names"
        } else {
            "and what you say it is"
        }
    )
}

/// Whether the result may be published: by `--yes`, or by an answer on a terminal. Without a server
/// nobody is asked, because nothing can be sent.
fn agree(
    terminal: &Terminal,
    args: &RunArgs,
    cloud: Option<&CloudMetadata>,
    server: Option<&Server>,
) -> bool {
    if args.yes {
        return true;
    }
    let Some(server) = server else { return false };
    if !terminal.can_ask() {
        terminal.say("  Nothing will be sent: there is nobody to ask. Add --yes to agree.");
        return false;
    }
    let claim = Claim::from(args.claim.clone());
    terminal.say(&format!("\n{}\n  You say it is: {claim}.", terms(server, cloud.is_some())));
    if let Some(cloud) = cloud {
        terminal.say(&format!("  Its cloud says: {cloud}."));
    }
    terminal.ask("  Send it when it is measured?")
}

fn ask_for_challenge(
    terminal: &Terminal,
    server: &Server,
    key: &SigningKey,
    run_id: &str,
    suite: &Suite,
) -> Option<Challenge> {
    match server.challenge(key, run_id, suite) {
        Ok(challenge) => {
            if challenge.suite_sha256 != report::suite_sha256(suite) {
                terminal.say("  The server has another definition of this suite: it may refuse the result. Update fsyncmark.");
            }
            Some(challenge)
        }
        Err(trouble) => {
            terminal.say(&format!(
                "  No challenge ({}): the run goes on. Its result can be sent later, and will count as signed, not as witnessed.",
                trouble.why()
            ));
            None
        }
    }
}

fn measure(
    terminal: &Terminal,
    plan: &Plan,
    facts: &Facts,
    stop: &Stop,
    challenge: Option<Challenge>,
) -> (Figures, Option<Error>) {
    let read_cost_ns = clock::read_cost_ns(&Monotonic);
    let (challenge_id, seed) = match challenge {
        Some(challenge) => (Some(challenge.id), challenge.seed),
        None => (None, Seed::random()),
    };
    let ring = Support::detect();
    let recorder = |workload: &&'static Workload| Recorder::for_writers(workload.manning(&ring).writers);
    let recorders: Vec<Arc<Recorder>> = plan.workloads.iter().map(recorder).map(Arc::new).collect();
    let display = live::display(*terminal, &plan.workloads, &recorders);
    let setup = Setup {
        workloads: &plan.workloads,
        recorders: &recorders,
        ring: &ring,
        seed: &seed,
        stop: stop.requested(),
        observer: &*display,
    };
    stop.begin();
    let started = (clock::wall_unix_us(), Monotonic.now_ns(), clock::boottime_ns());
    let mut folder = Folder::new(plan.dir.clone(), plan.naming, &facts.storage);
    let Outcome { seed_proof, workloads, skipped: _, ended_early } = measure::run_suite(&mut folder, &setup);
    let clock = Clock {
        wall_start_unix_us: started.0,
        mono_elapsed_ns: Monotonic.now_ns() - started.1,
        boottime_elapsed_ns: clock::boottime_ns() - started.2,
        source: facts.machine.clock_source.clone(),
        read_cost_ns,
    };
    drop(folder);
    drop(display);
    let seed_proof = seed_proof.filter(|_| challenge_id.is_some());
    let figures = Figures {
        clock,
        challenge: challenge_id,
        seed_proof,
        complete: ended_early.is_none() && plan.is_whole,
        workloads: workloads.iter().map(report::workload).collect(),
    };
    (figures, ended_early)
}

/// UUID version 7: begins with the time, so that ids sort by it.
fn new_run_id() -> String {
    let millis = clock::wall_unix_us() / 1_000;
    uuid::Builder::from_unix_timestamp_millis(millis, &crate::random()).into_uuid().to_string()
}

/// Commits a second of the headline workload, if it was measured.
pub fn commits_per_s(run: &Run) -> Option<f64> {
    let headline = run.workloads.iter().find(|workload| workload.id == HEADLINE)?;
    let rate = headline.operations as f64 * 1e9 / headline.elapsed_ns as f64;
    Some((rate * 100.0).round() / 100.0)
}

/// What `--json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    run_id: &'a str,
    commits_per_s: Option<f64>,
    uploaded: bool,
    run_url: Option<&'a str>,
    spool_file: Option<&'a Path>,
    payload: &'a Run,
    /// Only when it is kept nowhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    envelope: Option<&'a Envelope>,
}

/// With `--json` the whole result; without, only what is kept nowhere else.
fn print_result(args: &RunArgs, ending: &Ending, problem: Option<&Error>) -> Result<()> {
    let unkept = ending.spool_file.is_none() && problem.is_some_and(|error| error.kind == Kind::NotDelivered);
    let envelope = Some(&ending.envelope).filter(|_| unkept);
    if args.json {
        let printed = Printed {
            run_id: &ending.run.run_id,
            commits_per_s: commits_per_s(&ending.run),
            uploaded: ending.run_url.is_some(),
            run_url: ending.run_url.as_deref(),
            spool_file: ending.spool_file.as_deref(),
            payload: &ending.run,
            envelope,
        };
        print(&serde_json::to_string(&printed).expect("texts and numbers only"))
    } else if let Some(envelope) = envelope {
        print(&String::from_utf8_lossy(&envelope.to_bytes()))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_name_what_the_cloud_said_only_where_it_was_asked() {
        let server = Server::at("https://bench.example.org").unwrap();
        assert!(
            terms(&server, true)
                .contains("what you say it is; and the instance type and region that its cloud names. Never")
        );
        assert!(terms(&server, false).contains("; and what you say it is. Never"));
    }
}
