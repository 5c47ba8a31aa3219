"""A kit with a ticket: for who is signed in, once, and nowhere else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
import yaml
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Ticket, token_sha256
from tests.pages.reading.kits.places import KitTexts, offer, rented_plan
from tests.pages.reading.kits.test_texts import check_shell
from tests.support.accounts.people import signed_in
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

TICKET: Final = re.compile(r"\n( *)export FSYNCMARK_TICKET='(t_[\w-]{16})'\n")


@pytest.fixture(autouse=True)
def address(tmp_path: Path, settings: Settings) -> str:
    offer(tmp_path / "dist", settings)
    forget_cache()
    plan = rented_plan("hetzner")
    return f"{reverse('pages:ticket-new')}?plan={plan.slug}&region=fsn1"


@pytest.mark.parametrize(("text", "name"), [("script", "sh"), ("user-data", "yaml")])
def test_the_file_is_the_public_text_with_one_line_more(
    person: User, address: str, tmp_path: Path, text: str, name: str
) -> None:
    answer = signed_in(person).post(address, {"text": text})
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="hetzner-x-fsn1.{name}"'
    )
    found = TICKET.search(answer.text)
    assert found
    ticket = Ticket.objects.get()
    assert (ticket.user, ticket.plan, ticket.region) == (person, "hetzner-x", "fsn1")
    assert ticket.token_sha256 == token_sha256(found[2])
    assert TICKET.sub("\n", answer.text) == KitTexts(Client(), "hetzner").text(name)
    if name == "sh":
        file = tmp_path / "kit.sh"
        file.write_text(answer.text, encoding="utf-8")
        check_shell(file)
    else:
        yaml.safe_load(answer.text)


def test_looking_makes_no_ticket_and_strangers_are_asked_who_they_are(
    person: User, address: str
) -> None:
    shown = signed_in(person).get(address)
    assert "hetzner-x-fsn1.sh" in shown.text
    assert "t_" not in shown.text.replace("csrf", "").replace("_t_", "")
    assert (
        Client().post(address, {"text": "script"}).headers["Location"].startswith("/account/login/")
    )
    assert not Ticket.objects.exists()


def test_the_page_for_everybody_leads_there_and_has_none(client: Client, address: str) -> None:
    shown = client.get("/measure/?plan=hetzner-x&region=fsn1")
    assert address.replace("&", "&amp;") in shown.text
    assert "FSYNCMARK_TICKET" not in shown.text
    assert "public" in shown.headers["Cache-Control"]
    assert "csrf" not in shown.text


@pytest.mark.parametrize("query", ["", "?plan=nothing", "?plan=hetzner-x\0"])
def test_what_nobody_rents_has_no_ticket(person: User, query: str) -> None:
    address = reverse("pages:ticket-new") + query
    status = signed_in(person).post(address, {"text": "script"}).status_code
    assert status == (200 if "\0" in query else 404)


def test_another_text_is_none(person: User, address: str) -> None:
    assert signed_in(person).post(address, {"text": "kubernetes"}).status_code == 404
    assert not Ticket.objects.exists()
