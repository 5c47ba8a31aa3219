"""Bytes of a stranger into lines of plain text: encodings, colours and ends of lines undone."""

from __future__ import annotations

import codecs
import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.intake.importers.limits import (
    LINE_CHARACTERS_MAX,
    LINES_MAX,
    NUMBER_CHARACTERS_MAX,
    OUTPUT_BYTES_MAX,
    VALUE_MAX,
    VALUE_MIN,
)
from apps.intake.importers.reading import ImportedFigure, UnreadableError, excerpt, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

MEBIBYTE: Final = 1024 * 1024
_PROBE_BYTES: Final = 512  # at the beginning, to see which bytes are zero
_ESCAPES: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours and movements of the cursor
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and links
    r"|\x1b[@-Z\\^_]?"
)
_UTF16_MARKS: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_COMPRESSED: Final = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"\xfd7zXZ": "xz",
    b"(\xb5/\xfd": "zstd",
}
# What logs, mails and Markdown put before a line, and Markdown behind it.
_BEFORE: Final = re.compile(
    r"^(?:\[(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[ T])?[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?\] ?"
    r"|> ?|`)+",
    re.MULTILINE,
)
_BEHIND: Final = re.compile(r"(?<!`)`+$", re.MULTILINE)
_TAG: Final = re.compile(
    r"</?(?:b|blockquote|code|div|em|i|kbd|li|p|pre|samp|small|span|strong|td|tr|tt)"
    r"(?:[ \t][^<>\n]*)?>",
    re.IGNORECASE,
)
_LINE_BREAK: Final = re.compile(r"<br ?/?>", re.IGNORECASE)
_NO_BREAK_SPACE: Final = "\xa0"
_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_DECIMAL_COMMA: Final = re.compile(r"[0-9],[0-9]")


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line, or a part of it: a progress line that was overwritten, or one between <br>."""

    number: int  # counted from 1, as an editor does
    text: str


def plain_text(raw: bytes) -> str:
    """Return the text of an output with its lines ended by line feeds. Raises UnreadableError."""
    if len(raw) > OUTPUT_BYTES_MAX:
        raise UnreadableError(
            f"larger than {OUTPUT_BYTES_MAX // MEBIBYTE} MiB: send the output of one benchmark, "
            "without logs"
        )
    for magic, name in _COMPRESSED.items():
        if raw.startswith(magic):
            raise UnreadableError(f"compressed with {name}: unpack it first")
    text = _decoded(raw)
    if "\x00" in text:
        raise UnreadableError("a binary file: send what the tool printed, as text")
    text = _ESCAPES.sub("", text).replace("\r\n", "\n")
    text = _BEHIND.sub("", _BEFORE.sub("", text))
    if not text.strip():
        raise UnreadableError("empty: there is no output in it")
    return text


def lines_of(text: str) -> list[TextLine]:
    """Return the lines of a text format. Raises UnreadableError for too many or too long ones."""
    if text.count("\n") + text.count("\r") > LINES_MAX:
        raise UnreadableError(f"more than {LINES_MAX:,} lines: send the summary, not a log")
    lines = list(_split(_LINE_BREAK.sub("\r", _TAG.sub("", text))))
    for line in lines:
        if len(line.text) > LINE_CHARACTERS_MAX:
            raise UnreadableError(
                f"line {line.number} has {len(line.text):,} characters, no line of these tools "
                f"more than {LINE_CHARACTERS_MAX:,}: send what the tool printed, unchanged"
            )
    return lines


def figure_of(line: TextLine, text: str, *, times: float = 1) -> ImportedFigure:
    """Return a number of a line as a figure, multiplied by a unit. Raises UnreadableError."""
    value = number_of(text, line=line.number)
    if times != 1:
        value = tidy(value * times)
    return ImportedFigure(
        value=value, line=line.number, text=excerpt(line.text, line.text.find(text))
    )


def number_of(text: str, *, line: int) -> float:
    """Return a number that is written with digits and at most one point. Raises UnreadableError."""
    if len(text) > NUMBER_CHARACTERS_MAX:
        raise UnreadableError(f"line {line}: a number of {len(text):,} characters is no figure")
    if _DECIMAL_COMMA.search(text):
        raise UnreadableError(decimal_comma(line))
    if not _NUMBER.fullmatch(text):
        raise UnreadableError(f"line {line}: {excerpt(text)!r} is not a number")
    value: float = float(text) if "." in text else int(text)
    if value >= VALUE_MAX:
        raise UnreadableError(f"line {line}: {excerpt(text)} is too large to be a figure")
    if 0 < value < VALUE_MIN:
        raise UnreadableError(f"line {line}: {excerpt(text)} is too small to be a figure")
    return value


def decimal_comma(line: int) -> str:
    """Say what is wrong with a comma, which might as well separate thousands."""
    return (
        f"line {line}: a number with a decimal comma, which could as well separate thousands; run "
        "the tool with LC_ALL=C"
    )


def _decoded(raw: bytes) -> str:
    for mark, encoding in _UTF16_MARKS.items():
        if raw.startswith(mark):
            return _strictly(raw[len(mark) :], encoding, "UTF-16")
    begin = raw[:_PROBE_BYTES]
    for encoding, zeros in (("utf-16-le", begin[1::2]), ("utf-16-be", begin[::2])):
        if zeros and not any(zeros):  # ASCII in UTF-16 without a mark
            return _strictly(raw, encoding, "UTF-16")
    return _strictly(raw.removeprefix(codecs.BOM_UTF8), "utf-8", "UTF-8")


def _strictly(raw: bytes, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableError(
            f"not {name} text at byte {error.start}: send what the tool printed, as UTF-8"
        ) from error


def _split(text: str) -> Iterator[TextLine]:
    for number, line in enumerate(text.split("\n"), start=1):
        for part in line.split("\r"):
            plain = html.unescape(part).replace(_NO_BREAK_SPACE, " ")
            yield TextLine(number, plain.rstrip())
