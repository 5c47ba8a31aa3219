"""Patterns for lines of unknown origin (RE2): matching time is linear in the line's length."""

from __future__ import annotations

from typing import Any, Protocol

import re2


class PatternMatch(Protocol):
    """A match of re or of re2."""

    def __getitem__(self, name: str) -> Any: ...

    def groups(self) -> tuple[Any, ...]: ...


class Pattern:
    """A pattern of a whole line. `having` is in each such line; most lines are ruled out by it."""

    def __init__(self, pattern: str, *, having: str) -> None:
        self._having = having
        self._compiled = re2.compile(pattern)

    def match(self, text: str) -> PatternMatch | None:
        """Return the match of a whole line, or None."""
        if self._having not in text:
            return None
        match: PatternMatch | None = self._compiled.fullmatch(text)
        return match
