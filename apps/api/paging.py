"""Pages by key, not by number: rows that come or go meanwhile are neither skipped nor repeated.

A cursor is the sort key of the last row, in base64. The sort key is unique, so that ties cost no
row. There is no total: counting everything for every page serves nobody.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import Model, Q, QuerySet

from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = TypeVar("Row", bound=Model)

LIMIT_USUAL: Final = 50
LIMIT_MAX: Final = 200  # a page of that many runs stays under a megabyte
CURSOR_CHARACTERS_MAX: Final = 512  # the longest key is a slug of 160
_BAD_CURSOR: Final = "cursor: take it from the `next` of an earlier answer to the same query."


@dataclass(frozen=True, slots=True)
class SortKey:
    """One column of a sort key; the last one of a key is unique."""

    name: str
    descending: bool = False

    @property
    def order(self) -> str:
        """Return the column as order_by takes it."""
        return f"-{self.name}" if self.descending else self.name


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows, and the cursor of those that follow them, if any do."""

    rows: list[Row]
    next_cursor: str | None


def page_of(
    rows: QuerySet[Row], *, keys: Sequence[SortKey], limit: int, cursor: str | None
) -> Page[Row]:
    """Return the rows behind a cursor, in one query. Raises Refusal for a foreign cursor."""
    ordered = rows.order_by(*(key.order for key in keys))
    if cursor:
        after = _after(keys, _decode(cursor, n_keys=len(keys)))
        try:
            ordered = ordered.filter(after)
        except (ValidationError, ValueError, TypeError) as error:
            raise Refusal(problems.BAD_QUERY, _BAD_CURSOR) from error
    try:
        found = list(ordered[: limit + 1])
    except DataError as error:  # only a cursor brings values that PostgreSQL has no room for
        raise Refusal(problems.BAD_QUERY, _BAD_CURSOR) from error
    more = len(found) > limit
    found = found[:limit]
    return Page(found, _encode(found[-1], keys) if more else None)


def _after(keys: Sequence[SortKey], values: Sequence[Any]) -> Q:
    """Return the condition of coming after: (a, b) > (x, y) is a > x, or a = x and b > y."""
    condition, equal_so_far = Q(), Q()
    for key, value in zip(keys, values, strict=True):
        beyond = Q(**{f"{key.name}__{'lt' if key.descending else 'gt'}": value})
        condition |= equal_so_far & beyond
        equal_so_far &= Q(**{key.name: value})
    return condition


def _encode(row: Model, keys: Sequence[SortKey]) -> str:
    values = [getattr(row, key.name) for key in keys]
    text = json.dumps(values, default=_as_text, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _as_text(value: object) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _decode(cursor: str, *, n_keys: int) -> list[Any]:
    if len(cursor) > CURSOR_CHARACTERS_MAX:
        raise Refusal(problems.BAD_QUERY, _BAD_CURSOR)
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        values = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise Refusal(problems.BAD_QUERY, _BAD_CURSOR) from error
    is_flat = isinstance(values, list) and all(_is_plain(value) for value in values)
    if not is_flat or len(values) != n_keys:
        raise Refusal(problems.BAD_QUERY, _BAD_CURSOR)
    return list(values)


def _is_plain(value: object) -> bool:
    """Whether a value can be compared in the database: finite, or text as our keys have it.

    A NUL and half of a surrogate pair are not printable.
    """
    if isinstance(value, str):
        return value.isprintable()
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**63
