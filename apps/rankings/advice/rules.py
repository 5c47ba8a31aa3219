"""A fitness rule and its verdict on one standing, by the functions that the advisor uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from apps.rankings.advice import stand_ins
from apps.rankings.advice.selectors import figure_of
from apps.rankings.advice.verdicts import (
    NEEDS_REPLICA,
    UNMEASURED,
    Judgement,
    combine,
    judge_p99,
    judge_protection,
    judge_rate,
    judged_sureness,
    usable_share,
)
from apps.rankings.standings.confidence import support_of_standing
from apps.stats.standings.confidence import Margin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from apps.rankings.advice.evidence import LotteryDrive, WorkloadFigure
    from apps.rankings.advice.work import StandIn
    from apps.rankings.models import Standing
    from apps.stats.standings.confidence import Sureness

# What a drive family is by its interface, as plans state their storage.
STORAGE_OF_INTERFACES: Final = {"nvme": "local-nvme", "sata": "local-sata"}
HARD_DISK: Final = "hdd"


@dataclass(frozen=True, slots=True)
class FitnessRule:
    """What a standing has to reach: a rate, a p99 in nanoseconds, or both."""

    least_per_s: float | None = None
    p99_ns_max: int | None = None
    needs_plp: bool = False
    if_emptied: Judgement | None = None  # what storage that a stop of its machine empties means

    def __post_init__(self) -> None:
        """Refuse a rule that asks for nothing."""
        if self.least_per_s is None and self.p99_ns_max is None:
            raise ValueError("a rule asks for a rate or for a p99")


# One database session that commits: an example, since no figure suits every database.
ONE_SESSION: Final = FitnessRule(least_per_s=1_000, if_emptied=NEEDS_REPLICA)
COMMIT_STAND_INS: Final[Mapping[str, StandIn]] = {
    stand_in.workload: stand_in for stand_in in stand_ins.COMMITS
}


def judge(
    rule: FitnessRule,
    stand_ins: Mapping[str, StandIn],
    standing: Standing | None,
    drives: Sequence[LotteryDrive] = (),
) -> Judgement:
    """Judge one standing by a rule; None means that nobody measured it.

    `drives` are those that people got with the plan; a drive family has none.
    """
    stand_in = stand_ins.get(standing.workload) if standing else None
    if standing is None or stand_in is None:
        return UNMEASURED
    return combine(_judgements(rule, stand_in, standing, drives))


def _judgements(
    rule: FitnessRule, stand_in: StandIn, standing: Standing, drives: Sequence[LotteryDrive]
) -> Iterator[Judgement]:
    figure: WorkloadFigure = figure_of(standing)
    if rule.needs_plp:  # no figure makes up for it or for what is emptied, so they come first
        yield judge_protection(drives, stated=standing.plp)
    if rule.if_emptied is not None and standing.plan is not None and standing.plan.is_ephemeral:
        yield rule.if_emptied
    if rule.p99_ns_max is not None:
        yield judge_p99(figure, stand_in, rule.p99_ns_max)
    if rule.least_per_s is not None:
        share = usable_share(
            figure, storage_of(standing), is_p99_limited=rule.p99_ns_max is not None
        )
        yield judge_rate(figure, stand_in, rule.least_per_s, share=share)


def storage_of(standing: Standing) -> str:
    """Return the kind of storage that a standing is of; empty where it is not stated."""
    if standing.plan is not None:
        return standing.plan.storage_kind
    family = standing.drive_family
    if family is None:
        return ""
    if family.kind == HARD_DISK:
        return HARD_DISK
    return STORAGE_OF_INTERFACES.get(family.interface, "")


def rate_margin(standing: Standing, least_per_s: float, *, share: float = 1.0) -> Margin:
    """Return the rate of a standing, with its interval, over what is needed a second.

    `share` is what counts of the rate: less than all of it under a limit of p99.
    """
    low, high = standing.rate_per_s_low, standing.rate_per_s_high
    factor = share / least_per_s
    return Margin(
        standing.rate_per_s * factor,
        low * factor if low else None,
        high * factor if high else None,
    )


def p99_margin(standing: Standing, limit_ns: int) -> Margin | None:
    """Return the limit over the p99 of a standing, a p50 beyond it, or a bound within it.

    None where none is known. Its low end is by the p99.9 of all operations together, the bound
    of every uploader's p99.
    """
    p99_ns = figure_of(standing).p99_shown(limit_ns)
    if not p99_ns:
        return None
    bound_ns = standing.pooled_p999_ns
    return Margin(limit_ns / p99_ns, limit_ns / bound_ns if bound_ns else None)


class RuleMargin(NamedTuple):
    """The margin by which a rule is kept, and which of its limits decides."""

    margin: Margin
    is_of_p99: bool = False


def margin_of(rule: FitnessRule, standing: Standing) -> RuleMargin | None:
    """Return the margin by which a standing keeps a rule; of two limits the smaller one.

    None where a limit decides of which nothing is known.
    """
    by_rate = None
    if rule.least_per_s is not None:
        is_p99_limited = rule.p99_ns_max is not None
        share = usable_share(
            figure_of(standing), storage_of(standing), is_p99_limited=is_p99_limited
        )
        by_rate = RuleMargin(rate_margin(standing, rule.least_per_s, share=share))
    if rule.p99_ns_max is None:
        return by_rate
    p99 = p99_margin(standing, rule.p99_ns_max)
    if p99 is None:
        return by_rate if by_rate is not None and by_rate.margin.best < 1 else None
    by_p99 = RuleMargin(p99, is_of_p99=True)
    return min(filter(None, (by_p99, by_rate)), key=lambda each: each.margin.worst)


def sureness_of_judgement(
    judgement: Judgement, standing: Standing, margin: Margin | None
) -> Sureness:
    """Return the word for a verdict on a standing; `margin` is that of `margin_of`."""
    return judged_sureness(judgement, support_of_standing(standing), margin)
