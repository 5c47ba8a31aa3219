"""The steps of a sign-in, and of what hurts: none of them is skipped, repeated or taken over."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from apps.accounts.models import EmailChange
from tests.support.accounts.people import (
    PASSWORD,
    add_totp,
    is_signed_in,
    last_mail,
    long_ago,
    new_address,
    own_run,
    sign_in,
    signed_in,
    totp_now,
    value_in_mail,
)
from tests.support.caching import forget_cache

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
NEW = "another good phrase"
ELSEWHERE = ["https://evil.example/", "//evil.example/", r"/\evil.example", "javascript:alert(1)"]


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_cache()


@pytest.mark.parametrize("address", ["/account/", "/account/data/", "/account/email/"])
def test_a_page_opened_before_the_second_factor_shows_nothing(person: User, address: str) -> None:
    add_totp(person)
    client = Client()
    sign_in(client, person)
    answer = client.get(address)
    assert answer.status_code == HTTPStatus.FOUND
    assert answer.headers["Location"].startswith("/account/login/")


def test_a_reset_does_not_skip_the_second_factor(person: User) -> None:
    add_totp(person)
    client = Client()
    client.post("/account/password/reset/", {"email": person.email})
    code = {"code": value_in_mail(person.email)}
    client.post("/account/password/reset/confirm/", code)
    passwords = {"password1": "an entirely new phrase", "password2": "an entirely new phrase"}
    client.post("/account/password/reset/complete/", passwords)
    person.refresh_from_db()
    assert person.check_password("an entirely new phrase")
    assert not is_signed_in(client)
    sign_in(client, person, "an entirely new phrase")
    assert not is_signed_in(client)


def test_a_code_of_an_app_is_good_once(person: User) -> None:
    code = {"code": totp_now(add_totp(person))}
    first, second = Client(), Client()
    for client in (first, second):
        sign_in(client, person)
        client.post("/account/factors/authenticate/", code)
    assert is_signed_in(first)
    assert not is_signed_in(second)


def test_a_recovery_code_is_good_once(person: User) -> None:
    add_totp(person)
    codes = Authenticator.objects.get(user=person, type="recovery_codes").wrap()
    code = {"code": codes.get_unused_codes()[0]}
    first, second = Client(), Client()
    for client in (first, second):
        sign_in(client, person)
        client.post("/account/factors/authenticate/", code)
    assert is_signed_in(first)
    assert not is_signed_in(second)


def test_a_fixed_session_is_not_that_of_who_signs_in(person: User) -> None:
    client = Client()
    client.get("/account/login/")
    session = client.session
    session["planted"] = "by somebody else"
    session.save()
    before = session.session_key or ""
    client.cookies["session"] = before
    sign_in(client, person)
    assert is_signed_in(client)
    assert client.session.session_key != before
    thief = Client()
    thief.cookies["session"] = before
    assert not is_signed_in(thief)


@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_sign_in_leads_nowhere_else(person: User, address: str) -> None:
    answer = sign_in(Client(), person, next=address)
    assert answer.status_code == HTTPStatus.FOUND
    assert answer.headers["Location"] == "/account/"


@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_sign_out_leads_nowhere_else(person: User, address: str) -> None:
    answer = signed_in(person).post("/account/logout/", {"next": address})
    assert answer.headers["Location"] == "/account/login/"


@pytest.mark.parametrize("address", ELSEWHERE)
def test_the_staff_sign_in_leads_nowhere_else(person: User, address: str) -> None:
    asked = Client().get("/staff/login/", {"next": address})
    client = Client()
    client.get(asked.headers["Location"])
    answer = client.post(
        asked.headers["Location"], {"login": person.email, "password": PASSWORD, "next": address}
    )
    assert answer.headers["Location"] == "/account/"


def test_a_get_signs_nobody_out(person: User) -> None:
    client = signed_in(person)
    client.get("/account/logout/")
    assert is_signed_in(client)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("pages:account-export", {}),
        ("pages:account-delete", {"runs": "go"}),
        ("account_email", {"email": "thief@example.org", "action_add": ""}),
        ("mfa_activate_totp", {"code": "000000"}),
        ("mfa_generate_recovery_codes", {}),
        ("mfa_add_webauthn", {"credential": "{}"}),
    ],
)
def test_an_old_session_does_nothing_that_hurts(
    person: User, name: str, form: dict[str, str]
) -> None:
    answer = long_ago(signed_in(person)).post(reverse(name), form)
    assert answer.status_code == HTTPStatus.FOUND
    assert answer.headers["Location"].startswith("/account/reauthenticate/")
    assert User.objects.filter(pk=person.pk).exists()


@pytest.mark.parametrize("act", ["release", "revoke"])
def test_an_old_session_gives_up_no_key(person: User, act: str) -> None:
    key = own_run(person).upload.key  # type: ignore[union-attr]  # made with one
    answer = long_ago(signed_in(person)).post(
        reverse(f"pages:account-key-{act}", args=[key.keyid]), {"reason": "stolen"}
    )
    assert answer.headers["Location"].startswith("/account/reauthenticate/")
    key.refresh_from_db()
    assert (key.owner, key.state) == (person, "claimed")


def test_a_session_ends_with_a_change_of_the_password(person: User) -> None:
    thief, owner = signed_in(person), signed_in(person)
    owner.post(
        "/account/password/change/",
        {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW},
    )
    assert thief.get("/account/").status_code == HTTPStatus.FOUND


def ask_for(client: Client, person: User, new: str) -> str:
    """Ask for a new address and verify it; return what the old one is sent."""
    client.post("/account/email/", {"email": new, "action_add": ""})
    client.post("/account/confirm-email/", {"code": value_in_mail(new)})
    return value_in_mail(person.email)


def test_a_new_address_alone_changes_nothing(person: User) -> None:
    new = new_address()
    ask_for(signed_in(person), person, new)
    assert "waits for a yes" not in last_mail(person.email)
    old = person.email
    person.refresh_from_db()
    assert person.email == old
    assert EmailChange.objects.get(user=person).email == new


def test_the_old_address_stops_a_change(person: User) -> None:
    client = signed_in(person)
    link = ask_for(client, person, new_address())
    path = link.removeprefix("http://127.0.0.1:8000")
    assert Client().post(path, {"stop": ""}).status_code == HTTPStatus.FOUND
    assert Client().post(path, {"confirm": ""}).status_code == HTTPStatus.NOT_FOUND
    assert client.post("/account/email/change/finish/").status_code == HTTPStatus.NOT_FOUND


def test_a_change_is_not_finished_before_its_week(person: User) -> None:
    client = signed_in(person)
    ask_for(client, person, new_address())
    assert client.post("/account/email/change/finish/").status_code == HTTPStatus.NOT_FOUND


def test_a_link_of_an_earlier_change_is_void(person: User) -> None:
    client = signed_in(person)
    first = ask_for(client, person, new_address())
    forget_cache()
    ask_for(client, person, new_address())
    path = first.removeprefix("http://127.0.0.1:8000")
    assert Client().get(path).status_code == HTTPStatus.NOT_FOUND


def test_a_provider_that_is_not_set_up_is_no_way_in(client: Client) -> None:
    for provider in ("github", "gitlab", "google"):
        for act in ("", "callback/"):
            answer = client.get(f"/account/{provider}/login/{act}")
            assert answer.status_code == HTTPStatus.NOT_FOUND
    assert client.post("/account/google/login/token/").status_code == HTTPStatus.NOT_FOUND
