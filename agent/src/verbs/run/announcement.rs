//! What is printed before a run: the plan, and what the cloud calls the machine.

use crate::cli::RunArgs;
use crate::delivery::server::Server;
use crate::plan::Plan;
use crate::probe::{Facts, metadata};
use crate::report::terminal::Terminal;
use crate::units;
use crate::wire::payload::CloudMetadata;

/// Says for whom a run waits before it looks at anything.
pub(super) fn say_waits(terminal: &Terminal, holder: &str) {
    terminal.say(&format!(
        "  {holder} has this folder: waiting until it ends, because two runs there would measure each other."
    ));
}

/// Prints what will be measured, where, and what it costs.
pub(super) fn say_plan(terminal: &Terminal, plan: &Plan, facts: &Facts, swept: usize) {
    if swept > 0 {
        terminal.say(&format!("  Removed {swept} test file(s) that a killed run had left here."));
    }
    let models = facts.storage.drive_models().into_iter().map(|model| format!(", {model}"));
    terminal.say(&format!(
        "  {}\n  {}{}\n  Writes at most {}, in files of {} that go away.\n  Takes {} s once they are filled.",
        terminal.bold(plan.suite.title),
        facts.storage.layers.join(" on "),
        models.collect::<String>(),
        units::bytes(plan.bytes_written_max),
        units::bytes(plan.file_bytes),
        if plan.seconds_usual == plan.seconds_max {
            plan.seconds_usual.to_string()
        } else {
            format!("{} to {}", plan.seconds_usual, plan.seconds_max)
        },
    ));
}

/// Says what will be sent of what the provider signed, where that was asked for and can be sent.
pub(super) fn say_proof(terminal: &Terminal, args: &RunArgs, facts: &Facts, server: Option<&Server>) {
    if args.wants_proof() && server.is_some() {
        terminal.say(&format!("  {}", metadata::describe_proof(facts.machine.provider_name())));
    }
}

/// Asks the cloud what this machine is, and prints the answer.
pub(super) fn ask_cloud(terminal: &Terminal, facts: &Facts) -> Option<CloudMetadata> {
    let provider = facts.machine.provider_name();
    let answer = metadata::ask(provider);
    terminal.say(&format!("  {}", metadata::describe_answer(provider, &answer)));
    answer.ok()
}
