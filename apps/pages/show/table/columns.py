"""The columns of the boards, one declaration each; a board can be ordered by each of its columns.

A declaration says the words, the boards, the field of a standing that orders by it, and which way
is best. `cells` makes what stands in a row, `boards.exports` what a file holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

# Marks a text and makes none: selectors order by these columns, and know no words.
from django.utils.translation import gettext_noop as _

PLANS, PROVIDERS, DRIVES = "plans", "providers", "drives"  # the boards
OF_PLANS: Final = (PLANS, PROVIDERS)
ALL_BOARDS: Final = (PLANS, PROVIDERS, DRIVES)
BESIDE_PICTURE_MAX = 3  # figures that have room left of the field; more take its place
REVERSED = "-"  # before the name of a column: worst first


class Sort(StrEnum):
    """Columns of the boards as the address names them; best first, and names from A on."""

    NAME = "name"
    RATE = "rate"
    INTERVAL = "interval"
    P50 = "p50"
    P99 = "p99"
    P999 = "p999"
    COST = "cost"
    PRICE = "price"
    UPLOADERS = "uploaders"
    MACHINES = "machines"
    RUNS = "runs"
    TIER = "tier"
    LEVEL = "level"
    PROVIDER = "provider"
    KIND = "kind"
    REGION = "region"
    STORAGE = "storage"
    DRIVE = "drive"
    PLP = "plp"
    CPU = "cpu"
    CORES = "cores"
    RAM = "ram"
    ARCH = "arch"
    RATED = "rated"
    INTERFACE = "interface"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a board; its words are English, translated where they are shown."""

    key: Sort
    head: str
    field: str = ""  # of a standing, that orders by it; empty: `orders` of the boards makes one
    is_best_high: bool = False  # the first click puts the highest first
    is_text: bool = False  # it holds words, not figures
    boards: tuple[str, ...] = ALL_BOARDS


ALL: Final = (
    Column(Sort.RATE, _("Durable commits/s"), is_best_high=True),
    Column(Sort.INTERVAL, _("Interval")),
    Column(Sort.P50, "p50", field="p50_ns"),
    Column(Sort.P99, "p99", field="p99_ns"),
    Column(Sort.P999, "p99.9", field="p999_ns"),
    Column(Sort.COST, _("Per billion"), boards=OF_PLANS),
    Column(Sort.PRICE, _("Price a month"), boards=OF_PLANS),
    Column(
        Sort.UPLOADERS,
        _("Uploaders"),
        field="n_uploaders",
        is_best_high=True,
    ),
    Column(Sort.MACHINES, _("Machines"), field="n_machines", is_best_high=True),
    Column(Sort.RUNS, _("Runs"), field="n_runs", is_best_high=True),
    Column(Sort.TIER, _("Tier"), field="tier"),
    Column(Sort.LEVEL, _("Evidence"), field="evidence", is_text=True),
    Column(
        Sort.PROVIDER,
        _("Provider"),
        field="plan__provider__name",
        is_text=True,
        boards=(PLANS,),
    ),
    Column(Sort.KIND, _("Kind"), field="plan__kind", is_text=True, boards=OF_PLANS),
    Column(Sort.REGION, _("Region"), field="region_group", is_text=True, boards=OF_PLANS),
    Column(
        Sort.STORAGE,
        _("Storage"),
        field="plan__storage_kind",
        is_text=True,
        boards=OF_PLANS,
    ),
    Column(Sort.DRIVE, _("Drive"), field="drive_names", is_text=True, boards=OF_PLANS),
    Column(Sort.PLP, "PLP", field="plp", is_text=True),
    Column(Sort.CPU, "CPU", field="plan__cpu", is_text=True, boards=OF_PLANS),
    Column(
        Sort.CORES,
        _("vCPUs"),
        field="plan__vcpus",
        is_best_high=True,
        boards=OF_PLANS,
    ),
    Column(Sort.RAM, _("RAM"), field="plan__ram_gb", is_best_high=True, boards=OF_PLANS),
    Column(
        Sort.ARCH,
        _("Architecture"),
        field="plan__arch",
        is_text=True,
        boards=OF_PLANS,
    ),
    Column(
        Sort.RATED,
        _("Rated writes/s"),
        field="drive_family__rated_rand_write_iops",
        is_best_high=True,
        boards=(DRIVES,),
    ),
    Column(
        Sort.INTERFACE,
        _("Interface"),
        field="drive_family__interface",
        is_text=True,
        boards=(DRIVES,),
    ),
    Column(Sort.MEASURED, _("Last measured"), is_best_high=True),
)
NAME = Column(Sort.NAME, _("Name"), is_text=True)  # always shown, so never offered
COLUMNS = {column.key.value: column for column in (NAME, *ALL)}

# Of each board the columns that it can show, and those that it opens with.
OFFERED = {
    board: tuple(column.key.value for column in ALL if board in column.boards)
    for board in ALL_BOARDS
}
# Where p99 has no column it stands below the rate.
USUAL = {
    PLANS: (Sort.RATE.value, Sort.COST.value),
    PROVIDERS: (Sort.RATE.value, Sort.COST.value),
    DRIVES: (Sort.RATE.value, Sort.RATED.value),
}


def columns_shown(board: str, cols: str) -> tuple[Column, ...]:
    """The columns of a board in its order: those in the address, else the usual ones."""
    names = cols.split(",") if cols else USUAL[board]
    return tuple(COLUMNS[name] for name in names)


def columns_offered(board: str) -> tuple[Column, ...]:
    """Every column that a board can show, in its order."""
    return tuple(COLUMNS[name] for name in OFFERED[board])
