"""Digests of standings, so that two computations can be compared: of all of them, or of a board."""

from __future__ import annotations

import hashlib
import json
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from django.db import models

from apps.rankings.models import (
    CellMonth,
    ProviderStanding,
    Standing,
    StandingRun,
    StandingSpread,
)
from apps.rankings.standings.cells import BoardKey, CellSubject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from apps.rankings.standings.drafts import Draft

_STANDING_KEY: Final = (
    "plan_id", "drive_family_id", "evidence", "workload", "version", "region_group", "variant",
)  # fmt: skip
# Each table with the columns that identify a row without the ids that the database gave.
_PROVIDERS: Final[tuple[type[models.Model], tuple[str, ...]]] = (
    ProviderStanding,
    ("provider_id", "evidence", "workload", "version"),
)
_MONTHS: Final[tuple[type[models.Model], tuple[str, ...]]] = (CellMonth, ())
_OF_BOARDS: Final[tuple[tuple[type[models.Model], tuple[str, ...]], ...]] = (
    (Standing, _STANDING_KEY),
    (StandingRun, (*(f"standing__{name}" for name in _STANDING_KEY), "run_id")),
    (StandingSpread, tuple(f"standing__{name}" for name in _STANDING_KEY)),
)
_DATABASE_IDS: Final = frozenset({"id", "standing_id", "price_id", "best_id", "cheapest_id"})
_BEST: Final = tuple(
    f"{side}__{name}"
    for side in ("best", "cheapest")
    for name in ("plan_id", "region_group", "variant")
)


def standings_digest() -> str:
    """Return the hexadecimal SHA-256 over every column of every standing."""
    return _digest(
        line
        for model, names in (*_OF_BOARDS, _MONTHS, _PROVIDERS)
        for line in _lines(model._default_manager.all(), names)
    )


def board_digest(board: BoardKey) -> str:
    """Return the hexadecimal SHA-256 over every column of the standings of a board."""
    lines: list[str] = []
    for model, names in _OF_BOARDS:
        prefix = "" if model is Standing else "standing__"
        rows = model._default_manager.filter(
            **{
                f"{prefix}evidence": board.evidence,
                f"{prefix}workload": board.workload,
                f"{prefix}version": board.version,
                f"{prefix}plan__isnull": board.subject is not CellSubject.PLAN,
            }
        )
        lines += _lines(rows, names)
    return _digest(lines)


def drafts_digest(drafts: Iterable[Draft]) -> str:
    """Return what `board_digest` would of a board, had these drafts been stored."""
    made: dict[type[models.Model], list[models.Model]] = {Standing: [], StandingSpread: []}
    counted = made[StandingRun] = []
    for draft in drafts:
        standing = draft.standing
        made[Standing].append(standing)
        counted += [
            StandingRun(
                standing=standing, run_id=point.run_id, is_flagged=point.run_id in draft.outliers
            )
            for point in draft.points
        ]
        if draft.spread is not None:
            draft.spread.standing = standing
            made[StandingSpread].append(draft.spread)
    return _digest(line for model, names in _OF_BOARDS for line in _lines_made(made[model], names))


def providers_digest(made: Iterable[ProviderStanding] | None = None) -> str:
    """Return the SHA-256 over the standings of providers: those that were made, else the stored."""
    model, names = _PROVIDERS
    if made is None:
        return _digest(_lines(model._default_manager.all(), names))
    return _digest(_lines_made(list(made), names))


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode())
    return digest.hexdigest()


def _lines(rows: models.QuerySet[Any], names: tuple[str, ...]) -> Iterator[str]:
    selected = _selected(rows.model, names)
    return _sorted_lines(rows.model, rows.order_by().values_list(*selected))


def _lines_made(rows: list[Any], names: tuple[str, ...]) -> Iterator[str]:
    """Return the lines of rows that are not stored, as `_lines` does."""
    if not rows:
        return iter(())
    selected = _selected(type(rows[0]), names)
    return _sorted_lines(type(rows[0]), ([_value(row, path) for path in selected] for row in rows))


def _value(row: models.Model | None, path: str) -> Any:
    """What the database would give for the path of a column."""
    *relations, name = path.split("__")
    holder = reduce(getattr, relations, row)
    if holder is None:
        return None
    value = getattr(holder, name)
    field = next(each for each in holder._meta.concrete_fields if each.attname == name)
    # a number of numpy is one of Python once it was stored
    is_number = isinstance(field, models.IntegerField | models.FloatField)
    return field.to_python(value) if is_number else value


def _sorted_lines(model: type[models.Model], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    return iter(
        sorted(
            json.dumps([model.__name__, *map(_plain, row)], default=str, sort_keys=True) + "\n"
            for row in rows
        )
    )


def _plain(value: Any) -> Any:
    """Return a value of which no list says whether its whole numbers are floats."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return float(value) if type(value) is int else value


def _selected(model: type[models.Model], names: tuple[str, ...]) -> tuple[str, ...]:
    columns = [field.attname for field in model._meta.concrete_fields]
    selected = dict.fromkeys((*names, *(each for each in columns if each not in _DATABASE_IDS)))
    if model is ProviderStanding:
        selected |= dict.fromkeys(_BEST)
    return tuple(selected)
