//! What `./run faults` sends: signed runs in a spool, made by the agent's own code without a minute of
//! measuring for each.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Parser;
use fsyncmark::delivery::{home::Home, key, seal, spool::Spool};
use fsyncmark::error::{Error, ErrorKind, Result};
use fsyncmark::wire::payload::Run;

/// Puts runs into the spool of a home, and prints their ids.
#[derive(Debug, Parser)]
struct Arguments {
    /// The home: its key, which is made if it has none, and its spool
    home: PathBuf,
    /// A run as JSON, of which each is a copy with an id and a time of its own
    run: PathBuf,
    /// How many
    count: u32,
    /// Its id, where it shall not have one of its own
    #[arg(long)]
    run_id: Option<String>,
    /// What the clock of the machine is off by, in seconds
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    clock_off: i64,
}

fn main() -> ExitCode {
    match perform(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(arguments: &Arguments) -> Result<()> {
    let home = Home::below(&arguments.home);
    let key = key::load_or_make(&home)?;
    let spool = Spool::in_home(&home);
    let failed = |what: &str| Error::new(ErrorKind::NoInput, format!("{}: {what}", arguments.run.display()));
    let file = File::open(&arguments.run).map_err(|error| failed(&error.to_string()))?;
    let mut run: Run = serde_json::from_reader(file).map_err(|error| failed(&error.to_string()))?;
    run.challenge = None;
    run.seed_proof = None;
    for _ in 0..arguments.count {
        let now = now(arguments.clock_off);
        run.run_id = arguments.run_id.clone().unwrap_or_else(|| run_id(now));
        run.clock.wall_start_unix_us = u64::try_from(now.as_micros()).expect("within the next centuries");
        spool.save(&run.run_id, &seal(&run, &key).to_bytes())?;
        println!("{}", run.run_id);
    }
    Ok(())
}

/// The time since 1970 by a clock that is wrong by so many seconds.
fn now(off_s: i64) -> Duration {
    let true_time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let by = Duration::from_secs(off_s.unsigned_abs());
    if off_s < 0 { true_time.saturating_sub(by) } else { true_time + by }
}

/// A UUID of version 7, whose first 48 bits are the time in milliseconds.
fn run_id(now: Duration) -> String {
    let mut random = [0; 10];
    getrandom::getrandom(&mut random).expect("the kernel has random numbers");
    let millis = u64::try_from(now.as_millis()).expect("within the next centuries");
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string()
}
