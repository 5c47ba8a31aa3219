"""Bodies that are small to send and dear to read."""

from __future__ import annotations

import gzip
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.wire.reading import NotStrictJsonError, read_strict
from tests import make

if TYPE_CHECKING:
    from django.test import Client

    from tests.attacks.conftest import Weakened
    from tests.intake.conftest import Answer, Door

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
MANY = 20_000  # values: too many for an envelope, and quick to read for a test


def put(door: Door, body: bytes, **more: Any) -> Answer:
    return door.put_run(str(make.uuid7()), body, **more)


def in_words(answer: Answer) -> str:
    return json.dumps(answer.json())


def test_an_envelope_of_empty_lists_is_refused_before_it_is_parsed(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    junk = b'{"a":[' + b"[]," * MANY + b"[]]}"
    assert "brackets" in in_words(put(door, junk))
    with weakened.without_structure_limits():
        assert "payload" in in_words(put(door, junk))  # it was parsed, and misses its members


def test_an_envelope_of_many_members_is_refused_before_it_is_parsed(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    junk = b"{" + b",".join(b'"%d":0' % n for n in range(MANY)) + b"}"
    assert "brackets" in in_words(put(door, junk))
    with weakened.without_structure_limits():
        assert "brackets" not in in_words(put(door, junk))


def test_a_packed_envelope_of_empty_lists_is_refused_before_it_is_parsed(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    digits = hashlib.shake_128(b"brackets").digest(60_000)
    filler = bytes(b"[],0123456789ab-"[each % 16] for each in digits)
    packed = gzip.compress(b'{"a":' + filler)
    answer = put(door, packed, HTTP_CONTENT_ENCODING="gzip")
    assert "brackets" in in_words(answer)
    with weakened.without_structure_limits():
        answer = put(door, packed, HTTP_CONTENT_ENCODING="gzip")
        assert "brackets" not in in_words(answer)


def test_a_gzip_bomb_is_not_unpacked(weakened: Weakened, door: Door, agent: make.Agent) -> None:
    bomb = gzip.compress(b'{"a":"' + bytes(10_000_000) + b'"}')
    assert put(door, bomb, HTTP_CONTENT_ENCODING="gzip").status_code == 413
    with weakened.without_gzip_limits():
        assert put(door, bomb, HTTP_CONTENT_ENCODING="gzip").status_code == 400


def test_a_gzip_bomb_in_a_statement_is_not_unpacked(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    bomb = gzip.compress(b'{"a":"' + bytes(1_000_000) + b'"}')
    assert door.ask(bomb, HTTP_CONTENT_ENCODING="gzip").status_code == 413
    with weakened.without_gzip_limits():
        assert door.ask(bomb, HTTP_CONTENT_ENCODING="gzip").status_code == 400


def test_a_gzip_member_inside_another_is_not_unpacked(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    envelope = agent.seal(document)
    twice = gzip.compress(gzip.compress(envelope))
    answer = door.put_run(document["run_id"], twice, HTTP_CONTENT_ENCODING="gzip")
    assert answer.status_code == 400
    once = gzip.compress(envelope)
    answer = door.put_run(document["run_id"], once, HTTP_CONTENT_ENCODING="gzip")
    assert answer.status_code == 201  # the second layer is what was refused
    other = make.payload()
    twice = gzip.compress(gzip.compress(agent.seal(other)))
    with weakened.with_gzip_in_gzip():
        answer = door.put_run(other["run_id"], twice, HTTP_CONTENT_ENCODING="gzip")
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("bomb", "weaker"),
    [
        (b"[" * 40 + b"]" * 40, "without_depth_limit"),
        (b'{"a":' * 40 + b"1" + b"}" * 40, "without_depth_limit"),
        (b"[" + b"0," * 1_000_001 + b"0]", "without_structure_limits"),
        (b'{"a":1,"a":2}', "without_strict_members"),
        (b"1" * 400, "without_number_limits"),
        (b"9007199254740993", "without_number_limits"),
        (b"1e400", "without_number_limits"),
        (b"1.5", "without_number_limits"),
        (b"NaN", "without_number_limits"),
        (b"-Infinity", "without_number_limits"),
    ],
    ids=["lists", "objects", "values", "twice", "digits", "inexact", "infinite", "float", "nan",
         "constant"],
)  # fmt: skip
def test_a_payload_that_readers_read_differently_or_dearly_is_refused(
    weakened: Weakened, bomb: bytes, weaker: str
) -> None:
    with pytest.raises(NotStrictJsonError):
        read_strict(bomb)
    with getattr(weakened, weaker)():
        read_strict(bomb)


def test_more_buckets_than_any_suite_has_are_refused(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    full = [[bucket, 1] for bucket in range(4000)]
    document["workloads"] = [
        {
            **workload,
            "id": f"w-{place}-{number}",
            "histograms": {"write": {**histogram, "counts": full}},
        }
        for place, workload in enumerate(document["workloads"])
        for number in range(8)
        for histogram in list(workload["histograms"].values())[:1]
    ]
    envelope = agent.seal(document)
    answer = door.put_run(document["run_id"], envelope)
    assert answer.status_code == 422
    assert "buckets in all" in in_words(answer)
    with weakened.without_totals():
        assert door.put_run(document["run_id"], envelope).status_code == 201


def test_more_samples_than_any_suite_has_are_refused(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    workload = document["workloads"][0]
    one = {**workload["passes"][0], "rate_samples": [1] * 4096}
    document["workloads"][0] = {**workload, "passes": [one] * 17}
    envelope = agent.seal(document)
    answer = door.put_run(document["run_id"], envelope)
    assert "samples in all" in in_words(answer)
    with weakened.without_totals():
        assert door.put_run(document["run_id"], envelope).status_code == 201


@pytest.mark.parametrize("path", ["/", "/nowhere/", "/plans/", "/search/", "/api/v1/nothing"])
def test_a_long_multipart_body_is_not_spooled(
    weakened: Weakened, client: Client, path: str
) -> None:
    file = {"file": SimpleUploadedFile("f", bytes(7_000_000))}
    assert client.post(path, file).status_code == 413
    with weakened.without_body_limits():
        file = {"file": SimpleUploadedFile("f", bytes(7_000_000))}
        assert client.post(path, file).status_code != 413


@pytest.mark.parametrize("length", ["-1", "1e9", "0x10", "٣", "12 12"])
def test_a_length_that_is_no_number_is_refused(
    weakened: Weakened, client: Client, length: str
) -> None:
    answer = client.generic("POST", "/nowhere/", b"x", CONTENT_LENGTH=length)
    assert answer.status_code == 411
    with weakened.without_body_limits():
        answer = client.generic("POST", "/nowhere/", b"x", CONTENT_LENGTH=length)
        assert answer.status_code == 404
