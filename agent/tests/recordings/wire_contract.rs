//! The wire format as Rust sees it: the shared examples and golden vectors, which the server's tests read
//! too. They hold the examples to the schema; here the structs are held to the examples.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::SigningKey;
use fsyncmark::delivery::server::statements;
use fsyncmark::disk::contents::{self, Seed};
use fsyncmark::engine::histogram::Histogram;
use fsyncmark::error::ErrorKind;
use fsyncmark::hex;
use fsyncmark::wire::envelope::{self, Envelope, EnvelopeSignature};
use fsyncmark::wire::histogram::{Distribution, bucket_of, lower_bound_ns, width_ns};
use fsyncmark::wire::payload::Run;
use fsyncmark::wire::workload;
use serde_json::Value;
use sha2::{Digest, Sha256};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn vectors(name: &str) -> Value {
    read_json(&repository().join("tests/wire/v1/vectors").join(name))
}

fn valid_examples() -> Vec<(String, Value)> {
    let folder = repository().join("tests/wire/v1/valid");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), read_json(&path))).collect()
}

#[test]
fn every_valid_example_is_read_and_written_again_without_loss() {
    let examples = valid_examples();
    assert!(examples.len() >= 5);
    for (name, example) in examples {
        let run: Run =
            serde_json::from_value(example.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(serde_json::to_value(run).unwrap(), example, "{name}");
    }
}

#[test]
fn a_field_that_the_format_does_not_have_is_refused() {
    let (_, mut example) = valid_examples().remove(0);
    example["env"]["hostname"] = Value::from("db1");
    assert!(serde_json::from_value::<Run>(example).is_err());
}

#[test]
fn what_the_cloud_says_may_be_missing_or_null() {
    for (name, mut example) in valid_examples() {
        let env = example["env"].as_object_mut().unwrap();
        let told = env.remove("cloud_metadata");
        assert_eq!(told.is_some(), name == "every-field.json", "{name}");
        let mut with_null = example.clone();
        with_null["env"]["cloud_metadata"] = Value::Null;
        for document in [&example, &with_null] {
            let run: Run = serde_json::from_value(document.clone()).unwrap();
            assert_eq!(run.env.cloud_metadata, None, "{name}");
            assert_eq!(
                serde_json::to_value(run).unwrap(),
                example,
                "{name}: nothing is written where nobody spoke"
            );
        }
    }
}

#[test]
fn a_run_that_nobody_agreed_to_publish_can_be_kept() {
    let (_, mut example) = valid_examples().remove(0);
    example["consent"] = Value::Null; // the server refuses it: tests/wire/v1/invalid/consent-null.json
    assert!(serde_json::from_value::<Run>(example).is_ok());
}

#[test]
fn every_property_of_the_schema_is_in_an_example_and_in_the_structs() {
    let schema = read_json(&repository().join("apps/wire/run.v1.schema.json"));
    let mut names = Vec::new();
    collect_properties(&schema, &mut names);
    let examples: String = valid_examples().iter().map(|(_, example)| example.to_string()).collect();
    for name in names {
        assert!(examples.contains(&format!("\"{name}\":")), "no example has {name}");
    }
}

fn collect_properties(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "properties" {
                    names.extend(member.as_object().unwrap().keys().cloned());
                }
                collect_properties(member, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_properties(item, names)),
        _ => {}
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

fn envelope_of(entry: &Value, keyid: &str) -> Envelope {
    let signature =
        EnvelopeSignature { keyid: keyid.to_owned(), sig: text(entry, "sig").to_owned(), public_key: None };
    Envelope {
        payload_type: text(entry, "payload_type").to_owned(),
        payload: text(entry, "body_base64").to_owned(),
        signatures: vec![signature],
    }
}

#[test]
fn signing_gives_the_golden_signatures() {
    let vectors = vectors("dsse.json");
    let key = SigningKey::from_bytes(&hex::decode(text(&vectors, "signing_key_seed_hex")).unwrap());
    let public_key = key.verifying_key();
    assert_eq!(envelope::public_key_base64(&public_key), text(&vectors, "public_key"));
    assert_eq!(envelope::key_id(&public_key), text(&vectors, "keyid"));
    for entry in vectors["valid"].as_array().unwrap() {
        let name = text(entry, "name");
        let body = STANDARD.decode(text(entry, "body_base64")).unwrap();
        let kind = text(entry, "payload_type");
        let encoded = envelope::pre_authentication_encoding(kind, &body);
        assert_eq!(hex::encode(&Sha256::digest(&encoded)), text(entry, "pae_sha256"), "{name}");
        let sealed = envelope::seal(kind, &body, &key);
        assert_eq!(sealed.signatures[0].sig, text(entry, "sig"), "{name}");
        assert_eq!(sealed.open(&public_key).unwrap(), body, "{name}");
        assert_eq!(Envelope::parse(&sealed.to_bytes()).unwrap(), sealed, "{name}");
    }
}

#[test]
fn no_forged_envelope_opens() {
    for entry in vectors("dsse.json")["must_fail"].as_array().unwrap() {
        let why = text(entry, "why");
        // A key that must not be used may be refused already when it is read.
        let Ok(public_key) = envelope::public_key(text(entry, "public_key")) else { continue };
        let envelope = envelope_of(entry, &envelope::key_id(&public_key));
        assert_eq!(envelope.open(&public_key).unwrap_err().kind, ErrorKind::Data, "{why}");
    }
}

#[test]
fn small_order_keys_are_refused_when_they_are_read() {
    let vectors = vectors("dsse.json");
    let weak: Vec<&Value> = vectors["must_fail"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| text(entry, "why").contains("order") || text(entry, "why").contains("identity"))
        .collect();
    assert!(weak.len() >= 4);
    for entry in weak {
        assert!(envelope::public_key(text(entry, "public_key")).is_err(), "{}", text(entry, "why"));
    }
}

#[test]
fn an_envelope_has_one_signature_or_two_and_unknown_members_are_ignored() {
    let key = SigningKey::from_bytes(&[1; 32]);
    let mut json: Value = serde_json::from_slice(&envelope::seal("t", b"{}", &key).to_bytes()).unwrap();
    json["comment"] = Value::from("unknown");
    let parse = |json: &Value| Envelope::parse(json.to_string().as_bytes());
    assert!(parse(&json).unwrap().open(&key.verifying_key()).is_ok());
    let one = json["signatures"][0].clone();
    for count in [0, 3] {
        json["signatures"] = Value::Array(vec![one.clone(); count]);
        assert_eq!(parse(&json).unwrap_err().kind, ErrorKind::Data, "{count} signatures");
    }
    let doubled = r#"{"payloadType":"t","payload":"","payload":"e30=","signatures":[]}"#;
    assert!(Envelope::parse(doubled.as_bytes()).is_err(), "a member twice");
}

#[test]
fn file_contents_follow_from_the_seed() {
    let vectors = vectors("seed_blocks.json");
    for entry in vectors["seeds"].as_array().unwrap() {
        let seed = Seed::from_hex(text(entry, "seed")).unwrap();
        for block in entry["blocks"].as_array().unwrap() {
            let mut bytes = vec![0; 4096];
            contents::fill(&seed, block["number"].as_u64().unwrap(), &mut bytes);
            assert_eq!(hex::encode(&Sha256::digest(&bytes)), text(block, "sha256"), "{block}");
        }
        let read = |offset: u64, block: &mut [u8]| {
            contents::fill(&seed, offset / contents::BLOCK_BYTES, block);
            Ok::<_, std::convert::Infallible>(())
        };
        let Ok(proof) = contents::proof(read, &mut vec![0; 4096]);
        assert_eq!(proof, text(entry, "seed_proof"));
    }
}

#[test]
fn buckets_are_the_golden_ones() {
    for entry in vectors("histograms.json")["buckets"].as_array().unwrap() {
        let number = |name: &str| entry[name].as_u64().unwrap();
        let bucket = bucket_of(number("value_ns"));
        assert_eq!(bucket as u64, number("bucket"), "{entry}");
        assert_eq!(
            (lower_bound_ns(bucket), width_ns(bucket)),
            (number("lower_ns"), number("width_ns")),
            "{entry}"
        );
    }
}

#[test]
fn recorded_values_make_the_golden_histograms_and_percentiles() {
    let (histograms, percentiles) = (vectors("histograms.json"), vectors("percentiles.json"));
    for entry in histograms["recorded"].as_array().unwrap() {
        let name = text(entry, "name");
        let histogram = Histogram::default();
        for value in entry["values_ns"].as_array().unwrap() {
            histogram.record(value.as_u64().unwrap());
        }
        let on_the_wire = workload::HistogramData::from(histogram.snapshot().unwrap());
        assert_eq!(serde_json::to_value(&on_the_wire).unwrap(), entry["histogram"], "{name}");
        let expected = percentiles["percentiles"].as_array().unwrap();
        let expected = expected.iter().find(|other| text(other, "histogram") == name).unwrap();
        for at in expected["at"].as_array().unwrap() {
            let value =
                Distribution::from(&on_the_wire).percentile_ns(at["per_ten_thousand"].as_u64().unwrap());
            assert_eq!(Some(value), at["value_ns"].as_u64(), "{name} {at}");
        }
    }
}

/// The payload of a statement of the vectors, as the agent makes it of the members.
fn stated(vector: &Value) -> Vec<u8> {
    let members = &vector["members"];
    let text = |name: &str| members[name].as_str().unwrap();
    match vector["name"].as_str().unwrap().split('-').next().unwrap() {
        "withdrawal" => statements::withdrawal(
            text("server"),
            text("run_id"),
            members["withdrawn"].as_bool().unwrap(),
            text("reason"),
            members["issued_at_unix_ns"].as_u64().unwrap(),
        ),
        "placement" => statements::placement(
            text("run_id"),
            text("challenge"),
            text("provider"),
            text("document"),
            text("signature"),
        ),
        _ if members["old"].is_string() => statements::rotation(text("server"), text("old"), text("new")),
        _ => statements::login_poll(text("server"), text("device_code"), text("keyid")),
    }
}

#[test]
fn statements_beside_runs_are_stated_and_signed_to_the_same_bytes() {
    let vectors = vectors("statements.json");
    let key = |name: &str| {
        let seed = vectors["signing_key_seeds_hex"][name].as_str().unwrap();
        SigningKey::from_bytes(&hex::decode::<32>(seed).unwrap())
    };
    let sender = &vectors["sender"];
    let text = |name: &str| sender[name].as_str().unwrap();
    let header = statements::sender(
        text("server"),
        text("path"),
        &key(text("key")),
        sender["unix_s"].as_u64().unwrap(),
    );
    assert_eq!(header, text("header"));
    let rows = vectors["statements"].as_array().unwrap();
    let types: std::collections::BTreeSet<&str> =
        rows.iter().map(|row| row["payload_type"].as_str().unwrap()).collect();
    let known = [
        statements::LOGIN_TYPE,
        statements::ROTATION_TYPE,
        statements::WITHDRAWAL_TYPE,
        statements::PLACEMENT_TYPE,
    ];
    assert_eq!(types, known.into());
    for row in rows {
        let name = &row["name"];
        let payload = stated(row);
        assert_eq!(String::from_utf8_lossy(&payload), row["payload"].as_str().unwrap(), "{name}");
        let signatures = row["signatures"].as_array().unwrap();
        let keys: Vec<SigningKey> =
            signatures.iter().map(|each| key(each["key"].as_str().unwrap())).collect();
        let envelope = envelope::seal_by(
            row["payload_type"].as_str().unwrap(),
            &payload,
            &keys.iter().collect::<Vec<_>>(),
        );
        for (made, expected) in envelope.signatures.iter().zip(signatures) {
            assert_eq!(made.sig, expected["sig"].as_str().unwrap(), "{name}");
            assert_eq!(made.keyid, vectors["keyids"][expected["key"].as_str().unwrap()].as_str().unwrap());
        }
        for key in &keys {
            assert_eq!(envelope.open(&key.verifying_key()).unwrap(), payload, "{name}");
        }
    }
}
