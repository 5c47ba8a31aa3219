"""The filters of the boards, one declaration each.

A declaration holds the name in the address, the label, the boards, the column of a standing, and
the possible values. Columns that the API filters by too are in `rankings.standing_columns`.
The other modules work from it: `query` reads the address and undoes a filter, `selectors` filter
the rows and collect their values, and `choices` makes the lists and the tokens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from django.utils.translation import gettext_noop

from apps.pages.show.address.query_string import (
    TEXT_CHARACTERS_MAX,
    WHOLE_NUMBER,
    plain,
)
from apps.pages.show.table.columns import ALL_BOARDS, DRIVES, OF_PLANS, PROVIDERS
from apps.plans.models import VIRTUAL_MACHINES, VPS
from apps.plans.prices.currencies import CURRENCY_SIGNS, EURO
from apps.rankings.standing_columns import (
    DRIVE_PLP,
    EVIDENCE,
    NOT_STATED,
    PLAN_KIND,
    PLP,
    PROVIDER,
    REGION_GROUP,
    STORAGE_KIND,
    StandingColumn,
)
from apps.words import catalogue as words

if TYPE_CHECKING:
    from apps.words.catalogue import ValueWords

AT_LEAST_MAX: Final = 100_000  # no machine has more processors or gigabytes, no row more uploaders
AMOUNT: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")  # a price a month, or milliseconds
NS_A_MS: Final = 1_000_000
# Paths that begin so are columns of the plan or drive itself, known without any run.
OF_THINGS: Final = ("plan__", "drive_family__")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One filter of a board. Its value is text; empty text means that it is off."""

    name: str  # in the address
    label: str  # in English, translated where it is shown
    boards: tuple[str, ...] = ALL_BOARDS
    column: StandingColumn | None = None  # None where no single column decides
    place: int = 0  # position in the line above the board; 0 puts it behind "More filters"
    unlisted_on: str = ""  # a board that takes the filter from the address and offers no list

    def read(self, raw: str) -> str | None:
        """The value of the address in its shortest form; None where it is not valid."""
        return plain(raw, TEXT_CHARACTERS_MAX)

    def condition(self, value: str, column: StandingColumn) -> Q:
        """The rows whose column has the value."""
        return Q(**{column.lookup: column.held_by(value)})

    @property
    def is_of_figures(self) -> bool:
        """Whether only a standing has the column, so that unmeasured things cannot pass."""
        return self.column is not None and not self.column.path.startswith(OF_THINGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Filter):
    """One of a few values that have words of their own."""

    column: StandingColumn
    words: ValueWords

    def read(self, raw: str) -> str | None:
        """The value if it can be chosen, else None."""
        return raw if not raw or raw in self.words or raw == self.column.blank else None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindChoice(Choice):
    """The kind of a plan; a virtual machine goes by one name, as the advisor has it."""

    def read(self, raw: str) -> str | None:
        """The kind if it can be chosen, else None."""
        return Choice.read(self, VPS if raw in VIRTUAL_MACHINES else raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChoice(Filter):
    """A value whose words are in another column of the database."""

    column: StandingColumn
    words_column: str
    is_translated: bool = False  # the words are texts of the catalogue, not names


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainChoice(Filter):
    """A value that is shown as it is stored."""

    column: StandingColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class AtLeast(Filter):
    """A lower bound of a count."""

    column: StandingColumn
    steps: tuple[int, ...]
    unit: str = ""

    def read(self, raw: str) -> str | None:
        """A whole number; zero turns the filter off."""
        if raw and not WHOLE_NUMBER.fullmatch(raw):
            return None
        return str(min(int(raw or 0), AT_LEAST_MAX) or "")

    def condition(self, value: str, column: StandingColumn) -> Q:
        """The rows that reach the bound."""
        return Q(**{f"{column.path}__gte": int(value)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount(Filter):
    """A positive decimal figure."""

    def read(self, raw: str) -> str | None:
        """The figure in its shortest form; zero turns the filter off."""
        if raw and not AMOUNT.fullmatch(raw):
            return None
        figure = Decimal(raw or 0)
        return f"{figure.normalize():f}" if figure else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtMostMs(Amount):
    """An upper bound of a latency, in milliseconds."""

    column: StandingColumn
    steps: tuple[str, ...]

    def condition(self, value: str, column: StandingColumn) -> Q:
        """The rows that stay below the bound."""
        return Q(**{f"{column.path}__lte": int(Decimal(value) * NS_A_MS)})


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceBound(Amount):
    """One bound of the monthly price; `conditions` converts it by the newest rates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceCurrency(Filter):
    """The currency of both bounds; the euro is left out of the address."""

    words: Mapping[str, str] = field(
        default_factory=lambda: {code: code for code in CURRENCY_SIGNS}
    )

    def read(self, raw: str) -> str | None:
        """A currency that prices are shown in."""
        return ("" if raw == EURO else raw) if not raw or raw in self.words else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Band(Filter):
    """One of a few values whose meaning `conditions` knows; offered whatever the rows are."""

    words: Mapping[str, str]  # in English, translated where they are shown
    any_words: str = gettext_noop("any")

    def read(self, raw: str) -> str | None:
        """The value if it can be chosen, else None."""
        return raw if not raw or raw in self.words else None


# Budgets a month in euros: a small VPS, a small and a large cloud machine, a server, a rack of it.
BUDGETS: Final[Mapping[str, tuple[str, str]]] = {
    "0-10": ("", "10"),
    "10-30": ("10", "30"),
    "30-100": ("30", "100"),
    "100-300": ("100", "300"),
    "300-": ("300", ""),
}
KEPT_OR_LOST: Final = "any"
COUNT_STEPS: Final = (2, 3, 5, 10, 20, 50)
PRICE_FIELDS: Final = ("price_min", "price_max", "currency")

# In the order of the address and of the lists behind "More filters".
FILTERS: Final[tuple[Filter, ...]] = (
    Choice(name="evidence", label=gettext_noop("Evidence"), column=EVIDENCE, words=words.EVIDENCE),
    StoredChoice(
        name="provider",
        label=gettext_noop("Provider"),
        boards=OF_PLANS,
        unlisted_on=PROVIDERS,
        column=PROVIDER,
        words_column="plan__provider__name",
        place=1,
    ),
    KindChoice(
        name="kind",
        label=gettext_noop("Kind"),
        boards=OF_PLANS,
        column=PLAN_KIND,
        words=words.CHOSEN_KINDS,
    ),
    Choice(
        name="region",
        label=gettext_noop("Region"),
        boards=OF_PLANS,
        column=REGION_GROUP,
        words=words.REGION_GROUPS,
        place=4,
    ),
    Choice(
        name="storage",
        label=gettext_noop("Storage"),
        boards=OF_PLANS,
        column=STORAGE_KIND,
        words=words.STORAGE_KINDS,
        place=2,
    ),
    Choice(
        name="storage",
        label=gettext_noop("Interface"),
        boards=(DRIVES,),
        column=StandingColumn(path="drive_family__interface"),
        words=words.INTERFACES,
        place=2,
    ),
    Choice(
        name="segment",
        label=gettext_noop("Made for"),
        boards=(DRIVES,),
        column=StandingColumn(path="drive_family__segment"),
        words=words.SEGMENTS,
        place=1,
    ),
    StoredChoice(
        name="media",
        label=gettext_noop("Media class"),
        column=StandingColumn(path="ladder_class__slug"),
        words_column="ladder_class__name",
        is_translated=True,
    ),
    Choice(
        name="plp",
        label="PLP",
        boards=OF_PLANS,
        column=PLP,
        words=words.PROTECTION,
        place=3,
    ),
    Choice(
        name="plp",
        label="PLP",
        boards=(DRIVES,),
        column=DRIVE_PLP,
        words=words.PROTECTION,
        place=3,
    ),
    PlainChoice(
        name="arch",
        label=gettext_noop("Architecture"),
        boards=OF_PLANS,
        column=StandingColumn(path="plan__arch", blank=NOT_STATED),
    ),
    AtLeast(
        name="cores",
        label=gettext_noop("vCPUs"),
        boards=OF_PLANS,
        column=StandingColumn(path="plan__vcpus"),
        steps=(2, 4, 8, 16, 32, 64, 128),
    ),
    AtLeast(
        name="ram",
        label=gettext_noop("RAM"),
        boards=OF_PLANS,
        column=StandingColumn(path="plan__ram_gb"),
        steps=(2, 4, 8, 16, 32, 64, 128, 256, 512),
        unit="GB",
    ),
    Band(
        name="budget",
        label=gettext_noop("Budget a month"),
        boards=OF_PLANS,
        words={
            "0-10": "≤ €10",
            "10-30": "€10\u201330",
            "30-100": "€30\u2013100",
            "100-300": "€100\u2013300",
            "300-": "> €300",
        },
        place=2,
    ),
    Band(
        name="kept",
        label=gettext_noop("After a stop"),
        boards=(PROVIDERS,),
        words={KEPT_OR_LOST: gettext_noop("kept or lost")},
        any_words=gettext_noop("kept"),
        place=3,
    ),
    PriceBound(name="price_min", label=gettext_noop("Price"), boards=OF_PLANS),
    PriceBound(name="price_max", label=gettext_noop("Price"), boards=OF_PLANS),
    PriceCurrency(name="currency", label=gettext_noop("Currency"), boards=OF_PLANS),
    AtMostMs(
        name="p99_ms",
        label="p99",
        column=StandingColumn(path="p99_ns"),
        steps=("0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50"),
    ),
    AtLeast(
        name="uploaders",
        label=gettext_noop("Uploaders"),
        column=StandingColumn(path="n_uploaders"),
        steps=COUNT_STEPS,
    ),
    AtLeast(
        name="machines",
        label=gettext_noop("Machines"),
        column=StandingColumn(path="n_machines"),
        steps=COUNT_STEPS,
    ),
)


def filters_of(board: str) -> tuple[Filter, ...]:
    """The filters of a board in the order of the address."""
    return tuple(each for each in FILTERS if board in each.boards)
