"""Where the head and the foot of every page lead: names of addresses and their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

CONTACT: Final = "pages:about#contact"

HEAD: Final = (
    ("pages:plans", gettext_noop("Plans")),
    ("pages:drives", gettext_noop("Drives")),
    ("pages:providers", gettext_noop("Providers")),
    ("pages:compare", gettext_noop("Compare")),
    ("pages:advisor", gettext_noop("Advisor")),
    ("pages:guides", gettext_noop("Guides")),
    ("pages:method", gettext_noop("Method")),
)

FOOT: Final = (
    (
        gettext_noop("Figures"),
        (
            ("pages:runs", gettext_noop("Runs")),
            ("pages:coverage", gettext_noop("Coverage")),
        ),
    ),
    (
        gettext_noop("About"),
        (
            ("pages:method", gettext_noop("Method")),
            ("pages:rules", gettext_noop("Rules")),
            ("pages:lies", gettext_noop("Lies")),
            ("pages:moderation", gettext_noop("Decisions")),
            ("pages:about", gettext_noop("About")),
            ("pages:privacy", gettext_noop("Privacy")),
            ("pages:terms", gettext_noop("Terms")),
            ("pages:imprint", gettext_noop("Imprint")),
            (CONTACT, gettext_noop("Contact")),
        ),
    ),
    (
        gettext_noop("Yours"),
        (
            ("pages:measure", gettext_noop("Measure yours")),
            ("pages:embed", gettext_noop("Embed a badge")),
            ("uploads:import", gettext_noop("Import an output")),
            ("pages:propose", gettext_noop("Propose a published result")),
            ("pages:uploads", gettext_noop("Where is my run?")),
            ("pages:account", gettext_noop("Your account")),
        ),
    ),
    (
        gettext_noop("For programs"),
        (
            ("developers:api", gettext_noop("API")),
            ("pages:data", gettext_noop("Open data")),
            ("files:schema-run-v1", gettext_noop("Wire format")),
            ("pages:styleguide", gettext_noop("Styleguide")),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """A link: its address, its words, and whether the page that is shown lies under it."""

    url: str
    words: str
    is_here: bool


def links(entries: tuple[tuple[str, str], ...], path: str) -> list[NavigationLink]:
    """Links with their words; `path` is that of the page that is shown."""
    navigation_links = []
    for name, words in entries:
        page, mark, section = name.partition("#")
        url = reverse(page)
        is_here = path.startswith(url) and not section
        navigation_links.append(NavigationLink(f"{url}{mark}{section}", gettext(words), is_here))
    return navigation_links


def groups(path: str) -> list[tuple[str, list[NavigationLink]]]:
    """The foot: each group with its links."""
    return [
        (gettext(title), links(tuple(each for each in entries if _is_answered(each[0])), path))
        for title, entries in FOOT
    ]


def _is_answered(name: str) -> bool:
    """Whether somebody can be reached behind a link: no contact is offered where none is named."""
    return name != CONTACT or bool(settings.SITE_CONTACT)
