"""Where regions lie, which names mean them, and which prices hold there."""

from __future__ import annotations

import csv

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.plans.catalogue import read_plans, read_prices, read_providers
from apps.plans.naming import slug_of
from apps.plans.regions import (
    GROUPS,
    NOWHERE,
    REGIONS_FILE,
    Fit,
    Place,
    common_place,
    is_region_of,
    names_elsewhere,
    place_of,
    region_fit,
)

FALKENSTEIN = Place("fsn1", "DE", "europe")
HELSINKI = Place("hel1", "FI", "europe")
GERMANY = Place("", "DE", "europe")


def rows() -> list[dict[str, str]]:
    with REGIONS_FILE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


def test_a_country_is_in_one_group_and_every_region_in_a_known_country() -> None:
    group_of = {row["name"]: row["group"] for row in rows() if row["kind"] == "country"}
    for row in rows():
        assert row["group"] in GROUPS, row
        if row["kind"] != "group":
            assert group_of[row["country"]] == row["group"], row


def test_every_provider_is_one_of_the_catalogue_and_no_name_stands_twice() -> None:
    known = {provider.slug for provider in read_providers()}
    named = [(slug_of(row["provider"]), row["name"].lower()) for row in rows()]
    assert {provider for provider, _ in named} - {""} <= known
    assert len(set(named)) == len(named)


def test_every_region_of_a_shipped_price_is_known() -> None:
    parts = {
        part.strip()
        for price in read_prices()
        for part in price.region.split(";")
        if price.region not in ("", "all")
    }
    assert len(parts) > 10
    assert not {part for part in parts if not place_of(part).group}


def test_every_two_letters_in_the_regions_of_plans_are_known() -> None:
    parts = {part.strip() for plan in read_plans() for part in plan.regions.split(";")}
    countries = {part for part in parts if len(part) == 2}
    assert {"DE", "FI", "UK", "EU"} <= countries
    assert not {part for part in countries if not place_of(part).group}


@pytest.mark.parametrize(
    ("provider", "text", "place"),
    [
        ("hetzner", "fsn1", FALKENSTEIN),
        ("hetzner", "FSN1-DC14", FALKENSTEIN),
        ("aws", "us-east-1", Place("us-east-1", "US", "north-america")),
        ("aws", "us-east-1a", Place("us-east-1", "US", "north-america")),
        ("aws", "us-west-2-lax-1a", Place("us-west-2", "US", "north-america")),
        ("aws", "ap-southeast-2", Place("ap-southeast-2", "AU", "oceania")),
        ("google-cloud", "europe-west1-b", Place("europe-west1", "BE", "europe")),
        ("google-cloud", "me-west1", Place("me-west1", "IL", "middle-east")),
        ("microsoft-azure", "West Europe", Place("westeurope", "NL", "europe")),
        ("microsoft-azure", "southafricanorth", Place("southafricanorth", "ZA", "africa")),
        ("digitalocean", "nyc1", Place("nyc1", "US", "north-america")),
        ("ovhcloud", "GRA11", Place("gra", "FR", "europe")),
        ("ovhcloud", "BHS", Place("bhs", "CA", "north-america")),
        ("scaleway", "fr-par-1", Place("fr-par", "FR", "europe")),
        ("vultr", "sao", Place("sao", "BR", "south-america")),
        ("ionos", "de/fra", Place("de-fra", "DE", "europe")),
        ("netcup", "Nürnberg", Place("nurnberg", "DE", "europe")),
        ("home", "DE", GERMANY),
        ("home", " germany ", GERMANY),
        ("home", "UK", Place("", "GB", "europe")),
        ("home", "USA", Place("", "US", "north-america")),
        ("contabo", "EU", Place("", "", "europe")),
        ("", "us-east-1", Place("us-east-1", "US", "north-america")),  # nobody else has another
        ("home", "garden", Place("garden")),
        ("hetzner", "", NOWHERE),
        ("hetzner", " - ", NOWHERE),
    ],
)
def test_a_name_means_a_place(provider: str, text: str, place: Place) -> None:
    assert place_of(text, provider=provider) == place


def test_a_provider_may_mean_another_place_than_everybody() -> None:
    assert place_of("ch", provider="equinix-metal").country == "US"  # Chicago
    assert place_of("ch").country == "CH"


def test_the_name_of_a_country_is_not_guessed_from_a_longer_one() -> None:
    assert place_of("in7", provider="home") == Place("in7")


@given(st.text(max_size=200), st.sampled_from(["", "aws", "hetzner", "nobody"]))
@example(text="M:T", provider="")
def test_any_text_is_a_place_and_the_same_one_again(text: str, provider: str) -> None:
    place = place_of(text, provider=provider)
    assert place.group in ("", *GROUPS)
    if place.name:
        assert place_of(place.name, provider=provider) == place


@pytest.mark.parametrize("provider", ["", "aws", "hetzner", "nobody"])
@pytest.mark.parametrize("group", ["", *GROUPS])
def test_no_name_elsewhere_lies_in_the_group(group: str, provider: str) -> None:
    names = names_elsewhere(frozenset({group}), provider=provider)
    assert {"us", "de", ""} - set(names) == {
        "north-america": {"us"}, "europe": {"de"}, "": {""}
    }.get(group, set())  # fmt: skip
    for name in names:
        for text in (name, name.upper()):
            assert place_of(text, provider=provider).group != group, text


@pytest.mark.parametrize(
    ("places", "common"),
    [
        ([FALKENSTEIN, FALKENSTEIN], FALKENSTEIN),
        ([FALKENSTEIN, Place("nbg1", "DE", "europe")], GERMANY),
        ([FALKENSTEIN, HELSINKI], Place("", "", "europe")),
        ([FALKENSTEIN, Place("ash", "US", "north-america")], NOWHERE),
        ([Place("garden"), NOWHERE], NOWHERE),
        ([], NOWHERE),
    ],
)
def test_the_smallest_place_that_holds_all(places: list[Place], common: Place) -> None:
    assert common_place(places) == common


@pytest.mark.parametrize(
    ("price_region", "region", "fit"),
    [
        ("DE; FI", FALKENSTEIN, Fit.HERE),
        ("DE; FI", HELSINKI, Fit.HERE),
        ("DE; FI", place_of("ash"), Fit.ELSEWHERE),
        ("fsn1", FALKENSTEIN, Fit.HERE),
        ("fsn1", place_of("nbg1"), Fit.COUNTRY),
        ("fsn1", GERMANY, Fit.COUNTRY),
        ("fsn1", HELSINKI, Fit.GROUP),
        ("fsn1", place_of("EU"), Fit.GROUP),
        ("EU", HELSINKI, Fit.HERE),
        ("us-east-1", place_of("US-East-1"), Fit.HERE),
        ("us-east-1", place_of("us-west-2"), Fit.COUNTRY),
        ("us-east-1", place_of("eu-central-1"), Fit.ELSEWHERE),
        ("zone 7", place_of("Zone-7"), Fit.HERE),
        ("zone 7", place_of("zone-8"), Fit.ELSEWHERE),
        ("", place_of("eu-central-1"), Fit.ANYWHERE),
        ("all", FALKENSTEIN, Fit.HERE),
        ("DE", NOWHERE, Fit.ANYWHERE),
    ],
)
def test_a_price_holds_in_its_regions(price_region: str, region: Place, fit: Fit) -> None:
    assert region_fit(price_region=price_region, region=region) is fit


@pytest.mark.parametrize(
    ("text", "provider", "is_one"),
    [
        ("fsn1", "hetzner", True), ("fsn1-dc14", "hetzner", True), ("FSN1", "hetzner", True),
        ("us-east-1", "hetzner", False), ("DE", "hetzner", False), ("", "hetzner", False),
        ("us-east-1a", "aws", True), ("us-central1-f", "google-cloud", True),
        ("fsn1", "nobody", False),
    ],
)  # fmt: skip
def test_a_region_is_of_a_provider_only_by_its_own_names(
    text: str, provider: str, *, is_one: bool
) -> None:
    assert is_region_of(text, provider=provider) is is_one
