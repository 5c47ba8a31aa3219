"""Addresses of a page: the canonical one, and the same page in every language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.translation import get_language

TITLE_END: Final = " \u2013 Fsyncmark"
TAGS: Final = {"zh-hans": "zh-Hans"}  # Django's codes where BCP 47 writes them in another way
# What of a query makes another page. Filters and orders show the same board in another way, and
# search engines should know one of it; a later page of a list holds other rows.
PAGE_KEYS: Final = ("page",)
FIRST_PAGE: Final = {"page": "1"}


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
