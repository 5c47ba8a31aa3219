"""Strict JSON, so that signed bytes can be read in exactly one way.

Python's reader accepts duplicate members, NaN, 1e400 and any depth. With these, two readers could
see different runs in the same signed bytes, or reading could be expensive.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from typing import NoReturn

from apps.wire.limits import (
    DEPTH_MAX,
    ENVELOPE_STRUCTURE_MAX,
    INTEGER_MAX,
    NAME_CHARACTERS_MAX,
    PAYLOAD_STRUCTURE_MAX,
)

_STRUCTURE = b'"[]{},:'
_NOT_STRUCTURE = bytes(set(range(256)) - set(b'"[]{}'))
_DIGITS_MAX = 19  # of a 64-bit integer
# Every number that may be above 2^53-1, and of texts at most what looks like one.
_LONG = re.compile(rb"(?:^|[\s,:\[-])([0-9]{16,})")
_AS_BRACKETS = bytes.maketrans(b"{}", b"[]")  # which of both is no matter of depth


class NotStrictJsonError(ValueError):
    """The bytes are no strict JSON; the message tells the sender why."""


def read_strict(raw: bytes, *, integer_max: int = INTEGER_MAX) -> object:
    """Return the value of strict JSON: integers only, no member twice, DEPTH_MAX levels.

    Raises NotStrictJsonError.
    """
    check_structure(raw, most=PAYLOAD_STRUCTURE_MAX)
    # A call for each of some thousand integers takes twice as long as all else together.
    is_large = any(
        len(each) > _DIGITS_MAX or int(each) > integer_max for each in _LONG.findall(raw)
    )
    parse_int = partial(_bounded_integer, most=integer_max) if is_large else None
    return _read(raw, parse_float=_refuse_float, parse_int=parse_int)


def read_tolerant(raw: bytes) -> object:
    """Return the value of JSON whose unknown members may hold any number.

    It is for envelopes, whose unknown members are ignored, and strict in all other respects.
    Numbers are returned as floats, since they are only ignored. Raises NotStrictJsonError.
    """
    check_structure(raw, most=ENVELOPE_STRUCTURE_MAX)
    return _read(raw, parse_float=float, parse_int=float)


def shown(name: str) -> str:
    """Return a text of a stranger for an error message: printable and short."""
    return "".join(c if c.isprintable() else "?" for c in name[:NAME_CHARACTERS_MAX])


def check_structure(raw: bytes, *, most: int) -> None:
    """Raise NotStrictJsonError for more structural characters than this, in strings or not.

    Every value costs at least one of them, so it bounds what reading costs before it begins.
    """
    count = len(raw) - len(raw.translate(None, _STRUCTURE))
    if count > most:
        raise NotStrictJsonError(f"has {count} brackets, quotes, colons and commas, over {most}")


def check_depth(raw: bytes) -> None:
    """Raise NotStrictJsonError for more than DEPTH_MAX nested arrays and objects.

    It takes time linear in the bytes: strings are removed by splitting at quotes without an escape.
    """
    bare = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    structure = b"".join(bare.translate(_AS_BRACKETS, _NOT_STRUCTURE).split(b'"')[::2])
    shallower = structure
    for _ in range(DEPTH_MAX):
        shallower = shallower.replace(b"[]", b"")  # the innermost level
    if not shallower:
        return
    depth = 0
    for byte in structure:
        depth += 1 if byte == ord("[") else -1
        if depth > DEPTH_MAX:
            raise NotStrictJsonError(f"nested more than {DEPTH_MAX} levels deep")


def _read(raw: bytes, *, parse_float: object, parse_int: object) -> object:
    check_depth(raw)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotStrictJsonError(f"not UTF-8 at byte {error.start}") from error
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_object_of_unique_members,
            parse_float=parse_float,  # type: ignore[arg-type]  # typeshed wants one exact signature
            parse_int=parse_int,  # type: ignore[arg-type]  # as above
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise NotStrictJsonError(
            f"{error.msg} at line {error.lineno}, column {error.colno}"
        ) from error
    if b"\\u" in raw:  # only an escape can bring half of a pair past the UTF-8 decoder
        _refuse_lone_surrogates(value)
    return value


def _refuse_lone_surrogates(value: object) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotStrictJsonError("a string holds half of a surrogate pair") from error


def _object_of_unique_members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise NotStrictJsonError(f"member {shown(twice)!r} is named twice in one object")
    return members


def _refuse_float(text: str) -> NoReturn:
    raise NotStrictJsonError(f"{shown(text)} is not an integer")


def _refuse_constant(text: str) -> NoReturn:
    raise NotStrictJsonError(f"{text} is not a JSON number")


def _bounded_integer(text: str, *, most: int) -> int:
    characters_max = len(str(most)) + 1  # with a sign; longer is never converted
    if len(text) > characters_max or abs(value := int(text)) > most:
        power = most.bit_length()
        raise NotStrictJsonError(f"{shown(text)} is larger than 2^{power}-1")
    return value
