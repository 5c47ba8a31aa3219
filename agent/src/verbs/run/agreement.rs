//! What a person is asked before a run: whether this much may be written, and whether the result may be sent.

use crate::cli::RunArgs;
use crate::delivery::server::Server;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Plan;
use crate::probe::Facts;
use crate::report::terminal::Terminal;
use crate::verbs::consent::terms;
use crate::wire::payload::{Claim, CloudMetadata};

use super::dry_run;

/// The most that is written without asking: a thousandth of what small drives are rated for.
const UNASKED_BYTES: u64 = 16 << 30;

/// Asks before so much is written that it shows in the wear of a small drive.
pub(super) fn agree_to_write(terminal: &Terminal, args: &RunArgs, plan: &Plan, facts: &Facts) -> Result<()> {
    if args.yes || plan.bytes_written_max <= UNASKED_BYTES {
        return Ok(());
    }
    terminal.say(&format!("  {}.", dry_run::writes(plan, facts.storage.smallest_drive_bytes())));
    if terminal.can_ask() && terminal.ask("  Write that much?") {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Refused, "nobody agreed to write that much")
        .advise("Add --yes to agree, or leave workloads out with --skip or --only."))
}

/// Whether the result may be published: by `--yes`, or by an answer on a terminal. Without a server no
/// question is asked, and `--yes` agrees only to the writing: the result is signed without consent to
/// publish.
pub(super) fn agree(
    terminal: &Terminal,
    args: &RunArgs,
    cloud: Option<&CloudMetadata>,
    server: Option<&Server>,
) -> bool {
    let Some(server) = server else { return false };
    if args.yes {
        return true;
    }
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Verb};

    #[test]
    fn a_yes_agrees_to_publishing_only_where_something_can_be_sent() {
        let Verb::Run(args) = Cli::parse_from(["fsyncmark", "run", "--yes"]).verb else {
            unreachable!("the verb was run")
        };
        let terminal = Terminal::detect();
        let server = Server::at("https://bench.example.org").unwrap();
        assert!(agree(&terminal, &args, None, Some(&server)));
        assert!(!agree(&terminal, &args, None, None));
    }
}
