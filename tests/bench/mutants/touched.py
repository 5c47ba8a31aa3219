"""Which tests could notice a mutant: those that execute its line, the fastest first."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.bench.mutants.changes import Mutant

SLOW_SECONDS: Final = 3.0  # a test that takes longer waits until all the others have passed

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Touched:
    """What was recorded: seconds by test, and the tests (or whole files of tests) by line."""

    seconds: Mapping[str, float] = field(default_factory=dict)
    lines: Mapping[str, Mapping[int, Sequence[str]]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Touched:
        """What the plugin `touching` wrote."""
        record = json.loads(path.read_text(encoding="utf-8"))
        lines = {
            name: {int(line): tests for line, tests in by_line.items()}
            for name, by_line in record["lines"].items()
        }
        return cls(record["seconds"], lines)

    @classmethod
    def merged(cls, records: Iterable[Touched]) -> Touched:
        seconds: dict[str, float] = {}
        lines: dict[str, dict[int, list[str]]] = {}
        for record in records:
            seconds |= record.seconds
            for name, by_line in record.lines.items():
                for line, tests in by_line.items():
                    lines.setdefault(name, {}).setdefault(line, []).extend(tests)
        return cls(seconds, lines)

    def reaching(self, mutant: Mutant, source: str) -> list[str]:
        """The tests that execute the mutant's statement, the fastest first.

        An import executes the statements of a module itself, once for all: there the tests count
        that execute anything of the module, and all tests where it holds nothing but constants.
        """
        by_line = self.lines.get(mutant.path, {})
        lines = function_lines(source, mutant.line)
        touching = {test for line in lines or by_line for test in by_line.get(line, ())}
        if lines is None and not touching:
            return self.fastest_first(self.seconds)
        # what a fixture executes is recorded under its file, and counts for all tests there
        return self.fastest_first(each for each in self.seconds if {each, file_of(each)} & touching)

    def quick(self, tests: Iterable[str]) -> list[str]:
        return [each for each in tests if self.seconds[each] <= SLOW_SECONDS]

    def fastest_first(self, tests: Iterable[str]) -> list[str]:
        return sorted(tests, key=lambda test: (self.seconds[test], test))


def file_of(test: str) -> str:
    """The file of a test whose name pytest knows."""
    return test.partition("::")[0]


def function_lines(source: str, line: int) -> range | None:
    """The lines of the innermost statement around a line; None where an import executes it."""
    inside = False
    innermost = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and line in _all_lines(node):
            innermost = _own_lines(node)
            inside |= isinstance(node, FUNCTIONS) and line not in innermost
    return innermost if inside else None


def _all_lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _own_lines(node: ast.stmt) -> range:
    """All lines of a simple statement; of a compound one those above its body."""
    body = getattr(node, "body", None)
    if not body:
        return _all_lines(node)
    return range(node.lineno, max(node.lineno + 1, body[0].lineno))
