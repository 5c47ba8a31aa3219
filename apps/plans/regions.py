"""Where machines are: the regions that providers name, their countries and groups.

A group is about a continent. People choose between groups, and prices and hardware differ between
them. `data/regions.csv` has the country and group of each name; other names have no group.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apps.plans.naming import provider_slug_of, slug_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

REGIONS_FILE: Final = Path(__file__).parent / "data" / "regions.csv"
# Slugs and names of the groups, in the order of menus.
GROUPS: Final[Mapping[str, str]] = {
    "europe": "Europe",
    "north-america": "North America",
    "south-america": "South America",
    "asia": "Asia",
    "oceania": "Oceania",
    "middle-east": "Middle East",
    "africa": "Africa",
}
_PLACES_CACHED: Final = 4_096  # names, which strangers write; clouds have some hundreds
_GROUPS_CACHED: Final = 512  # sets of groups of a provider, each with some 160 names
_EVERYWHERE: Final = "all"  # the region of a price that is the same in every region
_LIST: Final = re.compile(r"\s*(?:;|,|\band\b)\s*")  # between the regions of a plan
# Words for all regions of a provider, with the prefixes of regions that are not meant.
_ALL: Final[Mapping[str, tuple[str, ...]]] = {
    "all": (),
    "all regions": (),
    "all commercial regions": ("us-gov-", "cn-"),
}
# Suffixes with which providers name a part of a region. They are removed in this order, if the
# whole name is not known.
_PARTS: Final = tuple(
    re.compile(part)
    for part in (
        r"(?<=\d)[a-z]$",  # us-east-1a
        r"-[a-z]$",  # europe-west1-b
        r"-dc\d+$",  # fsn1-dc14
        r"-[a-z]{3}-\d[a-z]$",  # us-west-2-lax-1a
        r"-\d+$",  # fr-par-1
        r"\d+$",  # gra11
    )
)


@dataclass(frozen=True, slots=True)
class Place:
    """A region, a country or a group of countries; all fields are empty where nothing is known."""

    name: str = ""  # slug of the region; empty: no region in particular
    country: str = ""  # two letters of ISO 3166
    group: str = ""  # a key of GROUPS

    def covers(self, other: Place) -> bool:
        """Whether the other place lies completely in this one."""
        if self.name:
            return self.name == other.name
        if self.country:
            return self.country == other.country
        return bool(self.group) and self.group == other.group


NOWHERE: Final = Place()


class Fit(IntEnum):
    """How well the region of a price fits; higher is better."""

    ELSEWHERE = 0
    ANYWHERE = 1  # the price is stated without a region, or no region is asked for
    GROUP = 2  # of another country of the same group
    COUNTRY = 3  # of another region of the same country
    HERE = 4


class Offered(IntEnum):
    """Whether a plan is offered in a place; higher is more certain."""

    NO = 0
    UNSURE = 1  # its source leaves it open
    YES = 2


@lru_cache(maxsize=_PLACES_CACHED)
def place_of(text: str, *, provider: str = "") -> Place:
    """Return the place of a name that a person or a cloud uses; `provider` is a slug, or empty.

    Names of the provider come first, then countries, cities and groups, then names of other
    providers if all providers with that name mean the same place. An unknown place keeps its name,
    so that equal names are one place, and has neither country nor group.
    """
    name = _name_of(text)
    if not name:
        return NOWHERE
    tables = _tables()
    return (
        _look_up(name, tables.get(provider, {}) if provider else {})
        or tables[""].get(name)  # the whole name: "de" is a country and "de7" may be anything
        or _look_up(name, _unanimous())
        or Place(name)
    )


def is_place(text: str) -> bool:
    """Whether everybody, or some provider, has a place of that name."""
    return any(place_of(text, provider=provider).group for provider in _tables())


def is_region_of(text: str, *, provider: str) -> bool:
    """Whether a provider, by its slug, has a region of that name, or a zone in it."""
    place = _look_up(_name_of(text), _tables().get(provider, {}))
    return place is not None and bool(place.name)


def has_region(name: str, *, provider: str) -> bool:
    """Whether a provider, by its slug, calls a region exactly so."""
    place = _tables().get(provider, {}).get(name)
    return place is not None and bool(place.name)


@lru_cache(maxsize=_GROUPS_CACHED)
def names_elsewhere(groups: frozenset[str], *, provider: str) -> tuple[str, ...]:
    """Return the lower-case names of places that lie in none of these groups.

    They are names that everybody uses, those of a provider, by its slug, and the empty one where
    nothing is known. Names that only other providers use are not among them.
    """
    names = {""} | _tables()[""].keys() | _tables().get(provider, {}).keys()
    return tuple(
        sorted(name for name in names if place_of(name, provider=provider).group not in groups)
    )


def common_place(places: Iterable[Place]) -> Place:
    """Return the smallest place that holds all of these: a region, a country, a group."""
    distinct_places = set(places)
    if len(distinct_places) == 1:
        return distinct_places.pop()
    groups = {place.group for place in distinct_places}
    if len(groups) != 1:
        return NOWHERE
    countries = {place.country for place in distinct_places}
    return Place("", countries.pop() if len(countries) == 1 else "", groups.pop())


def region_fit(*, price_region: str, region: Place) -> Fit:
    """Return how a price's region ("DE; FI", "us-east-1", "") fits the place of a machine."""
    stated = price_region.strip().lower()
    if not stated or region == NOWHERE:
        return Fit.ANYWHERE
    if stated == _EVERYWHERE:
        return Fit.HERE
    return max(_fit(place_of(part), region) for part in stated.split(";"))


def offered_in(regions: str, *, region: Place, provider: str = "") -> Offered:
    """Return whether a plan is offered in a place, by the regions that its source states.

    `regions` is a list of names and prose ("DE; FI", "us-east-1 and others", "worldwide", ""),
    `provider` is the slug of its provider. Anything that is not certain is UNSURE: a country may
    mean another region in it, and "others" may be any.
    """
    if region == NOWHERE:
        return Offered.YES
    parts = [part for part in _LIST.split(regions.strip().lower()) if part] or [""]
    return max(_part_offered(part, region, provider) for part in parts)


def _part_offered(stated: str, region: Place, provider: str) -> Offered:
    if stated in _ALL:
        regions_of_provider = _tables().get(provider, {}).values()
        offered = (each for each in regions_of_provider if not each.name.startswith(_ALL[stated]))
        return Offered.YES if any(region.covers(each) for each in offered) else Offered.UNSURE
    place = place_of(stated, provider=provider)
    if place != NOWHERE and region.covers(place):
        return Offered.YES
    if not place.group or not region.group or place.covers(region):
        return Offered.UNSURE
    # Two names in one country can mean the same city, unless a provider uses both.
    is_near = region.name and place.name and region.country == place.country
    is_two = any({region.name, place.name} <= table.keys() for table in _tables().values())
    return Offered.UNSURE if is_near and not is_two else Offered.NO


def _fit(stated: Place, region: Place) -> Fit:
    if stated.covers(region):
        return Fit.HERE
    if stated.country and stated.country == region.country:
        return Fit.COUNTRY
    if stated.group and stated.group == region.group:
        return Fit.GROUP
    return Fit.ELSEWHERE


def _name_of(text: str) -> str:
    """Return a name as the tables have it: "Nürnberg" is nurnberg, "EU-West-1" is eu-west-1."""
    plain = unicodedata.normalize("NFKD", text)
    return slug_of("".join(each for each in plain if not unicodedata.combining(each)))


def _look_up(name: str, table: Mapping[str, Place]) -> Place | None:
    return next((table[each] for each in _with_less(name) if each in table), None)


def _with_less(name: str) -> Iterator[str]:
    """Yield the name, then without dashes ("west-europe"), then without each suffix of _PARTS."""
    yield name
    yield name.replace("-", "")
    for part in _PARTS:
        yield part.sub("", name)


@cache
def _tables() -> dict[str, dict[str, Place]]:
    """Return places by provider and name; names that everybody uses are under the provider ""."""
    tables: dict[str, dict[str, Place]] = defaultdict(dict)
    with REGIONS_FILE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, strict=True):
            name = _name_of(row["name"])
            place = Place(name if row["kind"] == "region" else "", row["country"], row["group"])
            tables[provider_slug_of(row["provider"])][name] = place
    return dict(tables)


@cache
def _unanimous() -> dict[str, Place]:
    """Return the places of names that mean the same for every provider that uses them.

    Names that everybody uses are left out: "mt" is Malta, whatever a provider calls so.
    """
    places_by_name: dict[str, set[Place]] = defaultdict(set)
    for provider, table in _tables().items():
        for name, place in table.items() if provider else ():
            if name not in _tables()[""]:
                places_by_name[name].add(place)
    return {name: next(iter(places)) for name, places in places_by_name.items() if len(places) == 1}
