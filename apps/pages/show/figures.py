"""Figures as mark-up: the digits bright, the unit dim, a dash for what is not known."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.pages.show import units
from apps.pages.show.table.paging import Bounded
from apps.stats.figures import duration_parts, significant

THIN_SPACE = "\u2009"  # in the fonts that we serve; the mark-up around it forbids a line break


def with_unit(figure: str, unit: str) -> SafeString:
    """A figure and its dim unit that never break apart."""
    return format_html(
        '<span class="fig">{}<span class="unit">{}{}</span></span>', figure, THIN_SPACE, unit
    )


def latency(nanoseconds: float | None) -> SafeString | str:
    """Nanoseconds with the unit that fits; a dash where nobody knows."""
    if nanoseconds is None:
        return "\u2013"
    return with_unit(*duration_parts(nanoseconds))


def rate(per_s: float | None) -> str:
    """Operations per second, figure only."""
    return "\u2013" if per_s is None else significant(per_s)


def number(value: float | None) -> str:
    """A count with commas."""
    return "\u2013" if value is None else f"{value:,}"


def bounded(count: Bounded) -> str:
    """A count with commas, and its bound before it."""
    return f"{count.bound} {number(count.n)}".lstrip()


def stale(valid_from: dt.date) -> bool:
    """Whether a price is older than we trust."""
    return units.is_stale(valid_from, timezone.now().date())
