"""What the search and the sitemap know of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext

from apps.pages.frame.search_entries import Page
from apps.pages.frame.sitemap import SitePage
from apps.runs.rules import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterator


def rules_index() -> Iterator[Page]:
    """Each rule, by its id and its sentence."""
    for rule in TABLE:
        address = reverse("pages:rule", args=[rule.id])
        yield Page(str(rule.text), address, gettext("a rule"), rule.id)


def rule_pages() -> list[SitePage]:
    """Each rule, for the sitemap."""
    return [SitePage("rule", rule.id) for rule in TABLE]
