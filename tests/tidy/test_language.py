"""What is stored and computed has no language: sentences are made where they are shown."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tests.tidy.files import ROOT

if TYPE_CHECKING:
    from pathlib import Path

LANGUAGE: Final = "django.utils.translation"
DOMAIN: Final = ("wire", "stats", "drives", "plans", "accounts", "runs", "rankings")


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
    assert not speaking
