"""What programs read of the site: robots.txt, security.txt and the sitemaps."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from django.views.decorators.http import require_safe

from apps.pages.frame.addresses import tag_of
from apps.pages.frame.sitemap import Sections, SitePage, run_files, run_pages

XML: Final = "application/xml; charset=utf-8"
SECURITY_GOOD_FOR: Final = dt.timedelta(days=90)  # RFC 9116 wants less than a year
CACHE: Final = "public, max-age=3600"
# Pages that answer a question are endless in number: crawlers are kept out of them.
NOT_FOR_CRAWLERS: Final = ("/staff/", "/api/v1/advice", "/search/", "/import/")


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Everything may be read but what is made anew for each question."""
    prefixes = [f"/{code}" for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    lines = ["User-agent: *"]
    for path in NOT_FOR_CRAWLERS:
        lines.append(f"Disallow: {path}")
        lines += [f"Disallow: {prefix}{path}" for prefix in prefixes if not path.startswith("/api")]
    lines += ["", f"Sitemap: {settings.SITE_URL}{reverse('files:sitemap')}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def security(_request: HttpRequest) -> HttpResponse:
    """Where to report a vulnerability (RFC 9116); 404 where nobody said whom to write to."""
    if not settings.SITE_CONTACT:
        raise Http404("nobody said whom to write to")
    until = (timezone.now() + SECURITY_GOOD_FOR).replace(microsecond=0)
    lines = [
        f"Contact: {settings.SITE_CONTACT}",
        f"Expires: {until.isoformat().replace('+00:00', 'Z')}",
        f"Canonical: {settings.SITE_URL}{reverse('files:security')}",
        "Preferred-Languages: en, zh",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest, sections: Sections) -> HttpResponse:
    """The list of sitemaps."""
    names = [*sections, *(f"runs-{number}" for number in range(1, run_files() + 1))]
    files = [settings.SITE_URL + reverse("files:sitemap-part", args=[name]) for name in names]
    return _xml(render(request, "files/sitemap_index.xml", {"files": files}))


@require_safe
def sitemap_part(request: HttpRequest, name: str, sections: Sections) -> HttpResponse:
    """One sitemap: every page in every language, each naming the others."""
    kind, _, number = name.partition("-")
    if kind == "runs" and number.isdecimal() and 0 < int(number) <= run_files():
        rows = run_pages(int(number))
    elif name in sections:
        rows = [page for section in sections[name] for page in section()]
    else:
        raise Http404("no such sitemap")
    pages = [(page.changed, _in_languages(page)) for page in rows]
    return _xml(render(request, "files/sitemap.xml", {"pages": pages}))


def _in_languages(page: SitePage) -> list[tuple[str, str]]:
    """Pairs of language tag and address."""
    addresses = []
    for code, _ in settings.LANGUAGES:
        with override(code):
            path = reverse(f"pages:{page.name}", args=[page.slug] if page.slug else [])
        addresses.append((tag_of(code), f"{settings.SITE_URL}{path}"))
    return addresses


def _xml(response: HttpResponse) -> HttpResponse:
    response.headers["Content-Type"] = XML
    response.headers["Cache-Control"] = CACHE
    return response
