"""No module of apps needs itself by way of others: what one reads first is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.tidy.files import ROOT


def modules(folder: Path) -> dict[str, Path]:
    """Every module below a folder by its dotted name."""
    named = {path: path.relative_to(folder.parent).with_suffix("") for path in folder.rglob("*.py")}
    return {".".join(name.parts).removesuffix(".__init__"): path for path, name in named.items()}


def imports(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The known modules that one imports anywhere in it, those that only types need included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in known else node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def graph_of(folder: Path) -> dict[str, set[str]]:
    """What each module below a folder imports of the others."""
    known = modules(folder)
    return {
        name: {each for each in imports(path, known) if each in known and each != name}
        for name, path in known.items()
    }


def circles(graph: Mapping[str, set[str]]) -> list[str]:
    """The modules that stand on circles or between them, by name; empty where there is none.

    What imports nothing that is left is taken away, and what nothing that is left imports, until
    neither is found.
    """
    left = dict(graph)
    while outside := {
        name
        for name, needs in left.items()
        if not needs & left.keys() or not any(name in others for others in left.values())
    }:
        left = {name: needs for name, needs in left.items() if name not in outside}
    return sorted(left)


def test_no_module_of_apps_is_on_a_circle_of_imports() -> None:
    assert not circles(graph_of(ROOT / "apps"))


def test_a_circle_is_found_and_what_only_leads_to_it_is_not(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    for name, text in {
        "a": "from house.b import x",
        "b": "if True:\n    import house.c",
        "c": "def f():\n    from house import a",
        "entry": "import house.a",
        "leaf": "",
    }.items():
        (house / f"{name}.py").write_text(text, encoding="utf-8")
    assert circles(graph_of(house)) == ["house.a", "house.b", "house.c"]
