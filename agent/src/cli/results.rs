//! The arguments of the verbs about results that are kept.
#![allow(rustdoc::bare_urls)] // as in cli.rs

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{permille, workload_id};
use crate::judgement::slowdown::{Allowance, HeldFigure};

/// Of how many earlier runs a middle is taken at most: by then one more changes little, and older ones are of
/// another time.
const RUNS_MAX: i64 = 100;

/// `fsyncmark verify`
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// A signed result: from the spool, or downloaded from a run's page
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The public key in base64 that must have signed it; not needed for this machine's own
    #[arg(long, value_name = "BASE64")]
    pub key: Option<String>,
}

/// `fsyncmark compare`
#[derive(Debug, Clone, Args)]
pub struct CompareArgs {
    /// A signed result, or what `run --json` printed; or the word last, for the newest of the history
    /// beside the one before it of the same folder and suite
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Another, or the word last; with --server, the name of a plan there, for example hetzner-ax102;
    /// after last, the folder whose runs are meant
    #[arg(value_name = "B")]
    pub b: Option<PathBuf>,
    /// Only with last: beside the middle of so many runs before it, as far as there are so many
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=RUNS_MAX))]
    pub runs: u16,
    /// End in 1 if B is slower by more than this, such as 10%, and by more than either varies
    #[arg(long, value_name = "PERCENT", value_parser = permille)]
    pub fail_if_slower: Option<u32>,
    /// Of which figure --fail-if-slower speaks; percentiles need --runs=3 or more
    #[arg(long, value_name = "NAME", default_value = "rate", requires = "fail_if_slower")]
    pub figure: FigureName,
    /// Of which workloads it speaks, separated by commas; else of commit-8k
    #[arg(long, value_name = "IDS", value_delimiter = ',', value_parser = workload_id, requires = "fail_if_slower")]
    pub only: Vec<String>,
    /// Write what --fail-if-slower found into this file, as JUnit's XML
    #[arg(long, value_name = "FILE", requires = "fail_if_slower")]
    pub junit: Option<PathBuf>,
    /// The server that knows the plan, for example https://bench.example.org; else $FSYNCMARK_SERVER
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
    /// Print the comparison as a table in Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print the comparison as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `fsyncmark history`
#[derive(Debug, Clone, Args)]
pub struct HistoryArgs {
    /// Only what was measured in this folder
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print it as a table in Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print it as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `fsyncmark report`
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// A signed result, or what `run --json` printed
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write a page with charts into this file, which needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// The names of the figures that can be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FigureName {
    /// Operations a second
    Rate,
    /// The median latency
    P50,
    /// What one operation of a hundred exceeds
    P99,
    /// What one operation of a thousand exceeds
    #[value(name = "p99.9")]
    P999,
}

impl CompareArgs {
    /// What may become slower, and how much; `None` where nothing is held.
    pub fn allowance(&self) -> Option<Allowance> {
        let figure = match self.figure {
            FigureName::Rate => HeldFigure::Rate,
            FigureName::P50 => HeldFigure::P50,
            FigureName::P99 => HeldFigure::P99,
            FigureName::P999 => HeldFigure::P999,
        };
        self.fail_if_slower.map(|permille| Allowance { figure, permille, workloads: self.only.clone() })
    }
}
