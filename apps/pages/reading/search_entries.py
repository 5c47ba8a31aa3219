"""What the search knows of the method: each of its sections and of their parts."""

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
    """Each section of the method by its text, and each part by its heading: its text answers."""
    address = reverse("pages:method")
    method = read_method(get_language() or settings.LANGUAGE_CODE)
    is_what = gettext("a section of the method")
    for each in method.sections:
        yield Page(each.title, f"{address}#{each.anchor}", is_what, "", each.text)
    for each in method.parts:
        called = each.anchor.replace("-", " ")
        yield Page(each.title, f"{address}#{each.anchor}", is_what, called, answer=each.text)
