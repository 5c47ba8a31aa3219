"""What is known of a plan: its figures with their lower bounds, its drives, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.rankings.advice.offers import Offer
from apps.stats.gates import needs_runs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from decimal import Decimal
    from fractions import Fraction

# What the low end of an interval is, by what the interval is of.
LOW_ENDS: Final[Mapping[str, Promise]] = {
    "samples": gettext_lazy("Counted on is the slowest half second of one run."),
    "repeats": gettext_lazy("Counted on is the lowest of the repeats on one machine."),
    "filesystems": gettext_lazy(
        "Counted on is the lowest figure of one machine, over several filesystems."
    ),
    "machines": gettext_lazy("Counted on is the lowest machine."),
    "uploaders": gettext_lazy("Counted on is the low end over uploaders."),
}


class Confidence(IntEnum):
    """What a verdict rests on; the firmer ones first."""

    FIRM = 0  # enough to be ranked
    FEW = 1  # measured, by fewer
    PUBLISHED = 2  # somebody's article: unsigned, one machine
    NONE = 3


@dataclass(frozen=True, slots=True)
class Source:
    """The article that a published figure comes from."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Figure:
    """What stands of one workload on a plan. Rates a second, nanoseconds."""

    workload: str
    rate_per_s: float
    rate_low_per_s: float | None
    p99_ns: int | None
    n_uploaders: int
    n_machines: int
    is_published: bool = False
    interval_is: str = ""
    at_least_per_s: float | None = None  # of a ranked one: nine in ten such cells exceed it
    is_read: bool = False  # its workload commits nothing
    p99_limit_ns: int | None = None  # of useful IOPS: the limit that they keep
    region_group: str = ""  # in which it was measured; empty: not known
    rate_high_per_s: float | None = None
    p50_ns: int | None = None
    n_runs: int = 1
    run_slug: str = ""  # of its newest run, where its source is
    measured_on: date | None = None  # that run; None where its source states no day
    source: Source | None = None  # of an article
    is_illustrative: bool = False  # and that article calls the figure a sample
    plp: str = ""
    latency_side: str = ""  # what its p99 times: commit, sync, completion, read
    pooled_p999_ns: int | None = None  # of all uploaders' commits as one

    @property
    def low_per_s(self) -> float | None:
        """The rate to count on; None where nobody has measured how low it falls."""
        return self.rate_low_per_s if self.at_least_per_s is None else self.at_least_per_s

    @property
    def low_is(self) -> str:
        """What the rate to count on is, as a sentence."""
        if self.at_least_per_s is not None:
            return _("Counted on is what nine in ten such plans exceed.")
        if self.rate_low_per_s is None:
            return _("There is one figure without an interval: it bounds nothing from below.")
        if self.p99_limit_ns is not None and self.interval_is == "samples":
            return _("Counted on is the lowest of three searches of one run.")
        if self.interval_is in LOW_ENDS:
            return str(LOW_ENDS[self.interval_is])
        return _("Counted on is the low end of its interval.")

    @property
    def p99_is(self) -> str:
        """What its p99 is, as a sentence."""
        if self.n_uploaders > 1:
            return ngettext(
                "It is typical and no bound: the median of %(n)s uploader, half of whom saw worse.",
                "It is typical and no bound: the median of %(n)s uploaders, half of whom saw "
                "worse.",
                self.n_uploaders,
            ) % {"n": self.n_uploaders}
        if self.is_published:
            return _("It is typical and no bound: that of one article.")
        return _("It is typical and no bound: that of one uploader.")

    @property
    def confidence(self) -> Confidence:
        """How firm it is."""
        if self.is_published:
            return Confidence.PUBLISHED
        return Confidence.FIRM if self.is_firm else Confidence.FEW

    @property
    def is_firm(self) -> bool:
        """Whether enough people measured it, on enough machines, for a plain yes."""
        is_weak = needs_runs(n_uploaders=self.n_uploaders, n_machines=self.n_machines)
        return not self.is_published and not is_weak


@dataclass(frozen=True, slots=True)
class DriveSeen:
    """The drive lottery: a family that people really got, when, and what it did."""

    name: str
    plp: str
    n_uploaders: int
    n_machines: int
    share: Fraction  # of the plan's uploaders, each split evenly over what it got
    first: date | None  # None where its source states no day
    last: date | None
    rate_low_per_s: float  # of the lowest uploader, each at its median
    rate_high_per_s: float


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
    figures: Mapping[str, Figure] = field(default_factory=dict)
    drives: tuple[DriveSeen, ...] = ()
    provider_name: str = ""
    ram_gb: Decimal | None = None
    vcpus: int | None = None
    is_ephemeral: bool = False  # its storage is lost when the machine stops

    def groups(self, sessions: Mapping[str, int]) -> list[tuple[int, Figure]]:
        """Return the figures of workloads in which sessions share a sync, by how many they are."""
        return sorted(
            ((sessions[name], figure) for name, figure in self.figures.items() if name in sessions),
            key=lambda each: each[0],
        )
