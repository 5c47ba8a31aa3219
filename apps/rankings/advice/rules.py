"""A fitness rule and its verdict on one standing, by the functions that the advisor uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.rankings.advice import stand_ins
from apps.rankings.advice.selectors import figure_of
from apps.rankings.advice.verdicts import (
    EMPTIED,
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from apps.rankings.advice.evidence import LotteryDrive, WorkloadFigure
    from apps.rankings.advice.work import StandIn
    from apps.rankings.models import Standing
    from apps.stats.standings.confidence import Margin, Sureness

# What a drive family is by its interface, as plans state their storage.
STORAGE_OF_INTERFACES: Final = {"nvme": "local-nvme", "sata": "local-sata"}
HARD_DISK: Final = "hdd"


@dataclass(frozen=True, slots=True)
class FitnessRule:
    """What a standing has to reach: a rate, a p99 in nanoseconds, or both."""

    least_per_s: float | None = None
    p99_ns_max: int | None = None
    needs_plp: bool = False
    needs_persistence: bool = False  # synced data must outlive a stop of the machine

    def __post_init__(self) -> None:
        """Refuse a rule that asks for nothing."""
        if self.least_per_s is None and self.p99_ns_max is None:
            raise ValueError("a rule asks for a rate or for a p99")


# One database session that commits: an example, since no figure suits every database.
ONE_SESSION: Final = FitnessRule(least_per_s=1_000)
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
    if rule.needs_persistence and standing.plan is not None and standing.plan.is_ephemeral:
        yield EMPTIED
    if rule.needs_plp:  # no figure makes up for it, so it comes first
        yield judge_protection(drives, stated=standing.plp)
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


def sureness_of_judgement(judgement: Judgement, standing: Standing, margin: Margin) -> Sureness:
    """Return the word for a verdict on a standing; `margin` is its rate over what is needed."""
    return judged_sureness(judgement, support_of_standing(standing), margin)
