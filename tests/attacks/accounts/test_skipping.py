"""The steps of a sign-in, and of what hurts: none of them is skipped, repeated or taken over."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from apps.accounts.models import EmailChange
from apps.accounts.people import ask_old_address, find_email_change, verified_address
from tests.attacks.weakened import changed
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

if TYPE_CHECKING:
    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
NEW = "another good phrase"
OTHER_SITES = ["https://evil.example/", "//evil.example/", r"/\evil.example"]
ELSEWHERE = [*OTHER_SITES, "javascript:alert(1)"]


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_cache()


@pytest.mark.parametrize("address", ["/account/", "/account/data/", "/account/email/"])
def test_a_page_opened_before_the_second_factor_shows_nothing(
    person: User, address: str, weakened: Weakened
) -> None:
    add_totp(person)
    client = Client()
    sign_in(client, person)
    answer = client.get(address)
    assert answer.status_code == HTTPStatus.FOUND
    assert answer.headers["Location"].startswith("/account/login/")
    with weakened.with_passwords_alone():
        sign_in(other := Client(), person)
        assert other.get(address).status_code == HTTPStatus.OK


def test_a_reset_does_not_skip_the_second_factor(person: User, weakened: Weakened) -> None:
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
    with weakened.with_passwords_alone():
        sign_in(other := Client(), person, "an entirely new phrase")
    assert is_signed_in(other)


def is_let_in(person: User, code: str) -> bool:
    """Whether somebody's password and this code sign in."""
    client = Client()
    sign_in(client, person)
    client.post("/account/factors/authenticate/", {"code": code})
    return is_signed_in(client)


@pytest.mark.usefixtures("stopped_app_clock")
def test_a_code_of_an_app_is_good_once(person: User, weakened: Weakened) -> None:
    code = totp_now(add_totp(person))
    assert is_let_in(person, code)
    assert not is_let_in(person, code)
    with weakened.with_codes_that_last():
        assert is_let_in(person, code)


def test_a_recovery_code_is_good_once(person: User, weakened: Weakened) -> None:
    add_totp(person)
    codes = Authenticator.objects.get(user=person, type="recovery_codes").wrap()
    code = codes.get_unused_codes()[0]
    assert is_let_in(person, code)
    assert not is_let_in(person, code)
    with weakened.with_codes_that_last():
        assert is_let_in(person, code)


def is_taken_over(person: User) -> bool:
    """Whether a session that was planted in somebody's browser is theirs after they sign in."""
    client = Client()
    client.get("/account/login/")
    session = client.session
    session["planted"] = "by somebody else"
    session.save()
    before = session.session_key or ""
    client.cookies["session"] = before
    sign_in(client, person)
    assert is_signed_in(client)
    thief = Client()
    thief.cookies["session"] = before
    return is_signed_in(thief)


def test_a_fixed_session_is_not_that_of_who_signs_in(person: User, weakened: Weakened) -> None:
    assert not is_taken_over(person)
    with weakened.with_sessions_that_stay():
        assert is_taken_over(person)


def led_to(answer: Any) -> str:
    return str(answer.headers["Location"])


@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_sign_in_leads_nowhere_else(person: User, address: str, weakened: Weakened) -> None:
    assert led_to(sign_in(Client(), person, next=address)) == "/account/"
    with weakened.with_ways_to_anywhere():
        assert led_to(sign_in(Client(), person, next=address)) == address


@pytest.mark.parametrize("address", OTHER_SITES)
def test_a_sign_out_leads_nowhere_else(person: User, address: str, weakened: Weakened) -> None:
    form = {"next": address}
    assert led_to(signed_in(person).post("/account/logout/", form)) == "/account/login/"
    with weakened.with_ways_to_anywhere():
        assert led_to(signed_in(person).post("/account/logout/", form)) == address


def sign_in_as_staff(person: User, address: str) -> Any:
    """Ask for the pages of staff, and sign in where that leads."""
    asked = Client().get("/staff/login/", {"next": address})
    client = Client()
    client.get(asked.headers["Location"])
    return client.post(
        asked.headers["Location"], {"login": person.email, "password": PASSWORD, "next": address}
    )


@pytest.mark.parametrize("address", ELSEWHERE)
def test_the_staff_sign_in_leads_nowhere_else(
    person: User, address: str, weakened: Weakened
) -> None:
    assert led_to(sign_in_as_staff(person, address)) == "/account/"
    with weakened.with_ways_to_anywhere():
        assert led_to(sign_in_as_staff(person, address)) == address


def test_a_get_signs_nobody_out(person: User, weakened: Weakened) -> None:
    client = signed_in(person)
    client.get("/account/logout/")
    assert is_signed_in(client)
    with weakened.with_links_as_forms():
        client.get("/account/logout/")
    assert not is_signed_in(client)


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
    person: User, name: str, form: dict[str, str], weakened: Weakened
) -> None:
    answer = long_ago(signed_in(person)).post(reverse(name), form)
    assert answer.status_code == HTTPStatus.FOUND
    assert answer.headers["Location"].startswith("/account/reauthenticate/")
    assert User.objects.filter(pk=person.pk).exists()
    with weakened.with_old_sessions():
        answer = long_ago(signed_in(person)).post(reverse(name), form)
    assert not answer.headers.get("Location", "").startswith("/account/reauthenticate/")
    assert User.objects.filter(pk=person.pk).exists() == (name != "pages:account-delete")


@pytest.mark.parametrize("act", ["release", "revoke"])
def test_an_old_session_gives_up_no_key(person: User, act: str, weakened: Weakened) -> None:
    key = own_run(person).upload.key  # type: ignore[union-attr]  # made with one
    address = reverse(f"pages:account-key-{act}", args=[key.keyid])
    answer = long_ago(signed_in(person)).post(address, {"reason": "stolen"})
    assert answer.headers["Location"].startswith("/account/reauthenticate/")
    key.refresh_from_db()
    assert (key.owner, key.state) == (person, "claimed")
    with weakened.with_old_sessions():
        long_ago(signed_in(person)).post(address, {"reason": "stolen"})
    key.refresh_from_db()
    assert (key.owner, key.state) != (person, "claimed")


def seen_by_thief(person: User, old: str, new: str) -> int:
    """What a session of before is answered after its owner changed the password."""
    thief, owner = Client(), Client()
    for client in (thief, owner):
        sign_in(client, person, old)
    form = {"oldpassword": old, "password1": new, "password2": new}
    assert owner.post("/account/password/change/", form).status_code == HTTPStatus.FOUND
    person.refresh_from_db()
    assert person.check_password(new)
    return thief.get("/account/").status_code


def test_a_session_ends_with_a_change_of_the_password(person: User, weakened: Weakened) -> None:
    assert seen_by_thief(person, PASSWORD, NEW) == HTTPStatus.FOUND
    with weakened.with_sessions_of_any_password():
        assert seen_by_thief(person, NEW, PASSWORD) == HTTPStatus.OK


def ask_for(client: Client, person: User, new: str) -> str:
    """Ask for a new address and verify it; return what the old one is sent."""
    client.post("/account/email/", {"email": new, "action_add": ""})
    client.post("/account/confirm-email/", {"code": value_in_mail(new)})
    return value_in_mail(person.email)


def test_a_new_address_alone_changes_nothing(person: User, weakened: Weakened) -> None:
    new = new_address()
    ask_for(signed_in(person), person, new)
    assert "waits for a yes" not in last_mail(person.email)
    old = person.email
    person.refresh_from_db()
    assert person.email == old
    assert EmailChange.objects.get(user=person).email == new
    with weakened.without_a_word_of_the_old_address():
        ask_for(signed_in(person), person, other := new_address())
    person.refresh_from_db()
    assert person.email == other


def stop_and_confirm(client: Client, person: User) -> int:
    """Ask for a new address; return what its link is answered once it was stopped."""
    forget_cache()
    link = ask_for(client, person, new_address())
    path = link.removeprefix("http://127.0.0.1:8000")
    assert Client().post(path, {"stop": ""}).status_code == HTTPStatus.FOUND
    return Client().post(path, {"confirm": ""}).status_code


def test_the_old_address_stops_a_change(person: User, weakened: Weakened) -> None:
    client = signed_in(person)
    assert stop_and_confirm(client, person) == HTTPStatus.NOT_FOUND
    assert client.post("/account/email/change/finish/").status_code == HTTPStatus.NOT_FOUND
    with weakened.with_a_no_that_is_not_heard():
        assert stop_and_confirm(client, person) == HTTPStatus.FOUND


def confirm_while_stopped(person: User, new: str) -> int:
    """Confirm a change that is stopped once the answer to it has begun."""
    token = ask_old_address(person, new)

    def found(token: str) -> EmailChange | None:
        change = find_email_change(token)
        EmailChange.objects.all().delete()
        return change

    with changed(("apps.pages.account.email_views.find_email_change", found)):
        return Client().post(f"/account/email/change/{token}/", {"confirm": ""}).status_code


def test_a_change_that_is_stopped_at_the_same_time_is_not_finished(
    person: User, weakened: Weakened
) -> None:
    old, new = person.email, new_address()
    assert confirm_while_stopped(person, new) == HTTPStatus.NOT_FOUND
    person.refresh_from_db()
    assert (person.email, verified_address(person)) == (old, old)
    with weakened.with_changes_as_found():
        assert confirm_while_stopped(person, new) == HTTPStatus.FOUND
    person.refresh_from_db()
    assert person.email == new


def test_a_change_is_not_finished_before_its_week(person: User, weakened: Weakened) -> None:
    client = signed_in(person)
    ask_for(client, person, new := new_address())
    assert client.post("/account/email/change/finish/").status_code == HTTPStatus.NOT_FOUND
    with weakened.without_the_week_of_the_old_address():
        client.post("/account/email/change/finish/")
    person.refresh_from_db()
    assert person.email == new


def first_of_two_links(client: Client, person: User) -> int:
    """Ask for a new address twice; return what the link of the first is answered."""
    forget_cache()
    first = ask_for(client, person, new_address())
    forget_cache()
    ask_for(client, person, new_address())
    return Client().get(first.removeprefix("http://127.0.0.1:8000")).status_code


def test_a_link_of_an_earlier_change_is_void(person: User, weakened: Weakened) -> None:
    client = signed_in(person)
    assert first_of_two_links(client, person) == HTTPStatus.NOT_FOUND
    with weakened.with_tokens_that_repeat():
        assert first_of_two_links(client, person) == HTTPStatus.OK


def test_a_provider_that_is_not_set_up_is_no_way_in(client: Client, weakened: Weakened) -> None:
    for provider in ("github", "gitlab", "google"):
        for act in ("", "callback/"):
            answer = client.get(f"/account/{provider}/login/{act}")
            assert answer.status_code == HTTPStatus.NOT_FOUND
    assert client.post("/account/google/login/token/").status_code == HTTPStatus.NOT_FOUND
    with weakened.with_providers():
        for provider in ("github", "gitlab", "google"):
            answer = client.post(f"/account/{provider}/login/")
            assert led_to(answer).startswith("https://")
