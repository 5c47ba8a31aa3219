"""In the agent a name of a type stands for one thing, so that a search for it finds that thing."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from tests.tidy.files import text_of, with_suffix

SOURCE = Path("agent/src")
TYPE = re.compile(
    r"^\s*(?:pub(?:\([a-z]+\))? )?(?:struct|enum|trait) (?P<name>[A-Z]\w*)", re.MULTILINE
)


def files_of_types() -> dict[str, set[str]]:
    """Each name with its files: one type may be written once for each system in one file."""
    files = defaultdict(set)
    for path in with_suffix(".rs"):
        if SOURCE in path.parents:
            for name in TYPE.findall(text_of(path)):
                files[name].add(str(path))
    return files


def test_no_name_stands_for_two_types() -> None:
    files = files_of_types()
    assert "WorkloadDefinition" in files, "no type was recognised"
    assert {name: where for name, where in files.items() if len(where) > 1} == {}
