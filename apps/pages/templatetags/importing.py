"""What templates say of imported outputs: their tools, and their figures by line."""

from collections.abc import Mapping
from typing import Any

from django import template

from apps.words.imports import TOOLS_IN_WORDS

register = template.Library()


@register.simple_tag
def imported_tools() -> str:
    """The tools whose outputs are read, as a sentence lists them."""
    return str(TOOLS_IN_WORDS)


@register.filter
def by_line(figures: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Names and figures by their lines; a database keeps no order of members."""
    return sorted(figures.items(), key=lambda each: (each[1]["line"], each[0]))
