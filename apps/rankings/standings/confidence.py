"""How sure the figure of a standing or of one run is, by `apps.stats.standings.confidence`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from apps.rankings.models import Evidence
from apps.runs.models import Level
from apps.runs.published.services import published_month
from apps.stats.standings.confidence import Support, Sureness, support_of, sureness

if TYPE_CHECKING:
    from datetime import timedelta

    from apps.rankings.models import Standing
    from apps.runs.models import Run
    from apps.stats.standings.confidence import Margin


def support_of_standing(standing: Standing | None, *, today: date | None = None) -> Support:
    """Return how much stands behind a standing; nothing behind none, or behind an example."""
    if standing is None or standing.evidence == Evidence.EXAMPLE:
        return Support.NONE
    return support_of(
        is_ranked=not standing.needs_runs,
        is_published=standing.evidence == Evidence.PUBLISHED,
        is_doubtful=standing.is_illustrative,
        age=_age_of_article(standing.newest_run_slug, today or datetime.now(UTC).date()),
    )


def sureness_of(standing: Standing | None, margin: Margin | None = None) -> Sureness:
    """Return the word for the figure of a standing, and with a margin for its being enough."""
    return sureness(support_of_standing(standing), margin)


def support_of_run(run: Run, *, today: date | None = None) -> Support:
    """Return how much stands behind the figure of one run.

    Nothing behind one that is kept out, or behind an example. A witnessed run is one uploader; what
    was signed without our challenge or given in as an output could have been prepared.
    """
    if run.is_kept_out or run.is_example:
        return Support.NONE
    is_published = run.level == Level.PUBLISHED
    citation = getattr(run, "citation", None)
    is_sample = citation is not None and citation.is_illustrative
    return support_of(
        is_ranked=False,
        is_published=is_published,
        is_doubtful=is_sample or run.level in {Level.SIGNED, Level.IMPORTED},
        age=_age_of_article(run.slug, today or datetime.now(UTC).date()) if is_published else None,
    )


def _age_of_article(run_slug: str, today: date) -> timedelta | None:
    """Return how old the article of a published run is; None where no year is stated.

    Without a day or a month it is as old as the first of that month or year.
    """
    stated = published_month(run_slug)
    return today - date.fromisoformat(f"{stated}-01-01"[: len("2023-05-01")]) if stated else None
