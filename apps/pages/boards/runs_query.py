"""What a reader asks of the list of runs: everything that its address holds, checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Self
from uuid import UUID

from django.http import QueryDict

from apps.pages.boards.query import WORK_CLASSES
from apps.pages.show.address.query_string import (
    address_of,
    one_of,
    plain,
)
from apps.plans.naming import SLUG_CHARACTERS_MAX
from apps.runs.models import SHOWN_LEVELS

if TYPE_CHECKING:
    from apps.runs.models import Run


class RunShape(StrEnum):
    """Which runs a list shows."""

    COMMITS = "commits"
    ALL = "all"


UNDATED: Final = "undated"
SHAPES = frozenset(shape.value for shape in RunShape)


@dataclass(frozen=True, slots=True)
class RunListQuery:
    """The state of the list of runs. Empty text means "any"."""

    shape: str = RunShape.COMMITS.value
    level: str = ""
    provider: str = ""
    plan: str = ""
    drive: str = ""
    work: str = ""  # a class of comparable work
    day: str = ""  # ISO 8601, or that none is stated
    before: str = ""  # the last run of the page before; see `Cursor`

    @classmethod
    def read(cls, address: QueryDict) -> Self:
        """Read the address; unknown values count as not asked."""
        shape = address.get("shape", "")
        texts = ("provider", "plan", "drive")
        return cls(
            **{name: plain(address.get(name, ""), SLUG_CHARACTERS_MAX) for name in texts},
            shape=shape if shape in SHAPES else RunShape.COMMITS.value,
            level=one_of(address.get("level", ""), SHOWN_LEVELS),
            work=one_of(address.get("work", ""), WORK_CLASSES),
            day=_day(address.get("day", "")),
            before=Cursor.checked(address.get("before", "")),
        )

    @property
    def address(self) -> str:
        """The shortest query string that says the same, with its question mark."""
        return address_of(self)

    @property
    def is_filtered(self) -> bool:
        """Whether anything narrows the list."""
        return bool(self.level or self.provider or self.plan or self.drive or self.work or self.day)

    @property
    def has_thing(self) -> bool:
        """Whether one plan or drive was asked for: then each of its runs is a row."""
        return bool(self.plan or self.drive)

    def alike(self, run: Run) -> str:
        """The address of all runs of the day, level and thing of one."""
        day = f"{run.measured_at:%Y-%m-%d}" if run.measured_at else UNDATED
        drive = "" if run.plan_id else run.drive_family_id or ""
        alike = replace(
            self,
            before="",
            level=self.level or run.level,
            plan=run.plan_id or "",
            drive=drive,
            day=day,
        )
        return alike.address

    def without(self, name: str) -> str:
        """The address of this list without one of its filters."""
        changes: dict[str, Any] = {"before": "", name: ""}
        return replace(self, **changes).address or "?"

    def after(self, run: Run) -> str:
        """The address of the page that goes on after a run."""
        return replace(self, before=str(Cursor.of(run))).address


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the list of runs, newest first: no page is found by counting those before it."""

    at: datetime
    run_id: UUID

    def __str__(self) -> str:
        """Return it as an address has it: the moment and the id of a run."""
        return f"{self.at.astimezone(UTC):%Y%m%dT%H%M%S.%f}.{self.run_id.hex}"

    @classmethod
    def of(cls, run: Run) -> Self:
        """The place of a run."""
        return cls(run.listed_at, run.pk)

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a cursor. Raises ValueError."""
        moment, _, run_id = text.rpartition(".")
        at = datetime.strptime(moment, "%Y%m%dT%H%M%S.%f").replace(tzinfo=UTC)
        return cls(at, UUID(hex=run_id))

    @classmethod
    def checked(cls, text: str) -> str:
        """A cursor as the address has it; nothing where it is none: the first page."""
        try:
            return str(cls.read(text))
        except (ValueError, OverflowError):
            return ""


def _day(text: str) -> str:
    """A day as the address has it; nothing where it is none."""
    try:
        return text if text == UNDATED else date.fromisoformat(text).isoformat()
    except ValueError:
        return ""
