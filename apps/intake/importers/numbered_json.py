"""JSON whose numbers know their position, so that each figure can name its line.

Numbers stay text until they are asked for: a literal of a million digits costs nothing but its
bytes. Nothing is nested deeper than we read, named twice, or NaN.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from apps.intake.importers.limits import (
    EXCERPT_CHARACTERS_MAX,
    JSON_VALUES_MAX,
    NUMBER_CHARACTERS_MAX,
    RUNS_MAX,
    VALUE_MAX,
    VALUE_MIN,
)
from apps.intake.importers.reading import ImportedFigure, UnreadableError, excerpt, name_of, tidy
from apps.intake.importers.text import decimal_comma
from apps.wire.reading import NotStrictJsonError, check_depth

# A string, or (as group 1) a number outside of strings.
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(-?[0-9][0-9.eE+-]*)', re.DOTALL)
_COMMA_IN_NUMBER: Final = re.compile(r":\s*-?[0-9]+,[0-9]")
_MEMBER_BEGINS: Final = (",", "{", "[")
_OBJECT: Final = re.compile(r"^[ \t]*\{", re.MULTILINE)
_LINE_END: Final = re.compile("\n")
_AROUND: Final = 60  # characters on each side of a fault, in which its reason is looked for
_NAN: Final = re.compile(r":\s*-?(?:nan|inf)", re.IGNORECASE)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written, and which number of the document it is, counted from 0."""

    text: str
    place: int


class Document:
    """One JSON object inside a text."""

    def __init__(self, text: str, start: int, line_ends: array[int]) -> None:
        """Read the object that begins there. Raises UnreadableError."""
        self._text = text
        self._line_ends = line_ends
        self._start = start
        self._count = 0
        self._places: array[int] | None = None
        self.root, self.end = self._read()

    def figure(self, number: Number, *, times: float = 1) -> ImportedFigure:
        """Return a number as a figure with its line. Raises UnreadableError."""
        value = self.value(number)
        if times != 1:
            value = tidy(value * times)
        at = self._place_of(number)
        line = self._line_at(at)
        begin = self._line_ends[line - 2] + 1 if line > 1 else 0
        first = max(begin, at - EXCERPT_CHARACTERS_MAX)
        # Of a line with all of an output, other members may hold the folders of somebody's files.
        before = max(self._text.rfind(sign, first, at) for sign in _MEMBER_BEGINS)
        first = max(first, before + 1)
        end = at + len(number.text)
        end += self._text.startswith(",", end)
        return ImportedFigure(
            value=value, line=line, text=excerpt(self._text[first:end], at - first)
        )

    def value(self, number: Number) -> float:
        """Return the value of a number, which must not be negative. Raises UnreadableError."""
        if len(number.text) > NUMBER_CHARACTERS_MAX:
            self._refuse(number, f"a number of {len(number.text):,} characters is no figure")
        is_whole = number.text.lstrip("-").isdecimal()
        value: float = int(number.text) if is_whole else float(number.text)
        if value and not VALUE_MIN <= value < VALUE_MAX:
            self._refuse(number, f"{number.text} is no figure")
        return value

    def _refuse(self, number: Number, what: str) -> NoReturn:
        raise UnreadableError(f"line {self._line_at(self._place_of(number))}: {what}")

    def _read(self) -> tuple[Json, int]:
        decoder = json.JSONDecoder(
            object_pairs_hook=_without_twins,
            parse_float=self._number,
            parse_int=self._number,
            parse_constant=_refuse_constant,
        )
        try:
            return decoder.raw_decode(self._text, self._start)
        except json.JSONDecodeError as error:
            raise UnreadableError(self._why(error)) from error

    def _why(self, error: json.JSONDecodeError) -> str:
        begin = self._text.rfind("\n", 0, error.pos) + 1
        around = self._text[max(begin, error.pos - _AROUND) : error.pos + _AROUND]
        if _COMMA_IN_NUMBER.search(around):
            return decimal_comma(error.lineno)
        if _NAN.search(around):
            return f"line {error.lineno}: NaN is not a figure, nor is an infinite one"
        if error.pos >= len(self._text.rstrip()) or error.msg.startswith("Unterminated string"):
            return f"cut short: the JSON ends in the middle, at line {error.lineno}"
        return f"broken JSON at line {error.lineno}: {error.msg}"

    def _number(self, text: str) -> Number:
        number = Number(text, self._count)
        self._count += 1
        return number

    def _place_of(self, number: Number) -> int:
        if self._places is None:
            tokens = _TOKEN.finditer(self._text, self._start, self.end)
            self._places = array("Q", (match.start(1) for match in tokens if match[1]))
        return self._places[number.place]

    def _line_at(self, place: int) -> int:
        return bisect_left(self._line_ends, place) + 1


def documents_of(text: str) -> list[Document]:
    """Return the JSON objects that begin at the beginning of a line. Raises UnreadableError.

    What stands before, between and after them (notes of fio, progress lines) is left out.
    """
    first = _OBJECT.search(text)
    if first is None:
        return []
    start = first.end() - 1
    if text.count(",", start) + text.count(":", start) > JSON_VALUES_MAX:
        raise UnreadableError(f"more than {JSON_VALUES_MAX:,} values: send one benchmark")
    try:
        check_depth(text[start:].encode("utf-8", "surrogatepass"))
    except NotStrictJsonError as error:
        raise UnreadableError(f"JSON {error}, which no output of these tools is") from error
    line_ends = array("Q", (match.start() for match in _LINE_END.finditer(text)))
    documents: list[Document] = []
    while True:
        documents.append(Document(text, start, line_ends))
        following = _OBJECT.search(text, documents[-1].end)
        if following is None:
            return documents
        if len(documents) >= RUNS_MAX:
            raise UnreadableError(f"more than {RUNS_MAX} outputs in one file: send fewer")
        start = following.end() - 1


def part(source: object, name: str) -> Json:
    """Return an object inside an object; empty where there is none."""
    value = source.get(name) if isinstance(source, dict) else None
    return value if isinstance(value, dict) else {}


def items(source: object, name: str) -> list[Any]:
    """Return an array inside an object; empty where there is none."""
    value = source.get(name) if isinstance(source, dict) else None
    return value if isinstance(value, list) else []


def number(source: object, name: str) -> Number | None:
    """Return a number inside an object, or None."""
    value = source.get(name) if isinstance(source, dict) else None
    return value if isinstance(value, Number) else None


def word(source: object, name: str) -> str:
    """Return a string inside an object, or nothing."""
    value = source.get(name) if isinstance(source, dict) else None
    return value if isinstance(value, str) else ""


def _without_twins(pairs: list[tuple[str, object]]) -> Json:
    """Build an object; a member may come again with the same value, as fio 2 prints some."""
    members = dict(pairs)
    if len(members) != len(pairs):
        for name, value in pairs:
            if _bare(value) != _bare(members[name]):
                raise UnreadableError(
                    f"the JSON gives {name_of(name)!r} twice in one object with different values, "
                    "and nothing says which holds"
                )
    return members


def _bare(value: object) -> object:
    """Return what a value says, wherever it stands."""
    return value.text if isinstance(value, Number) else value


def _refuse_constant(text: str) -> NoReturn:
    raise UnreadableError(f"{text} is not a figure: the output of a run that went wrong")
