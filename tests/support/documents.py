"""Runs as a stranger may send them: numbers of a document changed to extremes."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from apps.wire.run import BadRunError, read_run
from tests.support.sent import Json, as_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Path = tuple[str | int, ...]
EXTREMES = [0, 1, 127, 4095, 10**6, 10**12, 864 * 10**12, 2**53 - 1]


def with_extremes(
    data: st.DataObject, document: Json, places: Sequence[Path], *, changes_max: int
) -> Json:
    """Return the document with extremes in some of these places, as far as the schema allows."""
    for path in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=changes_max)):
        changed = copy.deepcopy(document)
        put(changed, path, data.draw(st.sampled_from(EXTREMES)))
        try:
            read_run(as_bytes(changed))
        except BadRunError:
            continue
        document = changed
    return document


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
