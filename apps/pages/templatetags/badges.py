"""Template tags for badges: the picture, the choice of one, and the lines to copy."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_noop

from apps.pages.show.address.badges import (
    BADGE_PATH,
    CARD_NAMES,
    CARDS,
    LABEL_CHARACTERS_MAX,
    METRICS,
    PERSON,
    STYLES,
    THEMES,
    BadgeChoice,
    fields_of,
    snippets,
)
from apps.pages.show.address.citations import citations
from apps.pages.show.phrases import translate

register = template.Library()
# What is offered of a run that is not durable, too.
CHOICES = {**METRICS, "fsync": gettext_noop("commits a second")}
FIRST_SNIPPETS = 2  # that are open; the others fold


@register.inclusion_tag("parts/badge/embed.html")
def embed_this(
    *, badge_path: str, page_path: str, alt: str, choice: BadgeChoice | None = None
) -> dict[str, object]:
    """The badge as it is chosen, on light and on dark, with what to copy and what to choose."""
    match = BADGE_PATH.search(badge_path)
    is_compared = not match  # of several there is a card, no badge
    is_of_person = match is not None and match[1] == PERSON  # with one figure, and no card
    if choice is None or (is_compared and not choice.is_card):
        choice = BadgeChoice.read({"style": next(iter(CARDS))} if is_compared else {})
    if is_of_person:
        choice = choice.without_card()
    lines = list(snippets(choice, badge_path=badge_path, page_path=page_path, alt=alt))
    today = datetime.now(UTC).date()
    cited = citations(title=alt, page_path=page_path, today=today)
    return {
        "fields": fields_of(badge_path),
        "choice": choice,
        "picture": choice.path(badge_path),
        "address": settings.SITE_URL + choice.path(badge_path),
        "alt": alt,
        "is_compared": is_compared,
        "metrics": []
        if is_compared or is_of_person
        else [(value, translate(words)) for value, words in CHOICES.items()],
        "styles": [
            *((value, value) for value in STYLES if not is_compared),
            *(CARD_NAMES.items() if not is_of_person else ()),
        ],
        "themes": [(value, translate(words)) for value, words in THEMES.items()],
        "label_max": LABEL_CHARACTERS_MAX,
        "first": lines[:FIRST_SNIPPETS],
        "others": [*lines[FIRST_SNIPPETS:], *cited],
    }


@register.simple_tag
def badge_picture(badge_path: str, alt: str, height_px: int) -> SafeString:
    """A badge as the pages of this site show it."""
    return format_html(
        '<img class="badge" src="{}" alt="{}" height="{}">', badge_path, alt, height_px
    )
