"""The door for runs: what it stores, what it answers, and everything that it refuses."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from apps.accounts.clock import database_now
from apps.accounts.models import AgentKey
from apps.intake.models import Challenge
from apps.intake.services import accept
from apps.intake.services.work import drain
from apps.runs.models import ChallengeUse, Level, Run, Upload
from apps.wire.dsse import KEY_PAYLOAD_TYPE
from tests import make
from tests.intake.conftest import Answer, Door, pointers_of, problem_of

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the database, by which the door dates what it stores; asking it is a query."""

    def frozen() -> datetime:
        database_now()
        return NOW

    monkeypatch.setattr(accept, "database_now", frozen)


def challenged(agent: make.Agent, **changes: Any) -> tuple[Challenge, make.Json]:
    """Return a challenge of five minutes ago and the run that answers it."""
    times = {
        "issued_at": NOW - timedelta(minutes=5),
        "not_after": NOW + timedelta(minutes=25),
    }
    challenge = make.challenge(agent=agent, **{**times, **changes})
    document = make.payload(
        run_id=challenge.run_id, seed=bytes(challenge.seed), challenge=challenge.pk
    )
    return challenge, document


def put(door: Door, agent: make.Agent, document: make.Json, **extra: Any) -> Answer:
    return door.put_run(document["run_id"], agent.seal(document), **extra)


# --- what is stored ----------------------------------------------------------------------------


def test_a_run_is_stored_as_it_came(door: Door, agent: make.Agent, rings: list[int]) -> None:
    document = make.payload()
    envelope = agent.seal(document)
    answer = door.put_run(document["run_id"], envelope)
    assert answer.status_code == 201
    upload = Upload.objects.get()
    assert upload.envelope == envelope
    assert upload.payload == make.as_bytes(document)
    assert bytes(upload.payload_sha256) == hashlib.sha256(make.as_bytes(document)).digest()
    assert (upload.state, upload.attempts, upload.key_id) == ("received", 0, agent.keyid)
    assert upload.challenge_use == ChallengeUse.NONE
    assert upload.received_at == NOW
    assert rings == [1]


@pytest.mark.parametrize(("address", "provider"), [("65.108.3.4", "hetzner"), ("198.51.100.7", "")])
def test_of_the_address_the_provider_of_its_network_is_kept_and_nothing_else(
    door: Door, agent: make.Agent, address: str, provider: str
) -> None:
    assert put(door, agent, make.payload(), REMOTE_ADDR=address).status_code == 201
    assert Upload.objects.get().network_provider == provider
    with connection.cursor() as cursor:
        cursor.execute("SELECT upload::text FROM runs_upload upload")
        (stored,) = cursor.fetchone()
    assert address not in stored
    assert address.rpartition(".")[0] not in stored


def test_storing_a_run_costs_a_fixed_number_of_queries(
    door: Door, agent: make.Agent, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Key, twin, clock, the key's history, this attempt and how many its network made; then
    challenge, quotas, challenges of its sender, insert, tombstone and redemption in a transaction.
    Then the link.
    """
    _, document = challenged(agent)
    with django_assert_num_queries(15):
        assert put(door, agent, document).status_code == 201


def test_the_same_bytes_again_are_the_same_run(
    door: Door, agent: make.Agent, rings: list[int]
) -> None:
    _, document = challenged(agent)
    assert put(door, agent, document).status_code == 201
    drain()
    again = put(door, agent, document)
    assert again.status_code == 200
    assert (again.json()["state"], again.json()["level"]) == ("done", Level.WITNESSED)
    assert Upload.objects.count() == 1
    assert rings == [1]


def test_the_same_bytes_in_another_envelope_are_the_same_run(door: Door, agent: make.Agent) -> None:
    document = make.payload()
    put(door, agent, document)
    envelope = json.loads(agent.seal(document))
    envelope["note"] = "DSSE says that this is ignored"
    envelope["payload"] = base64.urlsafe_b64encode(make.as_bytes(document)).decode()
    answer = door.put_run(document["run_id"], json.dumps(envelope).encode())
    assert answer.status_code == 200


def test_other_bytes_under_the_same_id_are_a_conflict(door: Door, agent: make.Agent) -> None:
    document = make.payload()
    put(door, agent, document)
    answer = put(door, agent, {**document, "machine": "f" * 32})
    assert problem_of(answer) == (409, "run-id-conflict")
    assert Upload.objects.get().payload == make.as_bytes(document)


def test_the_same_bytes_by_another_key_are_a_conflict(door: Door, agent: make.Agent) -> None:
    document = make.payload()
    put(door, agent, document)
    copycat = make.Agent()
    copycat.enrolled()
    assert problem_of(put(door, copycat, document)) == (409, "run-id-conflict")


def test_a_twin_that_was_a_moment_earlier_is_the_same_run(
    door: Door, agent: make.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a challenge to lock, the insert itself finds out."""
    document = make.payload()
    make.upload(document, agent=agent)
    found = iter([None])  # nothing at first; then as it is
    monkeypatch.setattr(
        accept, "_find", lambda run_id: next(found, Upload.objects.filter(pk=run_id).first())
    )
    answer = put(door, agent, document)
    monkeypatch.undo()
    assert answer.status_code == 200
    assert Upload.objects.count() == 1


# --- challenges --------------------------------------------------------------------------------


def test_a_challenge_is_redeemed_with_the_insert(door: Door, agent: make.Agent) -> None:
    challenge, document = challenged(agent)
    assert put(door, agent, document).status_code == 201
    challenge.refresh_from_db()
    upload = Upload.objects.get()
    assert challenge.redeemed_at == upload.received_at
    assert upload.challenge_use == ChallengeUse.REDEEMED
    assert upload.challenge_id == challenge.pk
    assert upload.challenge_issued_at == challenge.issued_at
    assert bytes(upload.challenge_seed or b"") == bytes(challenge.seed)


def test_a_replayed_challenge_is_refused(door: Door, agent: make.Agent) -> None:
    _, document = challenged(agent)
    put(door, agent, document)
    other = {**document, "run_id": str(make.uuid7())}
    answer = put(door, agent, other)
    assert problem_of(answer) == (409, "challenge-replayed")
    assert pointers_of(answer) == ["/challenge"]
    assert Upload.objects.count() == 1


def test_the_challenge_of_another_key_is_refused(door: Door, agent: make.Agent) -> None:
    _, document = challenged(make.Agent())
    assert problem_of(put(door, agent, document)) == (403, "challenge-foreign")
    assert not Upload.objects.exists()


def test_a_challenge_is_for_the_run_that_it_was_asked_for(door: Door, agent: make.Agent) -> None:
    _, document = challenged(agent)
    other = {**document, "run_id": str(make.uuid7())}
    assert problem_of(put(door, agent, other)) == (409, "challenge-mismatch")


def test_a_challenge_is_for_the_suite_that_it_was_asked_for(door: Door, agent: make.Agent) -> None:
    _, document = challenged(agent, suite="thorough")
    assert problem_of(put(door, agent, document)) == (409, "challenge-mismatch")


def test_an_expired_challenge_makes_a_signed_run(door: Door, agent: make.Agent) -> None:
    _, document = challenged(agent, not_after=NOW - timedelta(minutes=1))
    assert put(door, agent, document).status_code == 201
    assert Upload.objects.get().challenge_use == ChallengeUse.EXPIRED
    drain()
    run = Run.objects.get()
    assert run.level == Level.SIGNED
    assert run.labels.filter(rule="challenge-expired").exists()


def test_the_door_counts_what_a_key_asked_for_and_never_reported(
    door: Door, agent: make.Agent
) -> None:
    ended = {"not_after": NOW - timedelta(minutes=1)}
    for issued_at, changes in (
        (NOW - timedelta(days=29), ended),
        (NOW - timedelta(days=31), ended),  # too long ago
        (NOW - timedelta(days=2), {**ended, "redeemed_at": NOW - timedelta(days=2)}),
        (NOW - timedelta(minutes=1), {}),  # may still be measured
        (NOW - timedelta(minutes=29), {}),  # may still be answered, but its run is over
    ):
        challenged(agent, issued_at=issued_at, **changes)
    challenged(make.Agent(), **ended)
    _, document = challenged(agent, **ended)  # answered late, but answered
    assert put(door, agent, document).status_code == 201
    upload = Upload.objects.get()
    assert (upload.challenges_issued, upload.challenges_abandoned) == (5, 2)


def test_a_challenge_that_is_not_known_makes_a_signed_run(door: Door, agent: make.Agent) -> None:
    document = make.payload(challenge="c_" + "x" * 32, seed_proof="0" * 64)
    assert put(door, agent, document).status_code == 201
    upload = Upload.objects.get()
    assert (upload.challenge_use, upload.challenge_id) == (ChallengeUse.UNKNOWN, None)
    drain()
    assert Run.objects.get().labels.filter(rule="challenge-unknown").exists()


def test_the_clock_of_the_agent_decides_nothing(door: Door, agent: make.Agent) -> None:
    _, document = challenged(agent)
    document["clock"]["wall_start_unix_us"] = 0
    assert put(door, agent, document).status_code == 201
    drain()
    assert Run.objects.get().level == Level.WITNESSED


# --- refusals, in the order of the work ----------------------------------------------------------


def test_a_run_id_is_a_uuid_of_version_7(door: Door, agent: make.Agent) -> None:
    for text in ("5", "01890a5d-ac96-474b-bcce-b302099a8057", str(make.uuid7()).upper()):
        assert problem_of(door.put_run(text, b"")) == (404, "not-found")


def test_the_content_type_is_that_of_envelopes(door: Door) -> None:
    answer = door.put_run(make.uuid7(), b"{}", content_type="application/json")
    assert problem_of(answer) == (415, "unsupported-media-type")


def test_a_body_that_is_no_envelope_is_refused(door: Door) -> None:
    answer = door.put_run(make.uuid7(), b"{}")
    assert problem_of(answer) == (400, "bad-envelope")
    assert pointers_of(answer) == ["/payload"]


def test_a_key_must_be_enrolled(door: Door) -> None:
    document = make.payload()
    assert problem_of(put(door, make.Agent(), document)) == (404, "unknown-key")


def test_a_revoked_key_is_refused(door: Door, agent: make.Agent) -> None:
    AgentKey.objects.update(state=AgentKey.State.REVOKED, revoked_at=make.NOON)
    assert problem_of(put(door, agent, make.payload())) == (403, "revoked-key")


def tampered(agent: make.Agent, **changes: Any) -> bytes:
    return json.dumps({**json.loads(agent.seal(make.payload())), **changes}).encode()


def test_one_byte_more_breaks_the_signature(door: Door, agent: make.Agent) -> None:
    document = make.payload()
    longer = base64.b64encode(make.as_bytes(document) + b" ").decode()
    answer = door.put_run(document["run_id"], tampered(agent, payload=longer))
    assert problem_of(answer) == (403, "bad-signature")
    assert pointers_of(answer) == ["/signatures"]


def test_another_payload_type_breaks_the_signature(door: Door, agent: make.Agent) -> None:
    answer = door.put_run(make.uuid7(), tampered(agent, payloadType=KEY_PAYLOAD_TYPE))
    assert problem_of(answer) == (403, "bad-signature")


def test_the_signature_comes_before_the_payload_type(door: Door, agent: make.Agent) -> None:
    envelope = agent.seal(b"not even JSON", payload_type="text/plain")
    answer = door.put_run(make.uuid7(), envelope)
    assert problem_of(answer) == (415, "unknown-payload-type")
    assert pointers_of(answer) == ["/payloadType"]


def test_the_payload_is_not_read_before_the_signature_holds(
    door: Door, agent: make.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "apps.intake.services.accept.read_head", lambda _payload: pytest.fail("was read")
    )
    thief = make.Agent()
    thief.keyid = agent.keyid
    assert problem_of(put(door, thief, make.payload())) == (403, "bad-signature")


def test_a_second_signature_by_an_unknown_key_is_ignored(door: Door, agent: make.Agent) -> None:
    document = make.payload()
    envelope = json.loads(agent.seal(document))
    stranger = json.loads(make.Agent().seal(document))
    envelope["signatures"] = stranger["signatures"] + envelope["signatures"]
    answer = door.put_run(document["run_id"], json.dumps(envelope).encode())
    assert answer.status_code == 201
    assert Upload.objects.get().key_id == agent.keyid


@pytest.mark.parametrize("keyid", ["\x00", "💾", "a" * 1_000])
def test_a_key_id_that_no_key_can_have_is_not_enrolled(
    door: Door, agent: make.Agent, keyid: str
) -> None:
    (signature,) = json.loads(agent.seal(make.payload()))["signatures"]
    envelope = tampered(agent, signatures=[{**signature, "keyid": keyid}])
    assert problem_of(door.put_run(make.uuid7(), envelope)) == (404, "unknown-key")


def test_a_payload_that_is_not_strict_json_is_refused(door: Door, agent: make.Agent) -> None:
    envelope = agent.seal(b'{"a": 1, "a": 2}')
    assert problem_of(door.put_run(make.uuid7(), envelope)) == (400, "bad-json")


def test_a_payload_that_does_not_fit_the_schema_is_told_where(
    door: Door, agent: make.Agent
) -> None:
    document = make.payload(hostname="db1", machine="db1")
    answer = put(door, agent, document)
    assert problem_of(answer) == (422, "bad-payload")
    assert set(pointers_of(answer)) == {"/hostname", "/machine"}
    assert not Upload.objects.exists()


def test_the_address_must_name_the_run(door: Door, agent: make.Agent) -> None:
    answer = door.put_run(make.uuid7(), agent.seal(make.payload()))
    assert problem_of(answer) == (422, "run-id-mismatch")
    assert pointers_of(answer) == ["/run_id"]


# --- below /api everything answers as the API ----------------------------------------------------


def test_an_unknown_address_is_a_problem_document(door: Door) -> None:
    for method in ("GET", "POST"):
        assert problem_of(door.send(method, "/api/v1/nothing", b"")) == (404, "not-found")


def test_a_run_cannot_be_deleted(door: Door) -> None:
    answer = door.send("DELETE", f"/api/v1/runs/{make.uuid7()}", b"")
    assert problem_of(answer) == (405, "method-not-allowed")


@pytest.mark.parametrize("method", ["DELETE", "OPTIONS"])
def test_the_methods_of_a_run_are_those_of_both_doors(door: Door, db: None, method: str) -> None:
    answer = door.send(method, f"/api/v1/runs/{make.uuid7()}", b"")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS, PUT"


def test_a_fault_of_ours_is_a_problem_document(
    door: Door, monkeypatch: pytest.MonkeyPatch, agent: make.Agent
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("a fault with details that are nobody's business")

    monkeypatch.setattr("apps.intake.views.accept_run", broken)
    answer = put(door, agent, make.payload())
    assert problem_of(answer) == (500, "internal-error")
    assert b"nobody" not in answer.content


def test_a_run_needs_no_cookie_and_sets_none(door: Door, agent: make.Agent) -> None:
    door.client.handler.enforce_csrf_checks = True
    answer = put(door, agent, make.payload())
    assert answer.status_code == 201
    assert not answer.cookies
