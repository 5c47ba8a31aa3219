"""The verdict on a figure against what is asked: made here and nowhere else. Pure.

The advisor, the API, the guides and the page of a drive all ask these functions, so that one figure
and one limit have one verdict everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, IntEnum, unique
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.rankings.advice.evidence import DriveSeen, Figure

Text = str | Promise

# Sides whose p99 holds a sync, or is one read; fio's completion ends where the sync begins.
JUDGED_SIDES: Final = frozenset({"commit", "sync", "read"})
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
class Work(Enum):
    """What a workload does, laid beside what the software does."""

    SAME = "same"
    MORE = "more"  # who passes it passes; who fails it may still pass
    LESS = "less"  # who fails it fails; who passes it may still fail
    OTHER = "other"  # more of one thing and less of another: it shows neither


@dataclass(frozen=True, slots=True)
class Stand:
    """One of our workloads that stands for what a piece of software waits for, and how far."""

    workload: str
    why: Text
    work: Work = Work.SAME
    p99_work: Work | None = None  # where the direction of a p99 is another one
    # It takes at most so many times as long: then a rate that misses by more fails. Only where that
    # was measured, which `why` cites.
    times: float | None = None

    @property
    def can_pass(self) -> bool:
        """Whether a rate of it can show a pass."""
        return self.work in (Work.SAME, Work.MORE)

    def for_more_sessions(self) -> Stand:
        """How it stands for more sessions that commit at once than were measured.

        They share syncs, so their rate is no lower; each of them waits no less.
        """
        rate = {Work.SAME: Work.MORE, Work.LESS: Work.OTHER}.get(self.work, self.work)
        p99_work = self.p99_work or self.work
        p99 = {Work.SAME: Work.LESS, Work.MORE: Work.OTHER}.get(p99_work, p99_work)
        return replace(self, work=rate, p99_work=p99, times=None)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and, in words, what keeps it from being a better one."""

    verdict: Verdict
    why: Text = ""
    is_miss: bool = False  # the figure itself lies beyond the limit, and it is left open


PASSES: Final = Judgement(Verdict.PASSES)
NOBODY: Final = Judgement(
    Verdict.NOT_MEASURED, _("not measured with a workload that stands for it")
)
NO_P99: Final = Judgement(Verdict.NOT_MEASURED, _("its p99 is not of a sync"))
WITHOUT_PLP: Final = Judgement(Verdict.FAILS, _("no power-loss protection"))
EMPTIED: Final = Judgement(Verdict.FAILS, _("its storage is emptied when the machine stops"))
PLP_OPEN: Final = Judgement(Verdict.MAY, _("power-loss protection not stated"))
ONE_SOURCE: Final = _("one published source")
FEW: Final = _("fewer than 3 uploaders or 5 machines")
LOW_END: Final = _("its low end lies below")
HIGH_END: Final = _("only its high end reaches it")
HALF_SAW_WORSE: Final = _("half of the uploaders saw a slower p99 than this")
SEVERAL_SYNCS: Final = _("several syncs one after the other: no bound is known")
BELOW: Final = _("the rate lies below")
ABOVE: Final = _("the p99 lies above")
SHOWS_NOTHING: Final = {
    Work.MORE: _("measured with more work than it does"),
    Work.LESS: _("measured with less work than it does"),
    Work.OTHER: _("measured with other work than it does"),
}


def judge_rate(
    figure: Figure, stand: Stand, least_per_s: float, *, share: float = 1.0
) -> Judgement:
    """Judge a rate: to be counted on is a share of its low end, and it fails at its high end.

    `least_per_s` counts operations of the workload. A single figure is both of its ends.
    """
    high = max(figure.rate_high_per_s or 0.0, figure.rate_per_s)
    if high < least_per_s:
        is_shown = stand.work in (Work.SAME, Work.LESS)
        is_far = stand.times is not None and high * stand.times < least_per_s
        if is_shown or is_far:
            return Judgement(Verdict.FAILS, BELOW)
        return Judgement(Verdict.MAY, SHOWS_NOTHING[stand.work], is_miss=True)
    if figure.rate_per_s < least_per_s:
        return Judgement(Verdict.MAY, HIGH_END, is_miss=True)
    if doubt := _doubt(figure, stand.work):
        return Judgement(Verdict.MAY, doubt)
    low = figure.low_per_s
    is_sure = low is not None and low * share >= least_per_s
    return PASSES if is_sure else Judgement(Verdict.MAY, LOW_END)


def judge_p99(figure: Figure, stand: Stand, limit_ns: int, *, syncs_each: int = 1) -> Judgement:
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
            Judgement(Verdict.FAILS, ABOVE)
            if is_shown
            else Judgement(Verdict.MAY, SHOWS_NOTHING[work], is_miss=True)
        )
    if doubt or syncs_each > 1:
        return Judgement(Verdict.MAY, doubt or SEVERAL_SYNCS)
    kept = figure.pooled_p999_ns is not None and figure.pooled_p999_ns <= limit_ns
    return PASSES if kept else Judgement(Verdict.MAY, HALF_SAW_WORSE)


def judge_protection(drives: Sequence[DriveSeen], *, stated: str = "") -> Judgement:
    """Judge power-loss protection by the drives that people got; `stated` where none is known."""
    full, known = protection_shares(drives, stated=stated)
    if 1 - full <= EXCEPTION:
        return PASSES
    return PLP_OPEN if full + 1 - known > EXCEPTION else WITHOUT_PLP


def protection_shares(
    drives: Sequence[DriveSeen], *, stated: str = ""
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


def usable_share(figure: Figure, storage_kind: str, *, p99_asked: bool) -> float:
    """How much of a rate may be counted on: all of it, unless a tail is asked for and not in it."""
    if not p99_asked or figure.p99_limit_ns is not None:
        return 1.0
    return UTILISATION.get(storage_kind, UTILISATION[""])


def _doubt(figure: Figure, work: Work) -> Text:
    """What keeps a figure that is good enough from being a pass."""
    if work in (Work.LESS, Work.OTHER):
        return SHOWS_NOTHING[work]
    if figure.is_published:
        return ONE_SOURCE
    return "" if figure.is_firm else FEW
