"""Answers one badge: 200 and a picture, as image proxies turn anything else into a hole.

While the database is away it shows what it showed last.
"""

from datetime import UTC, datetime
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from apps.badges.answers import Content, answer, figures_and_caching, newest_of
from apps.badges.badge_facts import MissingFigure
from apps.badges.drawing.badge import Badge
from apps.badges.drawing.png import png_of
from apps.badges.drawing.render import render
from apps.badges.drawing.theme import SHEET_HASH
from apps.badges.options import BadgeOptions, options_of
from apps.badges.shields import endpoint_json
from apps.badges.wording import badge_of

CONTENT_TYPES: Final = {
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
    "json": "application/json",
}
# The picture holds no script and no link, and one style sheet at most, which is always the same; a
# browser that opens it alone may run nothing.
POLICY: Final = f"default-src 'none'; style-src '{SHEET_HASH}'; sandbox"


@xframe_options_exempt
@require_safe
def badge(request: HttpRequest, slug: str, kind: str, form: str) -> HttpResponse:
    """Answer the badge of a thing or of who measured, or 304 to a client that has it."""
    options = options_of(request.META.get("QUERY_STRING", ""))
    figures, caching = figures_and_caching(kind, slug)
    drawn = badge_of(figures, metric=options.metric, today=datetime.now(UTC).date())
    content = Content(
        body=_body(drawn, options, form, is_error=isinstance(figures, MissingFigure)),
        kind=CONTENT_TYPES[form],
        caching=caching,
        policy=POLICY,
        modified=newest_of([figures]),
    )
    return answer(request, content)


def _body(drawn: Badge, options: BadgeOptions, form: str, *, is_error: bool) -> bytes:
    if form == "json":
        return endpoint_json(drawn, options, is_error=is_error)
    svg = render(drawn, options)
    return png_of(svg) if form == "png" else svg.encode()
