"""The public log of decisions as Atom: the entries of its first page, and no more of them."""

from __future__ import annotations

from xml.sax.saxutils import escape

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from apps.moderation.selectors.log import DECISIONS_A_PAGE, decisions
from apps.moderation.text import plain_line
from apps.pages.frame.atom import answer_with, feed_of
from apps.pages.frame.decisions import lines_of


@require_safe
def feed(_request: HttpRequest) -> HttpResponse:
    """The newest decisions as Atom. One that is taken back says so, and is updated that day."""
    log = f"{settings.SITE_URL}{reverse('pages:moderation')}"
    atom = feed_of(
        title="Fsyncmark: decisions",
        description="Every decision of a moderator, with its reason.",
        page="pages:moderation",
        name="files:moderation-feed",
    )
    found = list(decisions()[:DECISIONS_A_PAGE])
    for decision, line in zip(found, lines_of(found), strict=True):
        undone_by = getattr(decision, "undone_by", None)
        about = (line.did, line.kind, line.about, f"→ {line.to}" if line.to else "")
        taken_back = f" Taken back on {line.undone_on}." if line.undone_on else ""
        atom.add_item(
            title=plain_line(" ".join(about)),
            link=f"{log}?{urlencode({decision.subject: decision.subject_id})}",
            unique_id=f"{log}#{decision.pk}",
            description=escape(plain_line(f"{line.reason}{taken_back}")),
            pubdate=decision.at,
            updateddate=undone_by.at if undone_by else decision.at,
        )
    return answer_with(atom)
