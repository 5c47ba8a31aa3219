"""What belongs to the site as a whole: how to measure, what to download, the method, failures."""

import sys
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template import loader
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from apps.pages.reading import installer
from apps.pages.reading.kits.contexts import measured_plan
from apps.pages.reading.method import read_method
from apps.pages.reading.versions import versions
from apps.pages.show import downloads, words
from apps.pages.show.phrases import join_names

INSTALLER_AGE_S: Final = 300  # after a release the binaries are not those of an older script
RETRY_AFTER_SECONDS: Final = 10  # a failover or restart of PostgreSQL takes about that long


@require_safe
def measure(request: HttpRequest) -> HttpResponse:
    """How to measure one's own machine, or a plan that the address names."""
    available = downloads.downloads()
    context = {
        "measured": measured_plan(request.GET),
        "fetch": {
            "downloads": downloads.offered(available),
            "installer": installer.installer(),
            "other_machines": join_names(downloads.not_built(available)) if available else "",
            "source_url": settings.SOURCE_URL,
        },
        "levels": [
            words.level_words(level) for level in ("imported", "signed", "witnessed", "placed")
        ],
    }
    return render(request, "pages/reading/measure.html", context)


@require_safe
def download(_request: HttpRequest, name: str) -> HttpResponseBase:
    """A binary of the agent, or the checksums of all."""
    path = downloads.path_of(name)
    if path is None:
        raise Http404("no such download")
    is_text = name == downloads.SUMS
    return FileResponse(
        path.open("rb"),
        as_attachment=not is_text,
        filename=name,
        content_type="text/plain; charset=utf-8" if is_text else "application/octet-stream",
    )


@require_safe
def install(_request: HttpRequest) -> HttpResponse:
    """The script that installs the agent: the same bytes for a browser and for curl."""
    found = installer.installer()
    if found is None:
        raise Http404("this site has no binary to install")
    headers = {"Cache-Control": f"public, max-age={INSTALLER_AGE_S}"}
    return HttpResponse(found.script, content_type="text/plain; charset=utf-8", headers=headers)


@require_safe
def method(request: HttpRequest) -> HttpResponse:
    """How it is measured, and what is not claimed."""
    context = {
        "method": read_method(get_language() or ""),
        "versions": versions(),
        "source_url": settings.SOURCE_URL,
    }
    return render(request, "pages/reading/method.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Who, why, with whose money, and what is stored."""
    contact = {"url": settings.SITE_CONTACT, "words": settings.SITE_CONTACT.partition(":")[2]}
    if settings.SITE_CONTACT.startswith("https:"):
        contact["words"] = contact["words"].removeprefix("//")
    context = {"contact": contact, "source_url": settings.SOURCE_URL}
    return render(request, "pages/reading/about.html", context)


def form_refused(request: HttpRequest, **_: str) -> HttpResponse:
    """Answer a form without its token: most often a browser that keeps no cookie. Status 403."""
    return render(request, "403_csrf.html", status=HTTPStatus.FORBIDDEN)


def failed(_request: HttpRequest) -> HttpResponse:
    """Answer for what raised: 503 while the database is away or too slow, else 500."""
    is_away = isinstance(sys.exc_info()[1], OperationalError | InterfaceError)
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_away else HTTPStatus.INTERNAL_SERVER_ERROR
    body = loader.render_to_string("500.html", {"is_away": is_away})  # no context of people
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)} if is_away else {}
    return HttpResponse(body, status=status, headers=headers)
