"""Places in a JSON document, for tests that change what a stranger may send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]


def numbers_of(document: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of each number of a document."""
    if isinstance(document, bool):
        return
    if isinstance(document, int):
        yield path
    members = document.items() if isinstance(document, dict) else ()
    items = enumerate(document) if isinstance(document, list) else ()
    for key, inner in (*members, *items):
        yield from numbers_of(inner, (*path, key))


def put(document: Any, path: Path, value: Any) -> None:
    """Set one value of a document, by its path."""
    *steps, last = path
    for step in steps:
        document = document[step]
    document[last] = value
