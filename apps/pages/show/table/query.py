"""What a reader asked of a board: everything that the address holds, checked, with defaults."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlencode

from django.http import QueryDict

from apps.drives.models import PowerLossProtection
from apps.plans.currencies import CURRENCY_SIGNS, EURO
from apps.plans.models import StorageKind
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

TEXT_CHARACTERS_MAX = 80  # a model string has 64 at most
SLUG_CHARACTERS_MAX = 160
KEY_CHARACTERS_MAX = 300  # of a row: a slug, a workload, an evidence, a region and two numbers
PAGE_NUMBER = re.compile(r"[0-9]{1,100}")  # int() refuses thousands of digits
PAGE_MAX = 10_000  # deeper than any board; keeps offsets small
AT_LEAST_MAX = 100_000  # no machine has more processors or gigabytes, no row more uploaders
AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")  # a price a month, or milliseconds
ALL_WORKLOADS = "all"


class Sort(StrEnum):
    """Columns of the boards; each orders its board, best first and names from A on."""

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


REVERSED = "-"  # before the name of a column: worst first
BEST_HIGH = frozenset(
    (
        Sort.RATE, Sort.UPLOADERS, Sort.MACHINES, Sort.RUNS, Sort.CORES, Sort.RAM, Sort.RATED,
        Sort.MEASURED,
    )
)  # fmt: skip
OF_TEXT = frozenset(
    (
        Sort.NAME, Sort.LEVEL, Sort.PROVIDER, Sort.KIND, Sort.REGION, Sort.STORAGE, Sort.DRIVE,
        Sort.PLP, Sort.CPU, Sort.ARCH, Sort.INTERFACE,
    )
)  # fmt: skip

# The values of a filter, as the address has them; their words stand in `filter_words`.
NOT_STATED = "not-stated"  # how the address says that no source says it
PLP_VALUES = tuple(each.value for each in PowerLossProtection)
STORAGES = (
    *(each.value for each in StorageKind if each is not StorageKind.UNKNOWN),
    NOT_STATED,
)
INTERFACES = ("nvme", "sata", "sas", "network", "virtio")
KINDS = ("dedicated", "vps", "cloud", "volume", "managed", "home", NOT_STATED)
REGIONS = (*GROUPS, NOT_STATED)
EVIDENCES = tuple(each.value for each in Evidence)
CURRENCIES = tuple(CURRENCY_SIGNS)
SEVERAL_VALUES = ("cols",)  # fields of which a form sends one value a box


def one_of(value: str, allowed: Collection[str]) -> str:
    """The value if it is an allowed one, else nothing: an old link still opens the board."""
    return value if value in allowed else ""


def page_number(value: str) -> int:
    """A page from one up; what is not a number is the first page."""
    return min(max(int(value), 1), PAGE_MAX) if PAGE_NUMBER.fullmatch(value) else 1


def at_least(value: str) -> int:
    """A lower bound of a count; what is not a number bounds nothing."""
    return min(int(value), AT_LEAST_MAX) if PAGE_NUMBER.fullmatch(value) else 0


def amount(value: str) -> str:
    """A positive decimal figure in its shortest form; nothing where it is none."""
    if not AMOUNT.fullmatch(value) or not (figure := Decimal(value)):
        return ""
    return f"{figure.normalize():f}"


def plain(value: str, characters_max: int) -> str:
    """Text of an address without what the database refuses, and not endless."""
    return value.replace("\x00", "").strip()[:characters_max].strip()


def order_of(value: str, columns: Collection[str]) -> str:
    """A column of the board, reversed or not; any other order is that by rate."""
    return value if value.removeprefix(REVERSED) in columns else Sort.RATE.value


def columns_of(values: list[str], columns: Collection[str], usual: Collection[str]) -> str:
    """The columns that were chosen, in the order of the board; nothing where they are the usual."""
    wanted = {name for value in values for name in value.split(",")}
    chosen = tuple(name for name in columns if name in wanted)
    return "" if chosen == tuple(usual) else ",".join(chosen)


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """The state of a board. Empty text and nought mean "any"."""

    q: str = ""
    workload: str = ""  # empty: the one that the board opens with
    evidence: str = ""
    provider: str = ""
    kind: str = ""
    region: str = ""  # a group of regions
    storage: str = ""
    media: str = ""  # slug of a class of storage
    plp: str = ""
    arch: str = ""
    cores: int = 0  # at least
    ram: int = 0  # GB at least
    price_min: str = ""  # a month, in the currency below
    price_max: str = ""
    currency: str = EURO
    p99_ms: str = ""  # at most
    uploaders: int = 0  # at least
    machines: int = 0  # at least
    cols: str = ""  # names of columns with commas; empty: the usual ones
    sort: str = Sort.RATE.value
    page: int = 1
    needs: int = 1  # page of the "Needs runs" list below the board
    row: str = ""  # key of the row whose page is to be opened

    @classmethod
    def read(
        cls,
        asked: QueryDict,
        *,
        storages: Collection[str],
        regions: Collection[str],
        columns: Collection[str] = tuple(sort for sort in Sort if sort is not Sort.NAME),
        usual: Collection[str] = (),
    ) -> Self:
        """Read the address; unknown values count as not asked.

        `columns` are those of the board in its order, `usual` those that it opens with. The name
        is none of them: it always stands, and orders every board.
        """
        read: dict[str, Any] = {
            **{name: plain(asked.get(name, ""), TEXT_CHARACTERS_MAX) for name in TEXTS},
            **{name: at_least(asked.get(name, "")) for name in COUNTS},
            **{name: amount(asked.get(name, "")) for name in AMOUNTS},
        }
        return cls(
            **read,
            evidence=one_of(asked.get("evidence", ""), EVIDENCES),
            kind=one_of(asked.get("kind", ""), KINDS),
            region=one_of(asked.get("region", ""), regions),
            storage=one_of(asked.get("storage", ""), storages),
            plp=one_of(asked.get("plp", ""), PLP_VALUES),
            currency=one_of(asked.get("currency", ""), CURRENCIES) or EURO,
            cols=columns_of(asked.getlist("cols"), columns, usual),
            sort=order_of(asked.get("sort", ""), (Sort.NAME.value, *columns)),
            page=page_number(asked.get("page", "")),
            needs=page_number(asked.get("needs", "")),
            row=plain(asked.get("row", ""), KEY_CHARACTERS_MAX),
        )

    @property
    def address(self) -> str:
        """The shortest query string that says the same, with its question mark."""
        return address_of(self)

    @property
    def column(self) -> str:
        """The column that orders the board."""
        return self.sort.removeprefix(REVERSED)

    @property
    def is_reversed(self) -> bool:
        """Whether the worst comes first."""
        return self.sort.startswith(REVERSED)

    @property
    def has_price(self) -> bool:
        """Whether prices are bounded."""
        return bool(self.price_min or self.price_max)

    @property
    def is_filtered(self) -> bool:
        """Whether anything narrows the board below one workload."""
        return any(getattr(self, name) for name in NARROWING)

    @property
    def asks_of_figures(self) -> bool:
        """Whether something is asked for that nobody knows of what has no run."""
        asked = ("evidence", "plp", "media", "region", "p99_ms", "uploaders", "machines")
        return any(getattr(self, name) for name in asked)

    def but(self, **changes: Any) -> str:
        """The address of this board with other filters, from its first page."""
        first: dict[str, Any] = {"page": 1, "needs": 1, "row": ""}
        return replace(self, **{**first, **changes}).address or "?"

    def without(self, *names: str) -> str:
        """The address of this board without some of its filters."""
        return self.but(**{name: DEFAULTS[name] for name in names})

    def sorted_by(self, sort: str) -> str:
        """The address of this board in an order, from its first page."""
        return self.but(sort=str(sort))

    def toggled(self, column: str) -> str:
        """Where a click on the head of a column leads: best first, then the other way round."""
        return self.sorted_by(f"{REVERSED}{column}" if self.sort == column else column)

    def on_page(self, page: int) -> str:
        """The address of another page."""
        return replace(self, page=page, row="").address or "?"

    def on_needs_page(self, needs: int) -> str:
        """The address with another page of what needs runs."""
        return replace(self, needs=needs).address or "?"

    def of_row(self, key: str) -> str:
        """The address of one row of this board, wherever it stands later."""
        return f"{replace(self, page=1, needs=1, row=key).address}#{key}"


def unread(asked: QueryDict, query: BoardQuery) -> tuple[tuple[str, str], ...]:
    """Conditions of an address that the board did not understand: their names and values.

    Nothing is narrowed or ordered by them. Names of providers and workloads are looked for in the
    database: one that nothing has leaves the board empty, and stands among the active filters.
    """
    lost = []
    for name in CHECKED:
        value = plain(asked.get(name, ""), TEXT_CHARACTERS_MAX)
        if value and getattr(query, name) != _as_read(name, value):
            lost.append((name, value))
    return tuple(lost)


def _as_read(name: str, value: str) -> str | int:
    """The value as a board keeps it, where it understands it."""
    if name in COUNTS and PAGE_NUMBER.fullmatch(value):
        return at_least(value)
    return amount(value) if name in AMOUNTS and AMOUNT.fullmatch(value) else value


TEXTS = ("q", "workload", "provider", "media", "arch")
COUNTS = ("cores", "ram", "uploaders", "machines")
AMOUNTS = ("price_min", "price_max", "p99_ms")
CHECKED = (
    "evidence", "kind", "region", "storage", "plp", "currency", "sort", *COUNTS, *AMOUNTS,
)  # fmt: skip
NARROWING = (
    "q", "evidence", "provider", "kind", "region", "storage", "media", "plp", "arch",
    *COUNTS, *AMOUNTS,
)  # fmt: skip
DEFAULTS = {entry.name: entry.default for entry in fields(BoardQuery)}


def address_of(query: DataclassInstance) -> str:
    """The shortest query string that says this state, with its question mark."""
    changed = {
        entry.name: getattr(query, entry.name)
        for entry in fields(query)
        if getattr(query, entry.name) != entry.default
    }
    return f"?{urlencode(changed, safe=',')}" if changed else ""


def has_empty_values(asked: QueryDict) -> bool:
    """Whether a form was sent as it is without script: the address would be a long-winded one."""
    return any(value == "" for values in asked.lists() for value in values[1]) or any(
        len(asked.getlist(name)) > 1 for name in SEVERAL_VALUES
    )
