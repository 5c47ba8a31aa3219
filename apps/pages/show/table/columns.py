"""The columns that a reader can choose for each board: their words, and which way is best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.pages.show.table.query import BEST_HIGH, OF_TEXT, Sort

if TYPE_CHECKING:
    from apps.pages.show.table.filter_words import Words

BESIDE_PICTURE_MAX = 3  # figures that have room left of the field; more take its place


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a board."""

    key: Sort
    head: Words
    name: Words  # where columns are chosen, and in sentences

    @property
    def is_best_high(self) -> bool:
        """Whether the first click puts the highest first."""
        return self.key in BEST_HIGH

    @property
    def is_text(self) -> bool:
        """Whether it holds words, not figures."""
        return self.key in OF_TEXT


_ALL = (
    Column(Sort.RATE, _("Durable commits/s"), _("durable commits a second")),
    Column(Sort.INTERVAL, _("Interval of the rate"), _("width of the interval")),
    Column(Sort.P50, "p50", _("p50 of the middle uploader")),
    Column(Sort.P99, "p99", _("p99 of the middle uploader")),
    Column(Sort.P999, "p99.9", _("p99.9 of all runs as one")),
    Column(Sort.COST, _("Per billion commits"), _("cost of a billion commits")),
    Column(Sort.PRICE, _("Price a month"), _("price a month")),
    Column(Sort.UPLOADERS, _("Uploaders"), _("number of uploaders")),
    Column(Sort.MACHINES, _("Machines"), _("number of machines")),
    Column(Sort.RUNS, pgettext_lazy("column", "Runs"), _("number of runs")),
    Column(Sort.TIER, _("Tier"), _("tier and ranks")),
    Column(Sort.LEVEL, _("Evidence"), _("evidence")),
    Column(Sort.PROVIDER, _("Provider"), _("provider")),
    Column(Sort.KIND, _("Kind"), _("kind of plan")),
    Column(Sort.REGION, _("Region"), _("region")),
    Column(Sort.STORAGE, _("Storage"), _("storage")),
    Column(Sort.DRIVE, _("Drive"), _("drive")),
    Column(Sort.PLP, "PLP", _("power-loss protection")),
    Column(Sort.CPU, "CPU", _("processor")),
    Column(Sort.CORES, _("vCPUs"), _("number of vCPUs")),
    Column(Sort.RAM, _("RAM"), _("RAM")),
    Column(Sort.ARCH, _("Architecture"), _("architecture")),
    Column(Sort.RATED, _("Rated writes/s"), _("rated random writes")),
    Column(Sort.INTERFACE, _("Interface"), _("interface")),
    Column(Sort.MEASURED, _("Last measured"), _("day of the newest run")),
)
NAME = Column(Sort.NAME, _("Name"), _("name"))  # always shown, so never offered
COLUMNS = {column.key.value: column for column in (NAME, *_ALL)}

_OF_PLANS = {Sort.COST, Sort.PRICE, Sort.PROVIDER, Sort.KIND, Sort.REGION, Sort.STORAGE, Sort.CPU,
             Sort.CORES, Sort.RAM, Sort.ARCH, Sort.DRIVE}  # fmt: skip
_OF_DRIVES = {Sort.RATED, Sort.INTERFACE}


def _names(without: set[Sort]) -> tuple[str, ...]:
    return tuple(column.key.value for column in _ALL if column.key not in without)


# Of each board the columns that it can show, and those that it opens with.
OFFERED = {
    "plans": _names(_OF_DRIVES),
    "providers": _names(_OF_DRIVES | {Sort.PROVIDER}),
    "drives": _names(_OF_PLANS),
}
USUAL = {
    "plans": (Sort.RATE.value, Sort.P99.value, Sort.COST.value),
    "providers": (Sort.RATE.value, Sort.P99.value, Sort.COST.value),
    "drives": (Sort.RATE.value, Sort.P99.value, Sort.RATED.value),
}


def columns_shown(board: str, chosen: str) -> tuple[Column, ...]:
    """The columns of a board in its order: those in the address, else the usual ones."""
    names = chosen.split(",") if chosen else USUAL[board]
    return tuple(COLUMNS[name] for name in names)


def columns_offered(board: str) -> tuple[Column, ...]:
    """Every column that a board can show, in its order."""
    return tuple(COLUMNS[name] for name in OFFERED[board])
