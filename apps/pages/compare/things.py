"""One thing of a comparison: what it is, and what is known of it under each workload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.rankings.models import Evidence
from apps.runs.models import Level
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    import datetime as dt
    from decimal import Decimal

    from apps.drives.models import DriveFamily, LadderClass
    from apps.pages.show.address.references import Ref
    from apps.plans.models import Plan, Price
    from apps.rankings.cost import PricedVolume
    from apps.rankings.models import Standing
    from apps.runs.models import Measurement, Run
    from apps.stats.standings.confidence import Support

LETTERS = "ABCDEF"  # one for each thing, beside its mark


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """What may be compared: figures of one version of one workload and of one kind of evidence."""

    evidence: str
    workload: str
    version: int

    @property
    def id(self) -> str:
        """How an address names the workload."""
        return f"{self.workload}-v{self.version}"

    @property
    def is_made_up(self) -> bool:
        """Whether its figures are examples, which nobody measured."""
        return self.evidence == Evidence.EXAMPLE


def evidence_of_run(run: Run) -> str:
    """The evidence that a run's figures may be compared under.

    Outputs that somebody gave in were measured with other tools, as what is published was.
    """
    if run.level in (Level.PUBLISHED, Level.IMPORTED):
        return Evidence.PUBLISHED
    if run.level == Level.LAB:
        return Evidence.LAB
    return Evidence.EXAMPLE if run.is_example else Evidence.MEASURED


def shape_of_standing(standing: Standing) -> Shape:
    """What a standing may be compared under."""
    return Shape(standing.evidence, standing.workload, standing.version)


def shape_of_measurement(measurement: Measurement) -> Shape:
    """What a measurement of a run may be compared under."""
    evidence = evidence_of_run(measurement.run)
    return Shape(evidence, measurement.workload, measurement.version)


@dataclass(frozen=True, slots=True)
class RangeTest:
    """What tells a standing from another one: the standard error of its median, in ln(rate).

    Their difference must be more than `apart_sds` of its own standard error.
    """

    sd_ln: float
    apart_sds: float


@dataclass(frozen=True, slots=True)
class ThingFigures:
    """What one thing says under one workload. Rates a second, latencies in nanoseconds."""

    rate_per_s: float
    low: float | None
    high: float | None
    interval: str  # what the interval is, in words
    p50_ns: int | None
    p99_ns: int | None
    p999_ns: int | None
    p9999_ns: int | None
    side: str  # what the latencies time
    curve: Sequence[Sequence[float]]  # (q, ns), rising
    count: str  # how many stand behind it, in words
    n_runs: int
    n_machines: int
    n_uploaders: int
    level: str
    measured_at: dt.datetime | None
    is_commit: bool
    shape: Shape
    support: Support  # how much stands behind it
    basis: str  # the same in a few words
    p99_limit_ns: int | None = None  # of useful IOPS: the limit that their rate keeps
    region: str = ""
    p99_low_ns: int | None = None  # its own interval, over uploaders
    p99_high_ns: int | None = None
    cost: Decimal | None = None  # of a billion commits
    cost_range: tuple[Decimal, Decimal] | None = None
    month_per_1000: Decimal | None = None  # of useful IOPS
    range_test: RangeTest | None = None  # of a standing with evidence enough to be ranked
    is_of_few: bool = False  # a standing with less
    warning: str = ""
    is_out: bool = False  # a run that does not count
    run_slug: str = ""  # the newest run behind it

    @property
    def work(self) -> str:
        """What was done, in three words."""
        return workload_short(self.shape.workload)

    @property
    def p99_interval(self) -> tuple[int | None, int | None]:
        """Both ends of the interval of p99; None and None where it has none."""
        return self.p99_low_ns, self.p99_high_ns

    def latency_ns(self, name: str) -> int | None:
        """A percentile by its name."""
        percentiles = {
            "p50": self.p50_ns,
            "p99": self.p99_ns,
            "p99.9": self.p999_ns,
            "p99.99": self.p9999_ns,
        }
        return percentiles[name]


@dataclass(frozen=True, slots=True)
class Thing:
    """A plan, a drive family or a run. `figures` is None where it lacks the workload."""

    ref: Ref
    letter: str
    name: str
    under: str
    url: str
    plp: str
    figures: ThingFigures | None
    shapes: frozenset[Shape]
    price: Price | None = None
    volume: PricedVolume | None = None  # of a volume of any size: as it is ordered
    per_euro: Decimal | None = None  # what one euro is worth in the currency of its price
    newest_run: Run | None = None  # that its surroundings are read from
    rung: LadderClass | None = None  # the class of storage that it is of
    plan: Plan | None = None
    drive: DriveFamily | None = None
    rented_plan: Plan | None = None  # of a run: the plan whose list price it is given

    @property
    def currency(self) -> str:
        """The currency of its list price."""
        if self.volume:
            return self.volume.bill.currency
        return self.price.currency if self.price else ""


@dataclass(frozen=True, slots=True)
class WorkloadChoice:
    """A workload under which at least one of the things has figures."""

    shape: Shape
    title: str
    n: int  # how many of the things have it
    is_current: bool
    url: str
