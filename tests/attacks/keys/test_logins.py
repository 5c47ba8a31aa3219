"""Attempts on the device login: guessed and stolen codes, phished approvals, foreign devices."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.accounts import attempts
from apps.accounts.models import AgentKey, Attempt, KeyLogin
from apps.accounts.services import claim_key, revoke_key
from tests import make
from tests.attacks.keys.conftest import owner_of, signed_in, slug_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.attacks.conftest import Weakened
    from tests.attacks.keys.conftest import World

pytestmark = [pytest.mark.attack, pytest.mark.django_db]

GUESSES = 12
LINK, KEY = "/account/link/", "/account/link/key/"


def approve(browser: Client, code: str) -> int:
    browser.post(LINK, {"code": code})
    return browser.post(KEY, {"decision": "approve"}).status_code


def test_a_login_that_the_key_has_not_signed_cannot_be_approved(
    weakened: Weakened, world: World, owner: User
) -> None:
    codes = world.login(proved=False)
    assert approve(signed_in(owner), codes["user_code"]) == 302
    assert owner_of(world.agent) is None
    with weakened.with_unproved_logins():
        assert approve(signed_in(owner), codes["user_code"]) == 200
    assert owner_of(world.agent) == owner


def test_another_key_does_not_prove_a_login(weakened: Weakened, world: World, owner: User) -> None:
    codes = world.login(proved=False)
    assert world.poll(world.attacker, codes["device_code"]).json()["state"] == "expired"
    assert KeyLogin.objects.get().proved_at is None
    assert approve(signed_in(owner), codes["user_code"]) == 302
    with weakened.with_logins_of_any_key():
        world.poll(world.attacker, codes["device_code"])
    assert approve(signed_in(owner), codes["user_code"]) == 200


def test_a_poll_in_the_name_of_another_key_is_refused(weakened: Weakened, world: World) -> None:
    codes = world.login(proved=False)
    answer = world.poll(world.attacker, codes["device_code"], keyid=world.agent.keyid)
    assert slug_of(answer) == "keyid-mismatch"
    assert KeyLogin.objects.get().proved_at is None
    with weakened.without_signer_checks(), weakened.with_logins_of_any_key():
        world.poll(world.attacker, codes["device_code"], keyid=world.agent.keyid)
    assert KeyLogin.objects.get().proved_at


def test_a_foreign_device_code_is_answered_as_one_that_never_was(
    weakened: Weakened, world: World
) -> None:
    codes = world.login()
    foreign = world.poll(world.attacker, codes["device_code"])
    never = world.poll(world.attacker, "A" * 22)
    assert (foreign.status_code, foreign.content) == (never.status_code, never.content)
    with weakened.with_logins_of_any_key():
        assert world.poll(world.attacker, codes["device_code"]).content != never.content


def test_a_user_code_is_no_device_code(weakened: Weakened, world: World) -> None:
    codes = world.login()
    assert world.poll(world.agent, codes["user_code"]).json()["state"] == "expired"
    with weakened.with_user_codes_for_devices(), weakened.with_polls_at_any_time():
        assert world.poll(world.agent, codes["user_code"]).json()["state"] == "pending"


def test_a_replayed_login_code_claims_nothing(
    weakened: Weakened, world: World, owner: User, mallory: User
) -> None:
    codes = world.login()
    assert approve(signed_in(owner), codes["user_code"]) == 200
    assert approve(signed_in(mallory), codes["user_code"]) == 302
    assert owner_of(world.agent) == owner
    with weakened.with_decided_logins(), weakened.without_owner_checks():
        assert approve(signed_in(mallory), codes["user_code"]) == 200
    assert owner_of(world.agent) == mallory


def test_a_denied_code_cannot_be_approved(
    weakened: Weakened, world: World, owner: User, mallory: User
) -> None:
    codes = world.login()
    browser = signed_in(owner)
    browser.post(LINK, {"code": codes["user_code"]})
    browser.post(KEY, {"decision": "deny"})
    assert approve(signed_in(mallory), codes["user_code"]) == 302
    assert owner_of(world.agent) is None
    with weakened.with_decided_logins():
        assert approve(signed_in(mallory), codes["user_code"]) == 200
    assert owner_of(world.agent) == mallory


def test_an_expired_code_links_nothing(weakened: Weakened, world: World, owner: User) -> None:
    codes = world.login()
    KeyLogin.objects.update(not_after=make.NOON)
    assert approve(signed_in(owner), codes["user_code"]) == 302
    assert owner_of(world.agent) is None
    with weakened.with_expired_logins():
        assert approve(signed_in(owner), codes["user_code"]) == 200
    assert owner_of(world.agent) == owner


def test_a_code_that_expires_before_the_press_links_nothing(
    weakened: Weakened, world: World, owner: User
) -> None:
    codes = world.login()
    browser = signed_in(owner)
    browser.post(LINK, {"code": codes["user_code"]})
    KeyLogin.objects.update(not_after=make.NOON)
    assert browser.post(KEY, {"decision": "approve"}).status_code == 302
    assert owner_of(world.agent) is None
    with weakened.with_expired_logins():
        browser.post(LINK, {"code": codes["user_code"]})
        assert browser.post(KEY, {"decision": "approve"}).status_code == 200
    assert owner_of(world.agent) == owner


def test_a_press_without_a_code_links_nothing(
    weakened: Weakened, world: World, mallory: User
) -> None:
    world.login()
    assert signed_in(mallory).post(KEY, {"decision": "approve"}).status_code == 302
    assert owner_of(world.agent) is None
    with weakened.with_logins_of_no_session():
        assert signed_in(mallory).post(KEY, {"decision": "approve"}).status_code == 200
    assert owner_of(world.agent) == mallory


def test_a_get_links_nothing(weakened: Weakened, world: World, owner: User) -> None:
    codes = world.login()
    browser = signed_in(owner)
    browser.get(f"{LINK}?code={codes['user_code']}")
    browser.post(LINK, {"code": codes["user_code"]})
    browser.get(f"{KEY}?decision=approve")
    assert owner_of(world.agent) is None
    with weakened.with_addresses_that_press():
        browser.get(f"{KEY}?decision=approve")
    assert owner_of(world.agent) == owner


def test_who_is_not_signed_in_links_nothing(
    weakened: Weakened, world: World, client: Client
) -> None:
    codes = world.login()
    answer = client.post(LINK, {"code": codes["user_code"]})
    assert answer.headers["Location"].startswith("/account/login/")
    assert approve(client, codes["user_code"]) == 302
    assert owner_of(world.agent) is None
    assert KeyLogin.objects.get().state == KeyLogin.State.PENDING
    with weakened.without_sign_in():
        assert approve(client, codes["user_code"]) == 200
    assert KeyLogin.objects.get().state == KeyLogin.State.APPROVED


def test_a_session_of_yesterday_must_sign_in_again_to_approve(
    weakened: Weakened, world: World
) -> None:
    user = User.objects.create_user("lazy", "lazy@example.org", password="a long enough phrase")
    codes = world.login()
    browser = signed_in(user)  # with a password, and no sign-in of these minutes
    browser.post(LINK, {"code": codes["user_code"]})
    answer = browser.post(KEY, {"decision": "approve"})
    assert answer.headers["Location"].startswith("/account/reauthenticate/")
    assert owner_of(world.agent) is None
    with weakened.without_signing_in_again():
        assert browser.post(KEY, {"decision": "approve"}).status_code == 200
    assert owner_of(world.agent) == user


def test_codes_are_not_guessed_by_one_person(
    weakened: Weakened, world: World, mallory: User
) -> None:
    codes = world.login()
    browser = signed_in(mallory)
    wrong = [browser.post(LINK, {"code": f"BBBBBBB{end}"}).status_code for end in "BCDFG"]
    right = browser.post(LINK, {"code": codes["user_code"]})
    assert wrong == [422] * 5
    assert right.status_code == 429
    assert int(right.headers["Retry-After"]) > 0
    with weakened.without_attempt_limits():
        assert browser.post(LINK, {"code": codes["user_code"]}).status_code == 302


def test_codes_are_not_guessed_by_many_people_of_one_network(
    weakened: Weakened, world: World
) -> None:
    codes = world.login()
    people = [User.objects.create_user(f"m{n}", f"m{n}@example.org") for n in range(6)]
    *first, last = [signed_in(each) for each in people]
    guesses = [each for each in first for _ in range(4)]  # fewer than one person has
    assert [each.post(LINK, {"code": "BBBBBBBB"}).status_code for each in guesses] == [422] * 20
    assert last.post(LINK, {"code": codes["user_code"]}).status_code == 429
    with weakened.with_attempts_counted_by("user"):
        assert last.post(LINK, {"code": codes["user_code"]}).status_code == 302


def test_codes_are_not_guessed_by_one_person_from_many_networks(
    weakened: Weakened, world: World, mallory: User
) -> None:
    codes = world.login()
    browser = signed_in(mallory)
    for place in range(5):
        browser.post(LINK, {"code": "BBBBBBBB"}, REMOTE_ADDR=f"198.51.{place}.7")
    answer = browser.post(LINK, {"code": codes["user_code"]}, REMOTE_ADDR="203.0.113.7")
    assert answer.status_code == 429
    with weakened.with_attempts_counted_by("network"):
        answer = browser.post(LINK, {"code": codes["user_code"]}, REMOTE_ADDR="203.0.113.7")
    assert answer.status_code == 302


@pytest.mark.django_db(transaction=True)
def test_guesses_at_once_are_no_more_than_the_limit(weakened: Weakened) -> None:
    assert guesses_at_once("user:1") <= attempts.CODES.most
    with weakened.with_attempts_looked_at_first(GUESSES):
        assert guesses_at_once("user:2") == GUESSES


def guesses_at_once(by: str) -> int:
    """How many of GUESSES at the same time are looked at."""
    passed: list[int] = []
    start = threading.Barrier(GUESSES)

    def guess() -> None:
        start.wait()
        try:
            attempts.count_attempt(Attempt.Kind.CODE, {by: attempts.CODES})
            passed.append(1)
        except attempts.TooManyAttemptsError:
            pass
        finally:
            connection.close()

    threads = [threading.Thread(target=guess) for _ in range(GUESSES)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return len(passed)


def test_the_database_alone_gives_away_no_code(weakened: Weakened, world: World) -> None:
    codes = world.login()
    stored = " ".join(str(value) for value in KeyLogin.objects.values().get().values())
    assert codes["device_code"] not in stored
    assert codes["user_code"].replace("-", "") not in stored
    KeyLogin.objects.all().delete()
    with weakened.with_secrets_stored():
        codes = world.login()
    stored = " ".join(str(value) for value in KeyLogin.objects.values().get().values())
    assert codes["device_code"] in stored
    assert codes["user_code"].replace("-", "") in stored


def test_logins_of_a_network_have_an_end(weakened: Weakened, world: World) -> None:
    for _ in range(30):
        world.login(proved=False)
    asked = b'{"keyid":"%b","agent_version":"1"}' % world.agent.keyid.encode()
    answer = world.send("POST", "/api/v1/key-logins", asked, content_type="application/json")
    assert (answer.status_code, slug_of(answer)) == (429, "too-many-requests")
    with weakened.without_attempt_limits():
        world.login(proved=False)


def test_impatient_polls_are_slowed_down_each_time_more(weakened: Weakened, world: World) -> None:
    codes = world.login()
    answers = [world.poll(world.agent, codes["device_code"]) for _ in range(3)]
    assert [slug_of(each) for each in answers] == ["slow-down"] * 3
    assert [each.headers["Retry-After"] for each in answers] == ["10", "15", "20"]
    with weakened.with_polls_at_any_time():
        assert world.poll(world.agent, codes["device_code"]).status_code == 200


def test_a_claimed_key_is_not_taken_by_a_phished_approval(
    weakened: Weakened, world: World, owner: User, mallory: User
) -> None:
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    codes = world.login()
    assert approve(signed_in(mallory), codes["user_code"]) == 409
    assert owner_of(world.agent) == owner
    codes = world.login()
    with weakened.without_owner_checks():
        assert approve(signed_in(mallory), codes["user_code"]) == 200
    assert owner_of(world.agent) == mallory


@pytest.mark.parametrize("state", ["revoked", "rotated"])
def test_a_key_that_is_over_asks_for_no_login(weakened: Weakened, world: World, state: str) -> None:
    if state == "revoked":
        revoke_key(AgentKey.objects.get(pk=world.agent.keyid), None, None, "stolen")
    else:
        assert world.rotate(world.agent, world.agent.rotation(world.attacker)).status_code == 200
    asked = b'{"keyid":"%b","agent_version":"1"}' % world.agent.keyid.encode()
    answer = world.send("POST", "/api/v1/key-logins", asked, content_type="application/json")
    assert slug_of(answer) == f"{state}-key"
    with weakened.with_dead_keys_that_log_in():
        world.login(proved=False)


def test_a_key_revoked_during_its_login_is_not_linked(
    weakened: Weakened, world: World, owner: User
) -> None:
    codes = world.login()
    browser = signed_in(owner)
    browser.post(LINK, {"code": codes["user_code"]})
    revoke_key(AgentKey.objects.get(pk=world.agent.keyid), None, None, "stolen")
    assert browser.post(KEY, {"decision": "approve"}).status_code == 409
    assert owner_of(world.agent) is None
    browser.post(LINK, {"code": codes["user_code"]})
    with weakened.with_dead_keys_of_people():
        assert browser.post(KEY, {"decision": "approve"}).status_code == 200
    assert owner_of(world.agent) == owner


@pytest.mark.parametrize("version", ["\x1b]0;x\x07", "\u202e1", "1" * 33, 1], ids=repr)
def test_an_agent_version_that_draws_on_the_page_is_refused(
    weakened: Weakened, world: World, version: object
) -> None:
    asked = make.as_bytes({"keyid": world.agent.keyid, "agent_version": version})
    answer = world.send("POST", "/api/v1/key-logins", asked, content_type="application/json")
    assert slug_of(answer) == "bad-statement"
    with weakened.with_texts_as_sent():
        answer = world.send("POST", "/api/v1/key-logins", asked, content_type="application/json")
    assert answer.status_code == 201


def test_another_site_cannot_press_the_button(
    weakened: Weakened, world: World, owner: User
) -> None:
    codes = world.login()
    browser = signed_in(owner)
    browser.post(LINK, {"code": codes["user_code"]})
    browser.handler.enforce_csrf_checks = True
    assert browser.post(KEY, {"decision": "approve"}).status_code == 403
    assert owner_of(world.agent) is None
    with weakened.without_form_tokens():
        assert browser.post(KEY, {"decision": "approve"}).status_code == 200
    assert owner_of(world.agent) == owner


def test_a_poll_for_another_server_is_not_passed_on(weakened: Weakened, world: World) -> None:
    """The agent asks a hostile server, which began a login here and hands on what the key signs."""
    codes = world.login(proved=False)
    relayed = world.poll(world.agent, codes["device_code"], server="hostile.example")
    assert slug_of(relayed) == "other-server"
    assert KeyLogin.objects.get().proved_at is None
    with weakened.without_server_names():
        world.poll(world.agent, codes["device_code"], server="hostile.example")
    assert KeyLogin.objects.get().proved_at
