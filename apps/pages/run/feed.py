"""The feed of the newest runs, as Atom."""

from __future__ import annotations

from xml.sax.saxutils import escape

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.pages.frame.atom import answer_with, feed_of
from apps.pages.run.selectors import newest_runs
from apps.pages.run.verdict import title_of
from apps.pages.show.words import level_words


@require_safe
def feed(_request: HttpRequest) -> HttpResponse:
    """The newest runs as Atom."""
    atom = feed_of(
        title="Fsyncmark: newest runs",
        description="Measured durable commits of real machines, newest first.",
        page="pages:runs",
        name="files:feed",
    )
    for run, headline in newest_runs():
        link = f"{settings.SITE_URL}{reverse('pages:run', args=[run.slug])}"
        level = level_words(run.shown_level).word
        title = title_of(run, headline)
        atom.add_item(
            title=title,
            link=link,
            unique_id=link,
            description=escape(f"{title}. One run, {level.lower()}."),
            pubdate=run.measured_at,
            updateddate=run.measured_at,
        )
    return answer_with(atom)
