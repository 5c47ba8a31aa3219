//! What can be tried, judging by the figures of a result: each suggestion is left out where nothing supports
//! it.

use crate::analysis::figures::{self, times};
use crate::analysis::{cache, disturbed_workloads};
use crate::judgement::comparison;
use crate::judgement::flush_verdict::{self, FlushVerdict};
use crate::judgement::software_impact::largest;
use crate::judgement::verdict_evidence;
use crate::plan::judged_ids::{APPEND, COMMIT_DSYNC, COMMIT_FSYNC};
use crate::plan::workload::HEADLINE;
use crate::plan::workload_groups::{FILE_EACH, GROUP_COMMIT, ONE_FILE};
use crate::wire::payload::Run;

/// An alternative is worth a try when it is faster by more than this factor.
const WORTH_A_TRY: f64 = 1.15;
/// Many committers that reach more than this many times the rate of one share their syncs well.
const GROUP_WORTH: f64 = 3.0;
/// Writers with files of their own that reach more than this many times the rate of one file are held up by
/// its lock.
const FILES_WORTH: f64 = 2.0;

/// What a suggestion is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestionKind {
    /// Logs opened with `O_DSYNC`.
    Dsync,
    /// `fdatasync` in place of `fsync`.
    Fdatasync,
    /// Logs that do not grow.
    Preallocate,
    /// Commits that share their syncs.
    Group,
    /// Logs in several files.
    FileLock,
    /// Benchmarks that write zeros give wrong figures here.
    Zeros,
    /// The suite with the probe that tells what a flush empties.
    Drain,
}

/// Something to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What it is about.
    pub kind: SuggestionKind,
    /// What to do, and the figures that support it.
    pub text: String,
}

/// Everything worth trying, judging by the figures.
pub fn suggestions_for(run: &Run) -> Vec<Suggestion> {
    let run = &disturbed_workloads::undisturbed(run);
    [
        dsync(run),
        prefer_fdatasync(run),
        preallocate(run),
        group(run),
        file_lock(run),
        zeros(run),
        measure_more(run),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How many times faster one workload is than another, if that is more than `enough` and more than either
/// varies.
fn quicker(run: &Run, id: &str, than: &str, enough: f64) -> Option<f64> {
    let (one, other) = (figures::workload(run, id)?, figures::workload(run, than)?);
    let ratio = figures::rate(one) / figures::rate(other);
    (ratio > enough && comparison::is_faster(one, other)).then_some(ratio)
}

fn dsync(run: &Run) -> Option<Suggestion> {
    let ratio = quicker(run, COMMIT_DSYNC, HEADLINE, WORTH_A_TRY)?;
    Some(Suggestion {
        kind: SuggestionKind::Dsync,
        text: format!(
            "Open logs with O_DSYNC where the software lets you choose: {} as many commits here. PostgreSQL: \
             wal_sync_method=open_datasync.",
            times(ratio)
        ),
    })
}

fn prefer_fdatasync(run: &Run) -> Option<Suggestion> {
    let ratio = quicker(run, HEADLINE, COMMIT_FSYNC, WORTH_A_TRY)?;
    Some(Suggestion {
        kind: SuggestionKind::Fdatasync,
        text: format!(
            "Prefer fdatasync to fsync where the software lets you choose: {} as many commits here.",
            times(ratio)
        ),
    })
}

fn preallocate(run: &Run) -> Option<Suggestion> {
    let ratio = quicker(run, HEADLINE, APPEND, WORTH_A_TRY)?;
    Some(Suggestion {
        kind: SuggestionKind::Preallocate,
        text: format!(
            "Let logs be written once and used again, in place of growing: {} as many commits (wal_recycle and \
             wal_init_zero in PostgreSQL, innodb_redo_log_capacity in MySQL).",
            times(ratio)
        ),
    })
}

fn group(run: &Run) -> Option<Suggestion> {
    let (id, count, _) = largest(run, &GROUP_COMMIT)?;
    let ratio = quicker(run, &id, HEADLINE, GROUP_WORTH)?;
    Some(Suggestion {
        kind: SuggestionKind::Group,
        text: format!(
            "Commit from more connections at once, or many rows in one transaction: {count} committers that share \
             their syncs get {} as many commits as one.",
            times(ratio)
        ),
    })
}

/// Whether the lock of the file limits many writers.
fn file_lock(run: &Run) -> Option<Suggestion> {
    let (id, count, _) = largest(run, &FILE_EACH)?;
    let ratio = quicker(run, &id, &ONE_FILE.id(count), FILES_WORTH)?;
    Some(Suggestion {
        kind: SuggestionKind::FileLock,
        text: format!(
            "Spread logs over several files: {count} writers get {} as many commits in files of their own as in one; \
             the filesystem's lock is the limit, not the disk.",
            times(ratio)
        ),
    })
}

fn zeros(run: &Run) -> Option<Suggestion> {
    let (ratio, _) = verdict_evidence::zeros_ratio(run).filter(|(_, in_every_pass)| *in_every_pass)?;
    Some(Suggestion {
        kind: SuggestionKind::Zeros,
        text: format!(
            "Believe no benchmark here that writes zeros, such as dd: it shows {} the rate.",
            times(ratio)
        ),
    })
}

/// Which measurement would tell more.
fn measure_more(run: &Run) -> Option<Suggestion> {
    let is_open = flush_verdict::judge_flushes(run).is_some_and(|judgement| {
        matches!(
            judgement.verdict,
            FlushVerdict::QuickWithoutADrain | FlushVerdict::AsSlowAsTheMedium | FlushVerdict::CacheUnknown
        )
    });
    (is_open && cache::flush_cost_of(run).is_none()).then(|| Suggestion {
        kind: SuggestionKind::Drain,
        text: "Measure whether a flush empties anything: fsyncmark run --suite standard".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples;
    use crate::plan::judged_ids::EMPTY_FLUSH;
    use crate::wire::interference::Interference;
    use crate::wire::workload::Workload;

    fn suggestion_kinds(workloads: Vec<Workload>) -> Vec<SuggestionKind> {
        suggestions_for(&examples::run(workloads)).into_iter().map(|suggestion| suggestion.kind).collect()
    }

    #[test]
    fn suggestions_begin_where_it_is_worth_a_try() {
        let pair = |id: &str, ns| vec![examples::commits(HEADLINE, 100_000), examples::commits(id, ns)];
        assert!(suggestion_kinds(pair(COMMIT_DSYNC, 86_000)).contains(&SuggestionKind::Dsync));
        assert!(!suggestion_kinds(pair(COMMIT_DSYNC, 88_000)).contains(&SuggestionKind::Dsync));
        assert!(suggestion_kinds(pair(COMMIT_FSYNC, 116_000)).contains(&SuggestionKind::Fdatasync));
        assert!(!suggestion_kinds(pair(COMMIT_FSYNC, 114_000)).contains(&SuggestionKind::Fdatasync));
        assert!(suggestion_kinds(pair(APPEND, 200_000)).contains(&SuggestionKind::Preallocate));
        assert!(suggestion_kinds(pair("group-commit-8k-32", 33_000)).contains(&SuggestionKind::Group));
        assert!(!suggestion_kinds(pair("group-commit-8k-32", 34_000)).contains(&SuggestionKind::Group));
        let sweep = |own| {
            vec![
                examples::commits("commit-8k-files-8", own),
                examples::commits("commit-8k-writers-8", 100_000),
            ]
        };
        assert_eq!(suggestion_kinds(sweep(49_000)), [SuggestionKind::FileLock]);
        assert_eq!(suggestion_kinds(sweep(51_000)), []);
    }

    #[test]
    fn nothing_is_suggested_by_what_varies_as_much_or_was_disturbed() {
        let mut noisy = examples::commits(COMMIT_DSYNC, 50_000);
        let headline = examples::commits(HEADLINE, 100_000);
        assert!(suggestion_kinds(vec![headline.clone(), noisy.clone()]).contains(&SuggestionKind::Dsync));
        noisy.passes[0].rate_samples = vec![500, 900, 1_300, 1_700, 2_100, 2_500, 2_900, 3_300];
        assert!(!suggestion_kinds(vec![headline.clone(), noisy]).contains(&SuggestionKind::Dsync));
        let mut busy = examples::commits(COMMIT_DSYNC, 50_000);
        let other_cpu_ns = Some(u64::from(examples::run(Vec::new()).env.cpu_count) * busy.elapsed_ns);
        busy.passes[0].interference = Some(Interference { other_cpu_ns, ..Interference::default() });
        assert!(!suggestion_kinds(vec![headline, busy]).contains(&SuggestionKind::Dsync));
    }

    #[test]
    fn a_drain_is_asked_for_where_it_would_tell_more() {
        let mut workloads = vec![examples::commits(HEADLINE, 100_000)];
        assert_eq!(suggestion_kinds(workloads.clone()), [SuggestionKind::Drain]);
        workloads.extend([examples::flushes(EMPTY_FLUSH, 44_000), examples::flushes("drain-64m", 44_000)]);
        assert_eq!(suggestion_kinds(workloads), []);
    }
}
