"""Tests lie where the code lies; apps know only what lies below them, modules no circle."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.tidy.files import ROOT, repository_files, text_of

BESIDE_THE_MIRROR = {
    "agent", "attacks", "bench", "browser", "ci", "cluster", "docs", "docker", "faults", "load",
    "locale", "queries", "support", "tidy", "walk",
}  # fmt: skip
# A stranger reads the root first: each entry there is known, or does not belong there.
ROOT_ENTRIES = {
    ".ci", ".dockerignore", ".editorconfig", ".gitattributes", ".github", ".gitignore",
    ".pre-commit-config.yaml", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE",
    "README.md", "SECURITY.md", "agent", "apps", "docker", "docs", "locale", "manage.py",
    "pyproject.toml",
    "requirements", "run", "rust-toolchain.toml", "static", "templates", "tests",
}  # fmt: skip


def test_the_root_holds_what_is_listed_here_and_nothing_else() -> None:
    assert {path.parts[0] for path in repository_files()} == ROOT_ENTRIES


def test_each_folder_of_tests_mirrors_one_of_apps() -> None:
    folders = {
        path.parent.relative_to("tests")
        for path in repository_files()
        if path.is_relative_to("tests") and path.name.startswith("test_") and path.suffix == ".py"
    }
    strange = [
        str(folder)
        for folder in folders
        if folder.parts
        and folder.parts[0] not in BESIDE_THE_MIRROR
        and not (ROOT / "apps" / folder).is_dir()
    ]
    assert not strange


def test_each_app_has_tests() -> None:
    apps = {path.parts[1] for path in repository_files() if path.match("apps/*/*.py")}
    tested = {path.parts[1] for path in repository_files() if path.match("tests/*/**/test_*.py")}
    tested |= {path.parts[1] for path in repository_files() if path.match("tests/*/test_*.py")}
    assert apps <= tested


def test_each_app_is_described_in_one_sentence() -> None:
    apps = {path.parts[1] for path in repository_files() if path.match("apps/*/*.py")}
    described = set(re.findall(r"^\| `(\w+)` \|", text_of(Path("apps/README.md")), re.MULTILINE))
    assert described == apps


def test_the_import_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        check=False, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_every_requirement_is_pinned_and_hashed() -> None:
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        blocks = re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").strip())
        for block in blocks:
            assert re.match(r"^[a-z0-9-]+==\S+", block), f"{path.name}: {block[:60]}"
            assert "--hash=sha256:" in block, f"{path.name}: {block[:60]}"


def test_every_dependency_of_the_project_is_in_the_requirement_files() -> None:
    project = tomllib.loads(text_of(Path("pyproject.toml")))
    groups = {"base": project["project"]["dependencies"], **project["dependency-groups"]}
    for group, wanted in groups.items():
        pinned = text_of(Path(f"requirements/{group}.txt"))
        names = {re.split(r"[\[<>=; ]", line, maxsplit=1)[0].lower() for line in wanted}
        missing = [name for name in names if f"\n{name}==" not in f"\n{pinned}"]
        assert not missing, f"requirements/{group}.txt; run ./run lock"


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
