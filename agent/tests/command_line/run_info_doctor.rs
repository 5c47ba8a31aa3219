//! The program itself, run as people run it, against a real disk.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::support::server::{self, Server};
use crate::support::{Place, assert_exit, shape, text};
use fsyncmark::delivery::history::{History, folder_of_entry};
use fsyncmark::delivery::key;
use fsyncmark::disk::contents::{self, Seed};
use fsyncmark::disk::leftovers::WATCH_VERB;
use fsyncmark::wire::envelope::Envelope;
use fsyncmark::wire::payload::Run;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Starts a run and reads its stderr until a line contains `marker`.
fn start_and_wait_for(command: &mut Command, marker: &str) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(marker) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "{marker} never came");
    }
    (child, lines)
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Waits, without spinning for long, until something is so.
#[track_caller]
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_whole_run_is_measured_signed_sent_and_leaves_nothing_behind() {
    let place = Place::new();
    let server = Server::start(Vec::new());
    let output = place.run(&[
        "run",
        place.disk.to_str().unwrap(),
        "--server",
        &server.url(),
        "--provider",
        "Home",
        "--plan",
        "Test box",
        "--ticket=t_ONE-RUN-OF-SOMEBODY",
        "--yes",
        "--json",
    ]);
    assert_exit(&output, 0);
    assert!(place.is_clean());
    let printed: Value = serde_json::from_slice(&output.stdout).expect("one JSON object and nothing else");
    assert_eq!(printed["uploaded"], Value::Bool(true));
    assert_eq!(printed["spool_file"], Value::Null);
    let run: Run = serde_json::from_value(printed["payload"].clone()).unwrap();
    let run_id = printed["run_id"].as_str().unwrap();
    assert_eq!(printed["run_url"], Value::from(format!("{}/runs/{run_id}", server.url())));

    let requests = server.requests();
    let paths: Vec<_> =
        requests.iter().map(|request| format!("{} {}", request.method, request.kind())).collect();
    assert_eq!(paths, ["PUT keys", "POST challenges", "PUT runs"]);
    let has_ticket = |body: &[u8]| String::from_utf8_lossy(body).contains("t_ONE-RUN-OF-SOMEBODY");
    assert_eq!([1, 2].map(|turn| has_ticket(&requests[turn].body())), [true, false], "no part of the run");
    let sent: Run = serde_json::from_slice(&requests[2].body()).unwrap();
    assert_eq!(sent, run, "what is printed is what was sent");
    assert_eq!(run.challenge.as_deref(), Some(server::CHALLENGE_ID));
    assert_eq!(run.seed_proof, Some(expected_proof(&Seed(server::SEED))));
    assert_eq!(std::fs::read_dir(place.home.join("spool")).unwrap().count(), 0);

    assert_suite_is_whole(&run, printed["commits_per_s"].as_f64().unwrap());
    assert_nothing_private(&printed["payload"].to_string(), &place);
    let kept = History::in_home(&place.settings()).files().unwrap().pop().unwrap();
    let kept = std::fs::read(kept).unwrap();
    assert_eq!(folder_of_entry(&kept).as_deref(), place.disk.canonicalize().unwrap().to_str());
    assert_eq!(Envelope::parse(&kept).unwrap().body().unwrap(), requests[2].body(), "the history has it too");
    let shown = text(&output.stderr);
    assert!(shown.contains("durable commits a second"), "{shown}");
    assert!(shown.contains("  Ticket taken: if it is of home-test[2J, the run counts"), "{shown}");
    // Whoever else uses the machine may have disturbed the headline.
    assert_ne!(shown.contains("you are here"), shown.contains("This is not the disk's figure"), "{shown}");
    assert!(!shown.contains('\x1b'), "no terminal, no escape codes");
    assert!(
        shown.lines().filter(|line| !line.contains('/')).all(|line| line.chars().count() <= 80),
        "{shown}"
    );
}

fn expected_proof(seed: &Seed) -> String {
    let read = |offset: u64, block: &mut [u8]| {
        contents::fill(seed, offset / contents::BLOCK_BYTES, block);
        Ok::<_, std::convert::Infallible>(())
    };
    let Ok(proof) = contents::proof(read, &mut vec![0; 4096]);
    proof
}

fn assert_suite_is_whole(run: &Run, commits_per_s: f64) {
    assert!(run.suite.complete);
    let ids: Vec<_> = run.workloads.iter().map(|workload| workload.id.as_str()).collect();
    assert!(ids.starts_with(&["commit-8k", "commit-8k-fsync", "commit-8k-dsync"]), "{ids:?}");
    let headline = &run.workloads[0];
    assert_eq!(headline.passes.len(), 3);
    let rate = headline.operations as f64 * 1e9 / headline.elapsed_ns as f64;
    assert!((rate - commits_per_s).abs() < 0.01, "{rate} {commits_per_s}");
    let written: u64 = run.workloads[..3].iter().map(|workload| workload.bytes).sum();
    assert!(written < 4 << 30);
    let histogram = headline.histograms.commit.as_ref().unwrap();
    assert_eq!(histogram.counts.iter().map(|(_, count)| count).sum::<u64>(), headline.operations);
    assert_eq!(histogram.sum_ns, headline.elapsed_ns);
}

/// Looks for what this very machine could have given away.
fn assert_nothing_private(payload: &str, place: &Place) {
    let command = |name: &str, args: &[&str]| {
        Command::new(name).args(args).output().map(|output| text(&output.stdout)).unwrap_or_default()
    };
    let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let mut private = vec![
        place.disk.display().to_string(),
        place.home.display().to_string(),
        file("/etc/machine-id"),
        file("/proc/sys/kernel/random/boot_id"),
        file("/sys/class/dmi/id/product_serial"),
        file("/sys/class/dmi/id/product_uuid"),
        std::env::var("HOME").unwrap_or_default(),
    ];
    private.extend(command("hostname", &["-I"]).split_whitespace().map(str::to_owned));
    for block in std::fs::read_dir("/sys/block").into_iter().flatten().flatten() {
        private.extend(
            ["serial", "wwid", "device/serial"].map(|name| file(&block.path().join(name).to_string_lossy())),
        );
    }
    for interface in std::fs::read_dir("/sys/class/net").into_iter().flatten().flatten() {
        private.push(file(&interface.path().join("address").to_string_lossy()));
    }
    for secret in private.iter().map(|secret| secret.trim()).filter(|secret| secret.len() > 3) {
        assert!(!payload.contains(secret), "{secret} is in the payload");
    }
    // Short names such as "vm" or "root" may be part of an honest word: here they must be no whole one.
    let words: Vec<&str> =
        payload.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').collect();
    for name in [rustix::system::uname().nodename().to_string_lossy().into_owned(), command("id", &["-un"])] {
        assert!(!words.contains(&name.trim()), "{name} is in the payload");
    }
}

/// Reads what a program prints while its stderr is read too: a result can be longer than a pipe holds.
fn stdout_of(child: &mut Child) -> JoinHandle<Vec<u8>> {
    let mut stdout = child.stdout.take().unwrap();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

#[test]
fn ctrl_c_keeps_what_was_measured_and_it_can_be_sent_later() {
    let place = Place::new();
    let (mut child, lines) = start_and_wait_for(
        &mut place.command(&["run", place.disk.to_str().unwrap(), "--json", "--no-upload", "--yes"]),
        "pass 1 of 3",
    );
    // `timeout -s INT` signals its child, and then the group that the child is in.
    signal(&child, Signal::INT);
    signal(&child, Signal::INT);
    let stdout = stdout_of(&mut child);
    let rest: Vec<String> = lines.lines().map(Result::unwrap).collect();
    let stdout = stdout.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:#?}");
    assert!(place.is_clean());
    let printed: Value = serde_json::from_slice(&stdout).unwrap();
    let run: Run = serde_json::from_value(printed["payload"].clone()).unwrap();
    assert!(!run.suite.complete);
    assert_eq!((run.consent, run.challenge), (None, None), "there was nobody to agree with");
    let file = printed["spool_file"].as_str().unwrap();
    assert_exit(&place.run(&["verify", file]), 0);

    let server = Server::start(Vec::new());
    let unasked = place.run(&["upload", "--server", &server.url()]);
    assert_exit(&unasked, 75);
    assert!(server.requests().is_empty(), "without a yes nothing is sent");
    let sent = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&sent, 0);
    assert_eq!(text(&sent.stdout).trim(), format!("{}/runs/{}", server.url(), run.run_id));
    let received: Run = serde_json::from_slice(&server.requests()[0].body()).unwrap();
    assert!(received.consent.is_some(), "the yes was recorded and signed");
    assert_eq!(received.workloads, run.workloads);
    assert!(!Path::new(file).exists());
    assert!(text(&place.run(&["upload", "--server", &server.url()]).stderr).contains("Nothing waits"));
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let place = Place::new();
    let run = place.command(&["run", place.disk.to_str().unwrap(), "--only", "commit-8k", "--no-upload"]);
    let mut nohup = Command::new("sh");
    nohup.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(run.get_program()).args(run.get_args());
    nohup.env("FSYNCMARK_HOME", &place.home).stdin(Stdio::null());
    let (mut child, lines) = start_and_wait_for(&mut nohup, "filling");
    signal(&child, Signal::HUP);
    let mut lines = lines.lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("pass 1 of 3")));
    signal(&child, Signal::INT);
    assert_eq!(lines.filter(|line| line.contains("is kept in")).count(), 1);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_server_that_does_not_answer_does_not_stop_a_run() {
    let place = Place::new();
    let unreachable = Server::start(Vec::new()).url();
    let args = ["run", place.disk.to_str().unwrap(), "--server", &unreachable, "--yes"];
    let (mut child, lines) = start_and_wait_for(&mut place.command(&args), "the run goes on");
    let mut lines = lines.lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("filling")));
    signal(&child, Signal::TERM);
    assert!(lines.any(|line| line.contains("stopped before the suite was complete")));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(place.is_clean());
}

#[test]
fn even_kill_9_leaves_no_test_file() {
    let place = Place::new();
    for marker in ["filling", "pass 1 of 3"] {
        let args = ["run", place.disk.to_str().unwrap(), "--only", "commit-8k", "--no-upload"];
        let (mut child, _lines) = start_and_wait_for(&mut place.command(&args), marker);
        signal(&child, Signal::KILL);
        child.wait().unwrap();
        eventually("the folder is empty", || place.is_clean());
    }
}

#[test]
fn the_watcher_removes_a_named_test_file_when_its_run_is_gone() {
    use std::io::Write;
    let place = Place::new();
    let file = place.disk.join(".fsyncmark-0123456789abcdef.tmp");
    std::fs::write(&file, "test data").unwrap();
    let mut watcher = place.command(&[WATCH_VERB]).stdin(Stdio::piped()).spawn().unwrap();
    let mut pipe = watcher.stdin.take().unwrap();
    pipe.write_all(file.to_str().unwrap().as_bytes()).unwrap();
    assert!(file.exists());
    drop(pipe);
    assert!(watcher.wait().unwrap().success());
    assert!(place.is_clean());
}

#[test]
fn folders_that_cannot_be_measured_are_refused_with_advice() {
    let place = Place::new();
    let file = place.disk.join("file");
    std::fs::write(&file, "").unwrap();
    let missing = place.disk.join("missing");
    for (dir, code, advice) in [
        ("/proc", 69, "Name a folder on a disk"),
        (file.to_str().unwrap(), 69, "Name a folder"),
        (missing.to_str().unwrap(), 66, "Name an existing folder"),
    ] {
        let output = place.run(&["run", dir, "--no-upload"]);
        assert!([code, 77].contains(&output.status.code().unwrap()), "{dir}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(advice), "{dir}: {}", text(&output.stderr));
    }
    if std::fs::metadata("/dev/shm").is_ok() {
        let output = place.run(&["run", "/dev/shm", "--no-upload"]);
        assert_exit(&output, 69);
        assert!(text(&output.stderr).contains("in memory"), "{}", text(&output.stderr));
    }
    let run = place.command(&["run", place.disk.to_str().unwrap(), "--no-upload"]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 1000; exec \"$@\"", "sh"]).arg(run.get_program()).args(run.get_args());
    let output = limited.env("FSYNCMARK_HOME", &place.home).stdin(Stdio::null()).output().unwrap();
    assert_exit(&output, 69);
    assert!(text(&output.stderr).contains("ulimit -f unlimited"), "{}", text(&output.stderr));
    assert!(!place.home.exists(), "a refused run makes no key");
}

#[test]
fn a_dry_run_needs_no_place_for_a_key() {
    let place = Place::new();
    let mut command = place.command(&["run", place.disk.to_str().unwrap(), "--dry-run"]);
    for name in ["FSYNCMARK_HOME", "XDG_CONFIG_HOME", "HOME"] {
        command.env_remove(name);
    }
    assert_exit(&command.output().unwrap(), 0);
}

#[test]
fn a_wrong_command_line_is_2_and_the_help_teaches() {
    let place = Place::new();
    for args in [
        &["run", "--suite", "huge"][..],
        &["measure"],
        &["run", "--provider", "Zürich"],
        &["run", "--only", "mix-4k"],
        &["run", "--skip", "mix-4k"],
        &["run", "--server", "bench.example.org"],
        &["run", "--wait-quiet=18446744073709551615"],
        &[],
    ] {
        assert_exit(&place.run(args), 2);
    }
    let help = text(&place.run(&["--help"]).stdout);
    for part in ["run", "info", "verify", "upload", "key", "Exit codes", "130", "FSYNCMARK_HOME", "Examples"]
    {
        assert!(help.contains(part), "{part}\n{help}");
    }
    assert!(!help.contains(WATCH_VERB));
}

#[test]
fn info_shows_every_field_of_an_upload_and_makes_nothing() {
    let place = Place::new();
    let output = place.run(&["info", place.disk.to_str().unwrap(), "--json", "--provider", "Home"]);
    assert_exit(&output, 0);
    let requests: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut skeleton = requests[2]["payload"].clone();
    // The example's drive has no link of its own, and no driver that says more; this machine's may.
    for device in skeleton["devices"].as_array_mut().unwrap() {
        device["pcie"] = Value::Null;
        let device = device.as_object_mut().unwrap();
        device.retain(|name, _| !["driver", "driver_write_cache", "raid_volume"].contains(&name.as_str()));
    }
    let real: Value = serde_json::from_str(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/wire/v1/valid/witnessed.json"
    )))
    .unwrap();
    assert_eq!(shape(&skeleton), shape(&real));
    assert_eq!(skeleton["claim"]["provider"], "Home");
    assert_nothing_private(&requests.to_string(), &place);
    assert!(!place.home.exists());
    assert!(text(&place.run(&["info", place.disk.to_str().unwrap()]).stdout).contains("Filesystem"));
}

#[test]
fn doctor_ends_in_what_a_run_would_end_in_and_leaves_nothing() {
    let place = Place::new();
    let output = place.run(&["doctor", place.disk.to_str().unwrap()]);
    assert_exit(&output, 0);
    let told = text(&output.stdout);
    for subject in ["Folder", "O_TMPFILE", "io_uring", "Clock", "Open files", "Limits", "Stack"] {
        assert!(told.contains(&format!("{subject:<12}")), "{subject}\n{told}");
    }
    assert_eq!(std::fs::read_dir(&place.disk).unwrap().count(), 0);
    assert!(!place.home.exists());
    assert_exit(&place.run(&["doctor", "/no/such/folder"]), 66);
    let memory = place.run(&["doctor", "/dev/shm"]);
    assert_exit(&memory, 69);
    assert!(text(&memory.stdout).starts_with("stop  Folder"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure_and_a_full_disk_is() {
    let place = Place::new();
    for verb in [&["info"][..], &["info", "--json"], &["key"], &["--help"]] {
        let mut child = place.command(verb).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{verb:?}");
    }
    if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
        let output = place.command(&["key"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_exit(&output, 73);
        assert!(text(&output.stderr).contains("cannot write to stdout"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_spool_that_cannot_be_written_puts_the_envelope_on_stdout() {
    let place = Place::new();
    key::load_or_make(&place.settings()).unwrap();
    std::fs::write(place.home.join("spool"), "a file where the folder should be").unwrap();
    let args = ["run", place.disk.to_str().unwrap(), "--only", "commit-8k", "--no-upload"];
    let (mut child, lines) = start_and_wait_for(&mut place.command(&args), "pass 1 of 3");
    signal(&child, Signal::INT);
    let stdout = stdout_of(&mut child);
    let stderr: Vec<String> = lines.lines().map(Result::unwrap).collect();
    let stdout = stdout.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(75), "{stderr:#?}");
    let key = key::load_or_make(&place.settings()).unwrap().verifying_key();
    Envelope::parse(&stdout).unwrap().open(&key).unwrap();
    let ended = "stopped before the suite was complete";
    assert!(stderr.iter().any(|line| line.contains(ended)), "{stderr:#?}");
}
