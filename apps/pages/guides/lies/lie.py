"""What a lie is: the number that one sees, the answer, how to catch it, what cannot be known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.pages.draw.lanes import LanePoint, Lanes, draw_lanes
from apps.pages.guides.guide import Text
from apps.pages.guides.recordings import Recordings, recordings
from apps.pages.show import phrases
from apps.pages.show.answer import Answer
from apps.stats.standings.confidence import UNKNOWN, Support, sureness
from apps.words import confidence

LANE_PX: Final = 22  # ten pictures on one page


def draw_lie(points: Sequence[LanePoint]) -> Lanes:
    """Draw what was really measured, closer together than where a picture stands alone."""
    return draw_lanes(points, lane_px=LANE_PX)


@dataclass(frozen=True, slots=True)
class LieTest:
    """One thing to try: words, a command, or both."""

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
    """One number that misleads. `rules` are ids of rules that catch it in an upload.

    Behind the figure stand `n_published` runs of others and, where `is_ours`, a run of ours; or
    what `behind` says in their place. Where `is_open` nobody can tell, or nobody has measured it.
    """

    anchor: str
    title: Text  # a question
    says: Text  # the answer in one sentence
    figure: str
    unit: Text
    truth: Text
    tests: tuple[LieTest, ...]
    claim: Text = ""  # where the number needs more words than its title
    unknown: Text = ""
    rules: tuple[str, ...] = ()
    cited: tuple[CitedSource, ...] = ()
    draw: Callable[[Recordings], Lanes] | None = None
    count: Callable[[Recordings], str] | None = None
    n_published: int = 0
    is_ours: bool = True
    is_open: bool = False
    behind: Text = ""

    @property
    def picture(self) -> Lanes | None:
        """What was really measured, drawn."""
        return self.draw(recordings()) if self.draw else None

    @property
    def basis(self) -> str:
        """How many runs and reads the answer rests on, of which day, and from where to where."""
        return self.count(recordings()) if self.count else ""

    @property
    def answer(self) -> Answer:
        """What the number is, its figure, and how sure that is."""
        sure = UNKNOWN if self.is_open else sureness(self._support)
        return Answer(
            sentence=str(self.says),
            sure=confidence.line(sure, str(self.behind) or self._runs()),
            figure=self.figure,
            unit=str(self.unit),
        )

    @property
    def _support(self) -> Support:
        """What stands behind the figure: a run of ours or a dated article, else little."""
        is_dated = any(each.when for each in self.cited)
        return Support.SOME if self.is_ours or is_dated else Support.WEAK

    def _runs(self) -> str:
        n = self.n_published
        published = ngettext("%(n)s published run", "%(n)s published runs", n) % {"n": n}
        ours = _("1 run of ours")
        return phrases.join_facts((published if n else "", ours if self.is_ours else ""))
