"""One digest of all standings, so that two computations can be compared."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

from django.db import models

from apps.rankings.models import (
    CellMonth,
    ProviderStanding,
    Standing,
    StandingRun,
    StandingSpread,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_STANDING_KEY: Final = (
    "plan_id", "drive_family_id", "evidence", "workload", "version", "region_group", "variant",
)  # fmt: skip
# Each table with the columns that identify a row without the ids that the database gave.
_TABLES: Final[tuple[tuple[type[models.Model], tuple[str, ...]], ...]] = (
    (Standing, _STANDING_KEY),
    (StandingRun, (*(f"standing__{name}" for name in _STANDING_KEY), "run_id")),
    (StandingSpread, tuple(f"standing__{name}" for name in _STANDING_KEY)),
    (CellMonth, ()),
    (ProviderStanding, ("provider_id", "evidence", "workload", "version")),
)
_DATABASE_IDS: Final = frozenset({"id", "standing_id", "price_id", "best_id", "cheapest_id"})
_BEST: Final = tuple(
    f"{side}__{name}"
    for side in ("best", "cheapest")
    for name in ("plan_id", "region_group", "variant")
)


def standings_digest() -> str:
    """Return the hexadecimal SHA-256 over every column of every standing."""
    digest = hashlib.sha256()
    for model, names in _TABLES:
        for line in _lines(model, names):
            digest.update(line.encode())
    return digest.hexdigest()


def _lines(model: type[models.Model], names: tuple[str, ...]) -> Iterator[str]:
    columns = [field.attname for field in model._meta.concrete_fields]
    selected = dict.fromkeys((*names, *(each for each in columns if each not in _DATABASE_IDS)))
    if model is ProviderStanding:
        selected |= dict.fromkeys(_BEST)
    rows = model._default_manager.order_by().values_list(*selected)
    return iter(sorted(json.dumps([model.__name__, *row], default=str) + "\n" for row in rows))
