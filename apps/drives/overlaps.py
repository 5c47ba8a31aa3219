"""Finds names of drives that several families would claim.

A breadth-first search runs all patterns at once through every possible name, shortest first. A
state of the search is the set of automaton states that the patterns have reached. States that lead
to fewer than two families are dropped, so that a whole catalogue takes about a second.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.drives.patterns import ANY, CHARACTERS, Automaton, PatternError, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OVERLAPS_MAX: Final = 20  # names to report; after mending these, the check is repeated
STATES_MAX: Final = 200_000  # of the search; the shipped catalogue needs a few thousand
_READABLE: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # preferred in a name that is shown

States = frozenset[int]
Families = frozenset[str]


@dataclass(frozen=True, slots=True)
class Overlap:
    """A name that several families claim."""

    name: str
    families: tuple[str, ...]

    def __str__(self) -> str:
        """Return a clause for an error."""
        return f"{self.name!r} is claimed by {' and by '.join(self.families)}"


class Patterns:
    """The patterns of several families as one automaton."""

    def __init__(self, patterns: Iterable[tuple[str, str]]) -> None:
        """Take (family, pattern) pairs; raise PatternError where one cannot be read."""
        self._automaton = Automaton()
        self._family_of: list[str] = []
        self._accepting: set[int] = set()
        self._starts: list[int] = []
        for family, pattern in patterns:
            self._add(family, pattern)
        self._closures = [self._reached(state, at_end=False) for state in self._all_states]
        self._at_end = [self._reached(state, at_end=True) for state in self._all_states]

    def overlaps(self, *, family: str | None = None) -> list[Overlap]:
        """Return a name for each set of families that claim it; with `family`, of its sets only."""
        begin = self._settled(self._closure(self._starts), frozenset())
        waiting, seen = deque([("", begin)]), {begin}
        overlaps: dict[tuple[str, ...], Overlap] = {}
        while waiting and len(overlaps) < OVERLAPS_MAX:
            name, state = waiting.popleft()
            claims = self._claims(*state)
            if len(claims) > 1 and (family is None or family in claims):
                families = tuple(sorted(claims))
                overlaps.setdefault(families, Overlap(name.strip(), families))
            elif self._is_open(*state, family=family):
                ahead = self._steps(*state)
                new = [(name + character, after) for character, after in ahead if after not in seen]
                seen.update(after for _, after in new)
                waiting += new
            if len(seen) > STATES_MAX:
                raise PatternError("the patterns allow too many names to compare: narrow them")
        return list(overlaps.values())

    @property
    def _all_states(self) -> range:
        return range(len(self._automaton.edges))

    def _add(self, family: str, pattern: str) -> None:
        start = self._automaton.state()
        self._starts.append(start)
        self._accepting.add(self._automaton.add(parse(pattern), start))
        self._family_of += [family] * (len(self._automaton.edges) - len(self._family_of))

    def _reached(self, state: int, *, at_end: bool) -> States:
        """Return the states that are reached from one without another character."""
        reached, waiting = {state}, [state]
        while waiting:
            here = waiting.pop()
            ahead = self._automaton.skips[here] + (self._automaton.ends[here] if at_end else [])
            waiting += [each for each in ahead if each not in reached]
            reached.update(ahead)
        return frozenset(reached)

    def _closure(self, states: Iterable[int]) -> States:
        return frozenset().union(*(self._closures[state] for state in states))

    def _steps(
        self, live: States, claimed: Families
    ) -> Iterator[tuple[str, tuple[States, Families]]]:
        """Yield a character of each kind that continues a match, and the next state."""
        edges = [edge for state in live for edge in self._automaton.edges[state]]
        kinds = [ANY]
        for mask in {mask for mask, _ in edges}:
            kinds = [part for kind in kinds for part in (kind & mask, kind & ~mask) if part]
        for kind in kinds:
            targets = [target for mask, target in edges if mask & kind]
            if targets:
                yield _readable(kind), self._settled(self._closure(targets), claimed)

    def _settled(self, reached: States, claimed: Families) -> tuple[States, Families]:
        """Move families that have matched to `claimed`: they claim every longer name too."""
        claimed |= {self._family_of[state] for state in reached & self._accepting}
        live = frozenset(state for state in reached if self._family_of[state] not in claimed)
        return live, claimed

    def _claims(self, live: States, claimed: Families) -> Families:
        """Return the families that claim a name that ends here."""
        ending = frozenset().union(*(self._at_end[state] for state in live))
        return claimed | {self._family_of[state] for state in ending & self._accepting}

    def _is_open(self, live: States, claimed: Families, *, family: str | None) -> bool:
        """Whether two families can both claim a longer name."""
        families = claimed | {self._family_of[state] for state in live}
        return len(families) > 1 and (family is None or family in families)


def _readable(kind: int) -> str:
    """Return a character of a kind, a readable one if there is one."""
    characters = [each for place, each in enumerate(CHARACTERS) if kind >> place & 1]
    return next((each for each in characters if each in _READABLE), characters[0])
