"""Other names of plans: what APIs, firmware and people call them, and what they were called."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from apps.plans.catalogue import DATA, plan_slug
from apps.plans.naming import slug_of

ALIASES_FILE: Final = DATA / "plan_aliases.csv"


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a plan, and the days between which it meant that plan (None: always)."""

    provider: str  # slug
    alias: str  # slug
    plan: str  # slug, with that of the provider before it
    valid_from: date | None
    valid_until: date | None

    def holds_on(self, day: date) -> bool:
        """Whether the name meant the plan on a day."""
        return (self.valid_from or day) <= day <= (self.valid_until or day)


@cache
def read_aliases() -> tuple[Alias, ...]:
    """Return the aliases that ship with the product."""
    with ALIASES_FILE.open(newline="", encoding="utf-8") as file:
        return tuple(_alias(row) for row in csv.DictReader(file, strict=True))


def plan_behind(*, provider: str, name: str, day: date) -> str | None:
    """Return the slug of the plan that a name meant on a day, or None; `provider` is a slug."""
    key = (provider, slug_of(name))
    return next(
        (
            each.plan
            for each in read_aliases()
            if (each.provider, each.alias) == key and each.holds_on(day)
        ),
        None,
    )


def _alias(row: dict[str, str]) -> Alias:
    return Alias(
        provider=slug_of(row["provider"]),
        alias=slug_of(row["alias"]),
        plan=plan_slug(provider=row["provider"], plan=row["plan"]),
        valid_from=date.fromisoformat(row["valid_from"]) if row["valid_from"] else None,
        valid_until=date.fromisoformat(row["valid_until"]) if row["valid_until"] else None,
    )
