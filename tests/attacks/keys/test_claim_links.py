"""Attempts on private claim links: guessed, replayed, raced, and got by sending another's bytes."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

import pytest
from django.core import mail, signing
from django.db import connection

from apps.accounts.linking.claim_links import LinkState, new_claim_link, use_link
from apps.accounts.models import AgentKey, ClaimLink
from apps.accounts.services import claim_key, release_key, revoke_key, rotate_key
from apps.moderation.models import Subject
from apps.moderation.services.acts.act import Order
from apps.moderation.services.decisions import decide, undo
from tests import make
from tests.attacks.keys.conftest import (
    drained,
    make_person,
    owner_of,
    path_of,
    signed_in,
    slug_of,
)
from tests.support.accounts.staff import REASON, make_staff

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from tests.attacks.conftest import Weakened
    from tests.attacks.keys.conftest import World

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


def link_of(world: World) -> str:
    _, _, answer = world.upload()
    return path_of(answer.json()["claim_url"])


def test_a_link_is_good_once(weakened: Weakened, world: World, owner: User, mallory: User) -> None:
    path = link_of(world)
    signed_in(owner).post(path)
    release_key(AgentKey.objects.get(pk=world.agent.keyid))
    assert signed_in(mallory).post(path).status_code == 410
    assert owner_of(world.agent) is None
    with weakened.with_links_used_again():
        assert signed_in(mallory).post(path).status_code == 200
    assert owner_of(world.agent) == mallory


def test_a_link_of_a_claimed_key_claims_nothing(
    weakened: Weakened, world: World, owner: User, mallory: User
) -> None:
    path = link_of(world)
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    assert signed_in(mallory).post(path).status_code == 410
    assert owner_of(world.agent) == owner
    with weakened.with_links_of_any_key(), weakened.without_owner_checks():
        assert signed_in(mallory).post(path).status_code == 200
    assert owner_of(world.agent) == mallory


def test_an_expired_link_claims_nothing(weakened: Weakened, world: World, mallory: User) -> None:
    path = link_of(world)
    ClaimLink.objects.update(not_after=make.NOON)
    page = signed_in(mallory).post(path)
    assert (page.status_code, owner_of(world.agent)) == (410, None)
    assert "too old" in page.content.decode()
    with weakened.with_links_for_ever():
        assert signed_in(mallory).post(path).status_code == 200
    assert owner_of(world.agent) == mallory


def test_a_link_of_a_revoked_key_claims_nothing(
    weakened: Weakened, world: World, mallory: User
) -> None:
    path = link_of(world)
    revoke_key(AgentKey.objects.get(pk=world.agent.keyid), None, None, "stolen")
    assert signed_in(mallory).post(path).status_code == 410
    assert owner_of(world.agent) is None
    with weakened.with_links_of_any_key(), weakened.with_dead_keys_of_people():
        assert signed_in(mallory).post(path).status_code == 200
    assert owner_of(world.agent) == mallory


def test_the_stored_hash_is_no_link(weakened: Weakened, world: World, mallory: User) -> None:
    path = link_of(world)
    stored = ClaimLink.objects.get().pk
    assert stored not in path
    assert signed_in(mallory).post(f"/claim/{stored}/").status_code == 404
    assert owner_of(world.agent) is None
    with weakened.with_secrets_stored():
        assert signed_in(mallory).post(f"/claim/{stored}/").status_code == 200
    assert owner_of(world.agent) == mallory


def test_public_bytes_sent_again_get_no_link(weakened: Weakened, world: World) -> None:
    run_id, _, first = world.upload()
    drained()
    public = world.client.get(f"/runs/{run_id}/envelope.json").content
    again = world.send("PUT", f"/api/v1/runs/{run_id}", public)
    assert (first.status_code, again.status_code) == (201, 200)
    assert "claim_url" in first.json()
    assert "claim_url" not in again.json()
    with weakened.with_links_for_whoever_sends():
        assert "claim_url" in world.send("PUT", f"/api/v1/runs/{run_id}", public).json()


def test_public_bytes_sent_again_while_a_deleted_run_comes_back_get_no_link(
    weakened: Weakened, world: World
) -> None:
    run_id, body, _ = world.upload()
    drained()
    moderator = make_staff()
    (made,) = decide([Order("delete", Subject.RUN, str(run_id), REASON, moderator)])
    undo([made.pk], by=moderator, reason="")
    assert "claim_url" not in world.send("PUT", f"/api/v1/runs/{run_id}", body).json()
    with weakened.with_old_bytes_taken_for_new():
        assert "claim_url" in world.send("PUT", f"/api/v1/runs/{run_id}", body).json()


def test_public_bytes_sent_again_do_not_void_the_senders_link(
    weakened: Weakened, world: World, owner: User
) -> None:
    run_id, body, first = world.upload()
    drained()
    world.send("PUT", f"/api/v1/runs/{run_id}", body)
    assert signed_in(owner).post(path_of(first.json()["claim_url"])).status_code == 200
    with weakened.with_links_for_whoever_sends():
        run_id, body, first = world.upload(world.attacker)
        drained()
        world.send("PUT", f"/api/v1/runs/{run_id}", body)
        assert signed_in(owner).post(path_of(first.json()["claim_url"])).status_code == 404


def test_a_new_link_voids_the_one_before(weakened: Weakened, world: World, mallory: User) -> None:
    run_id, body, first = world.upload()
    second = world.send("PUT", f"/api/v1/runs/{run_id}", body)  # nobody else can have them yet
    assert second.json()["claim_url"] != first.json()["claim_url"]
    assert signed_in(mallory).post(path_of(first.json()["claim_url"])).status_code == 404
    assert owner_of(world.agent) is None
    with weakened.with_several_links_of_a_run():
        world.send("PUT", f"/api/v1/runs/{run_id}", body)
        assert signed_in(mallory).post(path_of(second.json()["claim_url"])).status_code == 200
    assert owner_of(world.agent) == mallory


def test_other_bytes_under_the_id_of_a_run_get_no_link_to_its_key(
    weakened: Weakened, world: World
) -> None:
    run_id, _, _ = world.upload()
    other = world.attacker.seal(make.payload(run_id=run_id))
    answer = world.send("PUT", f"/api/v1/runs/{run_id}", other)
    assert (slug_of(answer), "claim_url" in answer.json()) == ("run-id-conflict", False)
    with weakened.with_any_bytes_under_an_id():
        assert "claim_url" in world.send("PUT", f"/api/v1/runs/{run_id}", other).json()
    assert ClaimLink.objects.get().key_id == world.agent.keyid


def test_a_get_claims_nothing(weakened: Weakened, world: World, mallory: User) -> None:
    path = link_of(world)
    signed_in(mallory).get(f"{path}?claim=1")
    assert owner_of(world.agent) is None
    with weakened.with_addresses_that_press():
        signed_in(mallory).get(f"{path}?claim=1")
    assert owner_of(world.agent) == mallory


def test_a_link_tells_nothing_to_who_is_not_signed_in(
    weakened: Weakened, world: World, client: Client
) -> None:
    path = link_of(world)
    known, unknown = client.post(path), client.post("/claim/AAAAAAAAAAAAAAAAAAAAAA/")
    assert (known.status_code, unknown.status_code) == (302, 302)
    assert owner_of(world.agent) is None
    with weakened.without_sign_in():
        known, unknown = client.get(path), client.get("/claim/AAAAAAAAAAAAAAAAAAAAAA/")
        assert (known.status_code, unknown.status_code) == (200, 404)


def test_another_site_cannot_claim_for_who_is_signed_in(
    weakened: Weakened, world: World, owner: User
) -> None:
    path = link_of(world)
    browser = signed_in(owner)
    browser.handler.enforce_csrf_checks = True
    assert browser.post(path).status_code == 403
    assert owner_of(world.agent) is None
    with weakened.without_form_tokens():
        assert browser.post(path).status_code == 200
    assert owner_of(world.agent) == owner


def test_links_are_not_guessed_without_end(weakened: Weakened, world: World, mallory: User) -> None:
    browser = signed_in(mallory)
    guesses = [browser.get(f"/claim/{turn:022d}/").status_code for turn in range(21)]
    assert guesses == [404] * 20 + [429]
    with weakened.without_attempt_limits():
        assert browser.get(f"/claim/{22:022d}/").status_code == 404


def test_a_link_is_told_to_no_other_site(weakened: Weakened, world: World, owner: User) -> None:
    path, browser = link_of(world), signed_in(owner)
    assert browser.get(path).headers["Referrer-Policy"] == "same-origin"
    with weakened.without_rules_for_pages_of_people():
        assert browser.get(path).headers["Referrer-Policy"] != "same-origin"


def test_a_link_is_kept_by_no_cache(weakened: Weakened, world: World, owner: User) -> None:
    path, browser = link_of(world), signed_in(owner)
    assert browser.get(path).headers["Cache-Control"] == "private, no-store"
    with weakened.without_cache_rules():
        assert "no-store" not in browser.get(path).headers.get("Cache-Control", "")


@pytest.mark.django_db(transaction=True)
def test_of_several_claims_at_once_one_wins(weakened: Weakened, world: World) -> None:
    people = [make_person(f"person{n}") for n in range(4)]
    assert claimed_at_once(world.agent, people) == [LinkState.OPEN, *[LinkState.USED] * 3]
    with weakened.without_locks(len(people)):
        assert claimed_at_once(world.attacker, people) == [LinkState.OPEN] * 4


def claimed_at_once(agent: make.Agent, people: list[User]) -> list[LinkState]:
    """What several people find who open one link at the same time."""
    key = AgentKey.objects.get(pk=agent.keyid)
    token = new_claim_link(key=key, run_id=make.uuid7())
    assert token
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
    return sorted(states)


def unlink_path() -> str:
    (sent,) = mail.outbox
    found = re.search(r"/account/unlink/\S+", str(sent.body))
    assert found
    return found.group()


@pytest.mark.django_db(transaction=True)
def test_the_owner_hears_of_a_claim_and_undoes_it_with_one_press_and_no_get(
    weakened: Weakened, world: World, owner: User, client: Client
) -> None:
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    assert mail.outbox[0].to == [owner.email]
    path = unlink_path()
    assert client.get(path).status_code == 200
    assert owner_of(world.agent) == owner
    assert client.post(path).status_code == 200
    assert owner_of(world.agent) is None
    mail.outbox.clear()
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    with weakened.with_addresses_that_press():
        client.get(f"{unlink_path()}?press=1")
    assert owner_of(world.agent) is None


@pytest.mark.django_db(transaction=True)
def test_who_did_not_rotate_keeps_the_old_key_and_the_new_one_is_revoked(
    weakened: Weakened, world: World, owner: User, client: Client
) -> None:
    def undone(later: make.Agent | None = None) -> tuple[make.Agent, make.Agent]:
        old, new = make.Agent(), make.Agent()
        keys = [each.enrolled() for each in (old, new)]
        claim_key(keys[0], owner)
        mail.outbox.clear()
        rotate_key(*keys)
        path = unlink_path()
        if later is not None:
            rotate_key(keys[1], later.enrolled())
        assert b"Revoke the key" in client.get(path).content
        assert client.post(path).status_code == 200
        assert client.post(path).status_code == 404
        return old, new

    old, new = undone(later := make.Agent())
    kept, *thieves = (AgentKey.objects.get(pk=each.keyid) for each in (old, new, later))
    assert (kept.owner, kept.state, kept.replaced_by) == (owner, "claimed", None)
    assert [(each.owner, each.state) for each in thieves] == [(None, "revoked")] * 2
    assert all(each.compromised_since for each in thieves)
    with weakened.with_rotations_released():
        old, new = undone()
    assert owner_of(old) is None
    assert AgentKey.objects.get(pk=new.keyid).state == "anonymous"


@pytest.mark.django_db(transaction=True)
def test_a_used_undo_undoes_no_later_claim(
    weakened: Weakened, world: World, owner: User, client: Client
) -> None:
    key = AgentKey.objects.get(pk=world.agent.keyid)
    claim_key(key, owner)
    path = unlink_path()
    client.post(path)
    claim_key(key, owner)
    assert client.post(path).status_code == 404
    assert owner_of(world.agent) == owner
    release_key(key)
    mail.outbox.clear()
    with weakened.with_undos_for_ever():
        claim_key(key, owner)
        path = unlink_path()
        client.post(path)
        claim_key(key, owner)
        assert client.post(path).status_code == 200
    assert owner_of(world.agent) is None


def test_an_undo_is_not_made_without_the_servers_secret(
    weakened: Weakened, world: World, owner: User, client: Client
) -> None:
    key = claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    assert key.claimed_at
    claim = [key.pk, key.claimed_at.timestamp()]
    forged = signing.dumps(claim, key="a guess", salt="fsyncmark.unlink")
    assert client.post(f"/account/unlink/{forged}/").status_code == 404
    assert owner_of(world.agent) == owner
    with weakened.with_anybodys_signature():
        assert client.post(f"/account/unlink/{forged}/").status_code == 200
    assert owner_of(world.agent) is None
