"""Functions and modules stay short enough to be read in one go."""

from __future__ import annotations

import ast
import re
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

from tests.tidy.files import compare_with_allowed, text_of, with_suffix

PYTHON_FUNCTION_LINES_MAX = 50
RUST_FUNCTION_LINES_MAX = 70
MODULE_LINES_MAX = 600
MODULE_LINES_ASKED = 400  # above this a module stands below, with the reason why it is one idea
REASONS: dict[str, str] = {
    "apps/config/settings.py": "what the environment decides, in one place",
    "apps/rankings/models.py": "the computed tables, most of which name a standing",
    "apps/runs/models.py": "the tables of a run, each of which names the others",
}
RUST_FUNCTION = re.compile(
    r"^(?P<indent> *)(?:pub(?:\([a-z]+\))? )?(?:const |unsafe )*fn (?P<name>\w+)"
)


def python_functions(path: Path) -> dict[str, int]:
    """Lines of each function, its docstring left out."""
    lines = {}
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
            body = (node.end_lineno or 0) - first.lineno + 1
            lines[f"{path}:{node.name}"] = body + (node.body[0].lineno - node.lineno)
    return lines


def rust_functions(path: Path) -> dict[str, int]:
    """Lines of each function; rustfmt closes it with a brace at the indent of its `fn`."""
    found, lines = {}, text_of(path).splitlines()
    for number, line in enumerate(lines):
        match = RUST_FUNCTION.match(line)
        if match is None or line.rstrip().endswith((";", "}")):
            continue
        indent = match["indent"]
        # of a body, or of the signature of a trait's promise
        ends = (f"{indent}}}", (f"{indent})", f"{indent}->"))
        end = next(n for n in range(number + 1, len(lines)) if is_end(lines[n], ends))
        found[f"{path}:{match['name']}"] = end - number + 1
    return found


def is_end(line: str, ends: tuple[str, tuple[str, str]]) -> bool:
    body, signatures = ends
    return line == body or (line.startswith(signatures) and line.endswith(";"))


def test_python_functions_are_short() -> None:
    found: dict[str, int] = {}
    for path in with_suffix(".py"):
        found |= python_functions(path)
    too_long = {name: size for name, size in found.items() if size > PYTHON_FUNCTION_LINES_MAX}
    compare_with_allowed("python_function_lines", too_long)


def test_rust_functions_are_short() -> None:
    found: dict[str, int] = {}
    for path in with_suffix(".rs"):
        found |= rust_functions(path)
    assert found, "no Rust function was recognised"
    too_long = {name: size for name, size in found.items() if size > RUST_FUNCTION_LINES_MAX}
    compare_with_allowed("rust_function_lines", too_long)


def test_modules_are_short() -> None:
    sizes = {
        str(path): text_of(path).count("\n") for path in with_suffix(".py", ".rs", ".js", ".css")
    }
    too_long = {name: size for name, size in sizes.items() if size > MODULE_LINES_MAX}
    compare_with_allowed("module_lines", too_long)
    long = {name for name, size in sizes.items() if size > MODULE_LINES_ASKED}
    asked = {name for name in long if not any(fnmatch(name, each) for each in REASONS)}
    assert not asked, "a module of more than 400 lines says in REASONS why it is not two"
    stale = {each for each in REASONS if not any(fnmatch(name, each) for name in long)}
    assert not stale, "a reason that nothing needs any more"


FOLDER_FILES_MAX = 15
NARROW = ("apps", "templates", "static", "tests", "agent")
SOURCES = (".py", ".html", ".css", ".js", ".rs")
WIDE_FOLDERS = {
    "static/css": "a style sheet for each room, and for each part that several rooms share",
    "static/js": "one behaviour a file",
    "tests/bench/engine": "one loop or cost of the agent a file",
    "tests/bench/mutants": "each module with its test beside it",
}


def test_a_folder_has_at_most_fifteen_files_at_its_top() -> None:
    """More of them are no longer seen at once: a part that is an idea of its own gets a folder."""
    counts = Counter(
        path.parent.as_posix()
        for path in with_suffix(*SOURCES)
        if any(path.is_relative_to(top) for top in NARROW)
    )
    wide = {folder for folder, n in counts.items() if n > FOLDER_FILES_MAX}
    assert not wide - WIDE_FOLDERS.keys(), "a folder of more says in WIDE_FOLDERS why"
    assert not WIDE_FOLDERS.keys() - wide, "a reason that nothing needs any more"
