"""When a figure was measured, in words: its day and age, else the month of its article."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.pages.show import units
from apps.runs.published.services import published_month

if TYPE_CHECKING:
    from apps.runs.models import Run

# A drive changes its firmware and a plan its machines; a price is old much sooner.
YEAR: Final = dt.timedelta(days=365)


def is_over_a_year(day: dt.date) -> bool:
    """Whether a day of measurement lies more than a year back."""
    on = day.date() if isinstance(day, dt.datetime) else day
    return timezone.now().date() - on > YEAR


def without_day(run_slug: str) -> str:
    """What stands in place of a day: the month in which the article of a run appeared."""
    month = published_month(run_slug)
    return _("published %(month)s") % {"month": month} if month else _("date not stated")


def year(day: dt.date | None, run_slug: str) -> str:
    """The year of a run, else that of its article; empty where neither is stated."""
    return f"{day:%Y}" if day else published_month(run_slug).partition("-")[0]


def plain(day: dt.date | None, run_slug: str) -> str:
    """The day of a run for titles and lists; see `without_day`."""
    return without_day(run_slug) if day is None else units.day(day)


def with_age(text: str, day: dt.date | None) -> str:
    """A day in words, and that it is over a year old where it is."""
    if day is None or not is_over_a_year(day):
        return text
    return _("%(day)s, over a year old") % {"day": text}


def figure_day(day: dt.date | None, run_slug: str) -> str:
    """The day of a run beside its figure, and that it is over a year old; see `without_day`."""
    return with_age(plain(day, run_slug), day)


def run_moment(run: Run) -> str:
    """When a run was taken, to the minute where that is known, with its age."""
    day = run.measured_at
    return without_day(run.slug) if day is None else with_age(units.moment(day), day)
