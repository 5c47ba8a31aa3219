"""The template context of the advisor: every name that its templates use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import datetime as dt

    from django_stubs_ext import StrOrPromise

    from apps.pages.advisor.answer import Advice
    from apps.pages.advisor.forms import AdviceForm
    from apps.rankings.advice.needs import Need
    from apps.words.software import SoftwareWords


@dataclass(frozen=True, slots=True)
class SoftwareOption:
    """One kind of software in the form: its words, its usual rate, the write it waits for."""

    value: str
    text: str
    rate_per_s: int | str
    write: str
    is_chosen: bool


class AdvisorContext(TypedDict):
    """The form and its answer."""

    address: str
    title: str  # of the page: each need has its own
    question: str  # what is asked for in a line; empty where it cannot be read
    form: AdviceForm
    need: Need | None  # None where a field cannot be read
    advice: Advice | None
    software_words: SoftwareWords | None
    rates_day: dt.date | None
    presets: Sequence[tuple[str, str]]  # label and query string
    software: Sequence[SoftwareOption]
    regions: Sequence[StrOrPromise]
    short: str  # the shortest query string for this need
    link: str
    is_part: bool
