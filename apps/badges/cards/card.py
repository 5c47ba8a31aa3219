"""What one card shows and says: of one thing, or of several beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from apps.badges.drawing.badge import Badge

COMPARED_MAX: Final = 4  # more lanes of two lines each have no room in 160 pixels


@unique
class CardSize(StrEnum):
    """Width and height in pixels, for ever: hosts are told them."""

    WIDE = "480x160"
    TALL = "320x200"

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return int(self.value.partition("x")[0])

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return int(self.value.partition("x")[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingCard:
    """One thing with its figure; the badge has the figure, level, colour and mark of it."""

    badge: Badge
    name: str  # of a provider with the plan
    unit: str = ""
    span: str = ""  # the interval of the figure
    work: str = ""  # what was done; of what has no figure why it has none
    standing: str = ""  # what stands behind it, and its month
    half: str = ""  # the time at which the mark stands, in words
    tail_ns: int | None = None  # p99
    notes: tuple[str, ...] = ()  # whether it counts, p99, cost, tier: what has room is shown

    @property
    def counts(self) -> bool:
        """Whether it has a figure that is neither old nor left out."""
        return not self.badge.is_grey

    @property
    def sentence(self) -> str:
        """Everything in one sentence."""
        return self.badge.sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareCard:
    """Things beside each other, as many as a card has room for. Nothing says which is better."""

    cards: tuple[ThingCard, ...]
    works: tuple[str, ...]  # the workload of each; empty without a figure
    left_out: int  # how many are on the page alone

    @property
    def work(self) -> str:
        """What was done, where it was the same with all that have a figure."""
        known = {card.work for card in self.cards if card.badge.figure}
        return known.pop() if len(known) == 1 else ""

    @property
    def unit(self) -> str:
        """What is counted, where it is the same with all that have a figure.

        Beside commits that are left out none is called durable.
        """
        known = {card.unit for card in self.cards if card.badge.figure}
        if len(known) > 1:
            known = {unit.removeprefix("durable ") for unit in known}
        return known.pop() if len(known) == 1 else ""

    @property
    def sentence(self) -> str:
        """The sentences of all of them."""
        return " ".join(card.sentence for card in self.cards)
