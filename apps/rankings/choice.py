"""Which row stands for a plan or a drive that has several.

Of several workloads that time durable commits of one writer it is the headline's, and where nobody
ran that, the shape that is most like it: HEADLINE_ORDER, on the badge as on the page, in the search
as in the advisor. What was measured goes before what was published, and both before examples.
Figures that their own source calls illustrative stand for nothing.

A plan has a row in each group of regions, and in each for every kind of storage. Where there is
room for one (a badge, the head of a page, a comparison), it is this one, everywhere: of the regions
that with the most uploaders, all kinds of storage together; of the kinds there the one that the
most uploaders got, of equal ones that with the most runs, then the slower one. A few who agree with
each other can make a kind of their own; they cannot make it the common one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeVar

from django.db.models import F

from apps.rankings.models import Evidence, Standing
from apps.runs.models import Latency, Measurement, Run
from apps.runs.sides import HEADLINE_SIDES
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import Expression

Row = TypeVar("Row", bound="Standing")  # with what a query added to it
# The headline of our suites, the same with other syncs, then the shapes that articles timed, from
# the most like it to the least: a preallocated file of a log, then direct writes of more or fewer
# bytes, of each size fdatasync first, as that is the call of the headline.
HEADLINE_ORDER: Final = (
    HEADLINE_WORKLOAD,
    "commit-8k-fsync",
    "commit-8k-dsync",
    "fallocated-8k-fsync",
    "direct-16k-fdatasync",
    "direct-16k-fsync",
    "randwrite-4k-fsync",
    "direct-2m-fdatasync",
    "direct-2m-fsync",
)
_HEADLINE_PLACES: Final = {workload: place for place, workload in enumerate(HEADLINE_ORDER)}
EVIDENCE_ORDER: Final = (Evidence.MEASURED, Evidence.PUBLISHED, Evidence.EXAMPLE)


def headline_place(workload: str) -> int:
    """The place of a workload from the headline to what is least like it; all others are last."""
    return _HEADLINE_PLACES.get(workload, len(HEADLINE_ORDER))


def headline_key(row: Standing) -> tuple[object, ...]:
    """Sort the commits that stand for a plan or a drive first, of any workload and evidence."""
    workload = headline_place(row.workload), row.workload, -row.version
    return evidence_place(row), *workload, *choice_key(row)


def headline(rows: Iterable[Row]) -> Row | None:
    """Return the durable commits that stand for a plan or a drive, or None where it has none."""
    commits = (row for row in rows if row.is_durable_single_writer and not row.is_illustrative)
    return min(commits, key=headline_key, default=None)


def choice_key(row: Standing) -> tuple[int, int, int, str, int]:
    """Sort the row that stands for the others first."""
    most = -row.n_cell_uploaders, -row.n_uploaders, -row.n_runs
    return *most, row.region_group, -row.variant


def choice_order() -> tuple[Expression, ...]:
    """Return the same order for the database."""
    most = (F("n_cell_uploaders").desc(), F("n_uploaders").desc(), F("n_runs").desc())
    return *most, F("region_group").asc(), F("variant").desc()


def choose_standing(rows: Iterable[Standing]) -> Standing | None:
    """Return the row that stands for these, or None where there is none."""
    return min(rows, key=choice_key, default=None)


def common_kinds(rows: Iterable[Standing]) -> list[Standing]:
    """Return of each plan or drive, in each region, the row of the kind that most uploaders got.

    The rows are those of one board. Only these rank: the others are shown beside them.
    """
    cells: dict[tuple[str | None, str | None, str], list[Standing]] = defaultdict(list)
    for row in rows:
        cells[row.plan_id, row.drive_family_id, row.region_group].append(row)
    return [min(kinds, key=choice_key) for kinds in cells.values()]


def headline_measurement(run: Run) -> Measurement | None:
    """The measurement that stands for a run: the first commit workload, else the first of all."""
    return min(run.measurements.all(), key=measurement_key, default=None)


def measurement_key(measurement: Measurement) -> tuple[bool, int, int, int]:
    """Sort the measurement first that stands for its run; of a workload, its newest version."""
    return (
        not measurement.is_durable_single_writer,
        headline_place(measurement.workload),
        -measurement.version,
        measurement.pk,
    )


def headline_latency(measurement: Measurement) -> Latency | None:
    """The distribution that stands for a measurement: the whole commit where it was timed."""
    by_side = {latency.side: latency for latency in measurement.latencies.all()}
    for side in HEADLINE_SIDES:
        if side in by_side and by_side[side].p50_ns is not None:
            return by_side[side]
    return None


def evidence_place(standing: Standing) -> int:
    """The place of a standing's kind of evidence in EVIDENCE_ORDER."""
    return EVIDENCE_ORDER.index(Evidence(standing.evidence))
