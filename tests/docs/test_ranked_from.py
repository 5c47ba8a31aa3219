"""How many uploaders a rank takes: documents name the number of the rule."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from apps.stats.standings.gates import RANKED_UPLOADERS_MIN

ROOT: Final = Path(__file__).parents[2]
NUMBERS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
CHINESE: Final = {"两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7}
# Sentences that name it, in English and in Chinese.
SENTENCE: Final = re.compile(r"(?:[Ff]rom|[Bb]elow|at\s+least|fewer\s+than)\s+(\w+)\s+uploaders")
CHINESE_SENTENCE: Final = re.compile(r"(?:至少|不足|少于|达到)\s?(\w)\s?位上传者")
# How often a document says it, at least: so that a sentence is not overlooked.
SENTENCES: Final = {
    "README.md": 1,
    "docs/api.md": 2,
    "docs/methodology.md": 3,
    "docs/methodology.zh-hans.md": 3,
}


def number(word: str) -> int | None:
    """What a number or its word says; None for other words, as in "its uploaders"."""
    known = {**NUMBERS, **CHINESE}
    return int(word) if word.isdecimal() else known.get(word.lower())


@pytest.mark.parametrize("name", SENTENCES)
def test_documents_name_the_numbers_of_the_rule(name: str) -> None:
    text = (ROOT / name).read_text()
    pattern = CHINESE_SENTENCE if "zh-hans" in name else SENTENCE
    named = [number(uploaders) for uploaders in pattern.findall(text)]
    assert named.count(RANKED_UPLOADERS_MIN) >= SENTENCES[name]


def test_explain_names_the_number_of_uploaders_that_agree() -> None:
    text = (ROOT / "agent" / "data" / "explain" / "levels.txt").read_text()
    words = re.findall(r"At least (\w+) independent uploaders", text)
    assert [number(word) for word in words] == [RANKED_UPLOADERS_MIN]


def test_no_template_and_no_module_types_the_numbers() -> None:
    """Sentences of the site take them from the rule."""
    typed = re.compile(r"\b(?:\d+|" + "|".join(NUMBERS) + r")\s+uploaders\s+(?:and|or|on|with)\b")
    files = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("apps/**/*.py")]
    assert [str(file) for file in files if typed.search(file.read_text())] == []
