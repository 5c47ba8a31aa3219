//! The command line: verbs, flags and the help that teaches them.
#![allow(rustdoc::bare_urls)] // these comments are the help: a terminal shows no markup

mod keys;
mod results;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use self::keys::{KeyAction, KeyArgs, ServerArgs, UploadArgs, WithdrawArgs};
pub use self::results::{CompareArgs, HistoryArgs, ReportArgs, VerifyArgs};
use self::values::{claim_text, run_id, suite_parser, workload_id};
use crate::exit_code::{COMPARE_EXIT_CODES, EXIT_CODES, LOGIN_EXIT_CODES, WITHDRAW_EXIT_CODES};
use crate::plan::Choice;
use crate::plan::workload::Suite;
use crate::wire::payload::Claim;

/// The longest wait for a quiet machine: a machine that is busy all day long is measured as it is.
const WAIT_QUIET_S_MAX: u64 = 24 * 60 * 60;

/// What the whole manual ends with.
pub(crate) const EXAMPLES: &str = "\
Examples:
  fsyncmark run                  measure the disk of this folder, send nothing
  fsyncmark run /var/lib/postgresql --server https://bench.example.org \\
      --provider Hetzner --plan AX102 --region fsn1
  fsyncmark run --json | jq .commits_per_s
  fsyncmark info /data           what it sees, and every byte it would send
  fsyncmark run --html page.html a page with charts, in one file
  fsyncmark login --server https://bench.example.org
                                 link this machine with your account there
  fsyncmark compare old.json new.json
  fsyncmark history              what was measured here before
  fsyncmark compare last --runs=7 --fail-if-slower=10%
                                 the newest beside the seven before it, for CI
  fsyncmark explain p99          what a word of it means
  fsyncmark run --as-fio         the same as fio commands
  fsyncmark fio job.fio          the workload that is nearest to a job

Folders:
  The signing key and the results that wait lie in $FSYNCMARK_HOME; else,
  for root, in /etc/fsyncmark and /var/lib/fsyncmark/spool; else in
  $XDG_CONFIG_HOME/fsyncmark or ~/.config/fsyncmark. The history lies in
  $FSYNCMARK_HOME/history; else, for root, in /var/lib/fsyncmark/history;
  else in the folder fsyncmark/history of $XDG_STATE_HOME or ~/.local/state.

Also from the environment:
  FSYNCMARK_SERVER
                 the server where no --server is given
  FSYNCMARK_TICKET
                 the ticket of a run where no --ticket is given
  NO_COLOR       takes the colours away
  SSL_CERT_FILE  the roots to trust, for a server with a certificate of its own
  ALL_PROXY, HTTPS_PROXY, HTTP_PROXY
                 the first that is set leads to the server, not --ask-cloud
  NO_PROXY       hosts that are reached without one";

/// Measures how many durable commits a second a disk really does.
///
/// A database acknowledges a commit when its log is durable: one small write, then a sync. With one
/// writer, commits a second are 1 / that latency, whatever IOPS a drive is rated at. Fsyncmark
/// does exactly that on a file of its own, for about a minute, shows the result, signs it, and
/// sends it to a server if you say so.
#[derive(Debug, Parser)]
#[command(name = "fsyncmark", version, max_term_width = 80, after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Measure the disk behind a folder
    ///
    /// Writes a test file of 64 MiB and one of 1 GiB into DIR and at most 5 GiB in all, and
    /// removes them on every exit; other suites write more, see --dry-run. Nothing leaves the
    /// machine without a server and a yes.
    Run(RunArgs),
    /// Show what was found about the machine, and every byte that an upload would carry
    Info(InfoArgs),
    /// Check whether a folder can be measured well, and say what to do if not
    ///
    /// Makes a small file as a run does and writes 4 KiB to it; nothing is left behind. Ends in 0 when a run
    /// would work, whatever it notes, and in what the run would end in otherwise.
    Doctor(DoctorArgs),
    /// Check the signature and the figures of a signed result
    Verify(VerifyArgs),
    /// Send results that wait in the spool, or the named files
    Upload(UploadArgs),
    /// Show this machine's public key, its file and its state on a server; makes it on first use
    Key(KeyArgs),
    /// Link this machine's key with your account on a server
    ///
    /// Shows an address and a code to type there, and waits ten minutes at most. Nothing but the link is
    /// made: the agent gets no password and no token.
    #[command(after_help = LOGIN_EXIT_CODES)]
    Login(ServerArgs),
    /// Withdraw a run that this machine's key sent: it counts no more, and keeps its page
    #[command(after_help = WITHDRAW_EXIT_CODES)]
    Withdraw(WithdrawArgs),
    /// Put two results side by side, or a result and a plan of a server
    #[command(after_help = COMPARE_EXIT_CODES)]
    Compare(CompareArgs),
    /// List what was measured here before
    ///
    /// Each run leaves a copy of its signed result on this machine, 64 MiB at most, the oldest goes first.
    /// None of it is ever sent. An entry is a file that report, compare and verify take.
    History(HistoryArgs),
    /// Say what a workload, label, note, class, level or term means, and what to do about it
    Explain(ExplainArgs),
    /// Show a kept result again, or make a page of it
    Report(ReportArgs),
    /// Say which workload comes nearest to a job of fio, and what differs
    ///
    /// Takes a job file or fio's own arguments. The other way round, run --as-fio prints the jobs that do
    /// what our workloads do.
    Fio(FioArgs),
    /// Print the manual page: fsyncmark man > fsyncmark.1
    Man,
    /// Print the completions of a shell: source <(fsyncmark completions bash)
    ///
    /// To keep them: bash, ~/.local/share/bash-completion/completions/fsyncmark;
    /// zsh, a file named _fsyncmark in a folder of $fpath;
    /// fish, ~/.config/fish/completions/fsyncmark.fish.
    Completions(CompletionsArgs),
    /// Removes a test file whose run was killed; `run` starts this by itself
    #[command(name = crate::disk::leftovers::WATCH_VERB, hide = true)]
    RemoveOrphanedTestFile,
}

/// What the machine is, in the words of whoever rents it out.
#[derive(Debug, Clone, Default, Args)]
pub struct ClaimArgs {
    /// Who rents the machine out, for example Hetzner; Home for your own
    #[arg(long, value_name = "NAME", value_parser = claim_text)]
    pub provider: Option<String>,
    /// The provider's name for what you rent, for example AX102 or gp3
    #[arg(long, value_name = "NAME", value_parser = claim_text)]
    pub plan: Option<String>,
    /// The provider's name for the place, for example fsn1
    #[arg(long, value_name = "NAME", value_parser = claim_text)]
    pub region: Option<String>,
}

/// `fsyncmark run`
#[derive(Debug, Clone, Args)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of the command line
pub struct RunArgs {
    /// A folder on the disk to measure
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// What to measure
    #[arg(long, value_name = "NAME", default_value = "quick", value_parser = suite_parser())]
    pub suite: &'static Suite,
    /// Only these workloads of the suite, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', value_parser = workload_id)]
    pub only: Vec<String>,
    /// Not these workloads of the suite
    #[arg(long, value_name = "IDS", value_delimiter = ',', value_parser = workload_id)]
    pub skip: Vec<String>,
    /// Print what would be measured, what it would write and how long it would take; write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print the fio command that does the same as each workload, or why fio cannot; measure nothing
    #[arg(long, conflicts_with_all = ["dry_run", "json", "html", "server"])]
    pub as_fio: bool,
    /// Where to send the result, for example https://bench.example.org; else $FSYNCMARK_SERVER, else nowhere
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub claim: ClaimArgs,
    /// Ask the cloud's metadata service, inside its own network and without a token, for instance
    /// type and region; else nobody is asked. With =proof, also send the server, apart from the result,
    /// what the provider signed of this machine, which names account and instance
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "type")]
    pub ask_cloud: Option<CloudQuestion>,
    /// The id of the run, a UUID of version 7 in lower case, where somebody looks for it at the server;
    /// else a new one
    #[arg(long, value_name = "UUID", value_parser = run_id)]
    pub run_id: Option<String>,
    /// A ticket of the server, which says for whose account this one run counts; else
    /// $FSYNCMARK_TICKET, which other processes here do not see
    #[arg(long, value_name = "TICKET")]
    pub ticket: Option<String>,
    /// Do not wait for what the server makes of it
    #[arg(long)]
    pub no_wait: bool,
    /// Send nothing and do not ask; the signed result is kept for `fsyncmark upload`
    #[arg(long)]
    pub no_upload: bool,
    /// Print the whole result as one JSON object on stdout, and nothing else there
    #[arg(long)]
    pub json: bool,
    /// Write a page with charts into this file, which needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Wait up to SECONDS, a day at most, until other programs leave the machine alone; 0 begins at
    /// once. Without it, a short while on a terminal
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "600",
        value_parser = clap::value_parser!(u64).range(..=WAIT_QUIET_S_MAX))]
    pub wait_quiet: Option<u64>,
    /// Agree to publish the signed result under CC0, and to write as much as the suite asks for,
    /// without being asked
    #[arg(long)]
    pub yes: bool,
}

impl RunArgs {
    /// Whether what the provider signed shall be sent.
    pub fn wants_proof(&self) -> bool {
        self.ask_cloud == Some(CloudQuestion::Proof)
    }

    /// What of the suite is measured.
    pub fn choice(&self) -> Choice {
        Choice { only: self.only.clone(), skip: self.skip.clone() }
    }
}

/// `fsyncmark info`
#[derive(Debug, Clone, Args)]
pub struct InfoArgs {
    /// A folder on the disk in question
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub claim: ClaimArgs,
    /// Ask the cloud's metadata service too, as run --ask-cloud does
    #[arg(long)]
    pub ask_cloud: bool,
    /// Print only what an upload would carry, as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `fsyncmark doctor`
#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    /// A folder on the disk in question
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
}

/// `fsyncmark explain`
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// For example commit-8k, few-flushes, p99 or PLP; without it, all that can be explained
    #[arg(value_name = "ID")]
    pub id: Vec<String>,
}

/// `fsyncmark fio`
#[derive(Debug, Clone, Args)]
pub struct FioArgs {
    /// A job file, or arguments as fio takes them
    #[arg(value_name = "JOBFILE|ARGS", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

/// `fsyncmark completions`
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// Whose completions
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// A shell that completes command lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // the help shows what stands here
pub enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// What the cloud is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CloudQuestion {
    /// Instance type and region
    Type,
    /// And what the provider signed of this machine
    Proof,
}

impl From<ClaimArgs> for Claim {
    fn from(args: ClaimArgs) -> Self {
        Self { provider: args.provider, plan: args.plan, region: args.region }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::workload::files_of;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_line_of_ours_is_broken_by_the_help() {
        for line in EXAMPLES.lines().chain(EXIT_CODES.lines()) {
            assert!(line.len() < 80, "{line}");
        }
    }

    #[test]
    fn the_help_of_run_states_what_its_usual_suite_writes() {
        let quick = Suite::with_id("quick").unwrap();
        let mut command = Cli::command();
        let run = command.find_subcommand_mut("run").unwrap();
        let help: String =
            run.render_long_help().to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let mut bytes: Vec<u64> = files_of(&quick.workloads()).iter().map(|file| file.bytes).collect();
        bytes.sort_unstable();
        assert_eq!(bytes.len(), 2);
        let (small, large, all) = (bytes[0] >> 20, bytes[1] >> 30, quick.bytes_written_max >> 30);
        let sentence = format!(
            "a test file of {small} MiB and one of {large} GiB into DIR and at most {all} GiB in all"
        );
        assert!(help.contains(&sentence), "{sentence}");
    }
}
