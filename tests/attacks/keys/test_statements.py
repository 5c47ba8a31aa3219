"""Attempts to withdraw what is another's, with forged, swapped and replayed statements."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING

import pytest

from apps.accounts.models import AgentKey
from apps.accounts.services import revoke_key
from apps.runs.models import RunRuling
from apps.runs.rulings import delete_run
from apps.wire.dsse import CHALLENGE_PAYLOAD_TYPE, RUN_PAYLOAD_TYPE, WITHDRAWAL_PAYLOAD_TYPE
from tests import make
from tests.attacks.keys.conftest import drained, slug_of

if TYPE_CHECKING:
    from uuid import UUID

    from tests.attacks.conftest import Weakened
    from tests.attacks.keys.conftest import World

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


def sealed_as(payload_type: str, world: World, run_id: UUID) -> bytes:
    """A withdrawal that was signed as a document of another type."""
    payload = json.loads(world.agent.withdrawal(run_id))["payload"]
    return world.agent.seal(base64.b64decode(payload), payload_type=payload_type)


def is_withdrawn(run_id: UUID) -> bool:
    return RunRuling.objects.filter(run_id=run_id, kind="withdrawn").exists()


def test_a_withdrawal_by_another_key_withdraws_nothing(weakened: Weakened, world: World) -> None:
    run_id, _, _ = world.upload()
    answer = world.withdraw(run_id, world.attacker.withdrawal(run_id))
    assert (slug_of(answer), is_withdrawn(run_id)) == ("not-your-run", False)
    with weakened.with_statements_of_any_key():
        assert world.withdraw(run_id, world.attacker.withdrawal(run_id)).status_code == 200
    assert is_withdrawn(run_id)


def test_a_withdrawal_under_the_owners_key_id_does_not_verify(
    weakened: Weakened, world: World
) -> None:
    run_id, _, _ = world.upload()
    forged = world.attacker.withdrawal(run_id).replace(
        world.attacker.keyid.encode(), world.agent.keyid.encode()
    )
    assert slug_of(world.withdraw(run_id, forged)) == "bad-signature"
    assert not is_withdrawn(run_id)
    with weakened.without_signatures():
        assert world.withdraw(run_id, forged).status_code == 200
    assert is_withdrawn(run_id)


def test_a_withdrawal_of_one_run_withdraws_no_other(weakened: Weakened, world: World) -> None:
    one, _, _ = world.upload()
    other, _, _ = world.upload()
    answer = world.withdraw(other, world.agent.withdrawal(one))
    assert (slug_of(answer), is_withdrawn(other), is_withdrawn(one)) == (
        "run-id-mismatch", False, False,
    )  # fmt: skip
    with weakened.without_addresses_in_statements():
        world.withdraw(other, world.agent.withdrawal(one))
    assert is_withdrawn(one)  # the address said another


def test_a_replayed_withdrawal_does_not_undo_its_taking_back(
    weakened: Weakened, world: World
) -> None:
    run_id, _, _ = world.upload()
    first = world.agent.withdrawal(run_id)
    assert world.withdraw(run_id, first).status_code == 200
    assert (
        world.withdraw(run_id, world.agent.withdrawal(run_id, withdrawn=False)).status_code == 200
    )
    assert slug_of(world.withdraw(run_id, first)) == "statement-replayed"
    assert not is_withdrawn(run_id)
    with weakened.with_statements_of_any_time():
        assert world.withdraw(run_id, first).status_code == 200
    assert is_withdrawn(run_id)


def test_a_replayed_taking_back_does_not_show_a_run_again(weakened: Weakened, world: World) -> None:
    run_id, _, _ = world.upload()
    back = world.agent.withdrawal(run_id, withdrawn=False)
    assert world.withdraw(run_id, back).status_code == 200
    assert world.withdraw(run_id, world.agent.withdrawal(run_id)).status_code == 200
    assert slug_of(world.withdraw(run_id, back)) == "statement-replayed"
    assert is_withdrawn(run_id)
    with weakened.with_statements_of_any_time():
        assert world.withdraw(run_id, back).status_code == 200
    assert not is_withdrawn(run_id)


def test_a_statement_from_the_future_does_not_silence_the_owner_for_ever(
    weakened: Weakened, world: World
) -> None:
    run_id, _, _ = world.upload()
    ahead = world.agent.withdrawal(run_id, at=2**63 - 1, withdrawn=False)
    assert slug_of(world.withdraw(run_id, ahead)) == "statement-replayed"
    assert world.withdraw(run_id, world.agent.withdrawal(run_id)).status_code == 200
    with weakened.with_statements_of_any_time():
        assert world.withdraw(run_id, ahead).status_code == 200
    assert slug_of(world.withdraw(run_id, world.agent.withdrawal(run_id))) == "statement-replayed"


@pytest.mark.parametrize("at", [-1, 0.5, "1", True, None, 2**63])
def test_a_time_that_is_none_is_no_statement(weakened: Weakened, world: World, at: object) -> None:
    run_id, _, _ = world.upload()
    answer = world.withdraw(run_id, world.agent.withdrawal(run_id, issued_at_unix_ns=at))
    assert (slug_of(answer), is_withdrawn(run_id)) == ("bad-statement", False)
    untimed = world.agent.withdrawal(run_id, issued_at_unix_ns=at)
    with weakened.without_times_in_statements(), weakened.without_number_limits():
        assert world.withdraw(run_id, untimed).status_code == 200
    assert is_withdrawn(run_id)


@pytest.mark.parametrize(
    "reason", ["\x1b[2Jgone", "\u202egnirts", "line\nbreak", "x" * 501, 5], ids=repr
)
def test_a_reason_that_draws_on_a_page_or_terminal_is_refused(
    weakened: Weakened, world: World, reason: object
) -> None:
    run_id, _, _ = world.upload()
    answer = world.withdraw(run_id, world.agent.withdrawal(run_id, reason=reason))
    assert (slug_of(answer), is_withdrawn(run_id)) == ("bad-statement", False)
    with weakened.with_texts_as_sent():
        drawing = world.agent.withdrawal(run_id, reason=reason)
        assert world.withdraw(run_id, drawing).status_code == 200
    assert is_withdrawn(run_id)


def test_a_reason_with_markup_is_text_on_the_page(weakened: Weakened, world: World) -> None:
    run_id, _, _ = world.upload()
    markup = "<script>alert(1)</script>"
    assert world.withdraw(run_id, world.agent.withdrawal(run_id, reason=markup)).status_code == 200
    drained()
    page = world.client.get(f"/runs/{run_id}/").content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert markup not in page
    with weakened.without_escaping():
        assert markup in world.client.get(f"/runs/{run_id}/?again").content.decode()


def test_a_request_for_a_challenge_is_no_withdrawal(weakened: Weakened, world: World) -> None:
    run_id, _, _ = world.upload()
    request = sealed_as(CHALLENGE_PAYLOAD_TYPE, world, run_id)
    answer = world.withdraw(run_id, request)
    assert (slug_of(answer), is_withdrawn(run_id)) == ("unknown-payload-type", False)
    with weakened.without_payload_types():
        assert world.withdraw(run_id, request).status_code == 200
    assert is_withdrawn(run_id)


def test_a_withdrawal_is_no_run(weakened: Weakened, world: World) -> None:
    run_id = make.uuid7()
    body = world.agent.seal(make.payload(run_id=run_id), payload_type=WITHDRAWAL_PAYLOAD_TYPE)
    answer = world.send("PUT", f"/api/v1/runs/{run_id}", body)
    assert slug_of(answer) == "unknown-payload-type"
    with weakened.without_payload_types():
        assert world.send("PUT", f"/api/v1/runs/{run_id}", body).status_code == 201


def test_a_withdrawal_in_the_type_of_a_run_does_not_verify_as_one(
    weakened: Weakened, world: World
) -> None:
    run_id, _, _ = world.upload()
    swapped = world.agent.withdrawal(run_id).replace(
        WITHDRAWAL_PAYLOAD_TYPE.encode(), RUN_PAYLOAD_TYPE.encode()
    )
    assert slug_of(world.withdraw(run_id, swapped)) == "bad-signature"
    with weakened.without_signatures(), weakened.without_payload_types():
        assert world.withdraw(run_id, swapped).status_code == 200
    assert is_withdrawn(run_id)


def test_a_revoked_key_withdraws_nothing(weakened: Weakened, world: World) -> None:
    run_id, _, _ = world.upload()
    revoke_key(AgentKey.objects.get(pk=world.agent.keyid), None, None, "lost")
    assert slug_of(world.withdraw(run_id, world.agent.withdrawal(run_id))) == "revoked-key"
    assert not is_withdrawn(run_id)
    with weakened.with_dead_keys_that_sign():
        assert world.withdraw(run_id, world.agent.withdrawal(run_id)).status_code == 200
    assert is_withdrawn(run_id)


def test_a_rotated_key_withdraws_nothing_and_its_successor_does(
    weakened: Weakened, world: World
) -> None:
    run_id, _, _ = world.upload()
    new = make.Agent()
    new.enrolled()
    assert world.rotate(world.agent, world.agent.rotation(new)).status_code == 200
    assert slug_of(world.withdraw(run_id, world.agent.withdrawal(run_id))) == "rotated-key"
    assert not is_withdrawn(run_id)
    assert world.withdraw(run_id, new.withdrawal(run_id)).status_code == 200
    other, _, _ = world.upload(new)
    second = make.Agent()
    second.enrolled()
    assert world.rotate(new, new.rotation(second)).status_code == 200
    with weakened.with_dead_keys_that_sign():
        assert world.withdraw(other, new.withdrawal(other)).status_code == 200


def test_a_deleted_run_is_not_sent_again(weakened: Weakened, world: World) -> None:
    run_id, body, _ = world.upload()
    delete_run(run_id, by_owner=True, reason="mine")
    assert slug_of(world.send("PUT", f"/api/v1/runs/{run_id}", body)) == "run-deleted"
    other = world.attacker.seal(make.payload(run_id=run_id))
    assert slug_of(world.send("PUT", f"/api/v1/runs/{run_id}", other)) == "run-deleted"
    challenge = world.send("POST", "/api/v1/challenges", world.agent.challenge_request(run_id))
    assert slug_of(challenge) == "run-deleted"
    assert world.client.get(f"/runs/{run_id}/").status_code == 410
    assert slug_of(world.client.get(f"/api/v1/runs/{run_id}")) == "run-deleted"
    with weakened.with_deleted_runs_anew():
        asked = world.agent.challenge_request(run_id)
        assert world.send("POST", "/api/v1/challenges", asked).status_code == 201
        assert world.send("PUT", f"/api/v1/runs/{run_id}", other).status_code == 201


def test_a_deleted_run_has_no_statement(weakened: Weakened, world: World) -> None:
    run_id, _, _ = world.upload()
    delete_run(run_id, by_owner=True, reason="mine")
    back = world.agent.withdrawal(run_id, withdrawn=False)
    assert slug_of(world.withdraw(run_id, back)) == "run-deleted"
    other, _, _ = world.upload()
    with weakened.with_bytes_of_deleted_runs():
        delete_run(other, by_owner=True, reason="mine")
    assert world.withdraw(other, world.agent.withdrawal(other)).status_code == 200


def test_statements_of_a_key_have_an_end(weakened: Weakened, world: World) -> None:
    run_id, _, _ = world.upload()
    start = time.time_ns() - 10**12
    answers = [
        world.withdraw(run_id, world.agent.withdrawal(run_id, at=start + turn, withdrawn=False))
        for turn in range(61)
    ]
    assert [each.status_code for each in answers] == [200] * 60 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    with weakened.without_attempt_limits():
        assert world.withdraw(run_id, world.agent.withdrawal(run_id)).status_code == 200


def test_a_withdrawal_for_another_server_is_not_passed_on(weakened: Weakened, world: World) -> None:
    run_id, _, _ = world.upload()
    relayed = world.agent.withdrawal(run_id, server="hostile.example")
    assert slug_of(world.withdraw(run_id, relayed)) == "other-server"
    assert not is_withdrawn(run_id)
    with weakened.without_server_names():
        assert world.withdraw(run_id, relayed).status_code == 200
    assert is_withdrawn(run_id)
