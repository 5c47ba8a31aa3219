//! The verbs that work on kept results, run as people run them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread::JoinHandle;

use crate::support::{Place, assert_exit, text};
use fsyncmark::delivery::{self, key};
use fsyncmark::wire::envelope::Envelope;
use fsyncmark::wire::histogram::{Distribution, bucket_of};
use fsyncmark::wire::payload::Run;
use fsyncmark::wire::workload::{Histograms, Pass};
use serde_json::{Value, json};

/// Answers one GET with `status` and `body`; gives back the path that was asked for.
fn answer_once(status: u16, body: &Value) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let body = body.to_string();
    let kind = if status == 200 { "application/json" } else { "application/problem+json" };
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let lines: Vec<String> =
            BufReader::new(&stream).lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status} Said\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
        lines[0].clone()
    });
    (url, thread)
}

/// A second result, of a machine a third as fast with another filesystem.
fn slower(place: &Place, run: &Run) -> PathBuf {
    let mut run = Run { run_id: "0190a5d0-ac96-774b-bcce-b302099a8057".to_owned(), ..run.clone() };
    "xfs".clone_into(&mut run.env.fs);
    for workload in &mut run.workloads {
        // Every operation takes the same time: three times the mean that was measured.
        let ns = 3 * workload.elapsed_ns / workload.operations;
        let elapsed_ns = ns * workload.operations;
        workload.elapsed_ns = elapsed_ns;
        workload.passes.truncate(1);
        let (operations, bytes) = (workload.operations, workload.bytes);
        workload.passes[0] = Pass { operations, bytes, elapsed_ns, ..workload.passes[0].clone() };
        let counts = vec![(bucket_of(ns), operations)];
        let same = Distribution { counts, sum_ns: elapsed_ns, min_ns: ns, max_ns: ns };
        workload.histograms = Histograms { commit: Some(same.into()), ..Histograms::default() };
    }
    let file = place.disk.join("slower.json");
    std::fs::write(&file, json!({"payload": run}).to_string()).unwrap();
    file
}

#[test]
fn two_results_are_compared_with_direction_and_differences() {
    let place = Place::new();
    let (run, signed) = place.spooled(false);
    let other = slower(&place, &run);
    let (signed, other) = (signed.to_str().unwrap(), other.to_str().unwrap());
    let output = place.run(&["compare", signed, other]);
    assert_exit(&output, 0);
    let shown = text(&output.stdout);
    for part in ["A 3.0x more", "The filesystems differ: ", "xfs in B.", "signed by key", "not signed"] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    let output = place.run(&["compare", signed, other, "--json"]);
    assert_exit(&output, 0);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["schema"], "fsyncmark.comparison/1");
    assert!((printed["workloads"][0]["rate_ratio_b_to_a"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-3);
    assert!(printed["differences"].as_array().unwrap().iter().any(|each| each["id"] == "filesystem"));
}

#[test]
fn the_exit_codes_of_compare_are_those_of_its_help() {
    let place = Place::new();
    let (_, signed) = place.spooled(false);
    let signed = signed.to_str().unwrap();
    let not = place.disk.join("not.json");
    std::fs::write(&not, "{}").unwrap();
    assert_exit(&place.run(&["compare", signed]), 2);
    assert_exit(&place.run(&["compare", signed, not.to_str().unwrap()]), 65);
    let missing = place.run(&["compare", signed, "hetzner-ax102"]);
    assert_exit(&missing, 66);
    assert!(text(&missing.stderr).contains("--server URL"), "{}", text(&missing.stderr));
    let mut changed = Envelope::parse(&std::fs::read(signed).unwrap()).unwrap();
    changed.payload.insert_str(0, "AAAA");
    std::fs::write(&not, changed.to_bytes()).unwrap();
    assert_exit(&place.run(&["compare", signed, not.to_str().unwrap()]), 65);
    assert_exit(&place.run(&["compare", signed, "a-plan", "--server", "http://127.0.0.1:1"]), 75);
    assert_exit(&place.run(&["compare", signed, "../../etc", "--server", "http://127.0.0.1:1"]), 66);
}

#[test]
fn a_result_is_compared_with_a_plan_of_a_server() {
    let place = Place::new();
    let (run, signed) = place.spooled(false);
    let signed = signed.to_str().unwrap();
    let standing = json!({"evidence": "measured", "workload": run.workloads[0].id, "version": 1, "rate_per_s": 1e6,
        "rate_per_s_low": 9e5, "rate_per_s_high": 1.1e6, "interval_is": "uploaders", "p50_ns": 1000, "p99_ns": 2000,
        "n_runs": 12, "plp": "full"});
    let plan =
        json!({"slug": "hetzner-ax102", "name": "AX102", "provider": "hetzner", "standings": [standing]});
    let (url, asked) = answer_once(200, &plan);
    let output = place.run(&["compare", signed, "hetzner-ax102", "--server", &url]);
    assert_exit(&output, 0);
    assert_eq!(asked.join().unwrap(), "GET /api/v1/plans/hetzner-ax102 HTTP/1.1");
    let shown = text(&output.stdout);
    assert!(
        shown.contains("the plan AX102 of hetzner; measured, up to 12 runs") && shown.contains("quicker"),
        "{shown}"
    );

    let not_found = json!({"type": "https://example.org/problems/not-found", "title": "Nothing here", "status": 404,
        "instance": "/api/v1/plans/no-such-plan", "errors": []});
    let (url, _asked) = answer_once(404, &not_found);
    let output = place.run(&["compare", signed, "no-such-plan", "--server", &url]);
    assert_exit(&output, 66);
    assert!(text(&output.stderr).contains("/plans/"), "{}", text(&output.stderr));

    let (url, _asked) = answer_once(200, &json!({"name": "X", "provider": "x", "standings": []}));
    let output = place.run(&["compare", signed, "empty-plan", "--server", &url]);
    assert_exit(&output, 65);
    assert!(text(&output.stderr).contains("no workload in common"), "{}", text(&output.stderr));
}

#[test]
fn a_kept_result_is_shown_again_and_becomes_a_page_that_carries_it() {
    use base64::Engine as _;
    let place = Place::new();
    let (run, signed) = place.spooled(false);
    let page = place.disk.join("page.html");
    assert_exit(&place.run(&["report", signed.to_str().unwrap(), "--html", page.to_str().unwrap()]), 0);
    let html = std::fs::read_to_string(&page).unwrap();
    let data = html.split_once("base64,").unwrap().1.split_once('"').unwrap().0;
    let saved = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
    assert_eq!(saved, std::fs::read(&signed).unwrap());
    assert!(
        html.contains(&run.run_id) && !html.contains(place.disk.to_str().unwrap()),
        "no path of this machine"
    );
    let shown = place.run(&["report", signed.to_str().unwrap()]);
    assert_exit(&shown, 0);
    assert!(text(&shown.stderr).contains("durable commits a second"));
    let nowhere = place.disk.join("missing/page.html");
    assert_exit(&place.run(&["report", signed.to_str().unwrap(), "--html", nowhere.to_str().unwrap()]), 73);
    let run = place.run(&["run", place.disk.to_str().unwrap(), "--html", nowhere.to_str().unwrap()]);
    assert_exit(&run, 73);
    assert!(text(&run.stderr).contains("its folder does not exist"), "before anything is measured");
}

#[test]
fn what_another_machine_signed_can_be_read_without_its_key() {
    let (place, other) = (Place::new(), Place::new());
    let (run, _) = place.spooled(false);
    let mut envelope = delivery::seal(&run, &key::load_or_make(&other.settings()).unwrap());
    envelope.signatures[0].public_key = None;
    let file = place.disk.join("other.json");
    std::fs::write(&file, envelope.to_bytes()).unwrap();
    let output = place.run(&["compare", file.to_str().unwrap(), file.to_str().unwrap()]);
    assert_exit(&output, 0);
    let shown = text(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("its signature was not checked") && shown.contains("the same run"), "{shown}");
}

#[test]
fn words_are_explained_and_unknown_ones_answered_with_the_nearest() {
    let place = Place::new();
    for (words, part) in [
        (&["explain", "few-flushes"][..], "What to do:"),
        (&["explain", "NVMe", "with", "PLP"], "Capacitors"),
        (&["explain"], "Levels of evidence"),
    ] {
        let output = place.run(words);
        assert_exit(&output, 0);
        assert!(text(&output.stdout).contains(part), "{words:?}");
    }
    let output = place.run(&["explain", "fdatasnyc"]);
    assert_exit(&output, 66);
    assert!(text(&output.stderr).contains("Did you mean fdatasync"), "{}", text(&output.stderr));
}

#[test]
fn the_manual_and_the_completions_are_printed() {
    let place = Place::new();
    let manual = place.run(&["man"]);
    assert_exit(&manual, 0);
    assert!(text(&manual.stdout).starts_with(".TH FSYNCMARK 1"));
    for (shell, part) in
        [("bash", "complete -F"), ("zsh", "#compdef fsyncmark"), ("fish", "complete -c fsyncmark")]
    {
        let script = place.run(&["completions", shell]);
        assert_exit(&script, 0);
        let script = text(&script.stdout);
        assert!(script.contains(part) && script.contains("no-upload"), "{shell}");
        assert!(!script.contains(fsyncmark::disk::leftovers::WATCH_VERB), "{shell}: hidden");
    }
    assert_exit(&place.run(&["completions", "tcsh"]), 2);
}
