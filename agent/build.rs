//! Hands to the program what it shares with the server: the SHA-256 of each suite's definition, so that the
//! definitions themselves need not be in it, and the figures of `judgement.v1.json` as constants and in the
//! texts of `explain`; and its target.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The definitions that agent and server share.
const SUITES: &str = "../apps/wire/suites";
/// The figures by which both judge.
const JUDGEMENT: &str = "../apps/wire/judgement.v1.json";
/// The texts of `explain`, in which such a figure is named: `{drain.flat_ratio_below}`, `{floors.any us}`.
const EXPLANATIONS: &str = "data/explain";
/// What to do where they are not there.
const WHOLE_REPOSITORY: &str =
    "the agent is built inside of the whole repository, beside the folder apps/wire";

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=FSYNCMARK_TARGET={target}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SUITES}");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    if is_linked_by_gnu(&target) {
        // Relocations in their packed form take 1 kB in place of 97; the table that finds unwinding entries,
        // 37 kB, serves nobody where a panic ends the process.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        println!("cargo::rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
    }
    println!("cargo::rerun-if-changed={JUDGEMENT}");
    println!("cargo::rerun-if-changed={EXPLANATIONS}");
    let judgement = read_judgement();
    write_judgement(&judgement);
    write_explanations(&judgement);
    let suites =
        std::fs::read_dir(SUITES).unwrap_or_else(|error| panic!("{SUITES}: {error}; {WHOLE_REPOSITORY}"));
    for entry in suites {
        let path = entry.expect("a folder that can be read").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            state_digest(&path);
        }
    }
}

/// Whether the static program is linked by gcc or clang, which know both arguments; zig's linker does not.
fn is_linked_by_gnu(target: &str) -> bool {
    let linker = std::env::var("RUSTC_LINKER").unwrap_or_default();
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    is_release && target == "x86_64-unknown-linux-musl" && !linker.contains("zig") && !linker.contains("lld")
}

/// `quick.v1.json` becomes `FSYNCMARK_SUITE_QUICK_V1`.
fn state_digest(path: &Path) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().to_uppercase().replace(['.', '-'], "_");
    let digest = Sha256::digest(std::fs::read(path).expect("a definition that can be read"));
    println!("cargo::rustc-env=FSYNCMARK_SUITE_{name}={digest:x}");
}

fn read_judgement() -> Value {
    let text =
        std::fs::read(JUDGEMENT).unwrap_or_else(|error| panic!("{JUDGEMENT}: {error}; {WHOLE_REPOSITORY}"));
    let document: Value =
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{JUDGEMENT}: {error}"));
    assert_eq!(document["version"], 1, "{JUDGEMENT} is of another version");
    document
}

/// Writes the figures as Rust: a module for each group of thresholds, and one table each of traffic, classes
/// and floors.
fn write_judgement(document: &Value) {
    let mut rust = String::new();
    for (group, thresholds) in object(&document["thresholds"]) {
        let _ = writeln!(rust, "/// Thresholds of `{group}`.\npub mod {group} {{");
        for (name, threshold) in object(thresholds) {
            let (kind, value) = constant(name, &threshold["value"]);
            let _ = writeln!(rust, "    /// {}", text_of(&threshold["reason"]));
            let _ = writeln!(rust, "    pub const {}: {kind} = {value};", name.to_uppercase());
        }
        rust.push_str("}\n");
    }
    rust.push_str(&table("OWN_TRAFFIC", "FilesystemTraffic", &document["own_traffic"], filesystem_traffic));
    rust.push_str(&table("CLASSES", "StorageClass", &document["classes"], class));
    rust.push_str(&table("FLOORS", "Floor", &document["floors"], floor));
    std::fs::write(out_dir().join("judgement.rs"), rust).expect("a folder that can be written");
}

/// Writes the texts of `explain` with the figures in place of their names.
fn write_explanations(document: &Value) {
    let out = out_dir().join("explain");
    std::fs::create_dir_all(&out).expect("a folder that can be written");
    for entry in std::fs::read_dir(EXPLANATIONS).unwrap_or_else(|error| panic!("{EXPLANATIONS}: {error}")) {
        let path = entry.expect("a folder that can be read").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let mut written = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').expect("a figure's name ends with }");
            written.push_str(before);
            written.push_str(&figure_in_words(document, name));
            rest = after;
        }
        written.push_str(rest);
        let name = path.file_name().expect("a file has a name");
        std::fs::write(out.join(name), written).expect("a folder that can be written");
    }
}

/// The figure that `group.name`, or `group.name unit`, stands for.
fn figure_in_words(document: &Value, words: &str) -> String {
    let (path, unit) = words.split_once(' ').unwrap_or((words, ""));
    let (group, name) = path.split_once('.').unwrap_or_else(|| panic!("{words}: no group"));
    let floor_of =
        |id| document["floors"].as_array().and_then(|rows| rows.iter().find(|row| row["id"] == id));
    let figure = if group == "floors" {
        floor_of(name).map(|row| &row["floor_ns"])
    } else {
        Some(&document["thresholds"][group][name]["value"])
    };
    let figure = figure.and_then(Value::as_f64).unwrap_or_else(|| panic!("{JUDGEMENT} has no figure {path}"));
    match unit {
        "" => figure.to_string(),
        "us" => format!("{} us", figure / 1e3),
        "%" => format!("{} %", figure * 100.0),
        other => panic!("{words}: {other} is no unit of figures in words"),
    }
}

fn out_dir() -> PathBuf {
    PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"))
}

/// The type and the text of a figure: what counts things of a series is a `usize`; nanoseconds,
/// thousandths, bytes and rates are not.
fn constant(name: &str, value: &Value) -> (String, String) {
    match value {
        Value::Number(number) if number.is_f64() => ("f64".to_owned(), value.to_string()),
        Value::Number(_)
            if name.contains("_ns")
                || name.contains("milli")
                || name.contains("bytes")
                || name.contains("per_s") =>
        {
            ("u64".to_owned(), value.to_string())
        }
        Value::Number(_) => ("usize".to_owned(), value.to_string()),
        Value::Array(values) => {
            let kind = if values.iter().all(Value::is_string) { "&str" } else { "u64" };
            (format!("[{kind}; {}]", values.len()), value.to_string())
        }
        _ => panic!("{JUDGEMENT}: {name} is {value}, which is no figure"),
    }
}

fn table(name: &str, kind: &str, rows: &Value, row: fn(&Value) -> String) -> String {
    let rows: Vec<String> =
        rows.as_array().unwrap_or_else(|| panic!("{JUDGEMENT}: no {name}")).iter().map(row).collect();
    format!(
        "/// As `judgement.v1.json` states them.\npub const {name}: [{kind}; {}] = [\n    {},\n];\n",
        rows.len(),
        rows.join(",\n    ")
    )
}

fn filesystem_traffic(row: &Value) -> String {
    format!(
        "FilesystemTraffic {{ filesystem: {}, timestamp_bytes: {}, fsync_bytes: {}, new_block_bytes: {}, concurrent_bytes: {} }}",
        row["filesystem"],
        row["timestamp_bytes"],
        row["fsync_bytes"],
        row["new_block_bytes"],
        row["concurrent_bytes"]
    )
}

fn class(row: &Value) -> String {
    let typical = if row["measured"].is_null() { &row["claimed"] } else { &row["measured"] };
    format!(
        "StorageClass {{ slug: {}, name: {}, low_ns: {}, high_ns: {} }}",
        row["slug"], row["short_name"], typical["low_ns"], typical["high_ns"]
    )
}

fn floor(row: &Value) -> String {
    format!("Floor {{ id: {}, commit_ns: {} }}", row["id"], row["floor_ns"])
}

fn object(value: &Value) -> &serde_json::Map<String, Value> {
    value.as_object().unwrap_or_else(|| panic!("{JUDGEMENT}: {value} is no object"))
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{JUDGEMENT}: {value} is no text"))
}
