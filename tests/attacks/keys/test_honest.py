"""What honest people and agents do on the way that attempts on keys take: no attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.runs.models import Run
from tests.attacks.keys.conftest import drained, owner_of, path_of, signed_in, slug_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tests.attacks.keys.conftest import World

pytestmark = pytest.mark.django_db


def test_the_sender_claims_which_is_what_the_rest_must_not(world: World, owner: User) -> None:
    path = path_of(world.upload()[2].json()["claim_url"])
    browser = signed_in(owner)
    assert browser.get(path).status_code == 200
    assert owner_of(world.agent) is None
    assert browser.post(path).status_code == 200
    assert owner_of(world.agent) == owner


def test_the_owner_links_which_is_what_the_rest_must_not(world: World, owner: User) -> None:
    codes = world.login()
    browser = signed_in(owner)
    assert browser.post("/account/link/", {"code": codes["user_code"]}).status_code == 302
    assert world.agent.keyid[:8] in browser.get("/account/link/key/").content.decode()
    assert owner_of(world.agent) is None
    assert browser.post("/account/link/key/", {"decision": "approve"}).status_code == 200
    assert owner_of(world.agent) == owner


def test_a_server_is_named_by_the_request_without_its_usual_port(world: World) -> None:
    codes = world.login(proved=False)
    poll = world.agent.login_poll(codes["device_code"])
    for host in ("testserver:80", "TESTSERVER"):
        answer = world.send("POST", "/api/v1/key-logins/poll", poll, headers={"host": host})
        assert answer.status_code == 200 or slug_of(answer) == "slow-down"


def test_the_owner_withdraws_which_is_what_the_rest_must_not(world: World) -> None:
    run_id, _, _ = world.upload()
    drained()
    answer = world.withdraw(run_id, world.agent.withdrawal(run_id))
    assert (answer.status_code, answer.json()) == (
        200, {"run_id": str(run_id), "withdrawn": True},
    )  # fmt: skip
    run = Run.objects.get(pk=run_id)
    assert (run.in_standings, run.is_listed) == (False, False)
