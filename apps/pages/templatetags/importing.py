"""How the figures of an imported output are listed: in the order in which they stand in it."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def by_line(figures: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Names and figures by their lines; a database keeps no order of members."""
    return sorted(figures.items(), key=lambda each: (each[1]["line"], each[0]))
