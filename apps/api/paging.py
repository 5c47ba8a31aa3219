"""Pages by sort key instead of number: rows that come or go meanwhile are not skipped or repeated.

A cursor is the sort key of the last row, in base64. The sort key is unique, so that no row is lost
between equal ones. There is no total, because counting all rows for each page is slow.

DRF's CursorPagination stores the first column of the order and counts the rows that are equal in
it. Boards begin with whether a row is ranked, and published runs have no date, so it would count
nearly every row.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import Model, Q, QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.response import Response

from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rest_framework.request import Request

AnyModel = TypeVar("AnyModel", bound=Model)

LIMIT_USUAL: Final = 50
LIMIT_MAX: Final = 200  # a page of that many runs stays under a megabyte
CURSOR_CHARACTERS_MAX: Final = 512  # the longest key is a slug of 160
_BAD_CURSOR: Final = "cursor: take it from the `next` of an earlier answer to the same query."


@dataclass(frozen=True, slots=True)
class SortKey:
    """One column of a sort key. The last column of a key must be unique."""

    name: str
    descending: bool = False

    @property
    def order(self) -> str:
        """Return the column as order_by takes it."""
        return f"-{self.name}" if self.descending else self.name


class KeyPagination(BasePagination):
    """Pages by the `keys` of a view: `limit` rows after `cursor`, both of its `checked_query`."""

    next_url: str | None = None

    def paginate_queryset(
        self, queryset: QuerySet[Any], request: Request, view: Any = None
    ) -> list[Any]:
        """Return the rows after the cursor, in one query. Raises Refusal for an invalid cursor."""
        keys, limit = view.keys, view.checked_query.limit
        rows = _rows_after(view.checked_query.cursor, queryset, keys=keys, most=limit + 1)
        if len(rows) > limit:
            self.next_url = _address(request, cursor=_encode(rows[limit - 1], keys))
        return rows[:limit]

    def get_paginated_response(self, data: Any) -> Response:
        """Return the response, with the address of the next page in it and in the Link header."""
        headers = {"Link": f'<{self.next_url}>; rel="next"'} if self.next_url else {}
        return Response({"results": data, "next": self.next_url}, headers=headers)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return what OpenAPI says of a page."""
        return {
            "type": "object",
            "properties": {
                "results": schema,
                "next": {
                    "type": ["string", "null"],
                    "format": "uri",
                    "description": "The next page; also in the Link header.",
                },
            },
            "required": ["next", "results"],
        }


class Resumable(KeyPagination):
    """Pages of what is only added at the end: the last one says where to go on later."""

    resume_url: str = ""

    def paginate_queryset(
        self, queryset: QuerySet[Any], request: Request, view: Any = None
    ) -> list[Any]:
        """Return the rows after the cursor, and remember where they end."""
        rows = super().paginate_queryset(queryset, request, view)
        cursor = _encode(rows[-1], view.keys) if rows else view.checked_query.cursor
        self.resume_url = _address(request, cursor=cursor)
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        """Return a page with its `resume`."""
        response = super().get_paginated_response(data)
        response.data["resume"] = self.resume_url
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return what OpenAPI says of such a page."""
        page = super().get_paginated_response_schema(schema)
        page["properties"]["resume"] = {
            "type": "string",
            "format": "uri",
            "description": "Ask it later: it has what changed after these.",
        }
        page["required"] = [*page["required"], "resume"]
        return page


class WholeList(KeyPagination):
    """A list that is one page: it grows with the program and not with data."""

    def paginate_queryset(self, queryset: Any, *_args: Any, **_named: Any) -> list[Any]:
        """Return all of it."""
        return list(queryset)


def _address(request: Request, *, cursor: str | None) -> str:
    """Return the address of the same query that begins after a cursor."""
    query = {**request.query_params.dict(), **({"cursor": cursor} if cursor else {})}
    address = f"{settings.SITE_URL}{request.path}"
    return f"{address}?{urlencode(sorted(query.items()))}" if query else address


def _rows_after(
    cursor: str | None, rows: QuerySet[AnyModel], *, keys: Sequence[SortKey], most: int
) -> list[AnyModel]:
    ordered = rows.order_by(*(key.order for key in keys))
    if cursor:
        after = _after(keys, _decode(cursor, n_keys=len(keys)))
        try:
            ordered = ordered.filter(after)
        except (ValidationError, ValueError, TypeError) as error:
            raise Refusal(problems.BAD_QUERY, _BAD_CURSOR) from error
    try:
        return list(ordered[:most])
    except DataError as error:  # only a cursor can have values out of PostgreSQL's range
        raise Refusal(problems.BAD_QUERY, _BAD_CURSOR) from error


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
    """Whether a value can be compared in the database: a number in range, or printable text.

    A NUL and half of a surrogate pair are not printable.
    """
    if isinstance(value, str):
        return value.isprintable()
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**63
