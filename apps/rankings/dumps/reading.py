"""Reads a dump again: points of cells, histograms, prices. It needs no database."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq

from apps.plans.models import Plan, Price
from apps.plans.prices.currencies import Rate, RateTable
from apps.plans.regions import place_of
from apps.rankings.dumps.cells import CELLS
from apps.rankings.dumps.lists import PLANS, PRICES, RATES
from apps.rankings.dumps.measurements import RUNS
from apps.rankings.dumps.package import FORMAT, PACKAGE, SUMS
from apps.rankings.standings.cells import CellKey, CellPoint, CellSubject, SideLatency
from apps.rankings.standings.curves import StoredHistogram
from apps.runs.packed.packing import BucketCounts
from apps.runs.sides import STANDING_SIDES
from apps.stored_files import sha256_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_NEEDED: Final = (
    "run", "run_id", "measured_at", "region", "plan", "plan_provider", "drive", "drive_name", "plp",
    "expected_class", "filesystem", "warning", "is_illustrative", "title", "p99_bound_ns",
    "is_durable_single_writer", "rate_per_s", "rate_per_s_low", "rate_per_s_high",
    "slowest_part_per_s", "fastest_part_per_s",
)  # fmt: skip
_PERCENTILES: Final = ("p50_ns", "p99_ns", "p999_ns", "p9999_ns")
_OF_A_SIDE: Final = ("side", "is_part", *_PERCENTILES)
Row = dict[str, Any]


class DumpError(Exception):
    """A folder is no dump, or not one as it was written; says what to do."""


@dataclass(frozen=True)
class DumpFolder:
    """A dump in a folder."""

    folder: Path

    @cached_property
    def package(self) -> dict[str, Any]:
        """What stands beside the tables. Raises DumpError where there is nothing to be read."""
        try:
            found: dict[str, Any] = json.loads((self.folder / PACKAGE).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise DumpError(f"{self.folder} is no dump: it has no {PACKAGE}.") from error
        if found["format"] != FORMAT:
            raise DumpError(
                f"This program reads dumps of format {FORMAT}, and this one has {found['format']}: "
                "take the program of its day."
            )
        return found

    def check(self) -> None:
        """Compare the tables that are read with their checksums. Raises DumpError."""
        sums = {}
        for line in (self.folder / SUMS).read_text(encoding="ascii").splitlines():
            sha256, name = line.split(maxsplit=1)
            sums[name] = sha256
        for table in (RUNS, CELLS, PLANS, PRICES, RATES):
            path = self.folder / table.parquet
            if not path.exists() or sha256_of(path) != sums.get(path.name):
                raise DumpError(f"{path} is not the file that was written: fetch it again.")

    def workloads(self) -> list[tuple[str, int]]:
        """Return the workloads of which a measurement counts in a cell, with their versions."""
        found = pq.read_table(self.folder / CELLS.parquet, columns=["workload", "version"])
        counted = found.group_by(["workload", "version"]).aggregate([])
        return sorted((row["workload"], row["version"]) for row in counted.to_pylist())

    def measured(self, workload: str, version: int) -> DumpedWorkload:
        """Return the measurements of a workload."""
        names = [*_NEEDED, "latencies"]
        return DumpedWorkload(pq.read_table(
            self.folder / RUNS.parquet, columns=names, filters=_of(workload, version)
        ))  # fmt: skip

    def cells(self, workload: str, version: int) -> dict[CellKey, list[Row]]:
        """Return the rows of each cell of a workload."""
        path = self.folder / CELLS.parquet
        rows: dict[CellKey, list[Row]] = defaultdict(list)
        for row in pq.read_table(path, filters=_of(workload, version)).to_pylist():
            key = CellKey(
                CellSubject(row["subject"]), row["slug"], row["evidence"], workload, version,
                row["region_group"],
            )  # fmt: skip
            rows[key].append(row)
        return rows

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """The plans, by slug."""
        return {
            row["slug"]: Plan(slug=row["slug"], provider_id=row["provider"], name=row["name"])
            for row in self._rows(PLANS.parquet)
        }

    @cached_property
    def prices(self) -> dict[str, list[Price]]:
        """The prices of each plan."""
        prices: dict[str, list[Price]] = defaultdict(list)
        for row in self._rows(PRICES.parquet):
            plan = row.pop("plan")
            prices[plan].append(Price(plan_id=plan, **row))
        return prices

    @cached_property
    def rates(self) -> RateTable:
        """What currencies were worth."""
        return RateTable(Rate(**row) for row in self._rows(RATES.parquet))

    def _rows(self, name: str) -> list[Row]:
        rows: list[Row] = pq.read_table(self.folder / name).to_pylist()
        return rows


def _of(workload: str, version: int) -> list[tuple[str, str, Any]]:
    return [("workload", "=", workload), ("version", "=", version)]


@dataclass
class DumpedWorkload:
    """The measurements of one workload; a `CurveSource` of their latencies.

    A latency has the number of its place, from 1. Histograms stay in Arrow's memory.
    """

    table: pa.Table
    by_run: dict[str, Row] = field(init=False)

    def __post_init__(self) -> None:
        latencies = self.table.column("latencies").combine_chunks()
        starts = latencies.offsets.to_pylist()
        self._latencies = latencies.values
        columns = [self._latencies.field(name).to_pylist() for name in _OF_A_SIDE]
        sides = [dict(zip(_OF_A_SIDE, each, strict=True)) for each in zip(*columns, strict=True)]
        rows = self.table.select(list(_NEEDED)).to_pylist()
        self.by_run = {
            row["run"]: row | {"sides": _sides(sides[begin:end], begin)}
            for row, begin, end in zip(rows, starts, starts[1:], strict=False)
        }

    def point(self, of_cell: Row) -> CellPoint:
        """Return the point of a row of a cell: numbers stand for uploader and machine."""
        row = self.by_run[of_cell["run"]]
        uploader = str(of_cell["uploader"])
        return CellPoint(
            run_id=UUID(row["run_id"]),
            run_slug=row["run"],
            at=row["measured_at"],
            key=uploader,
            machine=str(of_cell["machine"]),
            uploader=uploader,
            is_claimed=of_cell["is_claimed"],
            is_doubted=of_cell["is_doubted"],
            place=place_of(row["region"] or "", provider=row["plan_provider"] or ""),
            rate_per_s=row["rate_per_s"],
            rate_per_s_low=row["rate_per_s_low"],
            rate_per_s_high=row["rate_per_s_high"],
            slowest_part_per_s=row["slowest_part_per_s"],
            fastest_part_per_s=row["fastest_part_per_s"],
            title=row["title"],
            is_durable_single_writer=row["is_durable_single_writer"],
            drive_name=row["drive_name"],
            plp=row["plp"],
            ladder_class=row["expected_class"],
            filesystem=row["filesystem"],
            warning=row["warning"],
            is_illustrative=row["is_illustrative"],
            sides=row["sides"],
            p99_bound_ns=row["p99_bound_ns"],
            plan=row["plan"] or "",
            drive=row["drive"] or "",
        )

    def histograms(self, latency_ids: Sequence[int]) -> Iterator[StoredHistogram | None]:
        """Yield the histogram of each latency in the order given, None where it has none."""
        lists = [self._latencies.field(name) for name in ("buckets", "counts", "min_ns", "max_ns")]
        for number in latency_ids:
            buckets, counts, least, most = (each[number - 1] for each in lists)
            if len(buckets) and least.is_valid and most.is_valid:
                of_buckets = BucketCounts(
                    buckets.values.to_numpy(zero_copy_only=False),
                    counts.values.to_numpy(zero_copy_only=False),
                )
                yield StoredHistogram(of_buckets, least.as_py(), most.as_py())
            else:
                yield None

    def printed_curves(self, latency_ids: Iterable[int]) -> dict[int, list[list[float]]]:
        """Return the percentile curves of these latencies, which have no histogram."""
        curves = self._latencies.field("curve")
        return {number: curves[number - 1].as_py() for number in latency_ids}


def _sides(latencies: Sequence[Row], first: int) -> dict[str, SideLatency]:
    return {
        row["side"]: SideLatency(first + place + 1, *(row[name] for name in _PERCENTILES))
        for place, row in enumerate(latencies)
        if row["side"] in STANDING_SIDES and not row["is_part"]
    }
