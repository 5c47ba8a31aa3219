//! The last part of a page: the machine, the notes, and the signed result itself.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::text::{escape, name, read, read_and_escape};
use crate::judgement::flush_verdict;
use crate::report::shown_run::ShownRun;
use crate::units;
use crate::wire::payload::{Device, Run};

/// Where it was measured, what to know about it, and how to check it.
pub(super) fn section(shown: ShownRun<'_>) -> String {
    let run = shown.run;
    let mut facts = String::new();
    for (name, value, under) in environment(run) {
        let value = if value.is_empty() {
            "<span class=\"none\">not stated</span>".to_owned()
        } else {
            escape(&value)
        };
        let under =
            if under.is_empty() { String::new() } else { format!("<small>{}</small>", escape(&under)) };
        let _ = writeln!(facts, "<div><dt>{name}</dt><dd>{value}{under}</dd></div>");
    }
    let mut items = String::new();
    for note in flush_verdict::notes_beside(run) {
        let _ =
            writeln!(items, "<li>{}<code>fsyncmark explain {}</code></li>", escape(&note.text), note.id.id());
    }
    let notes = if items.is_empty() {
        "<p>Nothing else to note.</p>".to_owned()
    } else {
        format!("<ul class=\"notes\">\n{items}</ul>")
    };
    format!(
        "<section class=\"two\"><div><h2>Where it was measured</h2><dl class=\"facts\">\n{facts}</dl></div>\
         <div><h2>What to know about it</h2>{notes}<h2>Check it</h2>{}</div></section>\n",
        check_it(shown)
    )
}

/// The facts about the machine: name, value, and a line below it.
fn environment(run: &Run) -> Vec<(&'static str, String, String)> {
    let env = &run.env;
    let drive = |device: &Device| {
        let name = read(&format!("{} {}", device.vendor, device.model));
        if name.is_empty() { "model not stated".to_owned() } else { name }
    };
    let drives: Vec<String> = run.devices.iter().map(drive).collect();
    let kinds = run.devices_state(|device| {
        let kind = format!("{} over {}", device.class, device.transport);
        format!("{}, {}", read(&kind), units::bytes(device.size_bytes))
    });
    let caches = run.devices_state(|device| read(&device.write_cache));
    let fua = run.devices_state(|device| match device.fua {
        Some(true) => "with FUA".to_owned(),
        Some(false) => "without FUA".to_owned(),
        None => String::new(),
    });
    let stack = read(&run.stack.join(" on "));
    let mut facts = vec![
        ("Claimed", if name(run) == stack { String::new() } else { name(run) }, String::new()),
        ("Drive", drives.join(", "), kinds.join("; ")),
        ("Write cache", caches.join("; "), fua.join("; ")),
        ("Filesystem", read(&env.fs), read(&env.mount_flags.join(", "))),
        (
            "Free",
            format!("{} of {}", units::bytes(env.fs_free_bytes), units::bytes(env.fs_size_bytes)),
            String::new(),
        ),
        ("Stack", stack, String::new()),
        (
            "Processor",
            env.cpu_model.as_deref().map(read).unwrap_or_default(),
            format!("{} x, {}", env.cpu_count, units::bytes(env.ram_bytes)),
        ),
        ("System", read(&format!("{} {}", env.os, env.kernel)), read(&env.arch)),
        ("Virtual", read(&env.virt), env.cloud_product.as_deref().map(read).unwrap_or_default()),
        ("Clock", read(&run.clock.source), format!("{} ns to read it", run.clock.read_cost_ns)),
        (
            "Run",
            read(&run.run_id),
            read(&format!("fsyncmark {} for {}", run.agent.version, run.agent.target)),
        ),
    ];
    if let Some(cloud) = &env.cloud_metadata {
        facts.insert(1, ("Cloud", cloud.to_string(), "by the word of its metadata service".to_owned()));
    }
    facts
}

/// The signed result itself, and the command that checks it.
fn check_it(ShownRun { run, envelope }: ShownRun<'_>) -> String {
    let again = format!(
        "<div class=\"box\"><p>Measure the same</p><pre>fsyncmark run --suite {}</pre></div>",
        read_and_escape(&run.suite.id)
    );
    let Some(envelope) = envelope else {
        return format!(
            "<p>These figures carry no signature: they were read from what --json printed.</p>{again}"
        );
    };
    let name = format!("{}.dsse.json", read_and_escape(&run.run_id));
    let data = STANDARD.encode(envelope.to_bytes());
    format!(
        "<div class=\"box\"><p><span>The signed result is in this page</span>\
         <a download=\"{name}\" href=\"data:application/json;base64,{data}\">Save it</a></p>\
         <pre>fsyncmark verify {name}</pre></div>{again}"
    )
}
