"""The name of a class stands for one thing; the nouns of the domain are explained."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path
from typing import Final

from tests.tidy.files import ROOT, text_of

GLOSSARY: Final = Path("docs/glossary.md")
DJANGOS: Final = {"Command"}  # the name that Django looks for in every module of a command


def places_of_classes() -> dict[str, list[str]]:
    """The modules of apps that hold a class of each name; nested ones are named by their class."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "apps").rglob("*.py")):
        if "migrations" not in path.parts:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(path.relative_to(ROOT).as_posix())
    return found


def test_the_name_of_a_class_stands_for_one_thing() -> None:
    places = places_of_classes()
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert twice.keys() == DJANGOS, twice


def test_every_noun_of_the_glossary_is_one_class_and_explained_once() -> None:
    entries = [line for line in text_of(GLOSSARY).splitlines() if line.startswith("- ")]
    nouns = [noun for line in entries for noun in re.findall(r"`([A-Z]\w+)`", line)]
    places = places_of_classes()
    assert len(nouns) == len(set(nouns)), "a noun is explained twice"
    assert not [noun for noun in nouns if len(places.get(noun, ())) != 1]
