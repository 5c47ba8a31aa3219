"""Attempts on private claim links: guessed, replayed, raced, and got by sending another's bytes."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.db import connection

from apps.accounts.linking.claim_links import LinkState, new_claim_link, use_link
from apps.accounts.models import AgentKey, ClaimLink
from apps.accounts.services import claim_key, release_key, revoke_key
from tests import make
from tests.attacks.keys.conftest import (
    drained,
    make_person,
    owner_of,
    path_of,
    signed_in,
)

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from tests.attacks.keys.conftest import World

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


def link_of(world: World) -> str:
    _, _, answer = world.upload()
    return path_of(answer.json()["claim_url"])


def test_the_sender_claims_which_is_what_the_rest_must_not(world: World, owner: User) -> None:
    path = link_of(world)
    browser = signed_in(owner)
    assert browser.get(path).status_code == 200
    assert owner_of(world.agent) is None
    assert browser.post(path).status_code == 200
    assert owner_of(world.agent) == owner


def test_a_link_is_good_once(world: World, owner: User, mallory: User) -> None:
    path = link_of(world)
    signed_in(owner).post(path)
    release_key(AgentKey.objects.get(pk=world.agent.keyid))
    assert signed_in(mallory).post(path).status_code == 410
    assert owner_of(world.agent) is None


def test_a_link_of_a_claimed_key_claims_nothing(world: World, owner: User, mallory: User) -> None:
    path = link_of(world)
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    assert signed_in(mallory).post(path).status_code == 410
    assert owner_of(world.agent) == owner


def test_an_expired_link_claims_nothing(world: World, mallory: User) -> None:
    path = link_of(world)
    ClaimLink.objects.update(not_after=make.NOON)
    page = signed_in(mallory).post(path)
    assert (page.status_code, owner_of(world.agent)) == (410, None)
    assert "too old" in page.content.decode()


def test_a_link_of_a_revoked_key_claims_nothing(world: World, mallory: User) -> None:
    path = link_of(world)
    revoke_key(AgentKey.objects.get(pk=world.agent.keyid), None, None, "stolen")
    assert signed_in(mallory).post(path).status_code == 410
    assert owner_of(world.agent) is None


def test_the_stored_hash_is_no_link(world: World, mallory: User) -> None:
    path = link_of(world)
    stored = ClaimLink.objects.get().pk
    assert stored not in path
    assert signed_in(mallory).post(f"/claim/{stored}/").status_code == 404
    assert owner_of(world.agent) is None


def test_public_bytes_sent_again_get_no_link(world: World) -> None:
    run_id, _, first = world.upload()
    drained()
    public = world.client.get(f"/runs/{run_id}/envelope.json").content
    again = world.send("PUT", f"/api/v1/runs/{run_id}", public)
    assert (first.status_code, again.status_code) == (201, 200)
    assert "claim_url" in first.json()
    assert "claim_url" not in again.json()


def test_public_bytes_sent_again_do_not_void_the_senders_link(world: World, owner: User) -> None:
    run_id, body, first = world.upload()
    drained()
    world.send("PUT", f"/api/v1/runs/{run_id}", body)
    assert signed_in(owner).post(path_of(first.json()["claim_url"])).status_code == 200


def test_a_new_link_voids_the_one_before(world: World, mallory: User) -> None:
    run_id, body, first = world.upload()
    second = world.send("PUT", f"/api/v1/runs/{run_id}", body)  # nobody else can have them yet
    assert second.json()["claim_url"] != first.json()["claim_url"]
    assert signed_in(mallory).post(path_of(first.json()["claim_url"])).status_code == 404
    assert owner_of(world.agent) is None


def test_another_run_gives_no_link_to_this_key(world: World) -> None:
    _, _, answer = world.upload(world.attacker)
    assert ClaimLink.objects.get().key_id == world.attacker.keyid
    assert "claim_url" in answer.json()


def test_a_get_claims_nothing(world: World, mallory: User) -> None:
    path = link_of(world)
    signed_in(mallory).get(f"{path}?claim=1")
    assert owner_of(world.agent) is None


def test_a_link_tells_nothing_to_who_is_not_signed_in(world: World, client: Client) -> None:
    path = link_of(world)
    known, unknown = client.post(path), client.post("/claim/AAAAAAAAAAAAAAAAAAAAAA/")
    assert (known.status_code, unknown.status_code) == (302, 302)
    assert owner_of(world.agent) is None


def test_another_site_cannot_claim_for_who_is_signed_in(world: World, owner: User) -> None:
    path = link_of(world)
    browser = signed_in(owner)
    browser.handler.enforce_csrf_checks = True
    assert browser.post(path).status_code == 403
    assert owner_of(world.agent) is None


def test_links_are_not_guessed_without_end(world: World, mallory: User) -> None:
    browser = signed_in(mallory)
    guesses = [browser.get(f"/claim/{turn:022d}/").status_code for turn in range(21)]
    assert guesses == [404] * 20 + [429]


def test_a_link_is_told_to_no_other_site_and_kept_by_no_cache(world: World, owner: User) -> None:
    page = signed_in(owner).get(link_of(world))
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert page.headers["Cache-Control"] == "private, no-store"


@pytest.mark.django_db(transaction=True)
def test_of_two_claims_at_once_one_wins(world: World) -> None:
    key = AgentKey.objects.get(pk=world.agent.keyid)
    token = new_claim_link(key=key, run_id=make.uuid7())
    assert token
    people = [make_person(f"person{n}") for n in range(4)]
    start = threading.Barrier(len(people))
    states: list[LinkState] = []

    def claim(person: User) -> None:
        start.wait()
        found = use_link(token, person)
        assert found
        states.append(found.state)
        connection.close()

    threads = [threading.Thread(target=claim, args=(each,)) for each in people]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(states) == [LinkState.OPEN, *[LinkState.USED] * 3]


def unlink_path() -> str:
    (sent,) = mail.outbox
    found = re.search(r"/account/unlink/\S+", str(sent.body))
    assert found
    return found.group()


@pytest.mark.django_db(transaction=True)
def test_the_owner_hears_of_a_claim_and_undoes_it_with_one_press(
    world: World, owner: User, client: Client
) -> None:
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    assert mail.outbox[0].to == [owner.email]
    path = unlink_path()
    assert client.get(path).status_code == 200
    assert owner_of(world.agent) == owner
    assert client.post(path).status_code == 200
    assert owner_of(world.agent) is None


@pytest.mark.django_db(transaction=True)
def test_a_used_undo_undoes_no_later_claim(world: World, owner: User, client: Client) -> None:
    key = AgentKey.objects.get(pk=world.agent.keyid)
    claim_key(key, owner)
    path = unlink_path()
    client.post(path)
    claim_key(key, owner)
    assert client.post(path).status_code == 404
    assert owner_of(world.agent) == owner


def test_an_undo_is_not_made_without_the_servers_secret(
    world: World, owner: User, client: Client
) -> None:
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    forged = "WyJ4IiwxXQ:1abcde:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    assert client.post(f"/account/unlink/{forged}/").status_code == 404
    assert owner_of(world.agent) == owner
