"""Filters for what the advisor's rules find: in words of the language of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from apps.words.advice import doubt_words
from apps.words.software import LIKENESSES

if TYPE_CHECKING:
    from apps.rankings.advice.verdicts import VerdictDoubt
    from apps.rankings.advice.work import StandIn

register = template.Library()


@register.filter
def doubt(verdict_doubt: VerdictDoubt | None) -> str:
    """What keeps a verdict from being a better one; nothing where there is no doubt."""
    return doubt_words(verdict_doubt)


@register.filter
def likeness(stand_in: StandIn) -> str:
    """In what a workload is like that for which it stands, and in what it is not."""
    return str(LIKENESSES[stand_in.likeness]) if stand_in.likeness else ""
