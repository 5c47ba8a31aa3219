"""The measured kin of a page without figures: each with its figure and what ties it to the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from apps.pages.show.known_figure import known_figure
from apps.pages.show.table.rows import subject_of
from apps.pages.things.selectors.kin import Tie

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.utils.functional import _StrPromise

    from apps.pages.show.known_figure import KnownFigure
    from apps.pages.show.table.rows import RowSubject
    from apps.pages.things.selectors.kin import Kin

# Other ties can be read off the names and what stands under them.
TIES: Final[Mapping[Tie, _StrPromise]] = {
    Tie.DRIVE: gettext_lazy("same drive"),
    Tie.CLASS: gettext_lazy("same class"),
}


@dataclass(frozen=True, slots=True)
class KinLine:
    """One of the kin."""

    why: str
    subject: RowSubject
    figure: KnownFigure


def kin_lines(kin: Iterable[Kin]) -> tuple[KinLine, ...]:
    """Kin as lines, in their order."""
    return tuple(
        KinLine(str(TIES.get(each.tie, "")), subject_of(each.standing), known_figure(each.standing))
        for each in kin
    )
