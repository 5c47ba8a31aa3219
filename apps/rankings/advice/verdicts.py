"""The verdict on a figure against a limit. Pure functions.

The advisor, the API, the guides and the page of a drive all call them, so that one figure and one
limit have the same verdict everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum, unique
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from apps.rankings.advice.work import Work
from apps.stats.standings.confidence import UNKNOWN, Confidence, Support, Sureness, sureness
from apps.stats.standings.gates import RANKED_UPLOADERS_MIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.rankings.advice.evidence import LotteryDrive, WorkloadFigure
    from apps.rankings.advice.work import StandIn
    from apps.stats.standings.confidence import Margin

PLP_FULL: Final = "full"
PLP_UNKNOWN: Final = "unknown"
# A group of more than a fifth of the uploaders is no exception; outliers have the same limit.
EXCEPTION: Final = Fraction(1, 5)
# How far a device may be loaded before its tail grows many times over: rules of thumb of the
# article "SSD vs HDD vs NVMe vs persistent memory" (70-80 % NVMe, 60-70 % SATA SSD, 50 % hard
# disk), the careful end of each. Nobody states one for network volumes: they get the lowest.
UTILISATION: Final = {"local-nvme": 0.7, "local-sata": 0.6, "hdd": 0.5, "network": 0.5, "": 0.5}


@unique
class Verdict(IntEnum):
    """Whether a plan or drive carries what is asked; the better ones first."""

    PASSES = 0  # at the low end of what enough people measured
    MAY = 1  # the low end does not reach it, or something that decides is not known
    FAILS = 2  # not even at the high end of what enough people measured
    NOT_MEASURED = 3


@unique
class VerdictDoubt(StrEnum):
    """What keeps a verdict from being a better one."""

    NOT_MEASURED = "not-measured"
    P99_OF_NO_SYNC = "p99-of-no-sync"
    WITHOUT_PLP = "without-plp"
    EMPTIED = "emptied"  # its storage, when the machine stops
    NEEDS_REPLICA = "needs-replica"  # since its storage is emptied so
    PLP_NOT_STATED = "plp-not-stated"
    ONE_SOURCE = "one-source"  # an article
    FEW = "few"  # uploaders or machines
    LOW_END = "low-end"  # lies below
    HIGH_END = "high-end"  # it alone reaches the limit
    HALF_SAW_WORSE = "half-saw-worse"
    SEVERAL_SYNCS = "several-syncs"
    BELOW = "below"  # the rate
    ABOVE = "above"  # the p99
    MORE_WORK = "more-work"
    LESS_WORK = "less-work"
    OTHER_WORK = "other-work"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and what keeps it from being a better one."""

    verdict: Verdict
    doubt: VerdictDoubt | None = None
    # The figure itself lies beyond the limit, but too few measured it, or its workload does other
    # work than the software.
    is_miss: bool = False
    is_open: bool = False  # another limit was not measured at all


PASSES: Final = Judgement(Verdict.PASSES)
UNMEASURED: Final = Judgement(Verdict.NOT_MEASURED, VerdictDoubt.NOT_MEASURED)
NO_P99: Final = Judgement(Verdict.NOT_MEASURED, VerdictDoubt.P99_OF_NO_SYNC)
WITHOUT_PLP: Final = Judgement(Verdict.FAILS, VerdictDoubt.WITHOUT_PLP)
# Storage that is emptied when its machine stops keeps what a crash leaves, and loses it on a stop.
# So a log device whose data no other machine has fails; the log of a database is right there only
# with a replica, of which we know nothing; what keeps copies of itself or only reads is untouched.
EMPTIED: Final = Judgement(Verdict.FAILS, VerdictDoubt.EMPTIED)
NEEDS_REPLICA: Final = Judgement(Verdict.MAY, VerdictDoubt.NEEDS_REPLICA)
PLP_UNDECIDED: Final = Judgement(Verdict.MAY, VerdictDoubt.PLP_NOT_STATED)
UNDECIDED_BY_WORK: Final = {
    Work.MORE: VerdictDoubt.MORE_WORK,
    Work.LESS: VerdictDoubt.LESS_WORK,
    Work.OTHER: VerdictDoubt.OTHER_WORK,
}

# The workload is only alike: what it shows of the software is off by more than its own interval.
_OF_OTHER_WORK: Final = frozenset(
    {VerdictDoubt.MORE_WORK, VerdictDoubt.LESS_WORK, VerdictDoubt.OTHER_WORK}
)


def judge_rate(
    figure: WorkloadFigure, stand_in: StandIn, least_per_s: float, *, share: float = 1.0
) -> Judgement:
    """Judge a rate against the operations of the workload that are needed, `least_per_s`.

    It passes if a share of its low end is enough, and fails if its high end is not; either takes
    as much evidence as a rank. A figure without an interval is its own high end and has no low end.
    """
    high = max(figure.rate_high_per_s or 0.0, figure.rate_per_s)
    if high < least_per_s:
        is_shown = stand_in.work in (Work.SAME, Work.LESS)
        is_far = stand_in.times is not None and high * stand_in.times < least_per_s
        if is_shown or is_far:
            return _failed(figure, VerdictDoubt.BELOW)
        return Judgement(Verdict.MAY, UNDECIDED_BY_WORK[stand_in.work], is_miss=True)
    if figure.rate_per_s < least_per_s:
        return Judgement(Verdict.MAY, VerdictDoubt.HIGH_END, is_miss=True)
    if doubt := _doubt(figure, stand_in.work):
        return Judgement(Verdict.MAY, doubt)
    low = figure.rate_low_per_s
    is_sure = low is not None and low * share >= least_per_s
    return PASSES if is_sure else Judgement(Verdict.MAY, VerdictDoubt.LOW_END)


def judge_p99(
    figure: WorkloadFigure, stand_in: StandIn, limit_ns: int, *, syncs_per_transaction: int = 1
) -> Judgement:
    """Judge a p99 against its limit.

    The p99 of a standing is the median of its uploaders, so half of them saw worse. It passes where
    the p99.9 of all their commits together is within the limit: every uploader has the same weight
    in it, so at most one in ten (0.001 / 0.01) can have a p99 beyond the limit. Useful IOPS are
    within their limit by definition. With several syncs per transaction, the p99 of one sync can
    show a failure but no pass. Where it is not known, a p50 beyond the limit shows one too, and a
    bound by the two sides of a commit that it is kept; a mean beyond it shows nothing, since few
    slow operations make one, and is a miss only for the order.
    """
    work = stand_in.p99_work or stand_in.work
    doubt = _doubt(figure, work)
    if figure.p99_limit_ns is not None:
        return Judgement(Verdict.MAY, doubt) if doubt else PASSES
    p99_ns = figure.p99_shown(limit_ns, n_syncs=syncs_per_transaction)
    if p99_ns is None:
        return replace(NO_P99, is_miss=(figure.mean_ns or 0) > limit_ns)
    if p99_ns > limit_ns:
        is_shown = work in (Work.SAME, Work.LESS)
        return (
            _failed(figure, VerdictDoubt.ABOVE)
            if is_shown
            else Judgement(Verdict.MAY, UNDECIDED_BY_WORK[work], is_miss=True)
        )
    if doubt or syncs_per_transaction > 1:
        return Judgement(Verdict.MAY, doubt or VerdictDoubt.SEVERAL_SYNCS)
    is_within = figure.pooled_p999_ns is not None and figure.pooled_p999_ns <= limit_ns
    return PASSES if is_within else Judgement(Verdict.MAY, VerdictDoubt.HALF_SAW_WORSE)


def judge_protection(drives: Sequence[LotteryDrive], *, stated: str = "") -> Judgement:
    """Judge power-loss protection by the drives that people got, without any by `stated`.

    A verdict on what people got takes as many of them as a rank.
    """
    if drives and sum(drive.n_uploaders for drive in drives) < RANKED_UPLOADERS_MIN:
        return Judgement(Verdict.MAY, VerdictDoubt.FEW)
    full, stated_share = protection_shares(drives, stated=stated)
    if 1 - full <= EXCEPTION:
        return PASSES
    return PLP_UNDECIDED if full + 1 - stated_share > EXCEPTION else WITHOUT_PLP


def protection_shares(
    drives: Sequence[LotteryDrive], *, stated: str = ""
) -> tuple[Fraction, Fraction]:
    """Return the share of uploaders with full protection, and that of whose drives it is known."""
    shares = [(drive.plp, drive.share) for drive in drives] or [(stated, Fraction(1))]
    full = sum((share for plp, share in shares if plp == PLP_FULL), Fraction(0))
    stated_share = sum(
        (share for plp, share in shares if plp not in ("", PLP_UNKNOWN)), Fraction(0)
    )
    return full, stated_share


def combine(judgements: Iterable[Judgement]) -> Judgement:
    """Return the verdict on everything that was asked: the worst one with its doubt.

    A limit that was not measured turns a pass of the others into MAY, and leaves a MAY open; what
    is known of it can make either a miss.
    """
    every = list(judgements)
    measured = [each for each in every if each.verdict is not Verdict.NOT_MEASURED]
    if not measured:
        return every[0] if every else UNMEASURED
    worst = max(measured, key=lambda each: (each.verdict, each.is_miss))
    missing = next((each for each in every if each.verdict is Verdict.NOT_MEASURED), None)
    if worst.verdict is Verdict.PASSES and missing is not None:
        return replace(missing, verdict=Verdict.MAY)
    if worst.verdict is Verdict.MAY and missing is not None:
        return replace(worst, is_open=True, is_miss=worst.is_miss or missing.is_miss)
    return worst


def judged_sureness(judgement: Judgement, support: Support, margin: Margin | None) -> Sureness:
    """Return the word for a verdict: firm where it is plain, else by support and margin.

    Unknown where nothing is known of what decides: no margin, or protection that nobody states;
    borderline at best where it takes a replica.
    What is not known never makes a word better: who falls short beside it is unlikely.
    """
    if judgement.verdict is Verdict.NOT_MEASURED:
        return UNKNOWN
    if judgement.verdict is not Verdict.MAY:
        return Sureness(Confidence.FIRM, fails=judgement.verdict is Verdict.FAILS)
    if margin is None or judgement.doubt is VerdictDoubt.PLP_NOT_STATED:
        return UNKNOWN
    if judgement.doubt in _OF_OTHER_WORK:
        support = max(support, Support.WEAK)
    if judgement.is_open and margin.best < 1:
        return Sureness(Confidence.UNLIKELY)
    word = _never_firm(support, margin)
    if judgement.doubt is VerdictDoubt.NEEDS_REPLICA and word.confidence is Confidence.LIKELY:
        return Sureness(Confidence.BORDERLINE)
    return word


def _never_firm(support: Support, margin: Margin) -> Sureness:
    word = sureness(support, margin)
    if word.confidence is not Confidence.FIRM:
        return word
    # A verdict that is not plain is never firm: something else than the rate keeps it from that.
    return sureness(Support.SOME, margin) if word.fails else Sureness(Confidence.LIKELY)


def usable_share(figure: WorkloadFigure, storage_kind: str, *, is_p99_limited: bool) -> float:
    """Return the share of a rate that counts: UTILISATION under a p99 limit, else 1.

    Useful IOPS count whole, since they were measured under a limit of p99.
    """
    if not is_p99_limited or figure.p99_limit_ns is not None:
        return 1.0
    return UTILISATION.get(storage_kind, UTILISATION[""])


def _doubt(figure: WorkloadFigure, work: Work) -> VerdictDoubt | None:
    """Return what keeps a figure that is good enough from being a pass, or None."""
    if work in (Work.LESS, Work.OTHER):
        return UNDECIDED_BY_WORK[work]
    return _weakness(figure)


def _weakness(figure: WorkloadFigure) -> VerdictDoubt | None:
    """Return what a figure lacks to be sure of, whichever way it decides, or None."""
    if figure.is_published:
        return VerdictDoubt.ONE_SOURCE
    return None if figure.is_firm else VerdictDoubt.FEW


def _failed(figure: WorkloadFigure, doubt: VerdictDoubt) -> Judgement:
    """Return the verdict on a figure beyond its limit: a failure where it is sure enough."""
    weakness = _weakness(figure)
    if weakness is None:
        return Judgement(Verdict.FAILS, doubt)
    return Judgement(Verdict.MAY, weakness, is_miss=True)
