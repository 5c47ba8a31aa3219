"""Sentences that list the tools whose outputs are read list all of them."""

from __future__ import annotations

import re

import pytest

from apps.config.environment import ROOT
from apps.intake.importers import TOOLS

A_TOOL = rf"(?:{'|'.join(sorted(TOOLS, key=len, reverse=True))})(?: \([^)]*\))?"
LIST = re.compile(rf"\b{A_TOOL}(?:(?:, or |, and |, | or | and ){A_TOOL})+\b")
SOME = 3  # fewer beside each other are named for another reason
FILES = (
    ROOT / "README.md",
    *(
        path
        for folder, pattern in (("apps", "*.py"), ("templates", "*.html"), ("docs", "*.md"))
        for path in sorted((ROOT / folder).rglob(pattern))
        if "migrations" not in path.parts
    ),
)


def lists_of(text: str) -> list[set[str]]:
    """The tools of each list in a text that names some of them."""
    names = re.compile("|".join(sorted(TOOLS, key=len, reverse=True)))
    found = (set(names.findall(listed[0])) for listed in LIST.finditer(" ".join(text.split())))
    return [tools for tools in found if len(tools) >= SOME]


def test_every_list_of_tools_is_whole() -> None:
    lists = {path: lists_of(path.read_text(encoding="utf-8")) for path in FILES}
    assert sum(map(len, lists.values())) > SOME
    lacking = [path for path, found in lists.items() if any(tools != TOOLS for tools in found)]
    assert lacking == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("fio, YABS or pgbench", 1),
        ("of fio (JSON or\ntext), YABS,  pgbench and pg_test_fsync", 1),
        ("pgbench and pg_test_fsync", 0),
    ],
)
def test_a_list_is_known_as_one(text: str, count: int) -> None:
    assert len(lists_of(text)) == count
