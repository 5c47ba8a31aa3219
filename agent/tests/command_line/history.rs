//! What was measured before, and whether the newest is slower, as people and servers of CI ask it.

use std::path::PathBuf;

use crate::support::{Place, assert_exit, text};
use fsyncmark::delivery::history::History;
use fsyncmark::delivery::{self, key};
use fsyncmark::wire::histogram::{Distribution, bucket_of};
use fsyncmark::wire::payload::Run;
use fsyncmark::wire::workload::{Histograms, Pass};
use serde_json::Value;

/// Three passes whose commits take `ns` nanoseconds each, and one percent more or less in two of them.
fn with_commits_of(ns: u64, run: &Run) -> Run {
    let mut run = run.clone();
    run.workloads.truncate(1);
    let workload = &mut run.workloads[0];
    "commit-8k".clone_into(&mut workload.id);
    let operations = 10_000;
    let pass = |ns: u64| Pass {
        operations,
        bytes: operations << 13,
        elapsed_ns: ns * operations,
        rate_samples: Vec::new(),
        interference: None,
        ..workload.passes[0].clone()
    };
    workload.passes = vec![pass(ns - ns / 100), pass(ns), pass(ns + ns / 100)];
    workload.operations = 3 * operations;
    workload.bytes = workload.operations << 13;
    workload.elapsed_ns = workload.passes.iter().map(|pass| pass.elapsed_ns).sum();
    let counts = vec![(bucket_of(ns), workload.operations)];
    let same = Distribution { counts, sum_ns: workload.elapsed_ns, min_ns: ns, max_ns: ns };
    workload.histograms = Histograms { commit: Some(same.into()), ..Histograms::default() };
    run
}

/// Puts runs of commits of these lengths into the history, one a day.
fn remember(place: &Place, lengths_ns: &[u64]) {
    let (run, spooled) = place.spooled(false);
    std::fs::remove_file(spooled).unwrap();
    let key = key::load_or_make(&place.settings()).unwrap();
    let history = History::in_home(&place.settings());
    let kept = history.files().unwrap().len() as u64;
    for (day, &ns) in (kept..).zip(lengths_ns) {
        let mut run = with_commits_of(ns, &run);
        run.run_id = format!("0190a5d0-ac96-774b-bcce-{day:012x}");
        run.clock.wall_start_unix_us += day * 86_400_000_000;
        history.keep(&run.run_id, &place.disk, &delivery::seal(&run, &key)).unwrap();
    }
}

fn newest_entry(place: &Place) -> PathBuf {
    History::in_home(&place.settings()).files().unwrap().pop().unwrap()
}

fn json(place: &Place, args: &[&str], code: i32) -> Value {
    let output = place.run(args);
    assert_exit(&output, code);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn what_was_measured_is_listed_and_each_entry_is_a_result() {
    let place = Place::new();
    let empty = place.run(&["history"]);
    assert_exit(&empty, 0);
    assert!(text(&empty.stderr).contains("No run is in "), "{}", text(&empty.stderr));
    remember(&place, &[100_000, 50_000]);
    let listed = json(&place, &["history", "--json"], 0);
    let rates: Vec<f64> =
        listed["runs"].as_array().unwrap().iter().map(|run| run["commits_per_s"].as_f64().unwrap()).collect();
    assert_eq!(rates.iter().map(|rate| rate.round()).collect::<Vec<_>>(), [10_000.0, 20_000.0]);
    assert_eq!(listed["runs"][0]["folder"], place.disk.canonicalize().unwrap().to_str().unwrap());
    let shown = text(&place.run(&["history", place.disk.to_str().unwrap()]).stdout);
    assert!(
        shown.contains("20,000 durable commits a second") && shown.contains("quick, in part of /"),
        "{shown}"
    );
    assert_eq!(
        json(&place, &["history", place.home.to_str().unwrap(), "--json"], 0)["runs"],
        Value::Array(Vec::new())
    );
    let table = text(&place.run(&["history", "--markdown"]).stdout);
    assert_eq!(table.lines().count(), 4, "{table}");
    let entry = newest_entry(&place);
    for verb in ["report", "verify"] {
        assert_exit(&place.run(&[verb, entry.to_str().unwrap()]), 0);
    }
}

#[test]
fn an_entry_that_cannot_be_read_is_named_and_stays_and_the_others_count() {
    let place = Place::new();
    remember(&place, &[100_000, 100_000, 100_000]);
    let broken = newest_entry(&place);
    let whole = std::fs::read(&broken).unwrap();
    std::fs::write(&broken, &whole[..whole.len() / 2]).unwrap();
    let listed = json(&place, &["history", "--json"], 0);
    assert_eq!(listed["runs"].as_array().unwrap().len(), 2);
    assert_eq!(listed["unreadable"][0]["file"], broken.to_str().unwrap());
    let output = place.run(&["compare", "last"]);
    assert_exit(&output, 0);
    let said = text(&output.stderr);
    assert!(
        said.contains("cannot be read and is left out") && said.contains(broken.to_str().unwrap()),
        "{said}"
    );
    assert_eq!(std::fs::read(&broken).unwrap(), &whole[..whole.len() / 2]);
}

#[test]
fn the_newest_is_compared_with_those_before_it_of_the_same_folder() {
    let place = Place::new();
    assert_exit(&place.run(&["compare", "last"]), 66);
    remember(&place, &[100_000]);
    let alone = place.run(&["compare", "last"]);
    assert_exit(&alone, 66);
    assert!(text(&alone.stderr).contains("no run before it"), "{}", text(&alone.stderr));
    remember(&place, &[101_000, 99_000, 50_000]);
    let one = json(&place, &["compare", "last", "--json"], 0);
    assert!((one["workloads"][0]["rate_ratio_b_to_a"].as_f64().unwrap() - 1.98).abs() < 0.01, "{one}");
    let disk = place.disk.to_str().unwrap();
    let several = json(&place, &["compare", "last", disk, "--runs", "7", "--json"], 0);
    assert!(several["a"].as_str().unwrap().starts_with("the middle of the 3 runs before B, 20"), "{several}");
    assert_eq!(several["workloads"][0]["a"]["spread"]["of"], "runs");
    assert_eq!(several["workloads"][0]["verdict"], "b-faster");
    let named = place.run(&["compare", newest_entry(&place).to_str().unwrap(), "last"]);
    assert!(text(&named.stdout).contains("the same run"), "{}", text(&named.stdout));
    for wrong in [&["compare", "last", "/etc/passwd"][..], &["compare", "x", "last", "--runs=3"]] {
        assert_exit(&place.run(wrong), 2);
    }
    assert_exit(&place.run(&["compare", "last", place.home.to_str().unwrap()]), 66);
}

#[test]
fn a_slower_box_ends_in_1_and_a_noisy_or_first_one_does_not() {
    let place = Place::new();
    let junit = place.disk.join("junit.xml");
    let gate = [
        "compare",
        "last",
        "--runs=7",
        "--fail-if-slower=10%",
        "--junit",
        junit.to_str().unwrap(),
        "--markdown",
    ];
    remember(&place, &[100_000]);
    let first = place.run(&gate);
    assert_exit(&first, 0);
    for said in [&first.stderr, &first.stdout] {
        assert!(text(said).contains("the history has no run before it"), "{}", text(said));
    }
    assert!(
        std::fs::read_to_string(&junit).unwrap().contains("<skipped message="),
        "nothing is passed unseen"
    );
    remember(&place, &[102_000, 99_000, 104_000]);
    let holds = place.run(&gate);
    assert_exit(&holds, 0);
    assert!(text(&holds.stderr).contains("commit-8k, holds: "), "{}", text(&holds.stderr));
    assert!(std::fs::read_to_string(&junit).unwrap().contains("failures=\"0\""));
    remember(&place, &[130_000]);
    let slower = place.run(&gate);
    assert_exit(&slower, 1);
    assert!(
        text(&slower.stderr).contains("B is slower than it may be. commit-8k: 7,692 a second instead of ")
    );
    assert!(std::fs::read_to_string(&junit).unwrap().contains("<failure type=\"slower\""));
    assert!(text(&slower.stdout).starts_with("- commit-8k: **slower**."), "{}", text(&slower.stdout));
    let judged = json(&place, &["compare", "last", "--runs=7", "--fail-if-slower=50", "--json"], 0);
    assert_eq!(judged["held"][0]["outcome"], "holds");
    let tail = json(
        &place,
        &["compare", "last", "--runs=7", "--fail-if-slower=10", "--figure=p99", "--only=commit-8k", "--json"],
        1,
    );
    assert_eq!(tail["held"][0]["outcome"], "slower");
    // From now on it is known to vary that much.
    remember(&place, &[131_000]);
    assert_exit(&place.run(&gate), 0);
}

#[test]
fn what_holds_nothing_is_a_wrong_command_line() {
    let place = Place::new();
    for wrong in [
        &["compare", "last", "--junit", "x"][..],
        &["compare", "last", "--fail-if-slower", "ten"],
        &["compare", "last", "--fail-if-slower", "10", "--only", "commit-9k"],
        &["compare", "last", "--runs", "0"],
        &["compare", "last", "--json", "--markdown"],
    ] {
        assert_exit(&place.run(wrong), 2);
    }
}
