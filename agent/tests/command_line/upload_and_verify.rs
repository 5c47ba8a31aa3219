//! The verbs `upload` and `verify`, over results that are already signed.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::server::{Answer, Request, Server};
use crate::support::{Place, assert_exit, text};
use fsyncmark::delivery::{self, key};
use fsyncmark::wire::envelope::Envelope;
use fsyncmark::wire::payload::Run;
use fsyncmark::wire::workload::HistogramData;
use serde_json::Value;

#[test]
fn verify_tells_a_changed_result_from_an_untouched_one() {
    let place = Place::new();
    let (_, file) = place.spooled(true);
    let fits = place.run(&["verify", file.to_str().unwrap()]);
    assert_exit(&fits, 0);
    assert!(text(&fits.stdout).contains("this machine's key"));
    // Somebody else, who has only the file.
    let stranger = Place::new();
    assert!(text(&stranger.run(&["verify", file.to_str().unwrap()]).stdout).contains("the key in the file"));

    let original = Envelope::parse(&std::fs::read(&file).unwrap()).unwrap();
    let write = |name: &str, envelope: &Envelope| {
        let path = place.disk.join(name);
        std::fs::write(&path, envelope.to_bytes()).unwrap();
        path.display().to_string()
    };
    let mut changed = original.clone();
    changed.payload = original.payload.replacen("eyJz", "eyJT", 1);
    assert_exit(&place.run(&["verify", &write("changed", &changed)]), 65);

    let mut bare = original.clone();
    let public_key = bare.signatures[0].public_key.take().unwrap();
    let bare = write("bare", &bare);
    assert_exit(&stranger.run(&["verify", &bare]), 66);
    assert_exit(&stranger.run(&["verify", &bare, "--key", &public_key]), 0);
    let other = text(&stranger.run(&["key"]).stdout);
    let other = other.lines().find_map(|line| line.strip_prefix("public key  ")).unwrap();
    assert_exit(&stranger.run(&["verify", &bare, "--key", other]), 65);
    assert_exit(&place.run(&["verify", "/dev/null"]), 65);
    assert_exit(&place.run(&["verify", "/no/such/file"]), 66);
}

#[test]
fn verify_finds_figures_that_do_not_add_up() {
    let place = Place::new();
    let (run, _) = place.spooled(true);
    let key = key::load_or_make(&place.settings()).unwrap();
    let lies: [(Lie, &str); 5] = [
        (|run| run.workloads[0].operations += 1, "operations"),
        (|run| run.workloads[0].passes[0].bytes = u64::MAX, "bytes"),
        (|run| commits(run).min_ns = u64::MAX, "smallest or largest"),
        (|run| commits(run).counts = vec![(usize::MAX, u64::MAX)], "out of order"),
        (
            |run| commits(run).sum_ns /= 2,
            "below that of its buckets; commit-8k: its latencies add up to 50 %",
        ),
    ];
    for (tell, said) in lies {
        let mut lie = run.clone();
        tell(&mut lie);
        let file = place.disk.join("signed.json");
        std::fs::write(&file, delivery::seal(&lie, &key).to_bytes()).unwrap();
        let output = place.run(&["verify", file.to_str().unwrap()]);
        assert_exit(&output, 65);
        assert!(text(&output.stdout).contains("signature   fits"));
        let stderr = text(&output.stderr);
        assert!(stderr.contains("do not add up") && stderr.contains(said), "{stderr}");
    }
}

type Lie = fn(&mut Run);

fn commits(run: &mut Run) -> &mut HistogramData {
    run.workloads[0].histograms.commit.as_mut().unwrap()
}

#[test]
fn a_busy_server_is_asked_again_when_it_says() {
    let place = Place::new();
    let (run, file) = place.spooled(true);
    let server = Server::start(vec![Answer::busy(1), Answer::problem(500, "internal")]);
    let started = Instant::now();
    let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&output, 0);
    assert!(started.elapsed() >= Duration::from_secs(1), "Retry-After was 1 s");
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| request.body() == requests[0].body()), "the same bytes each time");
    assert!(requests[0].path.ends_with(&run.run_id));
    assert!(!file.exists());
}

#[test]
fn a_throttled_upload_waits_at_least_as_long_as_it_is_told_and_is_sent_then() {
    let place = Place::new();
    let (_, file) = place.spooled(true);
    let server = Server::start(vec![Answer::throttled(2)]);
    let started = Instant::now();
    let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&output, 0);
    assert!(started.elapsed() >= Duration::from_secs(2), "Retry-After was 2 s");
    let said = text(&output.stderr);
    assert!(said.contains("trying again in ") && said.contains(" UTC at the latest"), "{said}");
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].body(), requests[1].body());
    assert!(!file.exists());
}

#[test]
fn a_server_that_asks_for_too_much_patience_gets_it_later() {
    for answer in [Answer::busy(3_600), Answer::throttled(3_600)] {
        let place = Place::new();
        let (_, file) = place.spooled(true);
        let server = Server::start(vec![answer]);
        assert_exit(&place.run(&["upload", "--server", &server.url(), "--yes"]), 75);
        assert_eq!(server.requests().len(), 1);
        assert!(file.exists(), "what is throttled is not refused for good");
    }
}

#[test]
fn what_a_server_refuses_for_good_is_kept_apart_with_its_answer() {
    let place = Place::new();
    let (run, file) = place.spooled(true);
    let server = Server::start(vec![Answer::problem(422, "invalid-payload")]);
    let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&output, 76);
    assert!(text(&output.stderr).contains("refused"), "{}", text(&output.stderr));
    assert!(!file.exists());
    let rejected = place.home.join("spool/rejected");
    assert!(rejected.join(format!("{}.dsse.json", run.run_id)).exists());
    let problem = std::fs::read(rejected.join(format!("{}.problem.json", run.run_id))).unwrap();
    assert!(text(&problem).contains("invalid-payload"));
}

#[test]
fn a_refused_run_says_where_it_was_put() {
    let place = Place::new();
    let refusals = (0..3).map(|_| Answer::problem(422, "invalid-payload"));
    let server = Server::start(refusals.collect());
    let url = server.url();
    let args = ["--only", "commit-8k-dsync", "--server", &url, "--yes", "--json"];
    let output = place.run(&[&["run", place.disk.to_str().unwrap()][..], &args].concat());
    assert_exit(&output, 76);
    let printed: Value = serde_json::from_slice(&output.stdout).expect("one JSON object and nothing else");
    let file = Path::new(printed["spool_file"].as_str().expect("where it is"));
    assert_eq!(file.parent(), Some(place.home.join("spool/rejected").as_path()));
    assert!(file.exists());
}

#[test]
fn the_environment_names_a_server_where_the_command_names_none() {
    let place = Place::new();
    place.spooled(true);
    let disk = place.disk.to_str().unwrap();
    let server = Server::start(Vec::new());
    let ask = |args: &[&str]| place.command(args).env("FSYNCMARK_SERVER", server.url()).output().unwrap();
    assert_exit(&ask(&["upload", "--yes"]), 0);
    let sent = server.requests().len();
    assert!(sent > 0);
    assert_exit(&ask(&["run", disk, "--only", "commit-8k-dsync", "--yes"]), 0);
    assert!(server.requests().len() > sent);
    let sent = server.requests().len();
    assert_exit(&ask(&["run", disk, "--only", "commit-8k-dsync", "--yes", "--no-upload"]), 0);
    assert_eq!(server.requests().len(), sent);
    assert_exit(&place.run(&["upload", "--yes"]), 2);
}

#[test]
fn a_key_that_the_server_does_not_know_is_enrolled_and_the_result_sent_again() {
    let place = Place::new();
    place.spooled(true);
    let server = Server::start(vec![Answer::problem(404, "unknown-key")]);
    assert_exit(&place.run(&["upload", "--server", &server.url(), "--yes"]), 0);
    let kinds: Vec<_> = server.requests().iter().map(Request::kind).collect();
    assert_eq!(kinds, ["runs", "keys", "runs"]);
}

#[test]
fn another_web_site_at_that_address_takes_nothing_away() {
    let place = Place::new();
    let (_, file) = place.spooled(true);
    let not_ours = "not as a Fsyncmark server";
    for (answer, said) in [
        (Answer::html(404), not_ours),
        (Answer::html(200), "without an address"),
        (Answer::html(301), "/elsewhere"),
        (Answer::foreign_problem(401), not_ours),
        (Answer::foreign_problem(404), not_ours),
        (Answer::foreign_problem(405), not_ours),
    ] {
        let server = Server::start(vec![answer]);
        let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
        assert_exit(&output, 75);
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
        assert!(file.exists());
    }
}

#[test]
fn a_broken_file_does_not_keep_the_others_back() {
    let place = Place::new();
    let (_, file) = place.spooled(true);
    let broken = place.home.join("spool/00000000-broken.dsse.json");
    std::fs::write(&broken, "{}").unwrap();
    let server = Server::start(Vec::new());
    let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&output, 65);
    assert!(text(&output.stderr).contains("00000000-broken"), "{}", text(&output.stderr));
    assert!(!file.exists() && broken.exists());
}

#[test]
fn a_result_that_a_server_cannot_take_does_not_keep_the_others_back() {
    let place = Place::new();
    let (_, later) = place.spooled_later();
    let (_, first) = place.spooled(true);
    // What stands in front of a server has its own opinion of a length.
    let server = Server::start(vec![Answer::html(413)]);
    let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&output, 75);
    assert_eq!(server.requests().len(), 2, "{}", text(&output.stderr));
    assert!(first.exists() && !later.exists());
}

#[test]
fn a_result_that_cannot_be_signed_again_does_not_keep_the_others_back() {
    let place = Place::new();
    let (_, later) = place.spooled_later();
    let (_, unasked) = place.spooled(false);
    let copy = place.disk.join("copy.json");
    std::fs::rename(&unasked, &copy).unwrap();
    std::fs::create_dir_all(unasked.join("a folder where the file should be")).unwrap();
    let server = Server::start(Vec::new());
    let files = [copy.to_str().unwrap(), later.to_str().unwrap()];
    let output = place.run(&["upload", files[0], files[1], "--server", &server.url(), "--yes"]);
    assert_exit(&output, 75);
    let said = text(&output.stderr);
    assert!(said.contains("cannot keep the result in") && !said.contains("were not tried"), "{said}");
    assert!(copy.exists() && !later.exists());
}

#[test]
fn a_server_that_asks_for_a_pause_is_not_sent_the_next_result() {
    let place = Place::new();
    let (_, later) = place.spooled_later();
    let (_, first) = place.spooled(true);
    let server = Server::start(vec![Answer::busy(3_600)]);
    let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&output, 75);
    assert_eq!(server.requests().len(), 1);
    let said = text(&output.stderr);
    assert!(said.contains("1 more wait for the same server and were not tried."), "{said}");
    assert!(first.exists() && later.exists());
}

#[test]
fn a_spool_that_cannot_be_read_is_not_an_empty_one() {
    let place = Place::new();
    std::fs::create_dir(&place.home).unwrap();
    std::fs::write(place.home.join("spool"), "a file where the folder should be").unwrap();
    let output = place.run(&["upload", "--server", "http://127.0.0.1:1", "--yes"]);
    assert_exit(&output, 66);
    let said = text(&output.stderr);
    assert!(said.contains("cannot read the folder of results that wait"), "{said}");
    assert!(!said.contains("Nothing waits"), "{said}");
}

#[test]
fn only_this_machines_results_can_be_sent() {
    let (place, stranger) = (Place::new(), Place::new());
    let (_, file) = place.spooled(true);
    let server = Server::start(Vec::new());
    stranger.spooled(true);
    assert_exit(&stranger.run(&["upload", file.to_str().unwrap(), "--server", &server.url(), "--yes"]), 65);
    assert!(server.requests().is_empty());
}

#[test]
fn a_file_that_cannot_be_removed_takes_no_address_away() {
    let place = Place::new();
    let (run, file) = place.spooled(true);
    let server = Server::start(Vec::new());
    // Named twice: it is gone when it has been sent for the second time.
    let file = file.to_str().unwrap();
    let output = place.run(&["upload", file, file, "--server", &server.url(), "--yes"]);
    assert_exit(&output, 0);
    let address = format!("{}/runs/{}", server.url(), run.run_id);
    assert_eq!(text(&output.stdout).lines().collect::<Vec<_>>(), [&address, &address]);
    let said = text(&output.stderr);
    assert!(said.contains("The server has the result; cannot remove"), "{said}");
}

#[test]
fn a_refusal_is_said_though_the_result_cannot_be_moved() {
    let place = Place::new();
    let (_, file) = place.spooled(true);
    std::fs::write(place.home.join("spool/rejected"), "a file where the folder should be").unwrap();
    let server = Server::start(vec![Answer::problem(422, "invalid-payload")]);
    let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&output, 76);
    let said = text(&output.stderr);
    assert!(said.contains("refused the result: No: because of a test"), "{said}");
    assert!(said.contains(file.to_str().unwrap()) && file.exists(), "{said}");
}

#[test]
fn a_refused_copy_from_elsewhere_stays_where_it_is() {
    let place = Place::new();
    let (_, file) = place.spooled(true);
    let copy = place.disk.join("copy.json");
    std::fs::rename(&file, &copy).unwrap();
    let server = Server::start(vec![Answer::problem(422, "invalid-payload")]);
    let output = place.run(&["upload", copy.to_str().unwrap(), "--server", &server.url(), "--yes"]);
    assert_exit(&output, 76);
    let said = text(&output.stderr);
    assert!(said.contains("It is kept in") && !said.contains("beside it") && copy.exists(), "{said}");
}

#[test]
fn a_broken_file_is_said_also_where_nobody_agrees_to_send_the_others() {
    let place = Place::new();
    let (_, file) = place.spooled(true);
    std::fs::write(place.home.join("spool/00000000-broken.dsse.json"), "{}").unwrap();
    let output = place.run(&["upload", "--server", "http://127.0.0.1:1"]);
    assert_exit(&output, 65);
    let said = text(&output.stderr);
    assert!(said.contains("there is nobody to ask") && said.contains("00000000-broken"), "{said}");
    assert!(file.exists());
}
