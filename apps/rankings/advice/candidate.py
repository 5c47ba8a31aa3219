"""A plan in question: what it is, what it costs, and how it was measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apps.rankings.advice.offers import Offer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal

    from apps.rankings.advice.evidence import LotteryDrive, WorkloadFigure


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plan with everything that an answer needs."""

    slug: str
    name: str
    provider: str
    kind: str
    storage_kind: str
    regions: str
    offer: Offer = field(default_factory=Offer)
    figures: Mapping[str, WorkloadFigure] = field(default_factory=dict)
    drives: tuple[LotteryDrive, ...] = ()
    provider_name: str = ""
    ram_gb: Decimal | None = None
    vcpus: int | None = None
    is_ephemeral: bool = False  # its storage is lost when the machine stops

    def groups(self, sessions: Mapping[str, int]) -> list[tuple[int, WorkloadFigure]]:
        """Return (sessions, figure) of the workloads with shared syncs, fewest sessions first."""
        return sorted(
            ((sessions[name], figure) for name, figure in self.figures.items() if name in sessions),
            key=lambda each: each[0],
        )
