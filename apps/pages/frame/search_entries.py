"""What the search knows of a page: its words. Each room lists its own, urls.py hands on all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import override

if TYPE_CHECKING:
    from apps.rankings.models import Standing


@dataclass(frozen=True, slots=True)
class GuideFit:
    """A plan or a drive as a guide judges it."""

    standing: Standing
    figure: str  # what was judged; empty: its rate
    unit: str
    sure: str  # word of confidence, margin and what stands behind it


@dataclass(frozen=True, slots=True)
class Compared:
    """What the page of a comparison says first, and the rows that it sets against each other."""

    lines: tuple[str, ...]
    standings: Mapping[str, Standing]  # by kind:slug


@dataclass(frozen=True, slots=True)
class Page:
    """Something to read, and by which words it is found."""

    title: str
    url: str
    is_what: str = ""
    called: str = ""  # words that are not in its title
    body: str = ""
    asks: str = ""  # the question that it answers
    answer: str = ""  # in a sentence or two
    # of a guide: the standings that meet a condition, the best for its software first, at a rate
    # or where none is asked for at the guide's own
    judge: Callable[[Q, int | None], Sequence[GuideFit]] | None = None


def english(text: str | Promise) -> str:
    """The English of a text, by which a page in another language is found too."""
    with override("en"):
        return str(text)


Index = Callable[[], Iterable[Page]]
Compare = Callable[[Sequence[str]], Compared]  # of things as kind:slug
