"""docs/security.md names all chapters of ASVS 5.0, and only files that are there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "security.md").read_text("utf-8")
ROWS: Final = re.findall(r"^\| V(\d+) (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
FILE: Final = re.compile(r"`((?:apps|tests|templates|requirements|agent)/[\w./-]+)`")


def test_all_seventeen_chapters_stand_in_their_order() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, 18))


def test_each_chapter_names_a_test_that_is_there_and_its_gaps() -> None:
    for number, _name, holds, tried, gaps in ROWS:
        assert FILE.findall(tried), f"V{number} names no test"
        assert gaps.strip(), f"V{number} says nothing of gaps"
        for file in FILE.findall(holds + tried):
            assert (ROOT / file).is_file(), f"V{number}: {file}"
