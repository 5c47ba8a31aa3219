"""What a lie is: the number that one sees, what it is, how to catch it, what cannot be known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apps.pages.draw.lanes import Lanes
from apps.pages.guides.guide import Text
from apps.pages.guides.recordings import Recordings, recordings


@dataclass(frozen=True, slots=True)
class LieTest:
    """One thing to try, with its command where there is one."""

    text: Text
    command: str = ""


@dataclass(frozen=True, slots=True)
class CitedSource:
    """Whose figures or words are used."""

    title: str
    url: str
    when: str  # of the publication, as it states it; else when we looked


@dataclass(frozen=True, slots=True)
class Lie:
    """One number that misleads. `rules` are ids of rules that catch it in an upload."""

    anchor: str
    title: Text
    claim: Text
    truth: tuple[Text, ...]
    tests: tuple[LieTest, ...]
    unknown: Text
    rules: tuple[str, ...] = ()
    cited: tuple[CitedSource, ...] = ()
    draw: Callable[[Recordings], Lanes] | None = None
    sentence: Text = ""  # the picture in a sentence; without a picture why there is none
    answer: Text = ""  # in two sentences, where the claim is asked as a question
    count: Callable[[Recordings], str] | None = None

    @property
    def picture(self) -> Lanes | None:
        """What was really measured, drawn."""
        return self.draw(recordings()) if self.draw else None

    @property
    def basis(self) -> str:
        """How many runs and reads the answer rests on, of which day, and from where to where."""
        return self.count(recordings()) if self.count else ""
