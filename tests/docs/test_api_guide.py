"""The API guide is true: its program signs and uploads, its tables are those of the code."""

from __future__ import annotations

import json
import re
import time
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import RFC_4122, UUID

import pytest
from nacl.signing import SigningKey

from apps.api.openapi.description import openapi_document
from apps.intake.services.rate_limits import (
    KNOWN_KEYS_PER_NETWORK,
    NEW_KEYS_PER_NETWORK,
    NEW_KEYS_PER_SITE,
    PER_ACCOUNT,
    PER_KEY,
)
from apps.runs.models import Upload
from apps.wire import limits
from apps.wire.problems import PROBLEMS
from tests import make

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.live_server_helper import LiveServer

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "api.md"
VECTORS = ROOT / "tests" / "wire" / "v1" / "vectors" / "dsse.json"


def program() -> dict[str, Any]:
    """Return the names that the guide's Python blocks define, run in their order."""
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(block, str(GUIDE), "exec"), names)  # noqa: S102 -- our own documentation
    return names


def test_the_guide_lists_every_problem_with_its_advice() -> None:
    table = GUIDE.read_text().partition("<!-- problems:")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \| (.*?) \| (.*?) \|$", table, re.MULTILINE)
    assert rows == [
        (kind.slug, str(int(kind.status)), kind.title, kind.advice) for kind in PROBLEMS.values()
    ]


def test_the_guide_states_the_limits_of_the_code() -> None:
    text = GUIDE.read_text()
    mebibyte = 1024 * 1024
    assert f"| envelope | {limits.ENVELOPE_BYTES_MAX // mebibyte} MiB |" in text
    assert f"| payload | {limits.PAYLOAD_BYTES_MAX // mebibyte} MiB |" in text
    assert f"| {limits.STATEMENT_BYTES_MAX // 1024} KiB |" in text
    assert f"| at most {limits.COMPRESSION_RATIO_MAX} : 1," in text
    assert f"| nesting | {limits.DEPTH_MAX} levels |" in text
    assert f"| faults named in one answer | {limits.ERRORS_MAX} |" in text
    assert (
        f"| challenges, and runs | {PER_KEY} an hour for a key, {PER_ACCOUNT} for an account;"
        f" for the new keys of a network {NEW_KEYS_PER_NETWORK}, for those with history"
        f" {KNOWN_KEYS_PER_NETWORK}; runs of new keys of an IPv6 /48 {NEW_KEYS_PER_SITE:,} |"
        in text
    )
    assert limits.INTEGER_MAX == 2**53 - 1


def test_the_program_signs_as_the_golden_vectors_say() -> None:
    vectors = json.loads(VECTORS.read_text())
    key = SigningKey(bytes.fromhex(vectors["signing_key_seed_hex"]))
    names = program()
    assert names["keyid_of"](key) == vectors["keyid"]
    for vector in vectors["valid"]:
        body = b64decode(vector["body_base64"])
        envelope = json.loads(names["envelope"](vector["payload_type"], body, key))
        assert envelope["payloadType"] == vector["payload_type"]
        assert b64decode(envelope["payload"]) == body
        assert envelope["signatures"] == [{"keyid": vectors["keyid"], "sig": vector["sig"]}]


def test_run_ids_are_of_version_7() -> None:
    run_id = UUID(program()["new_run_id"]())
    assert (run_id.version, run_id.variant) == (7, RFC_4122)
    assert abs((run_id.int >> 80) / 1000 - time.time()) < 60


@pytest.mark.django_db(transaction=True)
def test_the_program_enrols_a_key_and_uploads_a_run(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FSYNCMARK_SERVER", live_server.url)
    names = program()
    key = SigningKey.generate()
    names["enrol"](key)
    names["enrol"](key)
    run_id = names["new_run_id"]()
    challenge = names["ask_for_challenge"](run_id, key)
    assert set(challenge) == {"id", "seed", "suite_sha256", "issued_at", "not_after"}
    run = make.payload(
        run_id=UUID(run_id), seed=bytes.fromhex(challenge["seed"]), challenge=challenge["id"]
    )
    answer = names["upload"](run, key)
    assert set(answer) == {
        "run_id", "state", "level", "run_url", "status_url", "short_url", "claim_url",
    }  # fmt: skip
    assert answer["state"] == "received"
    upload = Upload.objects.get(run_id=run_id)
    assert json.loads(upload.payload) == run
    assert names["upload"](run, key)["run_id"] == run_id
    with pytest.raises(SystemExit, match="Another upload has this run id"):
        names["upload"]({**run, "machine": "f" * 32}, key)


@pytest.mark.django_db(transaction=True)
def test_the_program_shows_why_a_run_is_refused(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FSYNCMARK_SERVER", live_server.url)
    names = program()
    key = SigningKey.generate()
    with pytest.raises(SystemExit, match="Key not enrolled"):
        names["upload"](make.payload(), key)
    names["enrol"](key)
    with pytest.raises(SystemExit, match="/machine"):
        names["upload"](make.payload(machine="my-laptop"), key)


@pytest.mark.django_db
def test_every_reading_example_is_answered(client: Client) -> None:
    hetzner = make.provider(slug="hetzner", name="Hetzner")
    make.standing(plan=make.plan(provider=hetzner))
    make.drive_family(slug="micron-7500-pro")
    examples = re.findall(r'"\$SERVER(/api/v1/[^"$]+)"', GUIDE.read_text())
    assert len(examples) >= 5
    for path in examples:
        answer = client.get(path)
        assert answer.status_code == 200, f"{path}: {answer.content.decode()}"
        assert "results" in answer.json()


def test_the_table_of_reading_addresses_is_that_of_the_openapi_document() -> None:
    row = re.compile(r"^\| `(/api/v1/[^`]*)` \|.*\|(.*)\|$", re.MULTILINE)
    told = {
        nameless(path): set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", parameters)))
        for path, parameters in row.findall(GUIDE.read_text())
    }
    described = {
        nameless(path): {
            parameter["name"]
            for parameter in methods["get"].get("parameters", ())
            if parameter["in"] == "query"
        }
        - {"limit", "cursor"}
        for path, methods in openapi_document()["paths"].items()
        if "get" in methods
    }
    assert told == described | {"/api/v1/schema": set()}


def nameless(path: str) -> str:
    """Return an address with its variable part taken out."""
    return re.sub(r"{.*?}", "{}", path)
