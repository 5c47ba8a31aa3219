"""The compiled schema of runs, and its faults with JSON pointers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema_rs

from apps.wire.limits import ERRORS_MAX, NAME_CHARACTERS_MAX
from apps.wire.problems import Fault
from apps.wire.reading import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCHEMA_PATH = Path(__file__).with_name("run.v1.schema.json")
DETAIL_CHARACTERS_MAX = 200  # a pattern and a few words; values are masked
# Listing every fault takes over 100 bytes of memory for each byte sent: a payload of 4 MiB that was
# wrong everywhere took 4 GB. For larger documents only the first fault is listed.
LISTED_BYTES_MAX = 16 * 1024
_MASK = "this"  # stands for the sender's value in messages, so that nothing is echoed


def pointer_to(path: Iterable[str | int]) -> str:
    """Return the JSON pointer (RFC 6901) of a path into a document."""
    escaped = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "".join(f"/{step}" for step in escaped)


def schema_faults(document: object, *, size_bytes: int) -> tuple[Fault, ...]:
    """Return the faults of a document by the schema of runs; `size_bytes` is its size in JSON.

    There are at most ERRORS_MAX, or only the first one for a document above LISTED_BYTES_MAX. The
    pointer of a missing or unknown member is where it should be or is.
    """
    validator = _validator()
    try:
        validator.validate(document)  # stops at the first fault
    except jsonschema_rs.ValidationError as first:
        if size_bytes > LISTED_BYTES_MAX:
            return tuple(_faults_of(first))[:ERRORS_MAX]
    else:
        return ()
    faults: list[Fault] = []
    for error in validator.iter_errors(document):
        faults.extend(_faults_of(error))
        if len(faults) >= ERRORS_MAX:
            break
    return tuple(faults[:ERRORS_MAX])


@cache
def _validator() -> jsonschema_rs.Draft202012Validator:
    schema = json.loads(SCHEMA_PATH.read_bytes())
    return jsonschema_rs.Draft202012Validator(
        schema,
        mask=_MASK,
        pattern_options=jsonschema_rs.RegexOptions(),  # linear time: strangers send the strings
    )


def _faults_of(error: jsonschema_rs.ValidationError) -> Iterator[Fault]:
    kind = error.kind
    if isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
        for name in kind.unexpected[:ERRORS_MAX]:
            path = [*error.instance_path, name[:NAME_CHARACTERS_MAX]]
            yield Fault(pointer=pointer_to(path), detail=f"{shown(name)!r} has no place here")
    elif isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
        yield Fault(pointer=pointer_to([*error.instance_path, kind.property]), detail="is missing")
    else:
        yield Fault(
            pointer=pointer_to(error.instance_path), detail=error.message[:DETAIL_CHARACTERS_MAX]
        )
