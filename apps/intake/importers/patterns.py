"""Patterns for the lines of strangers: matched in time that grows with the line, never faster."""

from __future__ import annotations

from typing import Any, Protocol

import re2


class PatternMatch(Protocol):
    """What both re and re2 give back."""

    def __getitem__(self, name: str) -> Any: ...

    def groups(self) -> tuple[Any, ...]: ...


class Pattern:
    """A pattern of a whole line, and a word that each such line has: most lines have it not."""

    def __init__(self, pattern: str, *, having: str) -> None:
        self._having = having
        self._compiled = re2.compile(pattern)

    def match(self, text: str) -> PatternMatch | None:
        """Return the match of a whole line, or None."""
        if self._having not in text:
            return None
        found: PatternMatch | None = self._compiled.fullmatch(text)
        return found
