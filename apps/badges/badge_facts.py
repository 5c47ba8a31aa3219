"""The facts on a badge: `selectors` reads them, `wording` makes its words. Plain data."""

from dataclasses import dataclass
from datetime import datetime
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
class BadgeInterval:
    """Lowest and highest rate a second, and between what: samples, repeats, machines, uploaders."""

    low_per_s: float
    high_per_s: float
    between: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeFacts:
    """A rate and everything that qualifies it."""

    name: str
    proof: Proof
    workload_title: str
    operation: str  # commit, read, write, transaction, ...
    rate_per_s: float
    interval: BadgeInterval | None
    latency: BadgeLatency | None
    protection: Protection
    runs: int
    uploaders: int | None  # None for one run, whose page names its key
    # Where people got several kinds of storage: how many got each, and its rate, this one first.
    kinds: tuple[tuple[int, float], ...] = ()
    measured_at: datetime | None  # by our clock; None: the source does not say when
    published: str = ""  # month of its article, ISO 8601; empty: not stated
    excluded_because: str = ""  # the label that keeps the run out of the standings
    warning: str = ""  # of the source or the cell, always shown with the figure


@unique
class Absence(Enum):
    """Why a badge has no figure."""

    NOT_FOUND = "not found"
    MEASURING = "measuring"
    SET_ASIDE = "set aside"
    NOT_MEASURED = "no commit rate yet"
    NO_RATE = "no rate stated"
    ILLUSTRATIVE = "illustrative"
    AWAY = "back in a moment"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingFigure:
    """A badge without a figure, and why. Without a name nothing is known under its address."""

    absence: Absence
    name: str = ""
