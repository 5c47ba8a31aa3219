"""Logins, rotations and withdrawals at the door: what holds, and what is refused with what."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from apps.accounts.linking import logins
from apps.accounts.models import AgentKey, Attempt, KeyLogin
from apps.runs.models import Run, RunRuling, Upload
from tests import make
from tests.intake.conftest import Answer, Door, problem_of

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def ask(door: Door, keyid: str, **extra: str) -> Answer:
    body = json.dumps({"keyid": keyid, "agent_version": "0.2.0"}).encode()
    extra.setdefault("content_type", "application/json")
    return door.send("POST", "/api/v1/key-logins", body, **extra)


def poll(door: Door, agent: make.Agent, device_code: str) -> Answer:
    return door.send("POST", "/api/v1/key-logins/poll", agent.login_poll(device_code))


def test_a_login_has_codes_and_says_how_long(door: Door, agent: make.Agent) -> None:
    answer = ask(door, agent.keyid)
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    codes = answer.json()
    assert set(codes["user_code"]) <= {*logins.CONSONANTS, "-"}
    assert len(codes["user_code"]) == 9
    assert codes["verification_url"] == "http://testserver/account/link/"
    assert (codes["expires_in"], codes["interval"]) == (600, 5)
    first = poll(door, agent, codes["device_code"])
    assert (first.status_code, first.json()) == (200, {"state": "pending", "interval": 5})


@pytest.mark.parametrize("state", ["approved", "denied"])
def test_a_poll_says_what_was_decided(door: Door, agent: make.Agent, state: str) -> None:
    codes = ask(door, agent.keyid).json()
    KeyLogin.objects.update(state=state, not_after=make.NOON)
    assert poll(door, agent, codes["device_code"]).json()["state"] == state


def test_a_poll_after_ten_minutes_says_that_it_is_over(door: Door, agent: make.Agent) -> None:
    codes = ask(door, agent.keyid).json()
    KeyLogin.objects.update(not_after=make.NOON)
    assert poll(door, agent, codes["device_code"]).json()["state"] == "expired"


def test_an_unknown_key_has_no_login(door: Door) -> None:
    assert problem_of(ask(door, "0" * 64)) == (404, "unknown-key")


def test_a_request_for_a_login_is_plain_json(door: Door, agent: make.Agent) -> None:
    answer = ask(door, agent.keyid, content_type="text/plain")
    assert problem_of(answer) == (415, "unsupported-media-type")


def test_two_logins_never_have_one_code(
    door: Door, agent: make.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = iter(["BBBBBBBB", "BBBBBBBB", "CCCCCCCC"])
    monkeypatch.setattr(logins, "_new_user_code", lambda: next(codes))
    shown = [ask(door, agent.keyid).json()["user_code"] for _ in range(2)]
    assert shown == ["BBBB-BBBB", "CCCC-CCCC"]


def test_a_source_of_chance_that_is_none_is_a_fault_of_ours(
    door: Door, agent: make.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logins, "_new_user_code", lambda: "BBBBBBBB")
    ask(door, agent.keyid)
    assert problem_of(ask(door, agent.keyid)) == (500, "internal-error")


def test_old_logins_and_attempts_are_forgotten(door: Door, agent: make.Agent) -> None:
    ask(door, agent.keyid)
    KeyLogin.objects.update(not_after=make.NOON)
    Attempt.objects.update(at=make.NOON)
    ask(door, agent.keyid)
    assert (KeyLogin.objects.count(), Attempt.objects.count()) == (1, 1)


def test_codes_are_typed_as_people_type(door: Door, agent: make.Agent) -> None:
    codes = ask(door, agent.keyid).json()
    poll(door, agent, codes["device_code"])
    for typed in (codes["user_code"].lower(), f" {codes['user_code'].replace('-', ' ')} "):
        assert logins.find_login(typed) == KeyLogin.objects.get()


def withdraw(door: Door, run_id: object, body: bytes) -> Answer:
    return door.send("POST", f"/api/v1/runs/{run_id}/withdrawal", body)


def test_a_run_that_nobody_sent_is_not_withdrawn(door: Door, agent: make.Agent) -> None:
    run_id = make.uuid7()
    assert problem_of(withdraw(door, run_id, agent.withdrawal(run_id))) == (404, "not-found")
    assert problem_of(withdraw(door, "x", agent.withdrawal(run_id))) == (404, "not-found")


def test_a_run_is_withdrawn_before_it_is_shown(door: Door, agent: make.Agent) -> None:
    upload = make.upload(agent=agent)
    assert withdraw(door, upload.pk, agent.withdrawal(upload.pk)).status_code == 200
    assert RunRuling.objects.get().reason == "the wrong disk"
    assert not Run.objects.exists()


def test_what_replaced_the_key_of_a_run_speaks_for_it(door: Door, agent: make.Agent) -> None:
    upload = make.upload(agent=agent)
    second, third = make.Agent(), make.Agent()
    for old, new in ((agent, second), (second, third)):
        new.enrolled()
        rotated = door.send("POST", f"/api/v1/keys/{old.keyid}/rotation", old.rotation(new))
        assert rotated.json()["state"] == "rotated"
    assert withdraw(door, upload.pk, third.withdrawal(upload.pk)).status_code == 200


def test_keys_that_replace_each_other_in_a_ring_are_followed_to_an_end(
    door: Door, agent: make.Agent
) -> None:
    upload, first, second = make.upload(), make.agent_key(), make.agent_key()
    AgentKey.objects.filter(pk=upload.key_id).update(replaced_by=first)
    AgentKey.objects.filter(pk=first.pk).update(replaced_by=second)
    AgentKey.objects.filter(pk=second.pk).update(replaced_by=upload.key_id)
    answer = withdraw(door, upload.pk, agent.withdrawal(upload.pk))
    assert problem_of(answer) == (403, "not-your-run")


def test_the_answer_says_where_the_run_will_be(door: Door, agent: make.Agent) -> None:
    document = make.payload()
    run_id = document["run_id"]
    answer = door.put_run(run_id, agent.seal(document)).json()
    assert re.fullmatch(r"http://testserver/claim/[\w-]{22}/", answer.pop("claim_url"))
    assert answer == {
        "run_id": run_id,
        "state": "received",
        "level": None,
        "run_url": f"http://testserver/runs/{run_id}/",
        "status_url": f"http://testserver/api/v1/runs/{run_id}",
        "short_url": f"http://testserver/r/{Upload.objects.get().short_code}",
    }


def test_a_short_code_that_is_taken_is_drawn_again(
    door: Door, agent: make.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.upload(short_code="bbbbbbbb")
    drawn = iter(("bbbbbbbb", "cccccccc"))
    monkeypatch.setattr(Upload._meta.get_field("short_code"), "_get_default", lambda: next(drawn))
    document = make.payload()
    answer = door.put_run(document["run_id"], agent.seal(document))
    assert answer.json()["short_url"] == "http://testserver/r/cccccccc"


def test_a_short_address_leads_to_the_run(client: Client) -> None:
    upload = make.upload()
    answer = client.get(f"/r/{upload.short_code}")
    assert (answer.status_code, answer.headers["Location"]) == (301, f"/runs/{upload.pk}/")
    assert client.get("/r/bbbbbbbb").status_code == 404
