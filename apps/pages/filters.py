"""What a reader asked of a board: everything that the address holds, checked, with defaults."""

import re
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Self
from urllib.parse import urlencode

from django.http import QueryDict

from apps.drives.models import PowerLossProtection
from apps.plans.models import StorageKind
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence
from apps.runs.models import Level

TEXT_CHARACTERS_MAX = 80  # a model string has 64 at most
SLUG_CHARACTERS_MAX = 160
PAGE_NUMBER = re.compile(r"[0-9]{1,100}")  # int() refuses thousands of digits
PAGE_MAX = 10_000  # deeper than any board; keeps offsets small


Choices = tuple[tuple[str, str], ...]  # value in the address, and words


class Sort(StrEnum):
    """Columns that order a board, best first."""

    RATE = "rate"
    P99 = "p99"
    COST = "cost"


SORTS = frozenset(sort.value for sort in Sort)

PLP_CHOICES = (
    (PowerLossProtection.FULL.value, "with"),
    (PowerLossProtection.PARTIAL.value, "partial"),
    (PowerLossProtection.NONE.value, "without"),
    (PowerLossProtection.UNKNOWN.value, "not stated"),
)
NOT_STATED = "not-stated"  # how the address says that no source says it
STORAGE_CHOICES = (
    *((kind.value, str(kind.label)) for kind in StorageKind if kind.value),
    (NOT_STATED, "not stated"),
)
INTERFACE_CHOICES = (
    ("nvme", "NVMe"),
    ("sata", "SATA"),
    ("sas", "SAS"),
    ("network", "network"),
    ("virtio", "virtio"),
)
REGION_CHOICES = (*GROUPS.items(), (NOT_STATED, "not stated"))
EVIDENCE_CHOICES = tuple((evidence.value, str(evidence.label)) for evidence in Evidence)


def one_of(value: str, allowed: Choices) -> str:
    """The value if it is one of the choices, else nothing: an old link still opens the board."""
    return value if value in dict(allowed) else ""


def page_number(value: str) -> int:
    """A page from one up; what is not a number is the first page."""
    return min(max(int(value), 1), PAGE_MAX) if PAGE_NUMBER.fullmatch(value) else 1


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """The state of a board. Empty text means "any"."""

    q: str = ""
    workload: str = ""
    evidence: str = ""
    provider: str = ""
    region: str = ""  # a group of regions
    storage: str = ""
    plp: str = ""
    sort: str = Sort.RATE.value
    page: int = 1
    needs: int = 1  # page of the "Needs runs" list below the board

    @classmethod
    def read(cls, asked: QueryDict, *, storage_choices: Choices, region_choices: Choices) -> Self:
        """Read the address; unknown values count as not asked."""
        text = {
            name: asked.get(name, "").replace("\x00", "").strip()[:TEXT_CHARACTERS_MAX]
            for name in ("q", "workload", "provider")
        }
        sort = asked.get("sort", "")
        return cls(
            **text,
            evidence=one_of(asked.get("evidence", ""), EVIDENCE_CHOICES),
            region=one_of(asked.get("region", ""), region_choices),
            storage=one_of(asked.get("storage", ""), storage_choices),
            plp=one_of(asked.get("plp", ""), PLP_CHOICES),
            sort=sort if sort in SORTS else Sort.RATE.value,
            page=page_number(asked.get("page", "")),
            needs=page_number(asked.get("needs", "")),
        )

    @property
    def address(self) -> str:
        """The shortest query string that says the same, with its question mark."""
        changed = {
            entry.name: getattr(self, entry.name)
            for entry in fields(self)
            if getattr(self, entry.name) != entry.default
        }
        return f"?{urlencode(changed)}" if changed else ""

    @property
    def is_filtered(self) -> bool:
        """Whether anything narrows the board."""
        narrowing = ("q", "workload", "evidence", "provider", "region", "storage", "plp")
        return any(getattr(self, name) for name in narrowing)

    def sorted_by(self, sort: Sort) -> str:
        """The address of this board in another order, from its first page."""
        return replace(self, sort=sort.value, page=1).address or "?"

    def on_page(self, page: int) -> str:
        """The address of another page."""
        return replace(self, page=page).address or "?"

    def on_needs_page(self, needs: int) -> str:
        """The address with another page of what needs runs."""
        return replace(self, needs=needs).address or "?"


class RunShape(StrEnum):
    """Which runs a list shows."""

    COMMITS = "commits"
    ALL = "all"


SHAPES = frozenset(shape.value for shape in RunShape)

LEVEL_CHOICES = tuple((level.value, str(level.label)) for level in Level)


@dataclass(frozen=True, slots=True)
class RunsQuery:
    """The state of the list of runs. Empty text means "any"."""

    shape: str = RunShape.COMMITS.value
    level: str = ""
    plan: str = ""
    drive: str = ""
    page: int = 1

    @classmethod
    def read(cls, asked: QueryDict) -> Self:
        """Read the address; unknown values count as not asked."""
        shape = asked.get("shape", "")
        text = {
            name: asked.get(name, "").replace("\x00", "")[:SLUG_CHARACTERS_MAX]
            for name in ("plan", "drive")
        }
        return cls(
            **text,
            shape=shape if shape in SHAPES else RunShape.COMMITS.value,
            level=one_of(asked.get("level", ""), LEVEL_CHOICES),
            page=page_number(asked.get("page", "")),
        )

    @property
    def address(self) -> str:
        """The shortest query string that says the same, with its question mark."""
        changed = {
            entry.name: getattr(self, entry.name)
            for entry in fields(self)
            if getattr(self, entry.name) != entry.default
        }
        return f"?{urlencode(changed)}" if changed else ""

    def on_page(self, page: int) -> str:
        """The address of another page."""
        return replace(self, page=page).address or "?"


def has_empty_values(asked: QueryDict) -> bool:
    """Whether a form was sent with fields left open, which would make a long-winded address."""
    return any(value == "" for values in asked.lists() for value in values[1])
