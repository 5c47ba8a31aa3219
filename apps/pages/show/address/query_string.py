"""Query strings of pages: reading one, whatever it holds, and writing the shortest."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import fields
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from django.http import QueryDict

TEXT_CHARACTERS_MAX: Final = 80  # a model string has 64 at most
WHOLE_NUMBER: Final = re.compile(r"[0-9]{1,100}")  # int() refuses thousands of digits
PAGE_MAX: Final = 10_000  # deeper than any board; keeps offsets small
SEVERAL_VALUES: Final = ("cols",)  # fields of which a form sends one value a box


def one_of(value: str, allowed: Collection[str]) -> str:
    """The value if it is an allowed one, else nothing: an old link still opens the page."""
    return value if value in allowed else ""


def page_number(value: str) -> int:
    """A page from one up; what is not a number is the first page."""
    return min(max(int(value), 1), PAGE_MAX) if WHOLE_NUMBER.fullmatch(value) else 1


def plain(value: str, characters_max: int) -> str:
    """Text of an address without what the database refuses, and not endless."""
    return value.replace("\x00", "").strip()[:characters_max].strip()


def query_string(values: dict[str, object]) -> str:
    """The values as a query string with its question mark; nothing where there are none."""
    return f"?{urlencode(values, safe=',')}" if values else ""


def changed_fields(state: DataclassInstance) -> dict[str, object]:
    """The fields of a page's state that are not as they are by default."""
    return {
        each.name: getattr(state, each.name)
        for each in fields(state)
        if getattr(state, each.name) != each.default
    }


def address_of(state: DataclassInstance) -> str:
    """The shortest query string that says this state, with its question mark."""
    return query_string(changed_fields(state))


def has_empty_values(address: QueryDict) -> bool:
    """Whether a form was sent as it is without script: the address would be a long-winded one."""
    return any(value == "" for values in address.lists() for value in values[1]) or any(
        len(address.getlist(name)) > 1 for name in SEVERAL_VALUES
    )
