//! `--ask-cloud` of the program itself, against a metadata service at the real address: in a network
//! namespace of its own, where that address is this machine's. Where namespaces are not allowed, that is
//! said.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use crate::stacks::{command, must};
use crate::support::{Place, assert_exit, text};
use fsyncmark::probe::machine::provider;
use fsyncmark::probe::tree::Tree;
use fsyncmark::wire::payload::{CloudMetadata, Run};
use serde_json::{Value, json};

const ADDRESS: &str = "169.254.169.254";
/// Says to the test below that it runs where `ADDRESS` may be taken.
const INSIDE: &str = "FSYNCMARK_IN_A_NAMESPACE";

/// What OpenStack's service holds: nothing of it but type and zone may be seen again.
fn openstack() -> String {
    json!({"uuid": "SECRET-1", "availability_zone": "zone-7", "hostname": "SECRET-2.novalocal", "name": "SECRET-3",
        "project_id": "SECRET-4", "public_keys": {"k": "ssh-rsa SECRET-5"}, "meta": {"a": "SECRET-6"}})
    .to_string()
}

fn answer(path: &str) -> Option<String> {
    Some(match path {
        "/openstack/latest/meta_data.json" => openstack(),
        "/latest/meta-data/instance-type" => "m1.large".to_owned(),
        path if path.starts_with("/metadata/instance/compute/location?") => "westeurope".to_owned(),
        path if path.starts_with("/metadata/instance/compute/vmSize?") => "Standard_D4s_v5".to_owned(),
        _ => return None,
    })
}

/// What this machine's firmware makes of that; `None` where it names a cloud that the service does not play.
fn expected() -> Result<CloudMetadata, String> {
    let named = provider::probe(&Tree::live()).map(|provider| provider.name);
    let (provider, instance_type, region) = match named {
        None => ("openstack", "m1.large", "zone-7"),
        Some("azure") => ("azure", "Standard_D4s_v5", "westeurope"),
        Some(other) => return Err(format!("the firmware names {other}, which the test does not play")),
    };
    Ok(CloudMetadata {
        provider: provider.to_owned(),
        instance_type: Some(instance_type.to_owned()),
        region: Some(region.to_owned()),
    })
}

/// A service that tells of each request; it ends with the test's process.
fn serve() -> Receiver<String> {
    let listener = TcpListener::bind((ADDRESS, 80)).unwrap();
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream: TcpStream = stream.unwrap();
            let mut line = String::new();
            let mut lines = BufReader::new(stream.try_clone().unwrap());
            lines.read_line(&mut line).unwrap();
            lines.lines().map_while(Result::ok).find(String::is_empty);
            let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
            let response = match answer(&path) {
                Some(body) => format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()),
                None => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
            };
            stream.write_all(response.as_bytes()).unwrap();
            let _ = sender.send(path);
        }
    });
    requests
}

/// Starts itself again where nobody else's network is: a namespace of its own.
#[test]
fn the_program_asks_the_service_only_when_it_is_told_to() {
    if std::env::var_os(INSIDE).is_some() {
        return in_a_namespace();
    }
    let _ = or_leave_out!(expected());
    or_leave_out!(command("unshare", &["--map-root-user", "--net", "ip", "link", "set", "lo", "up"]));
    let mut inside = Command::new("unshare");
    inside.args(["--map-root-user", "--net", "--"]).arg(std::env::current_exe().unwrap());
    let name = "ask_cloud::the_program_asks_the_service_only_when_it_is_told_to";
    inside.args(["--exact", name, "--nocapture"]).env(INSIDE, "1");
    let output = inside.output().unwrap();
    assert_exit(&output, 0);
    assert!(text(&output.stdout).contains("1 passed"), "{}", text(&output.stdout));
}

fn in_a_namespace() {
    must("ip", &["link", "set", "lo", "up"]);
    let place = Place::new();
    let dir = place.disk.to_str().unwrap();
    nobody_is_there(&place, dir);
    must("ip", &["address", "add", &format!("{ADDRESS}/32"), "dev", "lo"]);
    let asked = serve();
    without_a_question_nobody_is_asked(&place, dir, &asked);
    info_shows_type_and_region(&place, dir, &asked);
    a_run_carries_and_shows_them(&place, dir, &asked);
}

fn nobody_is_there(place: &Place, dir: &str) {
    let output = place.run(&["info", dir, "--ask-cloud"]);
    assert_exit(&output, 0);
    let printed = text(&output.stdout);
    let sentence =
        format!("Metadata    The metadata service at {ADDRESS} says nothing: nobody listens there.");
    assert!(printed.contains(&sentence) && !printed.contains("cloud_metadata"), "{printed}");
}

fn without_a_question_nobody_is_asked(place: &Place, dir: &str, asked: &Receiver<String>) {
    let output = place.run(&["info", dir]);
    assert_exit(&output, 0);
    assert!(!text(&output.stdout).to_lowercase().contains("metadata"), "{}", text(&output.stdout));
    let plan = place.run(&["run", dir, "--ask-cloud", "--dry-run"]);
    assert_exit(&plan, 0);
    let sentence =
        format!("Asks the metadata service at {ADDRESS} for instance type and region, for at most 200 ms.");
    assert!(text(&plan.stdout).contains(&sentence), "{}", text(&plan.stdout));
    let plan = place.run(&["run", dir, "--ask-cloud", "--dry-run", "--json"]);
    let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
    assert_eq!(plan["asks"], Value::from(sentence));
    assert_exit(&place.run(&["run", dir, "--ask-cloud", "--as-fio"]), 0);
    assert_eq!(asked.try_iter().count(), 0);
}

fn info_shows_type_and_region(place: &Place, dir: &str, asked: &Receiver<String>) {
    let expected = expected().unwrap();
    let mut info = place.command(&["info", dir, "--ask-cloud", "--json"]);
    let output = info
        .env("http_proxy", "http://127.0.0.1:1")
        .env("HTTP_PROXY", "http://127.0.0.1:1")
        .output()
        .unwrap();
    assert_exit(&output, 0);
    let requests: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(requests[2]["payload"]["env"]["cloud_metadata"], serde_json::to_value(&expected).unwrap());
    assert!(!text(&output.stdout).contains("SECRET"));
    assert_eq!(asked.try_iter().count(), 2, "and nothing else is asked");
    let shown = text(&place.run(&["info", dir, "--ask-cloud"]).stdout);
    assert!(shown.contains(&format!("The metadata service at {ADDRESS} says: {expected}.\n")), "{shown}");
    assert_eq!(asked.try_iter().count(), 2);
}

fn a_run_carries_and_shows_them(place: &Place, dir: &str, asked: &Receiver<String>) {
    let expected = expected().unwrap();
    let page = place.home.with_file_name("page.html");
    let page_name = page.to_str().unwrap();
    let args = [
        "run",
        dir,
        "--ask-cloud",
        "--only",
        "commit-8k-dsync",
        "--no-upload",
        "--json",
        "--html",
        page_name,
    ];
    let output = place.run(&args);
    assert_exit(&output, 0);
    assert_eq!(asked.try_iter().count(), 2);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let run: Run = serde_json::from_value(printed["payload"].clone()).unwrap();
    assert_eq!(run.env.cloud_metadata.as_ref(), Some(&expected));
    let shown = text(&output.stderr);
    assert!(shown.contains(&format!("The metadata service at {ADDRESS} says: {expected}.")), "{shown}");
    assert!(shown.contains(&format!("Measured on {expected}, ")), "{shown}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(&format!("<dt>Cloud</dt><dd>{expected}<small>")));
    let file = printed["spool_file"].as_str().unwrap();
    let verified = place.run(&["verify", file]);
    assert_exit(&verified, 0);
    assert!(
        text(&verified.stdout).contains(&format!("cloud       {expected}\n")),
        "{}",
        text(&verified.stdout)
    );
    for response in [text(&output.stdout), shown, page, std::fs::read_to_string(file).unwrap()] {
        assert!(!response.contains("SECRET"));
    }
}
