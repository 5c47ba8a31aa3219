"""The page on which a person gets a badge of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.credit.names import choose_name, name_of
from tests import make
from tests.support.accounts.people import signed_in
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_cache()


def test_a_person_is_named_when_they_say_so_and_no_longer_when_they_say_so(person: User) -> None:
    client, address = signed_in(person), reverse("pages:account-badge")
    assert "/badge/by/" not in client.get(address).text
    client.post(address, {"name": "Ada-L"})
    assert name_of(person) == "ada-l"
    shown = client.get(address).text
    for words in ("/badge/by/ada-l.svg", "reStructuredText", "Typst", "measured by ada-l"):
        assert words in shown
    assert "card-480x160" not in shown  # there is no card of a person
    client.post(address, {"name": ""})
    assert name_of(person) == ""


def test_a_name_that_is_not_to_be_had_is_refused_in_words(person: User) -> None:
    make.plan(slug="x1", provider=make.provider(slug="hetzner"))
    client, address = signed_in(person), reverse("pages:account-badge")
    for name in ("hetzner-ops", "staff", "a b"):
        assert "not to be had" in client.post(address, {"name": name}).text
    assert name_of(person) == ""


def test_the_page_of_badges_knows_a_person_by_their_name_alone(
    client: Client, person: User
) -> None:
    choose_name(person, "ada")
    shown = client.get("/embed/?of=by:ada&style=card-480x160&metric=cost").text
    assert 'src="/badge/by/ada.svg"' in shown
    assert "/badge/by/" not in client.get("/embed/?q=ada").text
    assert "/badge/by/" not in client.get("/embed/?of=by:bob").text
