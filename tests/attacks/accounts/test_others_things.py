"""What is another person's: each of their pages and forms is as if it were not there."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db import DataError
from django.test import Client
from django.urls import reverse

from apps.accounts.attempts import STATEMENTS_OF_KEY
from apps.accounts.models import AgentKey, MachineName, RunNote
from apps.accounts.services import claim_key, release_key, restore_key, revoke_key
from apps.runs.models import RunRuling
from tests.support.accounts.people import own_run, signed_in
from tests.support.accounts.staff import make_staff
from tests.support.caching import forget_cache
from tests.support.routes import personal_forms

if TYPE_CHECKING:
    from apps.runs.models import Run
    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


def key_of(run: Run) -> AgentKey:
    assert run.upload
    return run.upload.key


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_cache()


@pytest.fixture
def theirs(other: User) -> Run:
    run = own_run(other)
    MachineName.objects.create(user=other, machine=run.machine, name="their secret machine")
    RunNote.objects.create(user=other, run_id=run.pk, text="their secret note")
    return run


def places(run: Run) -> dict[str, tuple[str, dict[str, str]]]:
    """Each address that names something of somebody, with a form that would be good."""
    key = run.upload.key_id  # type: ignore[union-attr]  # made with one
    return {
        "key": (reverse("pages:account-key", args=[key]), {"name": "mine"}),
        "key-release": (reverse("pages:account-key-release", args=[key]), {}),
        "key-revoke": (reverse("pages:account-key-revoke", args=[key]), {"reason": "mine"}),
        "machine": (reverse("pages:account-machine", args=[run.machine]), {"name": "mine"}),
        "run": (reverse("pages:account-run", args=[run.pk]), {"note": "mine"}),
        "withdraw": (reverse("pages:account-run-withdraw", args=[run.pk]), {"reason": "mine"}),
        "hide": (reverse("pages:account-run-hide", args=[run.pk]), {}),
        "undo": (reverse("pages:account-run-undo", args=[run.pk, "withdrawn"]), {}),
    }


NAMES = ("key", "key-release", "key-revoke", "machine", "run", "withdraw", "hide", "undo")


@pytest.mark.parametrize("name", NAMES)
def test_a_form_about_what_is_anothers_finds_nothing(
    person: User, other: User, theirs: Run, name: str, weakened: Weakened
) -> None:
    address, form = places(theirs)[name]
    assert signed_in(person).post(address, form).status_code == HTTPStatus.NOT_FOUND
    assert not RunRuling.objects.exists()
    assert not MachineName.objects.exclude(user=other).exists()
    assert not RunNote.objects.exclude(user=other).exists()
    key = key_of(theirs)
    key.refresh_from_db()
    assert (key.owner, key.name, key.state) == (other, "", "claimed")
    with weakened.with_things_looked_up_for(other):
        assert signed_in(person).post(address, form).status_code == HTTPStatus.FOUND


@pytest.mark.parametrize("name", ["key", "machine", "run"])
def test_a_page_about_what_is_anothers_is_not_there(
    person: User, other: User, theirs: Run, name: str, weakened: Weakened
) -> None:
    answer = signed_in(person).get(places(theirs)[name][0])
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert "secret" not in answer.content.decode()
    with weakened.with_things_looked_up_for(other):
        answer = signed_in(person).get(places(theirs)[name][0])
    assert answer.status_code == HTTPStatus.OK
    assert name == "key" or "secret" in answer.content.decode()


def test_an_export_holds_nothing_of_another(
    person: User, other: User, theirs: Run, weakened: Weakened
) -> None:
    answer = signed_in(person).post(reverse("pages:account-export"))
    text = answer.content.decode()
    assert person.email in text
    assert "secret" not in text
    assert str(theirs.pk) not in text
    with weakened.with_things_looked_up_for(other):
        answer = signed_in(person).post(reverse("pages:account-export"))
    assert "secret" in answer.content.decode()


def test_a_key_that_was_given_up_tells_the_next_nothing_of_its_owner(
    person: User, other: User, theirs: Run, weakened: Weakened
) -> None:
    key = key_of(theirs)
    AgentKey.objects.update(name="their secret name")
    revoke_key(key, other, None, "their secret reason")
    restore_key(key, other, "found")
    release_key(key)
    claim_key(key, person)
    client = signed_in(person)

    def told() -> str:
        shown = client.get(reverse("pages:account-key", args=[key.pk])).content.decode()
        return shown + client.post(reverse("pages:account-export")).content.decode()

    assert "secret" not in told()
    assert "linked" in told()
    assert '"kind": "claimed"' in told()
    with weakened.with_keys_that_remember():
        assert "their secret reason" in told()
        assert "their secret name" not in told()


def test_an_owner_takes_back_nothing_that_a_moderator_decided(
    other: User, theirs: Run, weakened: Weakened
) -> None:
    RunRuling.objects.create(run_id=theirs.pk, kind="excluded", reason="invented")
    address = reverse("pages:account-run-undo", args=[theirs.pk, "excluded"])
    assert signed_in(other).post(address).status_code == HTTPStatus.NOT_FOUND
    assert RunRuling.objects.filter(kind="excluded").exists()
    with weakened.with_rulings_of_moderators_undone():
        signed_in(other).post(address)
    assert not RunRuling.objects.filter(kind="excluded").exists()


def test_an_owner_does_not_have_runs_judged_without_end(
    other: User, theirs: Run, weakened: Weakened
) -> None:
    client = signed_in(other)
    hide = reverse("pages:account-run-hide", args=[theirs.pk])
    undo = reverse("pages:account-run-undo", args=[theirs.pk, "hidden"])
    withdraw = reverse("pages:account-run-withdraw", args=[theirs.pk])
    for n in range(STATEMENTS_OF_KEY.most):
        assert client.post((hide, undo)[n % 2]).status_code == HTTPStatus.FOUND
    for address in (hide, undo, withdraw):
        answer = client.post(address, {"reason": "mine"})
        assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
        assert 0 < int(answer.headers["Retry-After"]) <= 3600
    assert not RunRuling.objects.exists()
    with weakened.without_limits_of_decisions():
        assert client.post(hide).status_code == HTTPStatus.FOUND
    assert RunRuling.objects.exists()


def test_an_owner_makes_no_day_of_a_moderators_later_or_none(
    other: User, theirs: Run, weakened: Weakened
) -> None:
    key = key_of(theirs)
    day = datetime(2025, 6, 1, tzinfo=UTC)
    revoke_key(key, make_staff(), day, "cheated")
    address = reverse("pages:account-key-revoke", args=[key.pk])
    for since in ("", "2025-07-01"):
        form = {"reason": "sold", "compromised_since": since}
        assert signed_in(other).post(address, form).status_code == HTTPStatus.FOUND
        key.refresh_from_db()
        assert (key.compromised_since, key.revoked_reason) == (day, "cheated")
    with weakened.with_the_last_word_on_a_key():
        signed_in(other).post(address, {"reason": "sold"})
    key.refresh_from_db()
    assert (key.state, key.compromised_since, key.revoked_reason) == ("revoked", None, "sold")


def test_a_passkey_of_another_is_neither_renamed_nor_removed(
    person: User, other: User, weakened: Weakened
) -> None:
    theirs = Authenticator.objects.create(user=other, type="webauthn", data={"name": "theirs"})
    client = signed_in(person)
    addresses = [f"/account/factors/webauthn/keys/{theirs.pk}/{act}/" for act in ("edit", "remove")]
    for address in addresses:
        assert client.post(address, {"name": "x"}).status_code == HTTPStatus.NOT_FOUND
    assert Authenticator.objects.get(pk=theirs.pk).data == {"name": "theirs"}
    with weakened.with_passkeys_of_everybody():
        client.post(addresses[0], {"name": "x"})
        assert Authenticator.objects.get(pk=theirs.pk).data == {"name": "x"}
        client.post(addresses[1])
    assert not Authenticator.objects.filter(pk=theirs.pk).exists()


FIELDS = (("key", "name"), ("machine", "name"), ("run", "note"))


@pytest.mark.parametrize("text", ["a\x1b[31mred", "left\u202eright", "zero\u200bwidth"])
def test_a_name_that_moves_the_writing_is_refused(
    other: User, theirs: Run, text: str, weakened: Weakened
) -> None:
    client = signed_in(other)
    for name, field in FIELDS:
        answer = client.post(places(theirs)[name][0], {field: text})
        assert answer.status_code == HTTPStatus.OK, "it was stored"
    with weakened.with_names_as_typed():
        for name, field in FIELDS:
            answer = client.post(places(theirs)[name][0], {field: text})
            assert answer.status_code == HTTPStatus.FOUND
    assert MachineName.objects.get(user=other).name == RunNote.objects.get(user=other).text == text


def test_a_nul_in_a_name_breaks_nothing(other: User, theirs: Run, weakened: Weakened) -> None:
    client = signed_in(other)
    for name, field in FIELDS:
        answer = client.post(places(theirs)[name][0], {field: "a\x00b"})
        assert answer.status_code == HTTPStatus.OK, "it was stored"
    with weakened.with_names_as_typed(), pytest.raises(DataError, match="NUL"):
        client.post(places(theirs)["key"][0], {"name": "a\x00b"})


def test_a_name_of_markup_is_shown_as_it_was_written(
    other: User, theirs: Run, weakened: Weakened
) -> None:
    client = signed_in(other)
    for name, field in FIELDS:
        client.post(places(theirs)[name][0], {field: "<script>alert(1)</script>{{ 7|add:7 }}"})
        page = client.get(places(theirs)[name][0]).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;{{ 7|add:7 }}" in page
        with weakened.without_escaping():
            assert "<script>alert" in client.get(places(theirs)[name][0]).content.decode()


@pytest.mark.parametrize("address", personal_forms(), ids=str)
def test_a_form_without_its_token_is_refused(
    person: User, address: str, weakened: Weakened
) -> None:
    client, stranger = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    client.force_login(person)
    assert client.post(address).status_code == HTTPStatus.FORBIDDEN
    assert stranger.post(address).status_code == HTTPStatus.FORBIDDEN
    with weakened.without_form_tokens():
        assert client.post(address).status_code != HTTPStatus.FORBIDDEN
        assert stranger.post(address).status_code != HTTPStatus.FORBIDDEN
