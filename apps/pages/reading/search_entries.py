"""What the search knows of the method: each of its sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, gettext

from apps.pages.frame.search_entries import Page
from apps.pages.reading.method import read_method

if TYPE_CHECKING:
    from collections.abc import Iterator


def method_index() -> Iterator[Page]:
    """Each section of the method, by its text."""
    method = reverse("pages:method")
    for section in read_method(get_language() or settings.LANGUAGE_CODE).sections:
        address = f"{method}#{section.anchor}"
        yield Page(section.title, address, gettext("a section of the method"), "", section.text)
