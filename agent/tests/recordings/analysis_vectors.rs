//! Derived figures, compared with the golden vectors that the server's tests read too.

use std::path::Path;

use fsyncmark::analysis::cache::{self, Drain, WorkingSet};
use fsyncmark::analysis::disturbance::{Bystanders, PassTotals};
use fsyncmark::analysis::{cliff, repeats, slo, stall, steady};
use fsyncmark::plan::workload::WorkloadDefinition;
use fsyncmark::wire::histogram::Distribution;
use fsyncmark::wire::interference::{DeviceTraffic, Interference};
use fsyncmark::wire::workload::Pass;
use serde_json::{Value, json};

fn vectors(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/wire/v1/vectors/analysis.json");
    let all: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let found = all[name].as_array().unwrap().clone();
    assert!(!found.is_empty());
    found
}

/// Integers and words exactly, other numbers within a millionth.
#[track_caller]
fn assert_like(found: &Value, vector: &Value, member: &str) {
    let (expected, name) = (&vector[member], &vector["name"]);
    let (Some(expected), Some(members)) = (expected.as_object(), found.as_object()) else {
        assert_eq!(found, expected, "{name}");
        return;
    };
    assert_eq!(members.len(), expected.len(), "{name}");
    for (key, value) in expected {
        if value.is_f64() || members[key].is_f64() {
            let (found, expected) = (members[key].as_f64().unwrap(), value.as_f64().unwrap());
            assert!(
                (found - expected).abs() <= expected.abs() * 1e-6,
                "{name}: {key} is {found}, not {expected}"
            );
        } else {
            assert_eq!(&members[key], value, "{name}: {key}");
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn stalls_take_the_share_of_the_time_that_the_vectors_state() {
    for vector in vectors("stalls") {
        let sent = &vector["histogram"];
        let latencies = Distribution {
            counts: read(&sent["counts"]),
            sum_ns: read(&sent["sum_ns"]),
            min_ns: read(&sent["min_ns"]),
            max_ns: read(&sent["max_ns"]),
        };
        assert_like(&json!(stall::share_milli(&latencies)), &vector, "share_milli");
    }
}

#[test]
fn a_rate_falls_where_the_vectors_state() {
    for vector in vectors("cliffs") {
        let found = cliff::find(&read::<Vec<u64>>(&vector["counts"]));
        let found = found.map(|cliff| {
            json!({
                "sample": cliff.sample,
                "operations": cliff.operations,
                "before": cliff.before,
                "after": cliff.after,
            })
        });
        assert_like(&json!(found), &vector, "cliff");
    }
}

#[test]
fn a_steady_state_begins_in_the_round_that_the_vectors_state() {
    for vector in vectors("steady") {
        let found = steady::first(&read::<Vec<f64>>(&vector["rates_per_s"]));
        let found = found.map(|steady| json!({"round": steady.round, "mean_per_s": steady.mean_per_s}));
        assert_like(&json!(found), &vector, "steady");
    }
}

#[test]
fn passes_spread_as_the_vectors_state() {
    for vector in vectors("spreads") {
        let found = repeats::spread(&read::<Vec<f64>>(&vector["rates_per_s"])).map(|found| {
            assert_eq!(found.reason().is_some(), found.is_unsteady());
            json!({"median_per_s": found.median_per_s, "spread": found.relative, "is_unsteady": found.is_unsteady()})
        });
        assert_like(&json!(found), &vector, "spread");
    }
}

#[test]
fn a_flush_costs_what_the_vectors_state() {
    for vector in vectors("flush_costs") {
        let found = cache::flush_cost(&read::<Vec<(u64, u64)>>(&vector["points"])).map(|cost| {
            let drain = match cost.drain {
                Drain::Flat => "flat",
                Drain::Volatile => "volatile",
                Drain::Unclear => "unclear",
            };
            json!({"slope_ns_per_mib": cost.slope_ns_per_mib, "ratio": cost.ratio, "drain": drain})
        });
        assert_like(&json!(found), &vector, "cost");
    }
}

#[test]
fn reads_slow_down_at_the_size_that_the_vectors_state() {
    for vector in vectors("sweeps") {
        let area = |area: &Value| WorkingSet {
            bytes: read(&area["bytes"]),
            p50_ns: read(&area["p50_ns"]),
            means_ns: read(&area["means_ns"]),
        };
        let areas: Vec<WorkingSet> = vector["areas"].as_array().unwrap().iter().map(area).collect();
        let found = cache::step(&areas).map(|step| {
            json!({"quick_bytes": step.quick_bytes, "slow_bytes": step.slow_bytes, "ratio": step.ratio})
        });
        assert_like(&json!(found), &vector, "step");
    }
}

#[test]
fn others_have_the_shares_that_the_vectors_state() {
    for vector in vectors("others") {
        let texts = |name: &str| -> Vec<String> { read(&vector[name]) };
        let (layers, mount_flags, classes) = (texts("layers"), texts("mount_flags"), texts("classes"));
        let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
        let bystanders = Bystanders::on(read(&vector["cpus"]), &layers, &mount_flags, &classes);
        let workload = WorkloadDefinition::with_id(vector["workload"].as_str().unwrap()).unwrap();
        let pass = PassTotals {
            operations: read(&vector["operations"]),
            bytes: read(&vector["bytes"]),
            elapsed_ns: read(&vector["elapsed_ns"]),
        };
        let moved: Option<(u64, u64)> =
            read::<Option<u64>>(&vector["bytes_read"]).zip(read(&vector["bytes_written"]));
        let device = moved.map(|(bytes_read, bytes_written)| DeviceTraffic {
            reads: 0,
            writes: 0,
            bytes_read,
            bytes_written,
        });
        let seen =
            Interference { device, other_cpu_ns: read(&vector["other_cpu_ns"]), ..Interference::default() };
        let share = bystanders.share_of_others(workload, pass, &seen);
        assert_like(&json!(share.device_milli), &vector, "device_permille");
        assert_like(&json!(share.cpu_milli), &vector, "cpu_permille");
    }
}

#[test]
fn the_useful_rate_is_the_one_that_the_vectors_state() {
    for vector in vectors("slo") {
        let pass = |pass: &Value| -> Pass {
            let mut sent = pass.clone();
            for (name, value) in
                [("bytes", json!(0)), ("ended_by", json!("time")), ("rate_samples", json!([]))]
            {
                sent[name] = value;
            }
            if let Some(open) = sent.get_mut("open_loop") {
                open["p50_ns"] = json!(0);
            }
            read(&sent)
        };
        let passes: Vec<Pass> = vector["passes"].as_array().unwrap().iter().map(pass).collect();
        let found = slo::useful(&passes, read(&vector["p99_ns_max"])).map(|useful| {
            let load = |load: &slo::Load| json!({"percent": load.percent, "offered_per_s": load.offered_per_s, "p99_ns": load.p99_ns});
            json!({
                "per_s": useful.per_s,
                "searches_per_s": useful.searches_per_s,
                "capacity_per_s": useful.capacity_per_s,
                "late_trials": useful.late_trials,
                "loads": useful.loads.iter().map(load).collect::<Vec<_>>(),
            })
        });
        assert_like(&json!(found), &vector, "useful");
    }
}
