"""What the query of a badge's address may ask for. What it does not know gives the default.

A badge is never an error, since nobody sees one behind an image; and the same question has one
spelling, so that a cache holds no more pictures than there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qs, urlencode

from apps.badges.drawing.text import NAME_CHARACTERS_MAX, clean

if TYPE_CHECKING:
    from collections.abc import Mapping

QUERY_CHARACTERS_MAX = 1000  # all four options with a label in any script are shorter


@unique
class BadgeMetric(StrEnum):
    """Which figure is shown."""

    FSYNC = "fsync"  # durable commits a second
    P99 = "p99"
    COST = "cost"
    TIER = "tier"


@unique
class BadgeStyle(StrEnum):
    """How it is drawn."""

    AXIS = "axis"
    FLAT = "flat"
    FLAT_SQUARE = "flat-square"
    FOR_THE_BADGE = "for-the-badge"


@unique
class BadgeTheme(StrEnum):
    """The ground of the left part; auto follows the reader."""

    DARK = "dark"
    LIGHT = "light"
    AUTO = "auto"


_Option = TypeVar("_Option", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeOptions:
    """What is asked for; the defaults are what an address without a query shows."""

    metric: BadgeMetric = BadgeMetric.FSYNC
    style: BadgeStyle = BadgeStyle.AXIS
    theme: BadgeTheme = BadgeTheme.DARK
    label: str = ""  # instead of the name, spelt with the alphabet of badges

    @property
    def query(self) -> str:
        """The one spelling of these options: empty for the defaults, else without its `?`."""
        named = {"metric": self.metric, "style": self.style, "theme": self.theme}
        asked = {name: value.value for name, value in named.items() if value != _FIRST[name]}
        return urlencode(asked | ({"label": self.label} if self.label else {}))


_FIRST: Mapping[str, StrEnum] = {
    "metric": BadgeMetric.FSYNC, "style": BadgeStyle.AXIS, "theme": BadgeTheme.DARK,
}  # fmt: skip


def read_options(asked: Mapping[str, str]) -> BadgeOptions:
    """Return what is asked for; unknown values are the defaults, unknown names nothing."""
    return BadgeOptions(
        metric=known_value(asked.get("metric", ""), BadgeMetric.FSYNC),
        style=known_value(asked.get("style", ""), BadgeStyle.AXIS),
        theme=known_value(asked.get("theme", ""), BadgeTheme.DARK),
        label=clean(
            asked.get("label", "")[:QUERY_CHARACTERS_MAX], characters_max=NAME_CHARACTERS_MAX
        ),
    )


def options_of(query: str) -> BadgeOptions:
    """Return what the query of an address asks for; of a longer one nothing."""
    if len(query) > QUERY_CHARACTERS_MAX:
        return BadgeOptions()
    return read_options({name: values[-1] for name, values in parse_qs(query).items()})


def known_value(value: str, default: _Option) -> _Option:
    """Return the option of this spelling, or the default."""
    return next((each for each in type(default) if each.value == value), default)
