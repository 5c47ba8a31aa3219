"""What people got of several kinds of storage, in a sentence."""

from __future__ import annotations

import pytest

from apps.words.standings import kinds_words


@pytest.mark.parametrize(
    ("kinds", "sentence"),
    [
        (
            [(6, 32_035.0, "PM9A3"), (3, 215.0, "PM9A1")],
            "6 of 9 uploaders got PM9A3 (32,035/s), 3 got PM9A1 (215/s).",
        ),
        ([(7, 205.0, ""), (4, 1_010.0, "")], "7 of 11 uploaders got 205/s, 4 got 1,010/s."),
    ],
)
def test_kinds_are_counted_and_named(kinds: list[tuple[int, float, str]], sentence: str) -> None:
    assert kinds_words(kinds) == sentence
