"""The facts on a badge: `selectors` reads them, `wording` makes its words. Plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, StrEnum, unique


@unique
class Proof(StrEnum):
    """The level of the figure; for several runs the lowest."""

    PUBLISHED = "published"
    IMPORTED = "imported"
    SIGNED = "signed"
    WITNESSED = "witnessed"
    PLACED = "placed"
    LAB = "lab"
    REPRODUCED = "reproduced"  # of a standing
    EXAMPLE = "example"  # made up: nothing can be defended


@unique
class Protection(Enum):
    """What happens to acknowledged, cached writes of the drive when the power fails."""

    FULL = "a drive with power-loss protection"
    NONE = "a drive without power-loss protection"
    NOT_STATED = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeLatency:
    """One time of the measurement; `is_median` false: no percentile is known, only 1 / rate."""

    ns: int
    side: str  # commit, sync, completion, ...: what was timed
    is_median: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeTail:
    """The 99th percentile of a commit or of its sync, with its interval where one is known."""

    ns: int
    side: str  # commit, sync
    low_ns: int | None = None
    high_ns: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeInterval:
    """Lowest and highest rate a second, and between what: samples, repeats, machines, uploaders."""

    low_per_s: float
    high_per_s: float
    between: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeCost:
    """What a billion durable commits cost, by a list price of a day."""

    per_billion: Decimal
    currency: str  # ISO 4217
    priced_on: date
    is_superseded: bool  # nobody gets it at that price any more


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeTier:
    """The place on the board: from 1, the best; the rank lies between both ends."""

    tier: int
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeFacts:
    """A rate and everything that qualifies it."""

    name: str
    plan: str = ""  # of a provider: which of its plans
    proof: Proof
    workload: str  # its id, which never changes
    workload_title: str
    operation: str  # commit, read, write, transaction, ...
    rate_per_s: float
    interval: BadgeInterval | None
    latency: BadgeLatency | None
    tail: BadgeTail | None = None
    cost: BadgeCost | None = None
    tier: BadgeTier | None = None
    protection: Protection
    runs: int
    uploaders: int | None  # None for one run, whose page names its key
    # Where people got several kinds of storage: how many got each, and its rate, this one first.
    kinds: tuple[tuple[int, float], ...] = ()
    measured_at: datetime | None  # by our clock; None: the source does not say when
    published: str = ""  # month of its article, ISO 8601, or its year; empty: not stated
    excluded_because: str = ""  # the label that keeps the run out of the standings
    needs_runs: bool = False  # a standing of too few to be ranked
    warning: str = ""  # of the source or the cell, always shown with the figure
    cheapest: BadgeFacts | None = None  # of a provider: the plan whose commits cost least


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurerFacts:
    """What somebody measured who chose a public name."""

    name: str
    runs: int
    plans: int  # that can be rented, of those runs
    measured_at: datetime | None  # the newest, by our clock; None: there is no run


@unique
class Absence(Enum):
    """Why a badge has no figure."""

    NOT_FOUND = "not found"
    MEASURING = "measuring"
    SET_ASIDE = "set aside"
    NOT_MEASURED = "no commit rate yet"
    NO_RATE = "no rate stated"
    NO_TAIL = "no p99 known"
    NO_COST = "no price known"
    NO_TIER = "not ranked"
    ILLUSTRATIVE = "illustrative"
    AWAY = "back in a moment"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingFigure:
    """A badge without a figure, and why. Without a name nothing is known under its address."""

    absence: Absence
    name: str = ""


Figures = BadgeFacts | MissingFigure  # of a thing
Shown = Figures | MeasurerFacts  # of a thing or of a person
