"""Selectors read the database and give data: words and addresses are made elsewhere."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tidy.files import ROOT, repository_files, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = Path("apps/pages")
# What makes words and addresses. Models of other apps may name their choices.
NOT_FOR_SELECTORS = (
    "django.utils.translation",
    "django.urls",
    "django.shortcuts",
    "django.utils.html",
)
MARK = "gettext_noop"  # hands a text to translators, and makes no words of it


def selectors() -> list[Path]:
    """Return the modules of pages that read the database."""
    return [
        path
        for path in repository_files()
        if path.is_relative_to(PAGES)
        and path.suffix == ".py"
        and ("selectors" in path.parts or path.name == "selectors.py")
    ]


def file_of(module: str) -> Path | None:
    """Return the file of a module of this repository."""
    path = Path(*module.split("."))
    return next(
        (
            each
            for each in (path.with_suffix(".py"), path / "__init__.py")
            if (ROOT / each).is_file()
        ),
        None,
    )


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules that a file imports; `from a import b` may name the module a.b."""
    return frozenset(_imported(ast.parse(text_of(path))))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and [each.name for each in node.names] == [MARK]:
            continue
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def ways_to_words(start: Path) -> list[str]:
    """Return each import of words or addresses in a file of pages and in all that it needs."""
    seen, waiting, found = {start}, [start], []
    while waiting:
        path = waiting.pop()
        found += [f"{path}: {each}" for each in sorted(imported(path)) if each in NOT_FOR_SELECTORS]
        for module in imported(path):
            file = file_of(module) if module.startswith("apps.pages.") else None
            if file is not None and file not in seen:
                seen.add(file)
                waiting.append(file)
    return found


@pytest.mark.parametrize("path", selectors(), ids=str)
def test_a_selector_knows_no_words_and_no_addresses(path: Path) -> None:
    assert not ways_to_words(path)


def test_rooms_have_selectors() -> None:
    assert {path.parts[2] for path in selectors()} >= {"boards", "things", "run", "compare", "home"}
