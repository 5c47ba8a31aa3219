//! What a result means for software that waits for syncs: each sentence is computed from the workloads that
//! it names, and left out where they were not measured.

use crate::analysis::{disturbed_workloads, figures};
use crate::judgement::flush_verdict::{self, FlushVerdict};
use crate::plan::judged_ids::{APPEND, COMMIT_FSYNC, DIRECT_FDATASYNC, DOUBLEWRITE, ETCD, STREAM};
use crate::plan::workload::{HEADLINE, WorkloadDefinition};
use crate::plan::workload_groups::{GROUP_COMMIT, Sweep, WRITERS};
use crate::units;
use crate::wire::payload::Run;
use crate::wire::workload::LatencyKind;

/// The limit that etcd's documentation sets for p99 of the sync of its log.
const ETCD_P99_NS_MAX: u64 = crate::wire::judgement::etcd::SYNC_P99_NS_BELOW;

/// What a result means for one kind of software.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoftwareImpact {
    /// The software.
    pub software: &'static str,
    /// One or two sentences.
    pub text: String,
    /// The workloads that it was computed from.
    pub from: Vec<String>,
}

/// What a result means for each kind of software that its workloads say something about.
pub fn impacts_on_software(run: &Run) -> Vec<SoftwareImpact> {
    let run = &disturbed_workloads::undisturbed(run);
    [postgresql(run), mysql(run), etcd(run), kafka(run), sqlite(run), slog(run)]
        .into_iter()
        .flatten()
        .collect()
}

/// The workload of a sweep with the most writers that was measured: its id, its writers and its rate.
pub(super) fn largest(run: &Run, sweep: &Sweep) -> Option<(String, u16, f64)> {
    WRITERS.into_iter().rev().filter(|&count| count > 1).find_map(|count| {
        let id = sweep.id(count);
        let rate = figures::rate_of(run, &id)?;
        Some((id, count, rate))
    })
}

/// The rate of a workload, if it was measured, in units of which one operation does `amount`.
fn rate_in(run: &Run, id: &str, amount: impl Fn(&WorkloadDefinition) -> u64) -> Option<f64> {
    Some(figures::rate_of(run, id)? * amount(WorkloadDefinition::with_id(id)?) as f64)
}

fn names(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|&id| id.to_owned()).collect()
}

fn postgresql(run: &Run) -> Option<SoftwareImpact> {
    let one = figures::rate_of(run, HEADLINE)?;
    let p99 = figures::percentile_of(run, HEADLINE, LatencyKind::Commit, 9_900)?;
    let mut from = names(&[HEADLINE]);
    let group = largest(run, &GROUP_COMMIT).map(|(id, count, rate)| {
        from.push(id);
        format!(" {count} clients that commit together get {} together.", units::rate(rate))
    });
    Some(SoftwareImpact {
        software: "PostgreSQL",
        text: format!(
            "One client can commit at most {} times a second (fdatasync, Linux's default), and one commit in a hundred \
             waits {} or more.{}",
            units::rate(one),
            units::latency(p99),
            group.unwrap_or_default()
        ),
        from,
    })
}

fn mysql(run: &Run) -> Option<SoftwareImpact> {
    let id = [COMMIT_FSYNC, HEADLINE].into_iter().find(|id| figures::rate_of(run, id).is_some())?;
    let one = figures::rate_of(run, id)?;
    let mut from = names(&[id]);
    // A batch writes each of its pages twice.
    let pages = rate_in(run, DOUBLEWRITE, |row| row.operation.facts().blocks / 2).map(|pages_per_s| {
        from.push(DOUBLEWRITE.to_owned());
        format!(
            " Its page cleaner can write {} pages a second through the doublewrite buffer.",
            units::rate(pages_per_s)
        )
    });
    Some(SoftwareImpact {
        software: "MySQL, InnoDB",
        text: format!(
            "One client can commit at most {} times a second without a binary log, and about {} with sync_binlog=1, which \
             syncs twice.{}",
            units::rate(one),
            units::rate(one / 2.0),
            pages.unwrap_or_default()
        ),
        from,
    })
}

fn etcd(run: &Run) -> Option<SoftwareImpact> {
    let id = [ETCD, HEADLINE]
        .into_iter()
        .find(|id| figures::percentile_of(run, id, LatencyKind::Sync, 9_900).is_some())?;
    let p99 = figures::percentile_of(run, id, LatencyKind::Sync, 9_900)?;
    let reading = if p99 < ETCD_P99_NS_MAX { "under" } else { "over" };
    let other = if id == ETCD { "" } else { " etcd's own job is in the suite standard." };
    Some(SoftwareImpact {
        software: "etcd",
        text: format!(
            "p99 of the sync is {}, {reading} the {} ms that etcd asks for{}.{other}",
            units::latency(p99),
            ETCD_P99_NS_MAX / 1_000_000,
            if p99 < ETCD_P99_NS_MAX { "" } else { ": expect leaders to be lost under load" }
        ),
        from: names(&[id]),
    })
}

fn kafka(run: &Run) -> Option<SoftwareImpact> {
    let append = figures::rate_of(run, APPEND)?;
    let mut from = names(&[APPEND]);
    let stream = rate_in(run, STREAM, WorkloadDefinition::operation_bytes).map(|bytes_per_s| {
        from.push(STREAM.to_owned());
        format!(
            " Segments can be written with {} MB/s at most, while caches last.",
            units::rate(bytes_per_s / 1e6)
        )
    });
    Some(SoftwareImpact {
        software: "Kafka",
        text: format!(
            "By default it syncs nothing and relies on its replicas. With flush.messages=1 a partition takes at most {} \
             messages or batches a second.{}",
            units::rate(append),
            stream.unwrap_or_default()
        ),
        from,
    })
}

fn sqlite(run: &Run) -> Option<SoftwareImpact> {
    let reused = figures::rate_of(run, HEADLINE)?;
    let mut from = names(&[HEADLINE]);
    let growing = figures::rate_of(run, APPEND).map(|rate| {
        from.push(APPEND.to_owned());
        format!(", and {} while that log grows", units::rate(rate))
    });
    Some(SoftwareImpact {
        software: "SQLite",
        text: format!(
            "In WAL mode with synchronous=FULL at most {} transactions a second once its log is reused{}. A rollback \
             journal syncs at least twice for each.",
            units::rate(reused),
            growing.unwrap_or_default()
        ),
        from,
    })
}

fn slog(run: &Run) -> Option<SoftwareImpact> {
    let id = [DIRECT_FDATASYNC, HEADLINE]
        .into_iter()
        .find(|id| figures::percentile_of(run, id, LatencyKind::Commit, 9_900).is_some())?;
    let latency = |q| figures::percentile_of(run, id, LatencyKind::Commit, q).map(units::latency);
    let fitness = match flush_verdict::judge_flushes(run).map(|judgement| judgement.verdict) {
        Some(FlushVerdict::VolatileAndFlushed | FlushVerdict::AsSlowAsTheMedium) => {
            "It gains little: each write waits for the medium here too"
        }
        Some(FlushVerdict::FlushesMissing | FlushVerdict::MemoryAnswers) => {
            "Do not use it as one: what it acknowledges may be lost"
        }
        Some(FlushVerdict::PartlyFlushed) => {
            "Measure again before you use it as one: only some commits had a flush of their own"
        }
        _ => "Use it as one only if its data sheet names power-loss protection",
    };
    Some(SoftwareImpact {
        software: "ZFS SLOG",
        text: format!(
            "A synced write would take {}, and {} at p99. {fitness}.",
            latency(5_000)?,
            latency(9_900)?
        ),
        from: names(&[id]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;
    use crate::plan::judged_ids::READ_FLOOR;
    use crate::wire::workload::Workload;

    fn impact_on(workloads: Vec<Workload>, system: &str) -> SoftwareImpact {
        impacts_on_software(&examples::run(workloads))
            .into_iter()
            .find(|impact| impact.software == system)
            .expect(system)
    }

    #[test]
    fn each_sentence_names_the_workloads_that_it_is_computed_from() {
        let all = vec![
            examples::commits(HEADLINE, 100_000),
            examples::commits(COMMIT_FSYNC, 200_000),
            examples::commits("group-commit-8k-2", 90_000),
            examples::commits("group-commit-8k-16", 20_000),
            examples::commits(APPEND, 400_000),
            examples::commits("doublewrite-16k-batch", 6_400_000),
        ];
        let postgresql = impact_on(all.clone(), "PostgreSQL");
        assert!(postgresql.text.starts_with("One client can commit at most 10,000 times a second"));
        assert!(postgresql.text.ends_with("16 clients that commit together get 50,000 together."));
        assert_eq!(postgresql.from, [HEADLINE, "group-commit-8k-16"]);
        let mysql = impact_on(all.clone(), "MySQL, InnoDB");
        assert!(
            mysql.text.contains("at most 5,000 times")
                && mysql.text.contains("about 2,500 with sync_binlog=1")
        );
        assert!(mysql.text.contains("write 10,000 pages a second"), "{}", mysql.text);
        assert_eq!(mysql.from, [COMMIT_FSYNC, "doublewrite-16k-batch"]);
        assert!(impact_on(all.clone(), "Kafka").text.contains("takes at most 2,500 messages"));
        assert!(
            impact_on(all.clone(), "SQLite")
                .text
                .contains("10,000 transactions a second once its log is reused, and 2,500")
        );
        for impact in impacts_on_software(&examples::run(all.clone())) {
            for id in &impact.from {
                assert!(all.iter().any(|workload| workload.id == *id), "{id} was not measured");
            }
        }
        assert_eq!(impacts_on_software(&examples::run(vec![examples::reads(READ_FLOOR, 50_000)])), []);
    }

    #[test]
    fn etcd_asks_for_ten_milliseconds_of_the_sync_alone() {
        // Half of a made commit is its sync.
        let job = |sync_ns: u64| vec![examples::commits("fallocated-2300-fdatasync", 2 * sync_ns)];
        assert!(impact_on(job(ETCD_P99_NS_MAX - 1), "etcd").text.contains("under the 10 ms"));
        assert!(impact_on(job(ETCD_P99_NS_MAX), "etcd").text.contains("over the 10 ms"));
        let from_headline = impact_on(vec![examples::commits(HEADLINE, 100_000)], "etcd");
        assert!(from_headline.text.ends_with("etcd's own job is in the suite standard."));
    }

    #[test]
    fn a_log_device_is_judged_by_the_verdict() {
        let mut run = examples::run(vec![examples::commits(HEADLINE, 100_000)]);
        let impact_on = |run: &Run| impacts_on_software(run).pop().unwrap().text;
        assert!(impact_on(&run).contains("only if its data sheet"), "{}", impact_on(&run));
        run.workloads[0].flushes = Some(0);
        assert!(impact_on(&run).contains("may be lost"), "{}", impact_on(&run));
        run.workloads[0].flushes = Some(300);
        assert!(impact_on(&run).contains("Measure again"), "{}", impact_on(&run));
        run.workloads[0] = examples::commits(HEADLINE, 1_000_000);
        assert!(impact_on(&run).contains("gains little"), "{}", impact_on(&run));
    }
}
