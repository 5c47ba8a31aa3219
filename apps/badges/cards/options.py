"""What the query of a card's address may ask for. What it does not know gives the default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode

from apps.badges.cards.card import CardSize
from apps.badges.options import QUERY_CHARACTERS_MAX, BadgeTheme, known_value

if TYPE_CHECKING:
    from collections.abc import Sequence

ON_CHARACTERS_MAX = 4000  # of a comparison: six names of 160 characters, each escaped


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOptions:
    """How a card looks; the defaults are what an address without a query shows."""

    size: CardSize = CardSize.WIDE
    theme: BadgeTheme = BadgeTheme.AUTO

    @property
    def query(self) -> str:
        """The one spelling of these options: empty for the defaults, else without its `?`."""
        first = CardOptions()
        asked = {
            name: value.value
            for name, value in (("size", self.size), ("theme", self.theme))
            if value != getattr(first, name)
        }
        return urlencode(asked)


def card_options_of(query: str) -> CardOptions:
    """Return what the query of an address asks for; of a longer one nothing."""
    if len(query) > QUERY_CHARACTERS_MAX + ON_CHARACTERS_MAX:
        return CardOptions()
    asked = {name: values[-1] for name, values in parse_qs(query).items()}
    return CardOptions(
        size=known_value(asked.get("size", ""), CardSize.WIDE),
        theme=known_value(asked.get("theme", ""), BadgeTheme.AUTO),
    )


def compared_in(query: str) -> Sequence[str]:
    """Return what a comparison's address names, as it names it; of a longer one nothing."""
    if len(query) > QUERY_CHARACTERS_MAX + ON_CHARACTERS_MAX:
        return ()
    return tuple(dict.fromkeys(parse_qs(query).get("on", ())))
