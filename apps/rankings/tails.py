"""The one rule for a limit of p99: whether what was measured passes, may, or fails. Pure.

Guides and the advisor both ask here, so that they say the same of the same plan and limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from apps.stats.gates import needs_runs

# Sides whose p99 holds a sync, or is one read; fio's completion ends where the sync begins.
JUDGED_SIDES: Final = frozenset({"commit", "sync", "read"})


@unique
class TailVerdict(Enum):
    """Whether a limit of p99 is kept."""

    PASSES = "passes"
    MAY = "may"
    FAILS = "fails"
    UNKNOWN = "unknown"  # nobody knows a p99 of it that holds what is waited for


@unique
class Doubt(Enum):
    """What keeps a verdict from being a better one."""

    NONE = ""
    NO_P99 = "no p99"
    ABOVE = "above"
    MORE_WORK = "more work"
    LESS_WORK = "less work"
    ONE_SOURCE = "one source"
    FEW = "few"
    HALF_SAW_WORSE = "half saw worse"


@dataclass(frozen=True, slots=True)
class Tail:
    """What a standing says of its slow operations, in nanoseconds."""

    p99_ns: int | None  # the median of its uploaders
    pooled_p999_ns: int | None  # of the operations of all its uploaders, each weighing the same
    side: str  # what was timed: commit, sync, read, completion
    n_uploaders: int
    n_machines: int
    is_published: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """How the work that was measured compares to what the software does."""

    times: float = 1.0  # at most so many times the software's work
    is_less: bool = False


SAME_WORK: Final = Work()


@dataclass(frozen=True, slots=True)
class TailJudgement:
    """A verdict and what keeps it from being a better one."""

    verdict: TailVerdict
    doubt: Doubt = Doubt.NONE


def judge_tail(
    tail: Tail, limit_ns: int, *, work: Work = SAME_WORK, in_a_row: int = 1
) -> TailJudgement:
    """Judge a tail by a limit of p99 in nanoseconds; docs/methodology.md, "A limit of p99".

    - *fails*: the median of the uploaders' p99 lies above the limit. Where more work was measured
      than the software does, only beyond the limit times that work.
    - *passes*: that median keeps the limit, and so does the p99.9 of the pooled curve, which is
      that of all operations behind the standing, each uploader weighing the same. It is the upper
      bound of a p99 among them: an uploader whose p99 lies beyond the limit has more than 1 % of
      its operations there; m of n such uploaders are more than m / n x 1 % of the pool, which has
      at most 0.1 % there; so m is at most n / 10. Three uploaders and five machines at least.
    - *may*: everything else of which a p99 is known. So are all figures of articles that keep the
      limit, and all of a workload that does less than the software.
    - *unknown*: no p99 is known, or it does not hold the sync that is waited for.

    `in_a_row` operations one after the other, each waiting for the one before, are given an equal
    part of the limit: together they exceed it only where one of them exceeds its part. Of such
    transactions at most `in_a_row` in ten uploaders can have seen a p99 beyond the limit.
    """
    if tail.p99_ns is None or tail.side not in JUDGED_SIDES:
        return TailJudgement(TailVerdict.UNKNOWN, Doubt.NO_P99)
    taken_ns = tail.p99_ns * in_a_row
    if taken_ns > limit_ns * work.times:
        return TailJudgement(TailVerdict.FAILS, Doubt.ABOVE)
    if doubt := _doubt(tail, limit_ns, work, in_a_row):
        return TailJudgement(TailVerdict.MAY, doubt)
    return TailJudgement(TailVerdict.PASSES)


def _doubt(tail: Tail, limit_ns: int, work: Work, in_a_row: int) -> Doubt | None:
    """What keeps a tail that does not fail from passing; the first that holds."""
    pooled = tail.pooled_p999_ns
    is_few = needs_runs(n_uploaders=tail.n_uploaders, n_machines=tail.n_machines)
    doubts = (
        (Doubt.MORE_WORK, (tail.p99_ns or 0) * in_a_row > limit_ns),
        (Doubt.LESS_WORK, work.is_less),
        (Doubt.ONE_SOURCE, tail.is_published),
        (Doubt.FEW, is_few),
        (Doubt.HALF_SAW_WORSE, pooled is None or pooled * in_a_row > limit_ns),
    )
    return next((doubt for doubt, holds in doubts if holds), None)
