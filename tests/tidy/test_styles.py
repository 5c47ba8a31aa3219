"""Style sheets stand on the tokens: lengths, sizes of type and breakpoints are named once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tidy.files import compare_with_allowed, repository_files, text_of

TOKENS = Path("static/css/tokens.css")
# The page of our own failures loads no other file, so it brings its own values.
ALONE = {Path("static/css/failed.css"): "loads no tokens: as little as can fail with it"}
SIZES_OF_TYPE = 8
TEXT_PX_MIN = 13
LABELS = {"mark"}  # of drawings, in the figures' face, whose letters are tall
# A variable cannot stand in a media query. Below: the columns narrow; the navigation folds and
# pages of two columns get one; words and field stand above each other; a phone; a page that is
# shown at four times its size.
BREAKPOINTS_PX = {1330, 1240, 900, 640, 350}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
MEDIA = re.compile(r"@media[^{]*")
PIXELS = re.compile(r"(?<![\w-])-?[\d.]+px")
SIZE_OF_TYPE = re.compile(r"(?<![\w-])font(?:-size)?: ([^;]*)")
# Inside a text of any size: what is smaller or larger than the words around it.
RELATIVE = re.compile(r"^(?:[\d.]+em|inherit|0|max\([\d.]+em, var\(--size-note\)\))$")


def style_sheets() -> list[Path]:
    return [
        path for path in repository_files() if path.match("static/css/*.css") and path not in ALONE
    ]


def pixels_of(css: str) -> list[str]:
    """Every length in pixels that is no token, and no width that a page is asked for."""
    return PIXELS.findall(MEDIA.sub("", COMMENT.sub("", css)))


def untokened_sizes_of(css: str) -> list[str]:
    """Every size of type that is neither a token nor relative to the words around it."""
    return [
        value
        for value in SIZE_OF_TYPE.findall(COMMENT.sub("", css))
        if "var(--size-" not in value and not RELATIVE.match(value)
    ]


def test_lengths_in_pixels_are_tokens() -> None:
    found = {str(path): len(pixels_of(text_of(path))) for path in style_sheets() if path != TOKENS}
    compare_with_allowed("pixels", {name: n for name, n in found.items() if n})


def test_sizes_of_type_are_tokens() -> None:
    found = {str(path): untokened_sizes_of(text_of(path)) for path in style_sheets()}
    assert not {name: sizes for name, sizes in found.items() if sizes}


def test_there_are_few_sizes_of_type_and_none_is_too_small_to_read() -> None:
    sizes = dict(re.findall(r"--size-(\w+): (?:clamp\()?(\d+)px", text_of(TOKENS)))
    assert len(sizes) == SIZES_OF_TYPE
    assert min(int(px) for name, px in sizes.items() if name not in LABELS) >= TEXT_PX_MIN


def test_widths_that_change_a_page_are_few() -> None:
    found = {
        int(px)
        for path in style_sheets()
        for query in MEDIA.findall(COMMENT.sub("", text_of(path)))
        for px in re.findall(r"(\d+)px", query)
    }
    assert found == BREAKPOINTS_PX


def test_every_token_that_is_used_is_there_and_every_one_that_is_there_is_used() -> None:
    sheets = [COMMENT.sub("", text_of(path)) for path in style_sheets()]
    defined = {name for css in sheets for name in re.findall(r"(?<![\w-])(--[\w-]+):", css)}
    used = {name for css in sheets for name in re.findall(r"var\((--[\w-]+)", css)}
    assert used == defined


@pytest.mark.parametrize(
    ("css", "pixels", "sizes"),
    [
        (".a { width: 12px; margin: -1.5px 0; }", ["12px", "-1.5px"], []),
        ("/* 12px */ @media (width < 900px) { .a { width: var(--pad); } }", [], []),
        (".a { font: 400 13px/1.4 x; font-size: 2rem; }", ["13px"], ["400 13px/1.4 x", "2rem"]),
        (".a { font-size: 0.8em; font: 400 var(--size-note) x; font-stretch: 1%; }", [], []),
    ],
)
def test_what_is_no_token_is_found(css: str, pixels: list[str], sizes: list[str]) -> None:
    assert pixels_of(css) == pixels
    assert untokened_sizes_of(css) == sizes
