"""A standing in words: its rate, its interval, how many stand behind it, and when."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from apps.pages.show import dates
from apps.pages.show.words import count, is_made_up
from apps.rankings.models import Evidence, Standing
from apps.runs.published.services import published_month
from apps.stats.figures import significant


def rests_on(lead: Standing) -> str:
    """How many stand behind a standing."""
    if lead.evidence == Evidence.PUBLISHED:
        return count(lead.n_runs, "published run")
    counts = {
        "machines": count(lead.n_machines, "machine"),
        "uploaders": count(lead.n_uploaders, "uploader"),
    }
    if is_made_up(lead.evidence):
        return _("a made-up example of %(machines)s of %(uploaders)s") % counts
    return _("%(machines)s of %(uploaders)s") % counts


def measured_on(newest: datetime | None, run_slug: str) -> str:
    """When something was measured last; `run_slug` is the newest run behind it."""
    if newest is not None:
        return _("last on %(day)s") % {"day": dates.figure_day(newest, run_slug)}
    if month := published_month(run_slug):
        return _("on a day that its source, published %(month)s, does not state") % {"month": month}
    return _("on a day that its source does not state")


def interval_words(lead: Standing) -> str:
    """The interval of a standing in figures; nothing where it has none."""
    low, high = lead.rate_per_s_low, lead.rate_per_s_high
    if not low or not high:
        return _("no interval")
    return _("interval %(low)s to %(high)s") % {"low": significant(low), "high": significant(high)}


def figures_of(lead: Standing, newest: datetime | None) -> dict[str, str]:
    """The rate of a standing with its interval, n and day, for a sentence."""
    return {
        "rate": significant(lead.rate_per_s),
        "n": rests_on(lead),
        "interval": interval_words(lead),
        "when": measured_on(newest, lead.newest_run_slug),
    }
