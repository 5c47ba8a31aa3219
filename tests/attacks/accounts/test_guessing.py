"""Who has an account, and what opens it: no answer tells, and nothing is tried for ever."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

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
    value_in_mail,
)
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from tests.attacks.conftest import Weakened

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


def sign_up(client: Client, email: str) -> Any:
    return client.post("/account/signup/", {"email": email, **FORM})


def test_sign_up_does_not_tell_who_has_an_account(person: User, weakened: Weakened) -> None:
    fresh, known = Client(), Client()
    first, second = sign_up(fresh, new_address()), sign_up(known, person.email)
    assert first.status_code == HTTPStatus.FOUND
    assert seen(first) == seen(second)
    pages = [seen(each.get("/account/confirm-email/")) for each in (fresh, known)]
    assert pages[0] == pages[1]
    assert "You have an account already" in last_mail(person.email)
    with weakened.with_words_about_accounts():
        assert seen(sign_up(Client(), new_address())) != seen(sign_up(Client(), person.email))


def test_sign_in_does_not_tell_who_has_an_account(person: User, weakened: Weakened) -> None:
    people = (person, User(email=new_address()))
    answers = [seen(sign_in(Client(), each, "a wrong phrase")) for each in people]
    assert answers[0][0] == HTTPStatus.OK
    assert answers[0] == answers[1]
    with weakened.with_words_about_accounts():
        answers = [seen(sign_in(Client(), each, "a wrong phrase")) for each in people]
    assert answers[0] != answers[1]


def reset(client: Client, email: str) -> Any:
    return client.post("/account/password/reset/", {"email": email})


def test_a_reset_does_not_tell_who_has_an_account(person: User, weakened: Weakened) -> None:
    pages = []
    for email in (person.email, new_address()):
        client = Client()
        first = reset(client, email)
        pages.append((seen(first), seen(client.get("/account/password/reset/confirm/"))))
    assert pages[0][0][0] == HTTPStatus.FOUND
    assert pages[0] == pages[1]
    assert len(mail.outbox) == 2, "a mail to one alone takes longer"
    with weakened.with_words_about_accounts():
        assert seen(reset(Client(), person.email)) != seen(reset(Client(), new_address()))


def answers_to_addresses(client: Client, *emails: str) -> list[tuple[int, str, str]]:
    answers = []
    for email in emails:
        forget_cache()
        answers.append(seen(client.post("/account/email/", {"email": email, "action_add": ""})))
    return answers


def test_a_change_of_address_does_not_tell_who_has_an_account(
    person: User, other: User, weakened: Weakened
) -> None:
    client = Client()
    sign_in(client, person)
    taken, free = answers_to_addresses(client, other.email, new_address())
    assert taken == free
    with weakened.with_words_about_accounts():
        taken, free = answers_to_addresses(client, other.email, new_address())
    assert taken != free


def test_passwords_are_not_tried_for_ever_by_one_network(person: User, weakened: Weakened) -> None:
    client = Client()
    answer = [sign_in(client, person, "a wrong phrase") for _ in range(9)][-1]
    assert b"Too many failed login attempts" in answer.content
    assert sign_in(client, person, PASSWORD).status_code == HTTPStatus.OK
    assert not is_signed_in(client)
    with weakened.without_limits_of_attempts():
        for _ in range(10):
            sign_in(client, person, "a wrong phrase")
        sign_in(client, person, PASSWORD)
    assert is_signed_in(client)


def try_from_many(client: Client, person: User) -> Any:
    """Try wrong passwords from ten networks, and then the right one."""
    for place in range(10):
        form = {"login": person.email, "password": "a wrong phrase"}
        client.post("/account/login/", form, headers={"X-Forwarded-For": f"192.0.2.{place}"})
    return sign_in(client, person, PASSWORD)


def test_passwords_of_one_person_are_not_tried_by_many_networks(
    person: User, settings: Any, weakened: Weakened
) -> None:
    settings.TRUSTED_PROXY_HOPS = 1
    client = Client()
    answer = try_from_many(client, person)
    assert b"Too many failed login attempts" in answer.content
    assert not is_signed_in(client)
    with weakened.without_limits_of_attempts():
        try_from_many(client, person)
    assert is_signed_in(client)


def test_a_forged_address_of_a_proxy_resets_no_limit(person: User, weakened: Weakened) -> None:
    client = Client()
    answer = [try_from(client, f"192.0.2.{place}") for place in range(31)][-1]
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    with weakened.with_forwarded_addresses():
        answers = {try_from(client, f"192.0.2.{place}").status_code for place in range(31)}
    assert answers == {HTTPStatus.OK}


def test_neighbours_in_a_64_share_one_limit(settings: Any, weakened: Weakened) -> None:
    settings.TRUSTED_PROXY_HOPS = 1
    client = Client()
    answer = [try_from(client, f"2001:db8:1:2::{place:x}") for place in range(31)][-1]
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert try_from(client, "2001:db8:1:3::1").status_code == HTTPStatus.OK
    with weakened.with_limits_by_address():
        answers = [try_from(client, f"2001:db8:1:4::{place:x}") for place in range(31)]
    assert {each.status_code for each in answers} == {HTTPStatus.OK}


def known_browser(person: User) -> Client:
    """Return a browser in which somebody signed in, and out again."""
    client = Client()
    sign_in(client, person)
    client.post("/account/logout/")
    assert not is_signed_in(client)
    return client


def test_a_neighbour_who_tries_without_end_keeps_nobody_out(
    person: User, weakened: Weakened
) -> None:
    client, neighbour = known_browser(person), Client()
    answer = [try_from(neighbour, "192.0.2.1") for _ in range(20)][-1]
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    with weakened.without_known_browsers():
        assert sign_in(client, person).status_code == HTTPStatus.TOO_MANY_REQUESTS
    sign_in(client, person)
    assert is_signed_in(client)


def test_a_stranger_who_knows_an_address_keeps_nobody_out(person: User, weakened: Weakened) -> None:
    client = known_browser(person)
    answer = [sign_in(Client(), person, "a wrong phrase") for _ in range(8)][-1]
    assert b"Too many failed login attempts" in answer.content
    with weakened.without_known_browsers():
        sign_in(client, person)
    assert not is_signed_in(client)
    sign_in(client, person)
    assert is_signed_in(client)


def test_a_browser_of_somebody_else_is_not_known(
    person: User, other: User, weakened: Weakened
) -> None:
    client = known_browser(other)
    for _ in range(8):
        sign_in(client, person, "a wrong phrase")
    sign_in(client, person)
    assert not is_signed_in(client)
    with weakened.with_browsers_of_everybody():
        sign_in(client, person)
    assert is_signed_in(client)


def test_a_known_browser_does_not_try_without_end(person: User, weakened: Weakened) -> None:
    client = known_browser(person)
    for _ in range(12):
        sign_in(client, person, "a wrong phrase")
    sign_in(client, person)
    assert not is_signed_in(client)
    with weakened.without_limits_of_attempts():
        sign_in(client, person)
    assert is_signed_in(client)


def guess(client: Client, address: str) -> Any:
    """Type four wrong codes; return the last answer."""
    return [client.post(address, {"code": "BBBB-BBBB"}) for _ in range(4)][-1]


def test_a_code_of_a_sign_up_is_not_guessed(db: None, weakened: Weakened) -> None:
    client = Client()
    sign_up(client, new_address())
    answer = guess(client, "/account/confirm-email/")
    assert answer.status_code == HTTPStatus.FOUND, "the code still stands"
    assert not is_signed_in(client)
    with weakened.with_codes_that_stand():
        sign_up(client, email := new_address())
        guess(client, "/account/confirm-email/")
        client.post("/account/confirm-email/", {"code": value_in_mail(email)})
    assert is_signed_in(client)


def test_a_code_of_a_reset_is_not_guessed(person: User, weakened: Weakened) -> None:
    client = Client()
    reset(client, person.email)
    answer = guess(client, "/account/password/reset/confirm/")
    assert answer.status_code == HTTPStatus.FOUND
    assert client.get("/account/password/reset/complete/").status_code == HTTPStatus.FOUND
    person.refresh_from_db()
    assert person.check_password(PASSWORD)
    with weakened.with_codes_that_stand():
        reset(client, person.email)
        guess(client, "/account/password/reset/confirm/")
        right = {"code": value_in_mail(person.email)}
        client.post("/account/password/reset/confirm/", right)
        assert client.get("/account/password/reset/complete/").status_code == HTTPStatus.OK


def guess_second_factor(client: Client, person: User, secret: str) -> None:
    """Sign in by password, type twelve wrong codes, and then the right one."""
    sign_in(client, person)
    for _ in range(12):
        client.post("/account/factors/authenticate/", {"code": "000000"})
    client.post("/account/factors/authenticate/", {"code": totp_now(secret)})


@pytest.mark.usefixtures("stopped_app_clock")
def test_a_second_factor_is_not_guessed(person: User, weakened: Weakened) -> None:
    secret = add_totp(person)
    client = Client()
    guess_second_factor(client, person, secret)
    assert not is_signed_in(client)
    with weakened.without_limits_of_attempts():
        guess_second_factor(client, person, secret)
    assert is_signed_in(client)


def test_one_person_is_not_flooded_with_codes(person: User, weakened: Weakened) -> None:
    for _ in range(8):
        reset(Client(), person.email)
    assert len(mail.outbox) == 5
    with weakened.without_limits_of_attempts():
        for _ in range(8):
            reset(Client(), person.email)
    assert len(mail.outbox) == 13
