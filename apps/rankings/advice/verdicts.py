"""The verdict on a figure against what is asked: made here and nowhere else. Pure.

The advisor, the API, the guides and the page of a drive all ask these functions, so that one figure
and one limit have one verdict everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum, unique
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from apps.rankings.advice.work import Work
from apps.runs.sides import JUDGED_SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.rankings.advice.evidence import LotteryDrive, WorkloadFigure
    from apps.rankings.advice.work import StandIn

PLP_FULL: Final = "full"
PLP_UNKNOWN: Final = "unknown"
# Who differs with more than a fifth of the uploaders is no exception; as of far uploaders.
EXCEPTION: Final = Fraction(1, 5)
# How far a device may be loaded before its tail grows many times over: rules of thumb of the
# article "SSD vs HDD vs NVMe vs persistent memory" (70-80 % NVMe, 60-70 % SATA SSD, 50 % hard
# disk), the careful end of each. Of network volumes nobody states one: the most careful of them.
UTILISATION: Final = {"local-nvme": 0.7, "local-sata": 0.6, "hdd": 0.5, "network": 0.5, "": 0.5}


@unique
class Verdict(IntEnum):
    """Whether a thing carries what is asked; the better ones first."""

    PASSES = 0  # at the low end of what enough people measured
    MAY = 1  # the low end does not show it, or something decisive is not known
    FAILS = 2  # not even at the high end
    NOT_MEASURED = 3


@unique
class VerdictDoubt(StrEnum):
    """What keeps a verdict from being a better one."""

    NOT_MEASURED = "not-measured"
    P99_OF_NO_SYNC = "p99-of-no-sync"
    WITHOUT_PLP = "without-plp"
    EMPTIED = "emptied"  # its storage, when the machine stops
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
    why: VerdictDoubt | None = None
    is_miss: bool = False  # the figure itself lies beyond the limit, and it is left open


PASSES: Final = Judgement(Verdict.PASSES)
NOBODY: Final = Judgement(Verdict.NOT_MEASURED, VerdictDoubt.NOT_MEASURED)
NO_P99: Final = Judgement(Verdict.NOT_MEASURED, VerdictDoubt.P99_OF_NO_SYNC)
WITHOUT_PLP: Final = Judgement(Verdict.FAILS, VerdictDoubt.WITHOUT_PLP)
EMPTIED: Final = Judgement(Verdict.FAILS, VerdictDoubt.EMPTIED)
PLP_OPEN: Final = Judgement(Verdict.MAY, VerdictDoubt.PLP_NOT_STATED)
SHOWS_NOTHING: Final = {
    Work.MORE: VerdictDoubt.MORE_WORK,
    Work.LESS: VerdictDoubt.LESS_WORK,
    Work.OTHER: VerdictDoubt.OTHER_WORK,
}


def judge_rate(
    figure: WorkloadFigure, stand: StandIn, least_per_s: float, *, share: float = 1.0
) -> Judgement:
    """Judge a rate: to be counted on is a share of its low end, and it fails at its high end.

    `least_per_s` counts operations of the workload. A single figure is both of its ends.
    """
    high = max(figure.rate_high_per_s or 0.0, figure.rate_per_s)
    if high < least_per_s:
        is_shown = stand.work in (Work.SAME, Work.LESS)
        is_far = stand.times is not None and high * stand.times < least_per_s
        if is_shown or is_far:
            return Judgement(Verdict.FAILS, VerdictDoubt.BELOW)
        return Judgement(Verdict.MAY, SHOWS_NOTHING[stand.work], is_miss=True)
    if figure.rate_per_s < least_per_s:
        return Judgement(Verdict.MAY, VerdictDoubt.HIGH_END, is_miss=True)
    if doubt := _doubt(figure, stand.work):
        return Judgement(Verdict.MAY, doubt)
    low = figure.low_per_s
    is_sure = low is not None and low * share >= least_per_s
    return PASSES if is_sure else Judgement(Verdict.MAY, VerdictDoubt.LOW_END)


def judge_p99(
    figure: WorkloadFigure, stand: StandIn, limit_ns: int, *, syncs_each: int = 1
) -> Judgement:
    """Judge a p99 against its limit.

    The p99 of a standing is the median of its uploaders: half of them saw worse. It passes where
    the p99.9 of all their commits together keeps the limit: every uploader weighs the same in it,
    so of n uploaders at most n x 0.001 / 0.01, one in ten, can have a p99 beyond it. Useful IOPS
    keep their limit by what they are. Of several syncs in a row the first alone can show a failure.
    """
    work = stand.p99_work or stand.work
    doubt = _doubt(figure, work)
    if figure.p99_limit_ns is not None:
        return Judgement(Verdict.MAY, doubt) if doubt else PASSES
    if figure.p99_ns is None or figure.latency_side not in JUDGED_SIDES:
        return NO_P99
    if figure.p99_ns > limit_ns:
        is_shown = work in (Work.SAME, Work.LESS)
        return (
            Judgement(Verdict.FAILS, VerdictDoubt.ABOVE)
            if is_shown
            else Judgement(Verdict.MAY, SHOWS_NOTHING[work], is_miss=True)
        )
    if doubt or syncs_each > 1:
        return Judgement(Verdict.MAY, doubt or VerdictDoubt.SEVERAL_SYNCS)
    kept = figure.pooled_p999_ns is not None and figure.pooled_p999_ns <= limit_ns
    return PASSES if kept else Judgement(Verdict.MAY, VerdictDoubt.HALF_SAW_WORSE)


def judge_protection(drives: Sequence[LotteryDrive], *, stated: str = "") -> Judgement:
    """Judge power-loss protection by the drives that people got; `stated` where none is known."""
    full, known = protection_shares(drives, stated=stated)
    if 1 - full <= EXCEPTION:
        return PASSES
    return PLP_OPEN if full + 1 - known > EXCEPTION else WITHOUT_PLP


def protection_shares(
    drives: Sequence[LotteryDrive], *, stated: str = ""
) -> tuple[Fraction, Fraction]:
    """The share of uploaders with full protection, and the share of whom it is known at all."""
    voices = [(drive.plp, drive.share) for drive in drives] or [(stated, Fraction(1))]
    full = sum((share for plp, share in voices if plp == PLP_FULL), Fraction(0))
    known = sum((share for plp, share in voices if plp not in ("", PLP_UNKNOWN)), Fraction(0))
    return full, known


def combine(judgements: Iterable[Judgement]) -> Judgement:
    """The verdict on everything that was asked: the worst one, and what made it so.

    What is not measured leaves the rest at "may"; where nothing is measured that is the verdict.
    """
    given = list(judgements)
    known = [each for each in given if each.verdict is not Verdict.NOT_MEASURED]
    if not known:
        return given[0] if given else NOBODY
    worst = max(known, key=lambda each: (each.verdict, each.is_miss))
    missing = next((each for each in given if each.verdict is Verdict.NOT_MEASURED), None)
    if worst.verdict is Verdict.PASSES and missing is not None:
        return Judgement(Verdict.MAY, missing.why)
    return worst


def usable_share(figure: WorkloadFigure, storage_kind: str, *, p99_asked: bool) -> float:
    """How much of a rate may be counted on: all of it, unless a tail is asked for and not in it."""
    if not p99_asked or figure.p99_limit_ns is not None:
        return 1.0
    return UTILISATION.get(storage_kind, UTILISATION[""])


def _doubt(figure: WorkloadFigure, work: Work) -> VerdictDoubt | None:
    """What keeps a figure that is good enough from being a pass."""
    if work in (Work.LESS, Work.OTHER):
        return SHOWS_NOTHING[work]
    if figure.is_published:
        return VerdictDoubt.ONE_SOURCE
    return None if figure.is_firm else VerdictDoubt.FEW
