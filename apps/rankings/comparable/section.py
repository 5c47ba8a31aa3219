"""Writes the tables of "Comparable work" of the method, in every language that it is in.

Only the rows: heads and sentences are the page's own, and no row holds a word.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from apps.runs.published.comparable import comparable_class

if TYPE_CHECKING:
    from apps.rankings.comparable.data import ComparableWork, Distances, MeasuredDisk
    from apps.stats.analysis.comparable import RatioSpread

ANCHOR: Final = "comparable-work"
HEADING: Final = "## Comparable work"
RULE: Final = re.compile(r"^\|( --- \|)+$")
NOTHING: Final = ""
COLUMNS: Final = tuple(
    (disk, filesystem)
    for filesystem in ("ext4", "xfs", "btrfs")
    for disk in ("flush-1ms", "flush-8ms")
)
SHOWN: Final = (
    "commit-8k-dsync", "pg-8k-fdatasync", "fio-4k-sync-direct", "commit-8k-fsync",
    "append-8k-fdatasync", "fallocated-8k-fsync", "fallocated-2300-fdatasync",
    "fio-8k-osync-fdatasync-direct",
)  # fmt: skip


def replaced(page: str, work: ComparableWork) -> str:
    """Return the page with the rows of the section's three tables made anew.

    Raises:
        ValueError: the page has no such section, or not these tables.

    """
    lines = page.splitlines()
    start = next((place for place, line in enumerate(lines) if is_heading(line)), None)
    if start is None:
        raise ValueError(f"the page has no section {ANCHOR!r}: add it where the tables belong")
    inside = list(takewhile(lambda line: not line.startswith("## "), lines[start + 1 :]))
    bodies = iter(tables(work))
    made: list[str] = []
    is_old_row = False
    for line in inside:
        if is_old_row and line.startswith("|"):
            continue
        is_old_row = bool(RULE.match(line))
        made.append(line)
        if is_old_row:
            made.extend(next(bodies))
    if next(bodies, None) is not None:
        raise ValueError(f"the section {ANCHOR!r} has fewer tables than there are figures for")
    return "\n".join([*lines[: start + 1], *made, *lines[start + 1 + len(inside) :]]) + "\n"


def is_heading(line: str) -> bool:
    """Whether the section begins here: other languages name its anchor."""
    return line == HEADING or line.endswith(f"{{#{ANCHOR}}}")


def tables(work: ComparableWork) -> list[list[str]]:
    """Return the rows of the three tables: distances, single workloads, and how measured."""
    return [distances(work), single_workloads(work), [how_measured(work)]]


def distances(work: ComparableWork) -> list[str]:
    here, published = work.distances["measured"], work.distances["published"]
    rows = [row(name, *within(here, name), *within(published, name)) for name in ("1", "2")]
    rows.append(row("1 : 2", *ratio(here.between), *ratio(published.between)))
    for pair in here.pairs:
        first, second = pair.split("/")
        names = f"`{first}` : `{second}`"
        rows.append(row(names, *ratio(here.pairs[pair]), *ratio(published.pairs[pair])))
    return rows


def within(found: Distances, name: str) -> tuple[str, ...]:
    spread = found.within[name]
    if spread is None:
        return ("0", NOTHING, NOTHING)
    return str(spread.disks), f"{spread.median:.2f}", f"{spread.high:.2f}"


def ratio(spread: RatioSpread | None) -> tuple[str, ...]:
    if spread is None:
        return ("0", NOTHING, NOTHING)
    return str(spread.disks), f"{spread.median:.2f}", f"{spread.low:.2f}-{spread.high:.2f}"


def single_workloads(work: ComparableWork) -> list[str]:
    disks = {(one.disk, one.filesystem): one for one in work.measured.disks}
    return [
        row(
            f"`{workload}`",
            str(comparable_class(workload)),
            *(cell(disks.get(column), workload) for column in COLUMNS),
        )
        for workload in SHOWN
    ]


def cell(disk: MeasuredDisk | None, workload: str) -> str:
    """Return ratio and flushes of one workload on one disk."""
    figures = disk.workloads.get(workload) if disk else None
    if figures is None:
        return NOTHING
    ratio_and_scatter = f"{figures.ratio:.2f} ± {figures.ratio_mad:.2f}"
    return (
        ratio_and_scatter
        if figures.flushes is None
        else f"{ratio_and_scatter}, {figures.flushes:.1f}"
    )


def how_measured(work: ComparableWork) -> str:
    measured = work.measured
    return row(
        measured.measured_on, measured.machine, measured.fio, str(measured.rounds),
        f"{measured.seconds:g}", f"{measured.load_before:.1f}",
    )  # fmt: skip


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
