"""What readers look for is counted of people who name or choose a thing, and orders what waits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from apps.interest.models import DailyInterest
from apps.plans.models import HOME_PROVIDER, Provider
from tests import make
from tests.pages.site import main
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    forget_cache()


@pytest.fixture
def _acme() -> None:
    owner = Provider.objects.create(slug="acme", name="Acme")
    for name in ("A1", "B2", "C3"):
        make.plan(provider=owner, slug=f"acme-{name.lower()}", name=name)
    make.drive_family(slug="d1", name="D1")
    make.drive_family(slug="d2", name="D2")


def totals() -> dict[str, int]:
    return dict(DailyInterest.objects.values_list("slug", "n"))


def tell(client: Client, thing: str, **headers: Any) -> None:
    assert client.post("/wanted/", {"thing": thing}, headers=headers).status_code == 204


@pytest.mark.usefixtures("_acme")
def test_a_page_of_results_that_names_one_thing_counts_it(client: Client) -> None:
    client.get("/search/?q=b2")
    client.get("/search/?q=b2")  # the same network within the hour
    client.get("/search/?q=acme+b2", REMOTE_ADDR="198.51.100.7")
    assert totals() == {"acme-b2": 2}


@pytest.mark.usefixtures("_acme")
def test_what_is_typed_on_the_way_and_what_programs_ask_is_not_counted(client: Client) -> None:
    client.get("/search/?q=b2", headers={"HX-Request": "true"})
    client.get("/search/?q=b2&as=list")
    client.head("/search/?q=b2")
    client.get("/search/?q=b2", headers={"User-Agent": "Somebot/1.0"})
    client.get("/search/?q=b")
    assert totals() == {}


@pytest.mark.usefixtures("_acme")
def test_what_was_chosen_or_copied_is_told_and_only_the_catalogue_counts(client: Client) -> None:
    tell(client, "drive:d1")
    tell(client, "plan:acme-c3", Sec_Fetch_Site="same-origin")
    tell(client, "plan:acme-a1", Sec_Fetch_Site="cross-site")
    home = make.provider(slug=HOME_PROVIDER, name="Home")
    make.plan(provider=home, slug="home-box", name="Box", is_listed=False)
    for thing in ("plan:home-box", "plan:none", "person:x", "plan:' or 1", "", "plan", "plan:\0"):
        tell(client, thing)
    assert totals() == {"d1": 1, "acme-c3": 1}
    assert client.get("/wanted/").status_code == 405


@pytest.mark.usefixtures("_acme")
@pytest.mark.parametrize(
    ("address", "first", "thing"),
    [
        ("/plans/", "/plans/acme-c3/", "plan:acme-c3"),
        ("/drives/", "/drives/d2/", "drive:d2"),
        ("/providers/acme/", "/plans/acme-c3/", "plan:acme-c3"),
    ],
)
def test_what_waits_for_a_first_run_is_in_the_order_of_what_is_looked_for(
    client: Client, address: str, first: str, thing: str
) -> None:
    tell(client, thing)
    page = main(client, address)
    waiting = page[page.index('id="needs"') :]
    assert re.findall(r'href="(/(?:plans|drives)/[^"/]+/)"', waiting)[0] == first
    assert "looked for 1 time" in waiting


@pytest.mark.usefixtures("_acme")
def test_providers_that_wait_are_in_that_order_too(client: Client) -> None:
    other = Provider.objects.create(slug="zeta", name="Zeta")
    make.plan(provider=other, slug="zeta-z1", name="Z1")
    tell(client, "provider:zeta")
    page = main(client, "/providers/")
    waiting = page[page.index('id="needs"') :]
    assert waiting.index("/providers/zeta/") < waiting.index("/providers/acme/")


@pytest.mark.usefixtures("_acme")
def test_results_options_and_commands_say_what_they_are_of(client: Client) -> None:
    assert 'data-wanted="plan:acme-b2"' in main(client, "/search/?q=b2")
    assert 'data-wanted="plan:acme-b2"' in client.get("/search/?q=b2&as=list").content.decode()
    assert 'data-wanted="plan:acme-b2"' in main(client, "/plans/acme-b2/")
    assert 'data-wanted="drive:d1"' in main(client, "/drives/d1/")


def test_the_page_on_privacy_says_what_is_counted(client: Client) -> None:
    assert "Daily totals</strong> of searches and copied commands" in main(client, "/privacy/")
