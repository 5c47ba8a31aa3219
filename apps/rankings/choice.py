"""Which standing represents a plan or a drive that has several, the same on every page and badge.

Measured standings come before those of laboratories, these before published ones, and all before
examples. Of comparable work, by
`runs.published.comparable`, overwrites come before work whose syncs write metadata too, in each
class by `rankings.comparable.order`. Figures that their own source calls illustrative represent
nothing.

A plan has a standing in each group of regions, and in each group one for every kind of storage. Of
three claimed accounts or more the most come first, before any number of networks. Of the other
groups the one with the most uploaders is chosen, all kinds of storage together; of the kinds
there the one that the most uploaders got, then the slower one: who sends more runs decides nothing.
An article is one uploader everywhere: of what it says the group with most of its runs is chosen.
A few uploaders who agree with each other can make a kind of their own, but not the common one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeVar

from django.db.models import Case, F, Value, When

from apps.rankings.comparable.order import headline_place, headline_places
from apps.rankings.models import Evidence, Standing
from apps.runs.models import Latency, Measurement, Run
from apps.runs.sides import HEADLINE_SIDES
from apps.stats.standings.gates import RANKED_CLAIMED_MIN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import Expression

AnyStanding = TypeVar("AnyStanding", bound="Standing")
EVIDENCE_ORDER: Final = (
    Evidence.MEASURED, Evidence.LAB, Evidence.PUBLISHED, Evidence.EXAMPLE,
)  # fmt: skip


def headline_key(row: Standing) -> tuple[object, ...]:
    """Return the key that sorts the standing first that represents a plan or a drive."""
    workload = headline_place(row.workload), row.workload, -row.version
    return evidence_place(row), *workload, *choice_key(row)


def headline(rows: Iterable[AnyStanding]) -> AnyStanding | None:
    """Return the standing of durable commits that represents a plan or a drive, or None.

    Of comparable work only: large blocks and many in flight stand for nothing.
    """
    commits = (row for row in rows if may_lead(row))
    return min(commits, key=headline_key, default=None)


def may_lead(row: Standing) -> bool:
    """Whether a standing may represent its plan or drive."""
    is_comparable = row.workload in headline_places()
    return row.is_durable_single_writer and is_comparable and not row.is_illustrative


def choice_key(row: Standing) -> tuple[int, int, int, int, float, str, int]:
    """Return the key that sorts the standing first that represents those of one workload."""
    n_cited = row.n_runs if row.evidence == Evidence.PUBLISHED else 0
    accounts = row.n_claimed if row.n_claimed >= RANKED_CLAIMED_MIN else 0
    most = -accounts, -row.n_cell_uploaders, -row.n_uploaders, -n_cited
    return *most, row.rate_per_s, row.region_group, -row.variant


def choice_order() -> tuple[Expression, ...]:
    """Return the order of `choice_key` for the database."""
    n_cited = Case(When(evidence=Evidence.PUBLISHED, then=F("n_runs")), default=Value(0))
    accounts = Case(When(n_claimed__gte=RANKED_CLAIMED_MIN, then=F("n_claimed")), default=Value(0))
    most = (accounts.desc(), F("n_cell_uploaders").desc(), F("n_uploaders").desc(), n_cited.desc())
    return *most, F("rate_per_s").asc(), F("region_group").asc(), F("variant").desc()


def choose_standing(rows: Iterable[Standing]) -> Standing | None:
    """Return the standing that represents these of one workload, or None without any."""
    return min(rows, key=choice_key, default=None)


def slowest_kind(rows: Iterable[AnyStanding]) -> AnyStanding | None:
    """Return the slowest kind of storage of the cell that represents these rows of one workload.

    Nobody can choose which kind they get. A kind with too little evidence to be ranked never stands
    for a plan beside one with enough: a few networks can make up a kind.
    """
    rows = list(rows)
    chosen = min(rows, key=choice_key, default=None)
    if chosen is None or chosen.needs_runs:
        return chosen
    kinds = [row for row in rows if row.region_group == chosen.region_group and not row.needs_runs]
    return min(kinds, key=lambda row: row.rate_per_s)


def common_kinds(rows: Iterable[Standing]) -> list[Standing]:
    """Return for each plan or drive, in each region, the standing of the most common storage.

    `rows` are those of one board. Only the standings returned are ranked; the others are shown
    beside them.
    """
    cells: dict[tuple[str | None, str | None, str], list[Standing]] = defaultdict(list)
    for row in rows:
        cells[row.plan_id, row.drive_family_id, row.region_group].append(row)
    return [min(kinds, key=choice_key) for kinds in cells.values()]


def headline_measurement(run: Run) -> Measurement | None:
    """Return the measurement that represents a run: by HEADLINE_ORDER, commits first."""
    return min(run.measurements.all(), key=measurement_key, default=None)


def measurement_key(measurement: Measurement) -> tuple[bool, int, int, int]:
    """Return the key that sorts the measurement first that represents its run."""
    return (
        not measurement.is_durable_single_writer,
        headline_place(measurement.workload),
        -measurement.version,
        measurement.pk,
    )


def headline_latency(measurement: Measurement) -> Latency | None:
    """Return the latency that represents a measurement: the whole commit where it was timed."""
    by_side = {latency.side: latency for latency in measurement.latencies.all()}
    for side in HEADLINE_SIDES:
        if side in by_side and by_side[side].p50_ns is not None:
            return by_side[side]
    return None


def evidence_order() -> Expression:
    """Return the order of `evidence_place` for the database."""
    places = (When(evidence=each, then=Value(place)) for place, each in enumerate(EVIDENCE_ORDER))
    return Case(*places, default=Value(len(EVIDENCE_ORDER))).asc()


def evidence_place(standing: Standing) -> int:
    """Return the place of a standing's kind of evidence in EVIDENCE_ORDER."""
    return EVIDENCE_ORDER.index(Evidence(standing.evidence))
