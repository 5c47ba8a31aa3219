"""The way to a badge or a card: name a plan, a drive or a run, see it, copy it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.embed import selectors
from apps.pages.embed.words import BadgeSubject, ComparedSubject, compared_of, subject_of
from apps.pages.show.address.badges import BadgeChoice


@require_safe
def embed(request: HttpRequest) -> HttpResponse:
    """A badge of what `of` names, a card of those of `on`, what `q` finds, or an example."""
    text = request.GET.get("q", "").replace("\0", "")[: selectors.TEXT_MAX].strip()
    slug = request.GET.get("of", "")
    things = request.GET.getlist("on")[: selectors.COMPARED_MAX]
    subject: BadgeSubject | ComparedSubject | None = subject_of(selectors.read_of(slug))
    if subject is None and things:
        subject = compared_of(map(selectors.read_of, things))
    matches = [subject_of(match) for match in selectors.search(text)]
    if subject is None and not slug and len(matches) == 1:
        subject = matches[0]
    choice = BadgeChoice.read(request.GET.dict())
    example = None if subject or text else subject_of(selectors.example())
    shown = subject or example
    context = {
        "q": text,
        "choice": choice,
        "alt": shown.badge_alt(choice.metric) if shown else "",
        "is_unknown": bool(slug or things) and subject is None,
        "subject": subject,
        "matches": matches,
        "example": example,
    }
    return render(request, "pages/embed/embed.html", context)
