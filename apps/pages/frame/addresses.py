"""Addresses of a page: the canonical one, the same page in every language, and its JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse, translate_url
from django.utils.translation import get_language

TITLE_END: Final = " \u2013 Fsyncmark"
TAGS: Final = {"zh-hans": "zh-Hans"}  # Django's codes where BCP 47 writes them in another way
# What of a query makes another page. Filters and orders show the same board in another way, and
# search engines should know one of it; a later page of a list holds other rows.
PAGE_KEYS: Final = ("page",)
FIRST_PAGE: Final = {"page": "1"}
# Where programs find what a page shows, by the name of its view: the thing of the same name,
# or the whole list that a page is about.
OF_A_THING: Final = {
    "pages:plan": "api:plan",
    "pages:provider": "api:provider",
    "pages:drive": "api:drive",
    "pages:run": "api:run",
}
OF_A_LIST: Final = {
    "pages:home": "api:standings",
    "pages:rules": "api:rules",
    "pages:method": "api:methods",
    "pages:terms": "api:root",
    "pages:about": "api:root",
    "pages:unknown-drives": "api:drives",
    "developers:api": "api:root",
    "developers:reference": "api:schema",
}
# Files that take the query of their page.
WITH_QUERY: Final = {
    "pages:plans": "files:plans-json",
    "pages:providers": "files:providers-json",
    "pages:drives": "files:drives-json",
    "pages:runs": "files:runs-json",
    "pages:compare": "files:compare-json",
}


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the site, and this page in it."""

    code: str
    tag: str  # BCP 47
    name: str  # in itself
    url: str
    is_shown: bool


def tag_of(code: str) -> str:
    """The language tag of a code of Django's."""
    return TAGS.get(code, code)


def canonical_path(request: HttpRequest, keys: Sequence[str] | None = None) -> str:
    """The path and as much of the query as makes this page what it is."""
    page_keys = PAGE_KEYS if keys is None else keys
    pairs = [
        (key, value)
        for key in page_keys
        for value in request.GET.getlist(key)
        if value and FIRST_PAGE.get(key) != value
    ]
    return f"{request.path}?{urlencode(pairs, safe=':')}" if pairs else request.path


def canonical(request: HttpRequest, keys: Sequence[str] | None = None) -> str:
    """The canonical address in the language of the page."""
    return f"{settings.SITE_URL}{canonical_path(request, keys)}"


def alternates(request: HttpRequest, keys: Sequence[str] | None = None) -> list[tuple[str, str]]:
    """Pairs of language tag and canonical address; `x-default` is English."""
    path = canonical_path(request, keys)
    links = [
        (tag_of(code), f"{settings.SITE_URL}{translate_url(path, code)}")
        for code, _ in settings.LANGUAGES
    ]
    return [*links, ("x-default", f"{settings.SITE_URL}{translate_url(path, 'en')}")]


def in_languages(request: HttpRequest) -> list[Language]:
    """This page in every language, its whole query kept; a page that is not there: the first."""
    is_found = request.resolver_match is not None
    path = request.get_full_path() if is_found else request_home()
    return [
        Language(code, tag_of(code), name, translate_url(path, code), code == get_language())
        for code, name in settings.LANGUAGES
    ]


def request_home() -> str:
    """The first page in the language of the request."""
    return translate_url("/", get_language() or settings.LANGUAGE_CODE)


def twin_of(request: HttpRequest) -> str:
    """Return the path of a page's JSON; empty of a page that shows no figures."""
    match = request.resolver_match
    if match is None:
        return ""
    name = match.view_name
    if name in OF_A_THING:
        return reverse(OF_A_THING[name], args=[match.kwargs["slug"]])
    if name == "pages:run-workload":
        return reverse("api:run", args=[match.kwargs["slug"]])
    if name == "pages:rule":
        return f"{reverse('api:labels')}?rule={match.kwargs['rule_id']}"
    if name in WITH_QUERY:
        query = request.GET.urlencode(safe=":")
        return f"{reverse(WITH_QUERY[name])}?{query}" if query else reverse(WITH_QUERY[name])
    return reverse(OF_A_LIST[name]) if name in OF_A_LIST else ""
