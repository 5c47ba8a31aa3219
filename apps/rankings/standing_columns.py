"""The columns by which boards and the API filter standings.

Either adds the name and the words of its parameter. The values of a column, and how addresses name
an empty one, are the same for both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from apps.drives.models import PowerLossProtection
from apps.plans.models import VIRTUAL_MACHINES, StorageKind
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence

NOT_STATED: Final = "not-stated"  # how addresses name what no source says


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingColumn:
    """One column of a standing, or of its plan or drive family."""

    path: str  # from a standing
    values: tuple[str, ...] = ()  # that it may have; empty: any
    blank: str = ""  # how addresses name an empty column; empty: it cannot be asked for
    alike: frozenset[str] = frozenset()  # values each of which stands for all of these

    def below(self, prefix: str) -> StandingColumn:
        """Return this column as seen from the table at `prefix` of its path."""
        return replace(self, path=self.path.removeprefix(prefix))

    @property
    def lookup(self) -> str:
        """The keyword for a queryset's `filter` that takes what `held_by` returns."""
        return f"{self.path}__in"

    def held_by(self, name: str) -> tuple[str, ...]:
        """Return the values of the column that a name in an address stands for."""
        if name in self.alike:
            return tuple(sorted(self.alike))
        return ("", name) if name == self.blank else (name,)

    @property
    def values_by_name(self) -> dict[str, tuple[str, ...]]:
        """The values of the column by their names in addresses."""
        names = (value or self.blank for value in self.values)
        return {name: self.held_by(name) for name in names}


EVIDENCE: Final = StandingColumn(path="evidence", values=tuple(Evidence.values))
PROVIDER: Final = StandingColumn(path="plan__provider_id")
PLAN_KIND: Final = StandingColumn(path="plan__kind", blank=NOT_STATED, alike=VIRTUAL_MACHINES)
REGION_GROUP: Final = StandingColumn(path="region_group", values=("", *GROUPS), blank=NOT_STATED)
STORAGE_KIND: Final = StandingColumn(
    path="plan__storage_kind", values=tuple(StorageKind.values), blank=NOT_STATED
)
PLP: Final = StandingColumn(
    path="plp", values=tuple(PowerLossProtection.values), blank=PowerLossProtection.UNKNOWN.value
)
DRIVE_PLP: Final = replace(PLP, path="drive_family__plp")
