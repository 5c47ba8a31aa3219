"""What a page is to programs: its type of schema.org, and the picture that a shared link shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, gettext

from apps.pages.frame.addresses import tag_of

if TYPE_CHECKING:
    from datetime import date, datetime

    from apps.pages.frame.shared_link import SharedText

CONTEXT: Final = "https://schema.org"
LICENCE: Final = "https://creativecommons.org/publicdomain/zero/1.0/"
DESCRIPTION_CHARACTERS_MIN: Final = 50  # what search engines ask of a Dataset
KEYWORDS: Final = ("fsync", "fdatasync", "write-ahead log", "commit latency", "storage benchmark")
PICTURE_WIDTH: Final = 1200
PICTURE_HEIGHT: Final = 630
# Pages of things: the kind of their picture, and where the API has the same as JSON.
THINGS: Final = {"plan": "api:plan", "drive": "api:drive", "run": "api:run",
                 "provider": "api:provider"}  # fmt: skip
BOARDS: Final = {"plans": "api:plans", "drives": "api:drives", "providers": "api:providers"}
BOARD_FILES: Final = {board: f"files:{board}-csv" for board in BOARDS}
PERSONAL: Final = ("account/", "claim/", "desk/", "report/")  # routes of pages for one person
COMPARED_MIN: Final = 2
# What https://oembed.com calls discovery: media types, and what the address of each adds.
OEMBED: Final = {
    "application/json+oembed": {},
    "text/xml+oembed": {"format": "xml"},
}  # fmt: skip
API_ARGUMENT: Final = {"run": "run_id"}


@dataclass(frozen=True, slots=True)
class DateRange:
    """When the figures of a page were measured; None where nobody says so."""

    first: date | None
    last: date | datetime | None

    @property
    def coverage(self) -> str:
        """One day, or from one to another, as ISO 8601 writes an interval."""
        last = _day(self.last)
        first = _day(self.first)
        return f"{first}/{last}" if first and last and first != last else last


def _day(moment: date | datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else ""


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


def oembed_of(request: HttpRequest, *, url: str) -> dict[str, str]:
    """Where is said how to embed what the page is of, by media type; nothing of other pages."""
    name, _slug = name_and_slug(request)
    things = request.GET.getlist("on")
    if name not in THINGS and not (name == "compare" and len(things) >= COMPARED_MIN):
        return {}
    endpoint = settings.SITE_URL + reverse("badges:oembed")
    return {kind: f"{endpoint}?{urlencode({'url': url, **form})}" for kind, form in OEMBED.items()}


def picture_of(request: HttpRequest, said: SharedText | None) -> Picture:
    """The picture of the page: of a plan, drive, provider or run, else of what the page says.

    The letters of the pictures are Latin: in other languages, and where the page says nothing that
    strangers may see, it is that of the site.
    """
    name, slug = name_and_slug(request)
    if name in THINGS:
        path = reverse("files:og", kwargs={"kind": name, "slug": slug})
        return Picture(f"{settings.SITE_URL}{path}", gettext("Durable commits/s"))
    if said is None or get_language() != "en" or not name or _is_personal(request):
        path = reverse("files:og-site")
        return Picture(f"{settings.SITE_URL}{path}", gettext("Durable commits/s"))
    path = reverse("files:og-page", kwargs={"signature": said.signature})
    return Picture(f"{settings.SITE_URL}{path}?{said.query}", said.sentence or said.title)


def _is_personal(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is None or match.route.startswith(PERSONAL)


def data_of(
    request: HttpRequest, *, url: str, title: str, description: str, days: DateRange | None = None
) -> dict[str, object] | None:
    """JSON-LD of the page: WebSite on the first, Dataset where figures are; else None.

    What a Dataset says follows https://developers.google.com/search/docs/appearance/structured-data/dataset
    """
    name, slug = name_and_slug(request)
    if name == "home":
        return _site(url)
    if name in THINGS:
        argument = API_ARGUMENT.get(name, "slug")
        files = {"application/json": reverse(THINGS[name], kwargs={argument: slug})}
    elif name in BOARDS:
        files = {
            "application/json": reverse(BOARDS[name]),
            "text/csv": reverse(BOARD_FILES[name]),
        }
    else:
        return None
    dataset = _dataset(url, title=title, description=description, files=files)
    return dataset | _days(days) if days else dataset


def _days(days: DateRange) -> dict[str, object]:
    if not days.last:
        return {}
    return {"dateModified": _day(days.last), "temporalCoverage": days.coverage}


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


def _dataset(url: str, *, title: str, description: str, files: dict[str, str]) -> dict[str, object]:
    if len(description) < DESCRIPTION_CHARACTERS_MIN:
        description = f"{title}. {description} {what_the_site_is()}".strip()
    return {
        "@context": CONTEXT,
        "@type": "Dataset",
        "name": title,
        "description": description,
        "url": url,
        "identifier": url,
        "inLanguage": tag_of(get_language() or settings.LANGUAGE_CODE),
        "keywords": list(KEYWORDS),
        "license": LICENCE,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": "Fsyncmark", "url": settings.SITE_URL},
        "includedInDataCatalog": {
            "@type": "DataCatalog",
            "name": "Fsyncmark",
            "url": settings.SITE_URL,
        },
        "measurementTechnique": f"{settings.SITE_URL}{reverse('pages:method')}",
        "variableMeasured": [
            _variable(gettext("durable commits a second"), "1/s"),
            _variable(gettext("Latency"), "ns"),
        ],
        "distribution": [
            {
                "@type": "DataDownload",
                "encodingFormat": form,
                "contentUrl": f"{settings.SITE_URL}{path}",
            }
            for form, path in files.items()
        ],
    }


def _variable(name: str, unit: str) -> dict[str, str]:
    return {"@type": "PropertyValue", "name": name, "unitText": unit}


def what_the_site_is() -> str:
    """The description of every page that has none of its own."""
    return gettext(
        "Durable commits per second of rented servers and their drives: measured, signed, and "
        "shown with their price."
    )
