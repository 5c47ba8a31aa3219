"""The verdict of a guide on one standing: passes, may, fails, or not measured. Pure.

A verdict never rests on a workload that says nothing about the software. Some workloads do more
than the software does: who passes them passes. Some do less: who fails them fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, unique
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.rankings.models import Evidence, Standing
from apps.rankings.tails import Doubt, Tail, TailVerdict, Work, judge_tail
from apps.stats.gates import needs_runs

if TYPE_CHECKING:
    from collections.abc import Mapping

PLP_FULL: Final = "full"
PLP_WITHOUT: Final = frozenset({"none", "partial"})  # partial keeps data at rest only

Text = str | Promise


@unique
class Verdict(IntEnum):
    """Whether a thing is fit for a workload; the better ones first."""

    PASSES = 0  # and enough people measured it to say so
    MAY = 1  # the middle of what was measured does, or something decisive is not known
    FAILS = 2
    NOT_MEASURED = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and, in words, what keeps it from being a better one."""

    verdict: Verdict
    why: Text


@dataclass(frozen=True, slots=True)
class Stand:
    """One of our workloads that stands for what a piece of software waits for."""

    workload: str
    why: Text
    more_work: float = 1.0  # it does at most so many times the work: a miss within that is open
    is_less_work: bool = False  # it does less than the software: it can show a failure only

    @property
    def work(self) -> Work:
        """How its work compares to what the software does."""
        return Work(times=self.more_work, is_less=self.is_less_work)


@dataclass(frozen=True, slots=True)
class Rule:
    """What has to be reached: a rate, or a p99 in nanoseconds. Exactly one of the two."""

    least_per_s: float | None = None
    p99_ns_max: int | None = None
    wants_plp: bool = False

    def __post_init__(self) -> None:
        """Refuse a rule that asks for nothing, or for two things."""
        if (self.least_per_s is None) == (self.p99_ns_max is None):
            raise ValueError("a rule asks for a rate or for a p99")


PASSES: Final = Judgement(Verdict.PASSES, "")
NOBODY: Final = Judgement(
    Verdict.NOT_MEASURED, _("not measured with a workload that stands for it")
)
NO_P99: Final = _("no p99 that holds a sync is known")
WITHOUT_PLP: Final = Judgement(Verdict.FAILS, _("no power-loss protection"))
PLP_OPEN: Final = _("power-loss protection not stated")
ONE_SOURCE: Final = _("one published source")
FEW: Final = _("fewer than 3 uploaders or 5 machines")
LOW_END: Final = _("its low end lies below")
HALF_SAW_WORSE: Final = _("half of the uploaders saw a slower p99 than this")
MORE_WORK: Final = _("measured with more work than it does")
LESS_WORK: Final = _("measured with less work than it does")
BELOW: Final = _("the rate lies below")
ABOVE: Final = _("the p99 lies above")
OF_TAILS: Final = {
    TailVerdict.PASSES: Verdict.PASSES,
    TailVerdict.MAY: Verdict.MAY,
    TailVerdict.FAILS: Verdict.FAILS,
    TailVerdict.UNKNOWN: Verdict.NOT_MEASURED,
}
OF_DOUBTS: Final[Mapping[Doubt, Text]] = {
    Doubt.NONE: "",
    Doubt.NO_P99: NO_P99,
    Doubt.ABOVE: ABOVE,
    Doubt.MORE_WORK: MORE_WORK,
    Doubt.LESS_WORK: LESS_WORK,
    Doubt.ONE_SOURCE: ONE_SOURCE,
    Doubt.FEW: FEW,
    Doubt.HALF_SAW_WORSE: HALF_SAW_WORSE,
}


def judge(rule: Rule, stands: Mapping[str, Stand], standing: Standing | None) -> Judgement:
    """Judge one standing by a rule; None is what nobody measured."""
    stand = stands.get(standing.workload) if standing else None
    if standing is None or stand is None:
        return NOBODY
    found = _by_rate(rule, stand, standing) if rule.least_per_s else _by_p99(rule, stand, standing)
    if found.verdict in (Verdict.NOT_MEASURED, Verdict.FAILS) or not rule.wants_plp:
        return found
    if standing.plp in PLP_WITHOUT:
        return WITHOUT_PLP
    if standing.plp != PLP_FULL and found.verdict is Verdict.PASSES:
        return Judgement(Verdict.MAY, PLP_OPEN)
    return found


def _by_rate(rule: Rule, stand: Stand, standing: Standing) -> Judgement:
    """The rate against the least: to be counted on is the low end, as the advisor does."""
    least, rate = rule.least_per_s or 0.0, standing.rate_per_s
    if rate < least:
        is_open = rate * stand.more_work >= least
        return Judgement(Verdict.MAY, MORE_WORK) if is_open else Judgement(Verdict.FAILS, BELOW)
    if doubt := _doubt(stand, standing):
        return Judgement(Verdict.MAY, doubt)
    low = standing.at_least_per_s or standing.rate_per_s_low
    return PASSES if low is not None and low >= least else Judgement(Verdict.MAY, LOW_END)


def _by_p99(rule: Rule, stand: Stand, standing: Standing) -> Judgement:
    """The p99 against its limit, by the rule that the advisor has too."""
    tail = Tail(
        p99_ns=standing.p99_ns,
        pooled_p999_ns=standing.pooled_p999_ns,
        side=standing.latency_side,
        n_uploaders=standing.n_uploaders,
        n_machines=standing.n_machines,
        is_published=standing.evidence == Evidence.PUBLISHED,
    )
    found = judge_tail(tail, rule.p99_ns_max or 0, work=stand.work)
    return Judgement(OF_TAILS[found.verdict], OF_DOUBTS[found.doubt])


def _doubt(stand: Stand, standing: Standing) -> Text:
    """What keeps a figure that is good enough from being a pass."""
    if stand.is_less_work:
        return LESS_WORK
    if standing.evidence == Evidence.PUBLISHED:
        return ONE_SOURCE
    if needs_runs(n_uploaders=standing.n_uploaders, n_machines=standing.n_machines):
        return FEW
    return ""
