"""What a recipe says is in a file is there: `NAME` of [`file`](path)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted(
    [ROOT / "README.md", ROOT / "agent" / "README.md", *(ROOT / "apps").glob("*/README.md")]
)
LINK: Final = re.compile(r"\[`[^`]+`\]\(([^)#\s]+)[^)]*\)")
NAME: Final = r"`\.?[A-Za-z_]\w*(?:\(\))?`"
# Names, then "of" or "in": what stands between them has no full stop, colon, semicolon or backtick.
NAMES_IN: Final = re.compile(rf"(?:{NAME}[^`.:;]*?)+\b(?:of|in)\s*$")


class NamedPlace(NamedTuple):
    """A name in backticks, and the file or folder that it is said to be in."""

    name: str
    place: Path


def named_places(text: str, folder: Path) -> Iterator[NamedPlace]:
    """Yield what a text with links relative to this folder says of names."""
    begin = 0
    for link in LINK.finditer(text):
        names = NAMES_IN.search(text[begin : link.start()])
        begin = link.end()
        if names and "://" not in link[1]:
            for name in re.findall(NAME, names[0]):
                yield NamedPlace(name.strip("`.()"), folder / link[1])


def has(place: Path, name: str) -> bool:
    """Tell whether a file, or any text of a folder, has this name as a word."""
    files = [path for path in place.rglob("*") if path.is_file()] if place.is_dir() else [place]
    word = re.compile(rf"\b{re.escape(name)}\b")
    return any(word.search(path.read_text(errors="ignore")) for path in files)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_name_is_in_the_file_that_a_page_names(page: Path) -> None:
    missing = [
        f"{name} in {place.resolve().relative_to(ROOT)}"
        for name, place in named_places(page.read_text(), page.parent)
        if not has(place, name)
    ]
    assert not missing


def test_a_name_of_the_sentence_before_is_not_looked_for() -> None:
    text = (
        "The verb `run`. Its `Sort` and its place in `ALL`, in\n   [`columns.py`](a/columns.py#x);"
        " `drop` and `.keep()` where it is kept, of [`b`](b)"
    )
    assert list(named_places(text, Path())) == [
        ("Sort", Path("a/columns.py")),
        ("ALL", Path("a/columns.py")),
        ("drop", Path("b")),
        ("keep", Path("b")),
    ]
