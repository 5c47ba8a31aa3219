"""Whether a price that a source states for a region holds where a machine stands."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

# Locations of clouds whose price lists name countries.
_COUNTRY_OF_LOCATION: Final = {
    "ash": "US",
    "fsn1": "DE",
    "hel1": "FI",
    "hil": "US",
    "nbg1": "DE",
    "sin": "SG",
}
_ANYWHERE: Final = frozenset({"", "all"})


class Fit(IntEnum):
    """How well the region of a price fits; higher is better."""

    ELSEWHERE = 0
    ANYWHERE = 1  # the price is stated without a region, or no region is asked for
    HERE = 2


def region_fit(*, price_region: str, region: str) -> Fit:
    """Return how a price's region ("DE; FI", "us-east-1", "") fits the region of a machine."""
    if not region or price_region.strip().lower() in _ANYWHERE:
        return Fit.ANYWHERE
    stated = {_country(part) for part in price_region.split(";")}
    return Fit.HERE if _country(region) in stated else Fit.ELSEWHERE


def _country(region: str) -> str:
    region = region.strip()
    return _COUNTRY_OF_LOCATION.get(region.lower(), region).lower()
