"""Attempts to put one's own key in the place of another's, and to go on with one that is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.accounts.models import AgentKey, KeyEvent
from apps.accounts.services import claim_key, revoke_key
from apps.wire.dsse import ROTATION_PAYLOAD_TYPE
from tests import make
from tests.attacks.keys.conftest import owner_of, slug_of
from tests.support.sent import SERVER, sealed_by

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tests.attacks.conftest import Weakened
    from tests.attacks.keys.conftest import World

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


def state_of(agent: make.Agent) -> str:
    return AgentKey.objects.get(pk=agent.keyid).state


def key_of(agent: make.Agent) -> AgentKey:
    return AgentKey.objects.get(pk=agent.keyid)


def test_a_rotation_signed_by_the_new_key_alone_rotates_nothing(
    weakened: Weakened, world: World
) -> None:
    rotation = {
        "schema": "fsyncmark.key-rotation/1",
        "server": SERVER,
        "old": world.agent.keyid,
        "new": world.attacker.keyid,
    }
    body = world.attacker.seal(rotation, payload_type=ROTATION_PAYLOAD_TYPE)
    assert slug_of(world.rotate(world.agent, body)) == "unknown-key"
    assert state_of(world.agent) == "anonymous"
    with weakened.with_rotations_by_anybody():
        assert world.rotate(world.agent, body).status_code == 200
    assert state_of(world.agent) == "rotated"


def test_two_signatures_of_the_attackers_keys_rotate_nothing(
    weakened: Weakened, world: World
) -> None:
    second = make.Agent()
    second.enrolled()
    rotation = {
        "schema": "fsyncmark.key-rotation/1",
        "server": SERVER,
        "old": world.agent.keyid,
        "new": world.attacker.keyid,
    }
    body = sealed_by(world.attacker, second, rotation, payload_type=ROTATION_PAYLOAD_TYPE)
    assert slug_of(world.rotate(world.agent, body)) == "bad-signature"
    assert state_of(world.agent) == "anonymous"
    with weakened.with_rotations_by_anybody():
        assert world.rotate(world.agent, body).status_code == 200
    assert state_of(world.agent) == "rotated"


def test_one_signature_twice_is_not_two(weakened: Weakened, world: World) -> None:
    rotation = {
        "schema": "fsyncmark.key-rotation/1",
        "server": SERVER,
        "old": world.agent.keyid,
        "new": world.attacker.keyid,
    }
    body = sealed_by(world.attacker, world.attacker, rotation, payload_type=ROTATION_PAYLOAD_TYPE)
    assert slug_of(world.rotate(world.agent, body)) == "unknown-key"
    with weakened.with_rotations_by_anybody():
        assert world.rotate(world.agent, body).status_code == 200
    assert state_of(world.agent) == "rotated"


def test_a_signature_under_the_old_keys_id_does_not_verify(
    weakened: Weakened, world: World
) -> None:
    second = make.Agent()
    second.enrolled()
    forged = second.rotation(world.attacker, old=world.agent.keyid).replace(
        second.keyid.encode(), world.agent.keyid.encode()
    )
    assert slug_of(world.rotate(world.agent, forged)) == "bad-signature"
    assert state_of(world.agent) == "anonymous"
    with weakened.without_signatures():
        assert world.rotate(world.agent, forged).status_code == 200
    assert state_of(world.agent) == "rotated"


def test_a_rotation_sent_to_another_address_rotates_nothing(
    weakened: Weakened, world: World
) -> None:
    new = make.Agent()
    new.enrolled()
    body = world.attacker.rotation(new)
    assert slug_of(world.rotate(world.agent, body)) == "keyid-mismatch"
    assert (state_of(world.agent), state_of(world.attacker)) == ("anonymous", "anonymous")
    with weakened.without_addresses_in_statements():
        assert world.rotate(world.agent, body).status_code == 200
    assert state_of(world.attacker) == "rotated"


def test_a_replayed_rotation_changes_nothing(weakened: Weakened, world: World) -> None:
    new = make.Agent()
    new.enrolled()
    body = world.agent.rotation(new)
    assert world.rotate(world.agent, body).json()["replaced_by"] == new.keyid
    assert slug_of(world.rotate(world.agent, body)) == "rotated-key"
    events = KeyEvent.objects.filter(key_id=world.agent.keyid, kind=KeyEvent.Kind.ROTATED)
    assert events.count() == 1
    with weakened.with_successors_of_several(), weakened.with_dead_keys_of_people():
        assert world.rotate(world.agent, body).status_code == 200
    assert events.count() == 2


def test_an_old_key_does_not_come_back_by_rotation(weakened: Weakened, world: World) -> None:
    new = make.Agent()
    new.enrolled()
    assert world.rotate(world.agent, world.agent.rotation(new)).status_code == 200
    assert slug_of(world.rotate(new, new.rotation(world.agent))) == "key-conflict"
    assert state_of(new) == "anonymous"
    with weakened.with_dead_keys_of_people():
        assert world.rotate(new, new.rotation(world.agent)).status_code == 200
    assert key_of(new).replaced_by_id == world.agent.keyid


def test_one_key_does_not_stand_in_for_two(weakened: Weakened, world: World) -> None:
    assert world.rotate(world.agent, world.agent.rotation(world.attacker)).status_code == 200
    third = make.Agent()
    third.enrolled()
    assert slug_of(world.rotate(third, third.rotation(world.attacker))) == "key-conflict"
    with weakened.with_successors_of_several():
        assert world.rotate(third, third.rotation(world.attacker)).status_code == 200
    assert key_of(third).replaced_by_id == world.attacker.keyid


def test_a_revoked_key_is_not_laundered_by_rotation(weakened: Weakened, world: World) -> None:
    revoke_key(key_of(world.agent), None, None, "stolen")
    new = make.Agent()
    new.enrolled()
    assert slug_of(world.rotate(world.agent, world.agent.rotation(new))) == "revoked-key"
    assert state_of(world.agent) == "revoked"
    with weakened.with_dead_keys_of_people():
        assert world.rotate(world.agent, world.agent.rotation(new)).status_code == 200
    assert state_of(world.agent) == "rotated"


def test_a_key_is_not_rotated_onto_the_account_of_somebody_else(
    weakened: Weakened, world: World, owner: User, mallory: User
) -> None:
    claim_key(key_of(world.agent), owner)
    claim_key(key_of(world.attacker), mallory)
    body = world.attacker.rotation(world.agent)
    assert slug_of(world.rotate(world.attacker, body)) == "key-conflict"
    assert owner_of(world.agent) == owner
    with weakened.without_owner_checks():
        assert world.rotate(world.attacker, body).status_code == 200
    assert key_of(world.attacker).replaced_by_id == world.agent.keyid


def test_what_a_new_key_sent_before_gains_no_owner_by_rotation(
    weakened: Weakened, world: World, owner: User
) -> None:
    claim_key(key_of(world.agent), owner)
    before = key_of(world.agent).claimed_at
    assert world.rotate(world.agent, world.agent.rotation(world.attacker)).status_code == 200
    after = key_of(world.attacker)
    assert after.owner == owner
    assert before
    assert after.claimed_at
    assert after.claimed_at > before
    third = make.Agent()
    third.enrolled()
    with weakened.with_claims_since(before):
        world.rotate(world.attacker, world.attacker.rotation(third))
    assert key_of(third).claimed_at == before


def test_a_rotated_key_sends_no_run(weakened: Weakened, world: World) -> None:
    assert world.rotate(world.agent, world.agent.rotation(world.attacker)).status_code == 200
    _, _, answer = world.upload()
    assert slug_of(answer) == "rotated-key"
    with weakened.with_dead_keys_that_sign():
        assert world.upload()[2].status_code == 201


def test_a_rotated_key_gets_no_challenge(weakened: Weakened, world: World) -> None:
    assert world.rotate(world.agent, world.agent.rotation(world.attacker)).status_code == 200
    request = world.agent.challenge_request(make.uuid7())
    assert slug_of(world.send("POST", "/api/v1/challenges", request)) == "rotated-key"
    with weakened.with_dead_keys_that_sign():
        assert world.send("POST", "/api/v1/challenges", request).status_code == 201


def test_a_revoked_key_sends_no_run_and_gets_no_challenge(weakened: Weakened, world: World) -> None:
    revoke_key(key_of(world.agent), None, None, "stolen")
    _, _, answer = world.upload()
    request = world.agent.challenge_request(make.uuid7())
    assert slug_of(answer) == "revoked-key"
    assert slug_of(world.send("POST", "/api/v1/challenges", request)) == "revoked-key"
    with weakened.with_dead_keys_that_sign():
        assert world.upload()[2].status_code == 201
        assert world.send("POST", "/api/v1/challenges", request).status_code == 201


def test_enrolling_a_revoked_key_again_does_not_revive_it(weakened: Weakened, world: World) -> None:
    revoke_key(key_of(world.agent), None, None, "stolen")
    answer = world.send("PUT", f"/api/v1/keys/{world.agent.keyid}", world.agent.key_statement())
    assert answer.json()["state"] == "revoked"
    assert state_of(world.agent) == "revoked"
    with weakened.with_enrolments_that_begin_anew():
        world.send("PUT", f"/api/v1/keys/{world.agent.keyid}", world.agent.key_statement())
    assert state_of(world.agent) == "anonymous"


def test_a_rotation_for_another_server_is_not_passed_on(weakened: Weakened, world: World) -> None:
    new = make.Agent()
    new.enrolled()
    relayed = world.agent.rotation(new, server="hostile.example")
    assert slug_of(world.rotate(world.agent, relayed)) == "other-server"
    assert AgentKey.objects.get(pk=world.agent.keyid).state == AgentKey.State.ANONYMOUS
    with weakened.without_server_names():
        assert world.rotate(world.agent, relayed).status_code == 200
    assert state_of(world.agent) == "rotated"
