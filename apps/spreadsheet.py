"""Cells of a CSV file that a spreadsheet must not run: names come from strangers."""

from __future__ import annotations

import re
from typing import Final

# What begins a formula, at the beginning of a cell or of what a program takes for one: where lists
# have commas, spreadsheets split lines at semicolons. Full-width signs count in Asian editions.
_FORMULA: Final = re.compile(r"(^|[;,|\t\r\n])(\s{0,64})(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])")


def without_formula(value: object) -> object:
    """The value; a text that a spreadsheet would run as a formula has an apostrophe before it."""
    return _FORMULA.sub(r"\1\2'", value) if isinstance(value, str) else value
