"""Strict JSON, read once and cheaply."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.wire.limits import DEPTH_MAX, INTEGER_MAX, PAYLOAD_STRUCTURE_MAX
from apps.wire.reading import (
    NotStrictJsonError,
    check_depth,
    read_strict,
    read_tolerant,
    shown,
)

integers = st.integers(min_value=-INTEGER_MAX, max_value=INTEGER_MAX)
leaves = st.none() | st.booleans() | integers | st.text()
documents = st.recursive(
    leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


def depth_of(value: object) -> int:
    inner: list[object] = []
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, list):
        inner = value
    else:
        return 0
    return 1 + max(map(depth_of, inner), default=0)


@given(documents)
def test_what_json_writes_is_read_back_or_too_deep(document: object) -> None:
    for ascii_only in (True, False):
        raw = json.dumps(document, ensure_ascii=ascii_only).encode()
        if depth_of(document) > DEPTH_MAX:
            with pytest.raises(NotStrictJsonError, match="levels deep"):
                read_strict(raw)
        else:
            assert read_strict(raw) == document


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail_otherwise(raw: bytes) -> None:
    for read in (read_strict, read_tolerant):
        with suppress(NotStrictJsonError):
            read(raw)


@given(st.text(alphabet='"\\[]{}a,', max_size=60))
def test_brackets_in_strings_are_not_depth(text: str) -> None:
    check_depth(json.dumps([text]).encode())


def test_a_deep_document_is_refused_before_it_is_built() -> None:
    with pytest.raises(NotStrictJsonError, match="8 levels"):
        read_strict(b"[" * PAYLOAD_STRUCTURE_MAX)


def test_many_brackets_are_refused_before_any_is_looked_at() -> None:
    with pytest.raises(NotStrictJsonError, match="over 1000000"):
        read_strict(b"[" * 4_000_000)


def test_quotes_that_never_end_are_linear() -> None:
    with pytest.raises(NotStrictJsonError):
        read_strict(b'"' + b'\\"' * 2_000_000)


def test_bytes_that_are_no_utf8_are_refused() -> None:
    with pytest.raises(NotStrictJsonError, match="byte 2"):
        read_strict(b'{"\xff": 1}')


def test_a_member_named_twice_is_named_in_the_error() -> None:
    with pytest.raises(NotStrictJsonError, match="'a'"):
        read_strict(b'{"b": 1, "a": 1, "a": 2}')


def test_a_negative_integer_is_bounded_too() -> None:
    with pytest.raises(NotStrictJsonError, match="2\\^53"):
        read_strict(b"[-9007199254740992]")


def test_the_tolerant_reader_allows_any_number_and_nothing_else() -> None:
    assert read_tolerant(b'{"a": 1.5, "b": 1e999, "c": 99999999999999999999}') == {
        "a": 1.5,
        "b": float("inf"),
        "c": 1e20,
    }
    with pytest.raises(NotStrictJsonError):
        read_tolerant(b'{"a": NaN}')
    with pytest.raises(NotStrictJsonError, match="surrogate"):
        read_tolerant(b'["\\ud800"]')


def test_a_strangers_text_is_shown_short_and_printable() -> None:
    assert shown("a\u202eb\n" + "x" * 100) == "a?b?" + "x" * 60
