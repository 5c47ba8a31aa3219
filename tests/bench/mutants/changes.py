"""Small changes of Python code, one at a time: what a slip of the hand would make of it.

A library would have to be told of our servers, of a sample and of what is equivalent: mutmut keeps
all variants in one module behind a switch and runs tests in its own process, where Django's models
cannot be imported twice; cosmic-ray has no sample. So the changes are made here, over `ast`.
"""

from __future__ import annotations

import ast
import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Final

COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
ARITHMETIC: Final[dict[type[ast.operator], str]] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "/", ast.Mod: "+",
    ast.Pow: "*", ast.LShift: ">>", ast.RShift: "<<", ast.BitOr: "&", ast.BitAnd: "|",
}  # fmt: skip
OPPOSITES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change: the text between two places of a file, and what stands there instead."""

    path: str  # relative to the root
    line: int
    first: int  # in bytes from the file's start
    last: int
    before: str
    after: str
    code: str  # the line as it was
    place: int  # which of the file's equal changes of equal lines, from 1

    @property
    def key(self) -> str:
        """An id that stays when lines are moved, as long as this one has the same text."""
        parts = (self.path, self.code, self.words, str(self.place))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    @property
    def words(self) -> str:
        return f"{self.before} -> {self.after}"

    def applied(self, source: bytes) -> bytes:
        return source[: self.first] + self.after.encode() + source[self.last :]


def mutants_of(root: Path, path: Path) -> list[Mutant]:
    """Every change of a file, in the order of its text."""
    text = Text((root / path).read_bytes())
    found = []
    equal = Counter[tuple[str, str, str]]()
    for first, last, after in sorted(set(_changes(text))):
        line = bisect_right(text.starts, first)
        code = text.source[text.starts[line - 1] : text.starts[line]].decode().strip()
        before = text.source[first:last].decode()
        equal[code, before, after] += 1
        place = equal[code, before, after]
        found.append(Mutant(str(path), line, first, last, before, after, code, place))
    return found


Change = tuple[int, int, str]  # where it begins and ends, and what stands there instead


@dataclass(frozen=True)
class Text:
    """A file's bytes, and where in them its nodes stand."""

    source: bytes

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins, and where the last one ends."""
        return [0, *accumulate(map(len, self.source.splitlines(keepends=True)))]

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        last_line, last_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        first = self.starts[node.lineno - 1] + node.col_offset
        return first, self.starts[last_line - 1] + last_column

    def of(self, node: ast.expr) -> str:
        return self.source[slice(*self.span(node))].decode()

    def between(self, one: ast.expr, two: ast.expr) -> tuple[int, int]:
        """The operator between two operands, be it beside brackets or at a line's end."""
        first, last = self.span(one)[1], self.span(two)[0]
        gap = self.source[first:last]
        operator = gap.strip(b" \t\r\n()\\")
        begin = first + gap.find(operator)
        return begin, begin + len(operator)


def _changes(text: Text) -> Iterator[Change]:
    for node in _code_that_runs(ast.parse(text.source)):
        yield from _of_operators(node, text)
        yield from _of_values(node, text)
        yield from _of_statements(node, text)


def _of_operators(node: ast.AST, text: Text) -> Iterator[Change]:
    match node:
        case ast.Compare(left=left, ops=operators, comparators=others):
            for operator, pair in zip(operators, pairwise([left, *others]), strict=True):
                yield (*text.between(*pair), COMPARISONS[type(operator)])
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            yield (*text.between(left, right), ARITHMETIC[type(op)])
        case ast.BoolOp(op=op, values=values):
            for pair in pairwise(values):
                yield (*text.between(*pair), "or" if isinstance(op, ast.And) else "and")
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield (*text.span(node), text.of(operand))


def _of_values(node: ast.AST, text: Text) -> Iterator[Change]:
    match node:
        case ast.Constant(value=bool() as value):
            yield (*text.span(node), str(not value))
        case ast.Constant(value=int() | float() as number):
            yield (*text.span(node), repr(number + 1))
        case ast.Call(func=ast.Name(id=name) as function) if name in OPPOSITES:
            yield (*text.span(function), OPPOSITES[name])


def _of_statements(node: ast.AST, text: Text) -> Iterator[Change]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield (*text.span(test), f"not ({text.of(test)})")
        case ast.Return(value=ast.expr() as value) if text.of(value) != "None":
            yield (*text.span(value), "None")
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield (*text.span(node), "pass")
        case ast.Continue():
            yield (*text.span(node), "break")
        case ast.Break():
            yield (*text.span(node), "continue")


def _code_that_runs(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but annotations, decorators, f-strings and what only type checkers read."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list"}:
                continue
            children = value if isinstance(value, list) else [value]
            waiting += [
                each for each in children
                if isinstance(each, ast.AST) and not _is_left_out(each)
            ]  # fmt: skip


def _is_left_out(node: ast.AST) -> bool:
    for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return for_types or isinstance(node, ast.JoinedStr)
