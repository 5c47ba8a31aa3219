"""Cells of a CSV file that a spreadsheet must not run: names come from strangers."""

from __future__ import annotations

from typing import Final

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def without_formula(value: object) -> object:
    """The value; a text that a spreadsheet would run as a formula has an apostrophe before it."""
    is_formula = isinstance(value, str) and value.startswith(FORMULA_STARTS)
    return f"'{value}" if is_formula else value
