"""What measurements say of a plan: its figures with their lower bounds, and its drives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from apps.rankings.advice.remarks import Remark, RemarkKind, remark
from apps.rankings.models import Evidence
from apps.rankings.standings.points import NS_PER_S
from apps.runs.sides import JUDGED_SIDES, PARTS_OF_A_COMMIT
from apps.stats.standings.confidence import Support

if TYPE_CHECKING:
    from datetime import date
    from fractions import Fraction


class Grounds(IntEnum):
    """How much evidence a verdict rests on; the most first."""

    FIRM = 0  # enough to be ranked
    FEW = 1  # measured, by fewer
    PUBLISHED = 2  # somebody's article: unsigned, one machine
    NONE = 3


@dataclass(frozen=True, slots=True)
class Article:
    """The article that a published figure comes from."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class WorkloadFigure:
    """The figures of one workload on a plan. Rates are per second."""

    workload: str
    rate_per_s: float
    rate_low_per_s: float | None  # to count on; None: nobody measured how low it falls
    p99_ns: int | None
    n_uploaders: int
    n_machines: int
    needs_runs: bool  # to be ranked
    is_published: bool = False
    interval_is: str = ""
    is_one_writer: bool = False  # waits for each write, so 1 / rate is the mean of a commit
    is_read: bool = False  # its workload commits nothing
    p99_limit_ns: int | None = None  # of useful IOPS: the limit that they keep
    region_group: str = ""  # in which it was measured; empty: not known
    rate_high_per_s: float | None = None
    p50_ns: int | None = None
    n_runs: int = 1
    run_slug: str = ""  # of its newest run, whose page names the source
    measured_on: date | None = None  # that run; None where its source states no day
    source: Article | None = None  # of an article
    is_illustrative: bool = False  # and that article calls the figure a sample
    plp: str = ""
    kinds: tuple[tuple[int, float, str], ...] = ()  # as of `Standing.kinds`
    p99_bound_ns: int | None = None  # of a commit, by its two sides
    latency_side: str = ""  # what its p99 times: commit, sync, completion, read
    pooled_p999_ns: int | None = None  # of all uploaders' commits as one
    support: Support = Support.NONE  # how much stands behind it

    @property
    def judged_p99_ns(self) -> int | None:
        """Its p99 where that is of a whole commit or a read; None where nobody knows that."""
        return self.p99_ns if self.latency_side in JUDGED_SIDES else None

    @property
    def mean_ns(self) -> float | None:
        """The mean of one writer; a p99 may be far below it, where few operations take long."""
        return NS_PER_S / self.rate_per_s if self.is_one_writer else None

    def p99_shown(self, limit_ns: int, *, n_syncs: int = 1) -> int | None:
        """Its p99, or where that is not known what shows on which side of a limit it lies.

        Beyond it a p50, which no p99 is below; within it a bound of one commit by its two sides.
        Several commits in a row have no such bound.
        """
        if self.judged_p99_ns is not None:
            return self.judged_p99_ns
        is_of_commit = self.p50_ns is not None and self.latency_side in PARTS_OF_A_COMMIT
        if is_of_commit and (self.p50_ns or 0) > limit_ns:
            return self.p50_ns
        is_within = n_syncs == 1 and (self.p99_bound_ns or limit_ns + 1) <= limit_ns
        return self.p99_bound_ns if is_within else None

    @property
    def low_end(self) -> Remark:
        """The remark that says what the rate to count on is."""
        return remark(self._low_end)

    @property
    def _low_end(self) -> RemarkKind:
        if self.rate_low_per_s is None:
            return RemarkKind.LOW_UNKNOWN
        is_of_samples = self.interval_is == "samples" and self.p99_limit_ns is None
        return RemarkKind.LOW_OF_SAMPLES if is_of_samples else RemarkKind.LOW_OF_INTERVAL

    @property
    def evidence(self) -> Evidence:
        """Whether it was measured with the agent, or published."""
        return Evidence.PUBLISHED if self.is_published else Evidence.MEASURED

    @property
    def confidence(self) -> Grounds:
        """How much the figure rests on."""
        if self.is_published:
            return Grounds.PUBLISHED
        return Grounds.FIRM if self.is_firm else Grounds.FEW

    @property
    def is_firm(self) -> bool:
        """Whether enough people measured it, on enough machines, for a plain yes or no."""
        return not self.is_published and not self.needs_runs


@dataclass(frozen=True, slots=True)
class LotteryDrive:
    """One result of the drive lottery: a family that people got, when, and how fast it was."""

    name: str
    plp: str
    n_uploaders: int
    n_machines: int
    share: Fraction  # of the plan's uploaders, each split evenly over what it got
    first: date | None  # None where its source states no day
    last: date | None
    rate_low_per_s: float  # of the lowest uploader, each at its median
    rate_high_per_s: float
