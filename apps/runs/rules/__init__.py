"""The table of honesty rules: each id means the same for ever, a changed check is a new version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import Label
from apps.runs.rules import consistency, surroundings
from apps.runs.rules.rule import Kind, Rule

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts

_NOTE: Final = Label.Outcome.NOTE
_EXCLUDE: Final = Label.Outcome.EXCLUDE

TABLE: Final = (
    Rule(
        "measured-offline", 1, Kind.FRESHNESS, _NOTE, "measured offline",
        "No server was asked for a challenge before this run, so nothing shows when it was made or "
        "how many others were left out. It is shown, and not ranked.",
        surroundings.measured_offline,
    ),
    Rule(
        "challenge-expired", 1, Kind.FRESHNESS, _NOTE, "uploaded late",
        "The run was uploaded after its challenge had ended. It is shown, and not ranked.",
        surroundings.challenge_expired,
    ),
    Rule(
        "challenge-unknown", 1, Kind.FRESHNESS, _NOTE, "challenge not known",
        "The run names a challenge that this server does not remember. It is shown, not ranked.",
        surroundings.challenge_unknown,
    ),
    Rule(
        "histogram-totals", 1, Kind.CONSISTENCY, _EXCLUDE, "histograms do not add up",
        "A workload brings each of its histograms, every operation is counted once in each, and "
        "the exact sum must lie within what the buckets allow. Here it does not fit.",
        consistency.histogram_totals,
    ),
    Rule(
        "pass-totals", 1, Kind.CONSISTENCY, _EXCLUDE, "passes do not add up",
        "Operations, bytes and time of the passes must add up to those of the workload.",
        consistency.pass_totals,
    ),
    Rule(
        "bytes-per-operation", 1, Kind.CONSISTENCY, _EXCLUDE, "bytes do not fit operations",
        "Each operation moves one block of a size that the workload fixes.",
        consistency.bytes_per_operation,
    ),
    Rule(
        "rate-against-latency", 1, Kind.CONSISTENCY, _EXCLUDE, "rate and latency disagree",
        "With one operation in flight, latencies must fill the elapsed time within 2 %: a rate is "
        "the inverse of a mean latency.",
        consistency.rate_against_latency,
    ),
    Rule(
        "commit-parts", 2, Kind.CONSISTENCY, _EXCLUDE, "commit is not write and sync",
        "A commit is a write and the sync after it. Their times must add up within 2 %.",
        consistency.commit_is_write_and_sync,
    ),
    Rule(
        "elapsed-totals", 1, Kind.CONSISTENCY, _EXCLUDE, "times do not add up",
        "The workloads run one after the other, within the time that the run took.",
        consistency.elapsed_totals,
    ),
    Rule(
        "server-clock", 1, Kind.CONSISTENCY, _EXCLUDE, "longer than our clock allows",
        "The run claims to have lasted longer than the time between the challenge and the upload "
        "by the server's clock.",
        consistency.server_clock,
    ),
    Rule(
        "seed-proof", 1, Kind.CONSISTENCY, _EXCLUDE, "file contents not proven",
        "A challenge decides what the measured file must contain; reading it back proves that the "
        "run was not made before. The proof is missing or wrong.",
        consistency.seed_proof_fits,
    ),
    Rule(
        "suite-unknown", 1, Kind.CONSISTENCY, _EXCLUDE, "suite not known here",
        "The suite's definition is not one of this server's, so its figures compare with nothing.",
        consistency.suite_is_ours,
    ),
    Rule(
        "suite-incomplete", 2, Kind.ENVIRONMENT, _EXCLUDE, "incomplete",
        "Some workloads of the suite, or some of their passes, are not there. What was measured is "
        "shown; ranked are complete runs only, or a bad run could be stopped half-way.",
        consistency.suite_is_complete,
    ),
    Rule(
        "memory-filesystem", 1, Kind.ENVIRONMENT, _EXCLUDE, "in memory",
        "The file lay on a filesystem in memory: nothing written there survives a power cut.",
        surroundings.memory_filesystem,
    ),
    Rule(
        "indirect-filesystem", 1, Kind.ENVIRONMENT, _NOTE, "indirect filesystem",
        "Another filesystem or another machine stands between the file and the drive, so the "
        "figures are those of the whole path. To compare drives, measure on a disk's own "
        "filesystem.",
        surroundings.indirect_filesystem,
    ),
    Rule(
        "barriers-off", 1, Kind.ENVIRONMENT, _EXCLUDE, "mounted without barriers",
        "The mount options keep flushes from a drive that reports a volatile cache or does not "
        "report its cache. An acknowledged commit may not survive a power cut.",
        surroundings.barriers_off,
    ),
    Rule(
        "few-flushes", 2, Kind.ENVIRONMENT, _EXCLUDE, "syncs without flushes",
        "The drive reports a volatile cache and no FUA, and finished far fewer flushes than there "
        "were syncs: they did not reach it.",
        surroundings.few_flushes,
    ),
    Rule(
        "unusual-clock", 1, Kind.ENVIRONMENT, _NOTE, "unusual clock",
        "The kernel's clock source is slow to read or not known to be steady, which blurs short "
        "latencies.",
        surroundings.unusual_clock,
    ),
    Rule(
        "little-free-space", 1, Kind.ENVIRONMENT, _NOTE, "nearly full",
        "Less than 10 % of the filesystem was free. Full filesystems and full flash are slower.",
        surroundings.little_free_space,
    ),
    Rule(
        "other-io", 2, Kind.ENVIRONMENT, _NOTE, "other I/O",
        "Something else used the drive just before the run or between its passes. Measure on a "
        "quiet machine to see what the drive can do.",
        surroundings.other_io,
    ),
    Rule(
        "mixed-drives", 1, Kind.ENVIRONMENT, _NOTE, "mixed drives",
        "The volume is made of drives of several families, or of some that nobody has named yet. "
        "It counts for its plan and for no drive.",
        surroundings.mixed_drives,
    ),
    Rule(
        "faster-than-medium", 1, Kind.PHYSICS, _EXCLUDE, "faster than durable media — cache likely",
        "The median commit is quicker than this class of storage can make data durable. A cache "
        "that a power cut would empty has probably answered.",
        surroundings.faster_than_medium,
    ),
)  # fmt: skip

RULES: Final = {rule.id: rule for rule in TABLE}


def judge(facts: RunFacts) -> list[Label]:
    """Return an unsaved label for every rule that finds something, in the order of the table."""
    labels = []
    for rule in TABLE:
        detail = rule.check(facts)
        if detail is not None:
            labels.append(
                Label(
                    rule=rule.id,
                    rule_version=rule.version,
                    outcome=rule.outcome,
                    text=rule.text,
                    detail=detail,
                )
            )
    return labels


__all__ = ["RULES", "TABLE", "Kind", "Rule", "judge"]
