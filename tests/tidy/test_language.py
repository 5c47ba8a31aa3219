"""What is stored and computed has no language: sentences are made where they are shown."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from tests.tidy.files import ROOT

if TYPE_CHECKING:
    from pathlib import Path

LANGUAGE: Final = "django.utils.translation"
# Of a regular expression: two words with a space between them, or a look at the end of a sentence.
PROSE: Final = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}|\[\.!\?\]\) ")
DOMAIN: Final = ("wire", "stats", "drives", "plans", "accounts", "runs", "rankings")

# What a person reads of an account: the mails about its keys.
SPEAKING: Final = {"apps/accounts/mail.py"}


def imports_language(path: Path) -> bool:
    """Whether a module asks Django for a translation."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(LANGUAGE):
            return True
        if isinstance(node, ast.Import) and any(a.name.startswith(LANGUAGE) for a in node.names):
            return True
    return False


def test_the_domain_speaks_no_language() -> None:
    speaking = {
        path.relative_to(ROOT).as_posix()
        for app in DOMAIN
        for path in sorted((ROOT / "apps" / app).rglob("*.py"))
        if imports_language(path)
    }
    assert speaking == SPEAKING


def sentence_readers(path: Path) -> list[str]:
    """Where a module takes sentences apart: at their ends, or by a pattern of several words."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        texts = [
            a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
        ]
        is_split = node.func.attr in {"split", "rsplit", "partition"} and ". " in texts
        is_pattern = isinstance(node.func.value, ast.Name) and node.func.value.id in {"re", "re2"}
        if is_split or (is_pattern and any(PROSE.search(text) for text in texts)):
            found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def test_no_door_takes_stored_sentences_apart() -> None:
    assert not [
        place
        for app in ("api", "badges", "pages", "words", "rankings", "runs")
        for path in sorted((ROOT / "apps" / app).rglob("*.py"))
        for place in sentence_readers(path)
    ]
