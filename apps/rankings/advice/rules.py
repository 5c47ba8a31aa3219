"""A rule and its verdict on one standing, by the functions that the advisor asks too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.rankings.advice import stands
from apps.rankings.advice.selectors import figure_of
from apps.rankings.advice.verdicts import (
    EMPTIED,
    NOBODY,
    Judgement,
    combine,
    judge_p99,
    judge_protection,
    judge_rate,
    usable_share,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from apps.rankings.advice.evidence import LotteryDrive, WorkloadFigure
    from apps.rankings.advice.work import StandIn
    from apps.rankings.models import Standing

# What a drive family is by its interface, as plans state their storage.
STORAGE_OF_INTERFACES: Final = {"nvme": "local-nvme", "sata": "local-sata"}
HARD_DISK: Final = "hdd"


@dataclass(frozen=True, slots=True)
class FitnessRule:
    """What has to be reached: a rate, a p99 in nanoseconds, or both."""

    least_per_s: float | None = None
    p99_ns_max: int | None = None
    wants_plp: bool = False
    wants_kept: bool = False  # what was synced must outlive a stop of the machine

    def __post_init__(self) -> None:
        """Refuse a rule that asks for nothing."""
        if self.least_per_s is None and self.p99_ns_max is None:
            raise ValueError("a rule asks for a rate or for a p99")


# A session of a database that commits: an example, as no figure suits every database.
ONE_SESSION: Final = FitnessRule(least_per_s=1_000)
COMMIT_STANDS: Final[Mapping[str, StandIn]] = {stand.workload: stand for stand in stands.COMMITS}


def judge(
    rule: FitnessRule,
    stands: Mapping[str, StandIn],
    standing: Standing | None,
    drives: Sequence[LotteryDrive] = (),
) -> Judgement:
    """Judge one standing by a rule; None is what nobody measured.

    `drives` are those that people got with the plan; a drive family is itself.
    """
    stand = stands.get(standing.workload) if standing else None
    if standing is None or stand is None:
        return NOBODY
    return combine(_judgements(rule, stand, standing, drives))


def _judgements(
    rule: FitnessRule, stand: StandIn, standing: Standing, drives: Sequence[LotteryDrive]
) -> Iterator[Judgement]:
    figure: WorkloadFigure = figure_of(standing)
    if rule.wants_kept and standing.plan is not None and standing.plan.is_ephemeral:
        yield EMPTIED
    if rule.wants_plp:  # what no figure makes good goes before any of them
        yield judge_protection(drives, stated=standing.plp)
    if rule.p99_ns_max is not None:
        yield judge_p99(figure, stand, rule.p99_ns_max)
    if rule.least_per_s is not None:
        share = usable_share(figure, storage_of(standing), p99_asked=rule.p99_ns_max is not None)
        yield judge_rate(figure, stand, rule.least_per_s, share=share)


def storage_of(standing: Standing) -> str:
    """The kind of storage that a standing is of; nothing where it is not stated."""
    if standing.plan is not None:
        return standing.plan.storage_kind
    family = standing.drive_family
    if family is None:
        return ""
    if family.kind == HARD_DISK:
        return HARD_DISK
    return STORAGE_OF_INTERFACES.get(family.interface, "")
