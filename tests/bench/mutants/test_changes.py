"""Each change is one slip, stands where it should, and leaves a module that can be read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.bench.mutants.changes import mutants_of


def changed(tmp_path: Path, code: str) -> list[str]:
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    mutants = mutants_of(tmp_path, Path("module.py"))
    return [each.applied(code.encode()).decode() for each in mutants]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a < b", ["a <= b"]),
        ("a < b <= c", ["a <= b <= c", "a < b < c"]),
        ("a is not b", ["a is b"]),
        ("(a) + \\\n  (b)", ["(a) - \\\n  (b)"]),
        ("a and b or c", ["a and b and c", "a or b or c"]),
        ("not a", ["a"]),
        ("x = -a", ["x = a"]),
        ("x = True", ["x = False"]),
        ("x = 0.5", ["x = 1.5"]),
        ("min(a)", ["max(a)", "pass"]),
        ("if a: b", ["if not (a): b"]),
        ("def f(): return a", ["def f(): return None"]),
        ("def f(): return None", []),
        ("a += b", ["pass"]),
        ("for a in b: continue", ["for a in b: break"]),
        ("for a in b: break", ["for a in b: continue"]),
        ('ü = "ü" == a', ['ü = "ü" != a']),
    ],
)
def test_a_change_is_one_slip(tmp_path: Path, code: str, expected: list[str]) -> None:
    assert sorted(changed(tmp_path, code)) == sorted(expected)
    for each in expected:
        ast.parse(each)


@pytest.mark.parametrize(
    "code",
    [
        "x: a | b",
        "def f(x: a | b) -> a | b: pass",
        "@decorated(1)\ndef f(): pass",
        "if TYPE_CHECKING:\n    x = 1",
        'x = f"{1:>3}"',
    ],
)
def test_what_does_not_decide_is_left_alone(tmp_path: Path, code: str) -> None:
    assert changed(tmp_path, code) == []


def keys_of(tmp_path: Path, code: str) -> list[str]:
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    return [each.key for each in mutants_of(tmp_path, Path("module.py"))]


def test_a_mutant_has_the_same_key_wherever_its_line_is_moved(tmp_path: Path) -> None:
    keys = keys_of(tmp_path, "x = 1\ny = 1\n")
    assert len(set(keys)) == 2
    assert keys_of(tmp_path, "z = a\n\nx = 1\ny = 1\n") == keys
    assert keys_of(tmp_path, "y = 1\nx = 1\n") == keys[::-1]


@pytest.mark.parametrize("code", ["x = a + b + c\n", "x += 1\nx += 1\n"])
def test_equal_changes_of_a_line_and_of_equal_lines_have_a_place_each(
    tmp_path: Path, code: str
) -> None:
    keys = keys_of(tmp_path, code)
    assert len(set(keys)) == len(keys)
    mutants = mutants_of(tmp_path, Path("module.py"))
    assert {each.place for each in mutants} == {1, 2}
    assert len({(each.code, each.words, each.place) for each in mutants}) == len(mutants)
