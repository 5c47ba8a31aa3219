//! The printed fio commands, run by fio itself.

use std::io::Write as _;
use std::process::Command;

use crate::support::{Place, assert_exit, text};
use fsyncmark::plan::fio::command::{Translation, translate};
use fsyncmark::plan::workload::WORKLOADS;

/// Whether fio is here. Where it is not, that is said past the capture of the test's output.
fn has_fio() -> bool {
    let found = Command::new("fio").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        let reason = "left out: fio is not on PATH, so its commands were not given to it";
        let _ =
            writeln!(std::io::stderr(), "{} ... {reason}", std::thread::current().name().unwrap_or("a test"));
    }
    found
}

#[test]
fn fio_understands_every_command() {
    if !has_fio() {
        return;
    }
    let place = Place::new();
    // One call for all: each name begins a job with fio's own defaults.
    let jobs = WORKLOADS.iter().flat_map(|workload| match translate(workload, &place.disk) {
        Translation::Same { arguments, .. } => arguments,
        Translation::Impossible { nearest, .. } => nearest.unwrap_or_default(),
    });
    let output = Command::new("fio").arg("--parse-only").args(jobs).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    assert!(place.is_clean());
}

/// The line that a shell would run, shortened to 64 KiB, and what fio says that it did.
#[test]
fn fio_does_what_the_command_says() {
    if !has_fio() {
        return;
    }
    let place = Place::new();
    for (id, block, sync) in [
        ("commit-8k", 8_192, true),
        ("append-8k-fdatasync", 8_192, true),
        ("direct-16k-nosync", 16_384, false),
    ] {
        let workload = WORKLOADS.iter().find(|workload| workload.id == id).unwrap();
        let Translation::Same { mut arguments, .. } = translate(workload, &place.disk) else {
            panic!("{id}")
        };
        arguments.extend(
            ["--size=64k", "--io_size=64k", "--ramp_time=0", "--output-format=json"].map(str::to_owned),
        );
        let output = Command::new("fio").args(&arguments).current_dir(&place.disk).output().unwrap();
        assert!(output.status.success(), "{id}: {}", text(&output.stderr));
        let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let job = &printed["jobs"][0];
        assert_eq!(job["write"]["io_bytes"], 65_536, "{id}");
        assert_eq!(job["write"]["total_ios"], 65_536 / block, "{id}");
        // fio counts no fdatasync, but times each.
        assert_eq!(job["sync"]["lat_ns"]["N"] != 0, sync, "{id}");
    }
}

#[test]
fn commands_are_printed_and_lead_back() {
    let place = Place::new();
    let dir = place.disk.to_str().unwrap();
    let printed =
        place.run(&["run", dir, "--as-fio", "--suite", "standard", "--only", "commit-8k,group-commit-8k-4"]);
    assert_exit(&printed, 0);
    let script = text(&printed.stdout);
    assert!(script.contains("not in fio: its committers share one log"), "{script}");
    let command = script.lines().find(|line| line.starts_with("fio ")).unwrap();
    let mut words = vec!["fio"];
    words.extend(command.split(' '));
    let found = place.run(&words);
    assert_exit(&found, 0);
    let found = text(&found.stdout);
    assert!(
        found.contains("nearest     commit-8k, version 1") && found.contains("nothing that decides"),
        "{found}"
    );
    assert!(place.is_clean(), "nothing is measured");
    for other in ["--dry-run", "--json", "--html=page.html", "--server=https://bench.example.org"] {
        assert_exit(&place.run(&["run", dir, "--as-fio", other]), 2);
    }
}

#[test]
fn a_job_file_is_read_and_one_that_is_none_refused() {
    let place = Place::new();
    let file = place.disk.join("etcd.fio");
    std::fs::write(&file, "[global]\nioengine=sync\n[wal]\nrw=write\nbs=2300\nsize=22m\nfdatasync=1\n")
        .unwrap();
    let output = place.run(&["fio", file.to_str().unwrap()]);
    assert_exit(&output, 0);
    assert!(text(&output.stdout).contains("fallocated-2300-fdatasync"), "{}", text(&output.stdout));
    std::fs::write(&file, "\u{0}").unwrap();
    assert_exit(&place.run(&["fio", file.to_str().unwrap()]), 65);
    assert_exit(&place.run(&["fio", "/no/such/file"]), 66);
    assert_exit(&place.run(&["fio"]), 2);
}
