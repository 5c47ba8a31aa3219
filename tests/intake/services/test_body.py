"""Bodies: bounded, plain or gzip, and never unpacked further than allowed."""

from __future__ import annotations

import gzip
import os
import zlib

import pytest
from django.http import UnreadablePostError
from django.test import RequestFactory

from apps.intake.http import gunzip, read_body
from apps.wire.limits import COMPRESSION_RATIO_MAX, ENVELOPE_BYTES_MAX
from apps.wire.problems import Refusal
from tests import make
from tests.intake.conftest import CONTENT_TYPE, Door, problem_of


def refusal(body: bytes, *, bytes_max: int = ENVELOPE_BYTES_MAX) -> str:
    with pytest.raises(Refusal) as caught:
        gunzip(body, bytes_max=bytes_max)
    return caught.value.kind.slug


@pytest.mark.django_db
def test_a_run_may_come_compressed(door: Door, agent: make.Agent) -> None:
    document = make.payload()
    body = gzip.compress(agent.seal(document))
    answer = door.put_run(document["run_id"], body, headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 201


def test_the_largest_body_is_read_and_one_byte_more_is_not(door: Door) -> None:
    assert problem_of(door.put_run(make.uuid7(), b" " * ENVELOPE_BYTES_MAX)) == (
        400,
        "bad-envelope",
    )
    assert problem_of(door.put_run(make.uuid7(), b" " * (ENVELOPE_BYTES_MAX + 1))) == (
        413,
        "too-large",
    )


def test_a_body_without_a_length_is_not_read(door: Door) -> None:
    """WSGI shows a chunked body as none at all."""
    answer = door.put_run(make.uuid7(), b"{}", CONTENT_LENGTH="")
    assert problem_of(answer) == (411, "length-required")


def test_gzip_is_unpacked_up_to_the_limit() -> None:
    content = os.urandom(5000)
    assert gunzip(gzip.compress(content), bytes_max=5000) == content
    assert refusal(gzip.compress(content), bytes_max=4999) == "too-large"


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = gzip.compress(bytes(100_000_000))
    assert len(bomb) < 100_000
    assert refusal(bomb) == "too-large"


def test_the_ratio_has_a_limit_of_its_own() -> None:
    packed = gzip.compress(bytes(10_000))
    assert COMPRESSION_RATIO_MAX * len(packed) < 10_000
    assert refusal(packed) == "too-large"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"no gzip", id="plain"),
        pytest.param(zlib.compress(b"another header"), id="zlib"),
        pytest.param(gzip.compress(b"cut off")[:-1], id="cut off"),
        pytest.param(gzip.compress(b"one") + gzip.compress(b"two"), id="two members"),
        pytest.param(gzip.compress(b"one") + b"garbage", id="garbage after it"),
    ],
)
def test_anything_but_one_whole_member_is_refused(body: bytes) -> None:
    assert refusal(body) == "bad-compression"


@pytest.mark.parametrize("encoding", ["zstd", "br", "deflate", "gzip, gzip"])
def test_no_other_encoding_is_read(door: Door, encoding: str) -> None:
    answer = door.put_run(make.uuid7(), b"{}", headers={"Content-Encoding": encoding})
    assert problem_of(answer) == (415, "unsupported-media-type")


def test_a_connection_that_breaks_is_not_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    request = RequestFactory().generic("PUT", "/", b"{}", content_type=CONTENT_TYPE)

    def broken(*_: object) -> bytes:
        raise UnreadablePostError("reset by peer")

    monkeypatch.setattr(request, "read", broken)
    with pytest.raises(Refusal) as caught:
        read_body(request, bytes_max=10)
    assert caught.value.kind.slug == "bad-envelope"
