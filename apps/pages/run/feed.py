"""The feed of the newest runs, as Atom."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from apps.pages.run.selectors import newest_runs
from apps.pages.run.verdict import title_of
from apps.pages.show.words import level_words
from apps.rankings.choice import headline_measurement

CACHE: Final = "public, max-age=3600"


@require_safe
def feed(_request: HttpRequest) -> HttpResponse:
    """The newest runs as Atom."""
    atom = Atom1Feed(
        title="Fsyncmark: newest runs",
        link=f"{settings.SITE_URL}{reverse('pages:runs')}",
        feed_url=f"{settings.SITE_URL}{reverse('files:feed')}",
        description="Measured durable commits of real machines, newest first.",
        language="en",
    )
    for run in newest_runs():
        link = f"{settings.SITE_URL}{reverse('pages:run', args=[run.slug])}"
        level = level_words(run.shown_level).word
        title = title_of(run, headline_measurement(run))
        atom.add_item(
            title=title,
            link=link,
            unique_id=link,
            description=escape(f"{title}. One run, {level.lower()}."),
            pubdate=run.measured_at,
            updateddate=run.measured_at,
        )
    response = HttpResponse(
        atom.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
    )
    response.headers["Cache-Control"] = CACHE
    return response
