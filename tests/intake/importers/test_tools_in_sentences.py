"""The sentence that lists the tools whose outputs are read lists all of them, and stands once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from apps.config.one_machine.environment import ROOT
from apps.intake.importers.tools import TOOLS
from apps.words.imports import TOOLS_IN_WORDS

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [tool.name for tool in TOOLS]
A_TOOL = rf"(?:{'|'.join(sorted(NAMES, key=len, reverse=True))})"
LIST_OF_THREE = re.compile(rf"\b{A_TOOL}, {A_TOOL}(?:,| or| and) {A_TOOL}\b")


def test_the_sentence_lists_every_tool_once() -> None:
    assert re.findall(A_TOOL, str(TOOLS_IN_WORDS)) == NAMES


def test_the_table_of_the_guide_has_a_row_for_each() -> None:
    table = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"\n| {name}" not in table] == []


def test_no_other_text_of_the_site_lists_them() -> None:
    def lists_them(path: Path) -> bool:
        return bool(LIST_OF_THREE.search(" ".join(path.read_text(encoding="utf-8").split())))

    files = [*(ROOT / "apps").rglob("*.py"), *(ROOT / "templates").rglob("*.html")]
    lists = {str(path.relative_to(ROOT)) for path in files if lists_them(path)}
    assert lists == {"apps/words/imports.py"}
