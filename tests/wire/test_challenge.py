"""What an agent must sign to be asked a challenge."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.wire.challenge import BadChallengeRequestError, read_challenge_request, read_run_id

RUN_ID = "01890a5d-ac96-774b-bcce-b302099a8057"


def request(**changes: Any) -> bytes:
    document = {
        "schema": "fsyncmark.challenge/1",
        "run_id": RUN_ID,
        "suite": "quick",
        "suite_version": 1,
    }
    return json.dumps({**document, **changes}).encode()


def test_a_request_is_read() -> None:
    found = read_challenge_request(request())
    assert (str(found.run_id), found.suite, found.suite_version) == (RUN_ID, "quick", 1)
    assert found.ticket is None
    assert read_challenge_request(request(ticket="what it may be")).ticket == "what it may be"


@pytest.mark.parametrize(
    ("payload", "pointer"),
    [
        (b"", ""),
        (b"5", ""),
        (request(extra=1), ""),
        (request(schema="fsyncmark.challenge/2"), "/schema"),
        (request(run_id="01890a5d-ac96-474b-bcce-b302099a8057"), "/run_id"),
        (request(run_id=5), "/run_id"),
        (request(suite=""), "/suite"),
        (request(suite="x" * 65), "/suite"),
        (request(suite=5), "/suite"),
        (request(suite_version=0), "/suite_version"),
        (request(suite_version=True), "/suite_version"),
        (request(suite_version=1001), "/suite_version"),
        (request(ticket=""), "/ticket"),
        (request(ticket=None), "/ticket"),
        (request(ticket="x" * 65), "/ticket"),
    ],
)
def test_a_bad_request_is_refused_at_its_place(payload: bytes, pointer: str) -> None:
    with pytest.raises(BadChallengeRequestError) as caught:
        read_challenge_request(payload)
    assert caught.value.fault.pointer == pointer


@pytest.mark.parametrize("text", [RUN_ID.upper(), RUN_ID.replace("-", ""), f"{RUN_ID}\n", ""])
def test_a_run_id_has_one_spelling(text: str) -> None:
    assert read_run_id(text) is None
