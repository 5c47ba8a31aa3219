"""The measured kin of a page without comparable figures: the answer by the nearest, the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.show.answer import Answer
from apps.pages.show.known_figure import known_figure
from apps.pages.show.phrases import join_sentences, with_name
from apps.pages.show.standings import rates_between
from apps.pages.show.table.rows import note_of, row_of_standing, subject_of
from apps.pages.things.selectors.kin import Tie
from apps.rankings.standings.confidence import support_of_standing
from apps.stats.figures import significant
from apps.stats.standings.confidence import UNKNOWN, Support, sureness
from apps.words import confidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.utils.functional import _StrPromise

    from apps.drives.models import LadderClass
    from apps.pages.show.known_figure import KnownFigure
    from apps.pages.show.table.row import Row
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
    note: str  # how many stand behind it


@dataclass(frozen=True, slots=True)
class Nearest:
    """The answer of a page by its nearest kin: never said as its own."""

    answer: Answer
    row: Row  # of the kin, for its work and its source
    why: str  # behind its word of confidence
    tie: str
    name: str


def kin_name(kin: Kin) -> str:
    """What it is called: with its provider where that is another one."""
    plan = kin.standing.plan
    if plan is not None and kin.tie is Tie.CLASS:
        return plan.full_name
    return subject_of(kin.standing).name


def nearest_of(kin: Sequence[Kin], *, has_other_work: bool) -> Nearest | None:
    """What the nearest kin does; None where none is so near that it may speak for the page.

    It is work that is only alike, so its word is never more than that of weak support.
    """
    if not kin or not kin[0].tie.may_lead:
        return None
    standing = kin[0].standing
    name = kin_name(kin[0])
    sure = sureness(max(Support.WEAK, support_of_standing(standing)))
    own = _own(has_other_work=has_other_work)
    answer = Answer(
        sentence=join_sentences((own, with_name(_("Nearest"), name))),
        sure=confidence.line(sure, confidence.basis_of(standing)),
        figure=significant(standing.rate_per_s),
        unit=_("durable commits/s"),
    )
    row = row_of_standing(standing, is_drawn=False)
    why = _("A stand-in: something else was measured, and is only alike.")
    return Nearest(answer, row, why, str(TIES.get(kin[0].tie, "")), name)


def answer_of_neighbours(kin: Sequence[Kin], *, has_other_work: bool) -> Answer | None:
    """Between which rates all kin lie, where none of them may lead; None without any."""
    if not kin:
        return None
    rates = rates_between(each.standing for each in kin)
    between = with_name(_("Measured and near to it"), rates)
    return Answer(
        sentence=join_sentences((_own(has_other_work=has_other_work), between)),
        sure=confidence.line(UNKNOWN, confidence.basis_of(None)),
    )


def class_near(kin: Sequence[Kin]) -> LadderClass | None:
    """The class of storage whose band a picture of kin has: that of kin that may lead."""
    return kin[0].standing.ladder_class if kin and kin[0].tie.may_lead else None


def _own(*, has_other_work: bool) -> str:
    return _("Measured only with other work.") if has_other_work else _("Not measured itself.")


def lines_below(kin: Sequence[Kin], nearest: Nearest | None) -> tuple[KinLine, ...]:
    """The kin below the answer of a page, in their order: without the one that leads it."""
    return kin_lines(kin[1:] if nearest else kin)


def kin_lines(kin: Iterable[Kin]) -> tuple[KinLine, ...]:
    """Kin as lines, in their order."""
    return tuple(
        KinLine(
            why=str(TIES.get(each.tie, "")),
            subject=subject_of(each.standing),
            figure=known_figure(each.standing),
            note=note_of(each.standing),
        )
        for each in kin
    )
