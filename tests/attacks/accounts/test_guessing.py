"""Who has an account, and what opens it: no answer tells, and nothing is tried for ever."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from tests.support.accounts.people import (
    PASSWORD,
    add_totp,
    is_signed_in,
    last_mail,
    new_address,
    sign_in,
    totp_now,
)
from tests.support.caching import forget_cache

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
VARIES = re.compile(r'value="[^"]{64}"|person-\d+@example\.org|<input[^>]*name="csrf[^>]*>')
FORM = {"password1": "an entirely new phrase", "terms": "on"}


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_cache()


def try_from(client: Client, address: str) -> Any:
    """Try a password of somebody else each time, from an address that a header names."""
    form = {"login": new_address(), "password": "a wrong phrase"}
    return client.post("/account/login/", form, headers={"X-Forwarded-For": address})


def seen(answer: Any) -> tuple[int, str, str]:
    """What somebody outside sees of an answer."""
    body = VARIES.sub("", answer.content.decode())
    return answer.status_code, answer.headers.get("Location", ""), body


def test_sign_up_does_not_tell_who_has_an_account(person: User) -> None:
    fresh, known = Client(), Client()
    first = fresh.post("/account/signup/", {"email": new_address(), **FORM})
    second = known.post("/account/signup/", {"email": person.email, **FORM})
    assert first.status_code == HTTPStatus.FOUND
    assert seen(first) == seen(second)
    pages = [seen(each.get("/account/confirm-email/")) for each in (fresh, known)]
    assert pages[0] == pages[1]
    assert "You have an account already" in last_mail(person.email)


def test_sign_in_does_not_tell_who_has_an_account(person: User) -> None:
    nobody = User(email=new_address())
    answers = [seen(sign_in(Client(), each, "a wrong phrase")) for each in (person, nobody)]
    assert answers[0][0] == HTTPStatus.OK
    assert answers[0] == answers[1]


def test_a_reset_does_not_tell_who_has_an_account(person: User) -> None:
    pages = []
    for email in (person.email, new_address()):
        client = Client()
        first = client.post("/account/password/reset/", {"email": email})
        pages.append((seen(first), seen(client.get("/account/password/reset/confirm/"))))
    assert pages[0][0][0] == HTTPStatus.FOUND
    assert pages[0] == pages[1]
    assert len(mail.outbox) == 2, "a mail to one alone takes longer"


def test_a_change_of_address_does_not_tell_who_has_an_account(person: User, other: User) -> None:
    client = Client()
    sign_in(client, person)
    taken = client.post("/account/email/", {"email": other.email, "action_add": ""})
    forget_cache()
    free = client.post("/account/email/", {"email": new_address(), "action_add": ""})
    assert seen(taken) == seen(free)


def test_passwords_are_not_tried_for_ever_by_one_network(person: User) -> None:
    client = Client()
    answer = [sign_in(client, person, "a wrong phrase") for _ in range(10)][-1]
    assert b"Too many failed login attempts" in answer.content
    assert sign_in(client, person, PASSWORD).status_code == HTTPStatus.OK
    assert not is_signed_in(client)


def test_passwords_of_one_person_are_not_tried_by_many_networks(
    person: User, settings: Any
) -> None:
    settings.TRUSTED_PROXY_HOPS = 1
    client = Client()
    for place in range(10):
        form = {"login": person.email, "password": "a wrong phrase"}
        client.post("/account/login/", form, headers={"X-Forwarded-For": f"192.0.2.{place}"})
    answer = sign_in(client, person, PASSWORD)
    assert b"Too many failed login attempts" in answer.content
    assert not is_signed_in(client)


def test_a_forged_address_of_a_proxy_resets_no_limit(person: User) -> None:
    client = Client()
    answer = [try_from(client, f"192.0.2.{place}") for place in range(31)][-1]
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS


def test_neighbours_in_a_64_share_one_limit(settings: Any) -> None:
    settings.TRUSTED_PROXY_HOPS = 1
    client = Client()
    answer = [try_from(client, f"2001:db8:1:2::{place:x}") for place in range(31)][-1]
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert try_from(client, "2001:db8:1:3::1").status_code == HTTPStatus.OK


def test_a_code_of_a_sign_up_is_not_guessed(db: None) -> None:
    client = Client()
    client.post("/account/signup/", {"email": new_address(), **FORM})
    wrong = {"code": "BBBB-BBBB"}
    answer = [client.post("/account/confirm-email/", wrong) for _ in range(4)][-1]
    assert answer.status_code == HTTPStatus.FOUND, "the code still stands"
    assert not is_signed_in(client)


def test_a_code_of_a_reset_is_not_guessed(person: User) -> None:
    client = Client()
    client.post("/account/password/reset/", {"email": person.email})
    wrong = {"code": "BBBB-BBBB"}
    answer = [client.post("/account/password/reset/confirm/", wrong) for _ in range(4)][-1]
    assert answer.status_code == HTTPStatus.FOUND
    assert client.get("/account/password/reset/complete/").status_code == HTTPStatus.FOUND
    person.refresh_from_db()
    assert person.check_password(PASSWORD)


def test_a_second_factor_is_not_guessed(person: User) -> None:
    secret = add_totp(person)
    client = Client()
    sign_in(client, person)
    for _ in range(12):
        client.post("/account/factors/authenticate/", {"code": "000000"})
    client.post("/account/factors/authenticate/", {"code": totp_now(secret)})
    assert not is_signed_in(client)


def test_one_person_is_not_flooded_with_codes(person: User) -> None:
    for _ in range(8):
        Client().post("/account/password/reset/", {"email": person.email})
    assert len(mail.outbox) == 5
