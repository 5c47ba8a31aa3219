"""Reads the patterns of drive families into automata, to find strings that match two patterns.

RE2 can only tell whether a given string matches. A pattern may use: characters, classes in
brackets, groups, `(?-i:...)`, `|`, `?`, `*`, `+`, `{m,n}`, `.` and `$`. Each alternative must begin
with `^`. Names are printable ASCII, as in the wire format.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field
from typing import Final

CHARACTERS: Final = "".join(map(chr, range(0x20, 0x7F)))
ANY: Final = (1 << len(CHARACTERS)) - 1
REPEATS_MAX: Final = 32  # the longest counted repetition of the catalogue has 8
DIGITS_MAX: Final = 2  # of a count
_SPECIAL: Final = frozenset("()[]{}|?*+.^$\\")


class PatternError(ValueError):
    """A pattern with syntax that is not allowed; the message says what and where."""


@dataclass(frozen=True, slots=True)
class Characters:
    """One character out of a set, as a bit mask over CHARACTERS."""

    mask: int


@dataclass(frozen=True, slots=True)
class End:
    """The end of the name: `$`."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """One of several parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """A repeated part; `most` is None without an upper bound."""

    part: Node
    least: int
    most: int | None


Node = Characters | End | Sequence | Alternation | Repetition


@dataclass(slots=True)
class Automaton:
    """State n leads on by `edges[n]` with a character, `skips[n]` without, `ends[n]` at the end."""

    edges: list[list[tuple[int, int]]] = field(default_factory=list)  # (mask, state)
    skips: list[list[int]] = field(default_factory=list)
    ends: list[list[int]] = field(default_factory=list)

    def state(self) -> int:
        """Return a new state."""
        self.edges.append([])
        self.skips.append([])
        self.ends.append([])
        return len(self.edges) - 1

    def add(self, node: Node, entry: int) -> int:
        """Add a node after a state, and return the state after it (Thompson's construction)."""
        if isinstance(node, Sequence):
            for part in node.parts:
                entry = self.add(part, entry)
            return entry
        if isinstance(node, Repetition):
            return self._add_repeat(node, entry)
        exit_state = self.state()
        if isinstance(node, Characters):
            self.edges[entry].append((node.mask, exit_state))
        elif isinstance(node, End):
            self.ends[entry].append(exit_state)
        else:
            for part in node.parts:
                self.skips[self.add(part, entry)].append(exit_state)
        return exit_state

    def _add_repeat(self, node: Repetition, entry: int) -> int:
        for _ in range(node.least):
            entry = self.add(node.part, entry)
        exit_state = self.state()
        if node.most is None:
            loop = self.state()
            self.skips[entry].append(loop)
            self.skips[self.add(node.part, loop)].append(loop)
            self.skips[loop].append(exit_state)
            return exit_state
        for _ in range(node.most - node.least):
            self.skips[entry].append(exit_state)
            entry = self.add(node.part, entry)
        self.skips[entry].append(exit_state)
        return exit_state


def parse(pattern: str) -> Node:
    """Return the tree of a pattern. Raises PatternError for other syntax."""
    reader = _Reader(pattern)
    tree = reader.choice(is_whole=True)
    if not reader.is_done:
        raise reader.error("a parenthesis closes what was never opened")
    return tree


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._place = 0
        self._folds_case = True

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self._place == len(self._pattern)

    def error(self, what: str) -> PatternError:
        """Return an error that names the place."""
        return PatternError(f"at character {self._place + 1} of {self._pattern!r}: {what}")

    def choice(self, *, is_whole: bool = False) -> Node:
        """Read alternatives; each one of a whole pattern must begin with ^."""
        parts = [self._sequence(is_whole=is_whole)]
        while self._takes("|"):
            parts.append(self._sequence(is_whole=is_whole))
        return parts[0] if len(parts) == 1 else Alternation(tuple(parts))

    def _sequence(self, *, is_whole: bool) -> Node:
        if is_whole and not self._takes("^"):
            raise self.error("each alternative must begin with ^")
        parts = []
        while not self.is_done and self._next not in "|)":
            parts.append(self._repeat(self._part()))
        return Sequence(tuple(parts))

    def _part(self) -> Node:
        if self._takes("$"):
            return End()
        if self._takes("."):
            return Characters(ANY)
        if self._takes("["):
            return Characters(self._class())
        if self._takes("("):
            return self._group()
        return Characters(self._folded(mask_of(self._character(_SPECIAL))))

    def _group(self) -> Node:
        before = self._folds_case
        if self._takes("?"):
            if self._takes("-i:"):
                self._folds_case = False
            elif not self._takes(":"):
                raise self.error("of the groups with (? only (?:...) and (?-i:...) are known")
        inner = self.choice()
        self._folds_case = before
        if not self._takes(")"):
            raise self.error("a parenthesis is not closed")
        return inner

    def _class(self) -> int:
        is_other, mask = self._takes("^"), 0
        while not self._takes("]"):
            first = last = self._character(frozenset())
            if self._takes("-"):
                last = self._character(frozenset("]"))
            mask |= mask_of(*(chr(code) for code in range(ord(first), ord(last) + 1)))
        if not mask:
            raise self.error("an empty class")
        mask = self._folded(mask)  # before what is left out is left out
        return ANY & ~mask if is_other else mask

    def _character(self, special: frozenset[str]) -> str:
        """Read one literal character."""
        is_escaped = self._takes("\\")
        if self.is_done:
            raise self.error("the pattern ends too early")
        character = self._next
        if character not in CHARACTERS:
            raise self.error("names of drives are printable ASCII")
        if is_escaped and character.isalnum():
            raise self.error("write a class in brackets for a class of characters")
        if not is_escaped and character in special:
            raise self.error(f"{character!r} has nothing to work on here")
        self._place += 1
        return character

    def _repeat(self, part: Node) -> Node:
        """Read the repetition operators after a part, of which there can be several."""
        while (bounds := self._bounds()) is not None:
            part = Repetition(part, *bounds)
        return part

    def _bounds(self) -> tuple[int, int | None] | None:
        if self._takes("?"):
            return 0, 1
        if self._takes("*"):
            return 0, None
        if self._takes("+"):
            return 1, None
        if not self._takes("{"):
            return None
        least = self._number()
        most = self._number() if self._takes(",") else least
        if not self._takes("}") or not least <= most <= REPEATS_MAX:
            raise self.error(f"write {{m}} or {{m,n}} with m <= n <= {REPEATS_MAX}")
        return least, most

    def _number(self) -> int:
        digits = ""
        while not self.is_done and self._next in string.digits and len(digits) < DIGITS_MAX:
            digits += self._next
            self._place += 1
        if not digits:
            raise self.error("a number is missing")
        return int(digits)

    def _folded(self, mask: int) -> int:
        if not self._folds_case:
            return mask
        letters = [letter for letter in string.ascii_letters if mask & mask_of(letter)]
        return mask | mask_of(*(letter.swapcase() for letter in letters))

    @property
    def _next(self) -> str:
        return self._pattern[self._place]

    def _takes(self, text: str) -> bool:
        if not self._pattern.startswith(text, self._place):
            return False
        self._place += len(text)
        return True


def mask_of(*characters: str) -> int:
    """Return the bit mask of characters; those not in CHARACTERS are left out."""
    mask = 0
    for character in characters:
        if (place := CHARACTERS.find(character)) >= 0:
            mask |= 1 << place
    return mask


def suggested_pattern(name: str) -> str:
    """Return a pattern that matches this name only, for staff to shorten."""
    words = [re.sub(r"([()\[\]{}|?*+.^$\\])", r"\\\1", word) for word in re.split(r"[ _]+", name)]
    return "^" + "[ _]+".join(words) + "$"
