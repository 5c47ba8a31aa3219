//! Where a plan stands on a server, as a side of a comparison.

use serde::Deserialize;

use crate::delivery::server::Server;
use crate::error::{Error, ErrorKind, Result};
use crate::judgement::comparison::{ComparisonSide, Figures, LatencyRanges, RateRange};
use crate::text::{printable, printable_error};

/// The part of a plan's answer that is read; a server may add to it.
#[derive(Deserialize)]
struct PlanAnswer {
    name: String,
    provider: String,
    standings: Vec<Standing>,
}

/// A plan's standing under one workload.
#[derive(Deserialize)]
struct Standing {
    workload: String,
    version: u16,
    rate_per_s: f64,
    rate_per_s_low: Option<f64>,
    rate_per_s_high: Option<f64>,
    #[serde(default)]
    interval_is: String,
    p50_ns: Option<u64>,
    p99_ns: Option<u64>,
    evidence: String,
    n_runs: u64,
}

/// Asks a server for the plan of this name: its standings, and a title.
pub(super) fn ask(server: &str, slug: &str) -> Result<(ComparisonSide, String)> {
    let server = Server::at(server)?;
    let slug_fits = !slug.is_empty() && slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let missing = |why: &str| {
        Error::new(
            ErrorKind::NoInput,
            format!("{} knows no plan named {}: {why}", server.address(), printable(slug, 160)),
        )
        .advise(format!("Plans have names like hetzner-ax102; all of them: {}/plans/", server.address()))
    };
    if !slug_fits {
        return Err(missing("it is no name of a plan, and no such file exists"));
    }
    let body = server.get(&format!("/api/v1/plans/{slug}")).map_err(|error| match error.refusal() {
        Some(refusal) if refusal.says_not_found() => missing(error.why()),
        Some(_) => {
            let what = format!("{} refused to say where a plan stands: {}", server.address(), error.why());
            Error::new(error.kind(), what)
        }
        None => Error { advice: error.advice().map(str::to_owned), ..Error::new(error.kind(), error.why()) },
    })?;
    let plan: PlanAnswer = serde_json::from_slice(&body).map_err(|error| {
        let why = printable_error(&error);
        Error::new(ErrorKind::Data, format!("{} answered otherwise: {why}", server.address()))
    })?;
    Ok(side_of(plan))
}

/// The side of a plan: measured standings only, where there are any, because published ones are of other
/// machines.
fn side_of(plan: PlanAnswer) -> (ComparisonSide, String) {
    let has_measured = plan.standings.iter().any(|standing| standing.evidence == "measured");
    let evidence = if has_measured { "measured" } else { "published" };
    let standings: Vec<Standing> = plan
        .standings
        .into_iter()
        .filter(|standing| standing.evidence == evidence && standing.rate_per_s > 0.0)
        .collect();
    let runs = standings.iter().map(|standing| standing.n_runs).max().unwrap_or_default();
    let title = format!(
        "the plan {} of {}; {evidence}, up to {runs} {} a workload",
        printable(&plan.name, 160),
        printable(&plan.provider, 160),
        if runs == 1 { "run" } else { "runs" }
    );
    let workloads = standings
        .into_iter()
        .map(|standing| {
            let ends = standing.rate_per_s_low.zip(standing.rate_per_s_high);
            let rate_range = ends.map(|(low_per_s, high_per_s)| RateRange {
                low_per_s,
                high_per_s,
                of: printable(&standing.interval_is, 32),
            });
            let figures = Figures {
                per_s: standing.rate_per_s,
                p50_ns: standing.p50_ns,
                p99_ns: standing.p99_ns,
                p999_ns: None,
                rate_range,
                latency_spread: LatencyRanges::default(),
                disturbed: false,
            };
            ((standing.workload, standing.version), figures)
        })
        .collect();
    (ComparisonSide { workloads, run: None }, title)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;
    use crate::analysis::figures::examples::example;
    use crate::judgement::comparison;

    #[test]
    fn a_plans_standing_is_a_side_and_measured_comes_before_published() {
        let standing = |evidence: &str, rate: f64| {
            format!(
                r#"{{"evidence":"{evidence}","workload":"commit-8k","version":1,"rate_per_s":{rate},"rate_per_s_low":90.0,
                "rate_per_s_high":110.0,"interval_is":"uploaders","p50_ns":9000,"p99_ns":null,"n_runs":7,"new":1}}"#
            )
        };
        let answer = |standings: &[String]| -> PlanAnswer {
            let standings = standings.join(",");
            serde_json::from_str(&format!(
                r#"{{"name":"AX102","provider":"hetzner","standings":[{standings}]}}"#
            ))
            .unwrap()
        };
        let (side, title) = side_of(answer(&[standing("published", 50.0), standing("measured", 100.0)]));
        assert_eq!(title, "the plan AX102 of hetzner; measured, up to 7 runs a workload");
        assert_eq!(side.workloads.len(), 1);
        let pair = &comparison::compare(&ComparisonSide::from_run(example()), &side).pairs[0];
        assert_eq!((pair.b.per_s, pair.b.rate_range.as_ref().unwrap().of.as_str()), (100.0, "uploaders"));
        assert!(side_of(answer(&[standing("published", 50.0)])).1.contains("published"));
    }

    /// The error of asking a server that refuses with this status.
    fn refused(status: u16) -> Error {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let head = BufReader::new(stream.try_clone().unwrap()).lines();
            assert!(head.map_while(std::result::Result::ok).take_while(|line| !line.is_empty()).count() > 0);
            let body = r#"{"type": "https://fsyncmark/problems/x", "title": "because of a test",
                "instance": "/api/v1/plans/hetzner-ax102", "errors": []}"#;
            let kind = "application/problem+json";
            let answer = format!(
                "HTTP/1.1 {status} No\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let error = ask(&url, "hetzner-ax102").unwrap_err();
        server.join().unwrap();
        error
    }

    #[test]
    fn only_a_server_that_finds_no_plan_is_said_to_know_none() {
        let missing = refused(404);
        assert_eq!(missing.kind, ErrorKind::NoInput);
        assert!(missing.what.contains("knows no plan named hetzner-ax102: because of a test"), "{missing}");
        for status in [403, 406] {
            let error = refused(status);
            assert_eq!((error.kind, error.advice), (ErrorKind::RejectedByServer, None));
            let said = "refused to say where a plan stands: because of a test";
            assert!(error.what.ends_with(said), "{}", error.what);
        }
    }
}
