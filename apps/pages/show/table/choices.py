"""Choices that a reader has above a table, and those that were made, to be undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Option(NamedTuple):
    """One value of a filter, and how many rows it has where that is known."""

    value: str
    label: StrOrPromise
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """One filter as a list of choices."""

    name: str  # in the address
    label: str
    choices: tuple[Option, ...]
    current: str
    any_words: str = ""  # where nothing is chosen; empty where something always is
    least: int = 2  # how many choices make a choice; of a bound one, as against any

    @property
    def is_on(self) -> bool:
        """Whether it narrows the board."""
        return bool(self.current and self.any_words)

    @property
    def is_known(self) -> bool:
        """Whether what is chosen is offered: else the address alone says it."""
        return any(each.value == self.current for each in self.choices)

    @property
    def words(self) -> str:
        """What is chosen, in words."""
        labels = (str(each.label) for each in self.choices if each.value == self.current)
        return next(labels, self.current)


@dataclass(frozen=True, slots=True)
class Token:
    """A filter that is on, and the address of the board without it."""

    label: str
    words: str
    to: str
