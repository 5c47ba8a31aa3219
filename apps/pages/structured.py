"""What a page is to programs: its type of schema.org, and the picture that a shared link shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, gettext

from apps.pages.addresses import tag_of

CONTEXT: Final = "https://schema.org"
LICENCE: Final = "https://creativecommons.org/publicdomain/zero/1.0/"
DESCRIPTION_CHARACTERS_MIN: Final = 50  # what search engines ask of a Dataset
PICTURE_WIDTH: Final = 1200
PICTURE_HEIGHT: Final = 630
# Pages of things: the kind of their picture, and where the API has the same as JSON.
THINGS: Final = {"plan": "api:plan", "drive": "api:drive", "run": "api:run",
                 "provider": "api:provider"}  # fmt: skip
BOARDS: Final = {"plans": "api:plans", "drives": "api:drives", "providers": "api:providers"}
API_ARGUMENT: Final = {"run": "run_id"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a shared link, 1200 by 630 pixels."""

    url: str
    alt: str
    width: int = PICTURE_WIDTH
    height: int = PICTURE_HEIGHT


def name_and_slug(request: HttpRequest) -> tuple[str, str]:
    """The name of the page's address and what it names; both empty on a page that is not there."""
    match = request.resolver_match
    if match is None or match.namespace != "pages":
        return "", ""
    return match.url_name or "", str(match.kwargs.get("slug", ""))


def picture_of(request: HttpRequest) -> Picture:
    """The picture of the page: one of its own for a plan, drive, provider or run."""
    name, slug = name_and_slug(request)
    if name in THINGS:
        path = reverse("files:og", kwargs={"kind": name, "slug": slug})
        alt = gettext(
            "Its durable commits per second, with interval and date, on a log axis of time"
        )
    else:
        path = reverse("files:og-site")
        alt = gettext("A log axis of time from 100 ns to 100 ms")
    return Picture(f"{settings.SITE_URL}{path}", alt)


def data_of(
    request: HttpRequest, *, url: str, title: str, description: str
) -> dict[str, object] | None:
    """JSON-LD of the page: WebSite on the first, Dataset where figures are; else None."""
    name, slug = name_and_slug(request)
    if name == "home":
        return _site(url)
    if name in THINGS:
        argument = API_ARGUMENT.get(name, "slug")
        source = reverse(THINGS[name], kwargs={argument: slug})
    elif name in BOARDS:
        source = reverse(BOARDS[name])
    else:
        return None
    return _dataset(url, title=title, description=description, source=source)


def _site(url: str) -> dict[str, object]:
    search = reverse("pages:search")
    return {
        "@context": CONTEXT,
        "@type": "WebSite",
        "name": "Fsyncmark",
        "url": url,
        "inLanguage": tag_of(get_language() or settings.LANGUAGE_CODE),
        "potentialAction": {
            "@type": "SearchAction",
            "target": {
                "@type": "EntryPoint",
                "urlTemplate": f"{settings.SITE_URL}{search}?q={{search_term_string}}",
            },
            "query-input": "required name=search_term_string",
        },
    }


def _dataset(url: str, *, title: str, description: str, source: str) -> dict[str, object]:
    if len(description) < DESCRIPTION_CHARACTERS_MIN:
        description = f"{title}. {description} {what_the_site_is()}".strip()
    return {
        "@context": CONTEXT,
        "@type": "Dataset",
        "name": title,
        "description": description,
        "url": url,
        "inLanguage": tag_of(get_language() or settings.LANGUAGE_CODE),
        "license": LICENCE,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": "Fsyncmark", "url": settings.SITE_URL},
        "variableMeasured": [gettext("durable commits per second"), gettext("commit latency")],
        "distribution": {
            "@type": "DataDownload",
            "encodingFormat": "application/json",
            "contentUrl": f"{settings.SITE_URL}{source}",
        },
    }


def what_the_site_is() -> str:
    """The sentence that every page without one of its own is described by."""
    return gettext(
        "Durable commits per second of rented servers and their drives: measured, signed, and "
        "shown with their price."
    )
