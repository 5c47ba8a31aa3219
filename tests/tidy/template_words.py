"""Finds words that a template says by itself, past the catalogue: text, attributes, arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from django.template.base import Lexer, Token, TokenType

SPOKEN_ATTRIBUTES = {"alt", "title", "placeholder", "aria-label", "content", "data-name", "label"}
SILENT = {"script", "style", "code", "pre"}
WORD = re.compile(r"[^\W\d_]{2,}(?:[-'\u2019][^\W\d_]+)*")
GAP = "\0"  # what a tag or a variable leaves behind: no word, and none across it
# An argument that is said: of a filter for what is missing, or with a space or capital in it.
SPOKEN_FILTER = re.compile(r"\|(?:default|default_if_none|yesno|pluralize)(?::\"([^\"]*)\")?")
ARGUMENT = re.compile(r"_\(\"[^\"]*\"\)|\"([^\"]*)\"")
WITH_ARGUMENTS = {"include", "with"}
ENGLISH_PLURAL = "plural by pluralize"

# Names, units and signs that are the same in every language.
NAMES = frozenset(
    {
        "fsync", "fdatasync", "fsyncmark", "Fsyncmark", "O_DIRECT", "PLP", "SLOG", "NVMe",
        "SATA", "SSD", "HDD", "RAID", "ZFS", "IOPS", "API", "OpenAPI", "JSON", "CSV", "HTML",
        "Markdown",
        "CC0", "UTC", "Linux", "macOS", "Postgres", "PostgreSQL", "MySQL", "InnoDB", "etcd",
        "Ceph", "WAL", "fio", "YABS", "pgbench", "pg_test_fsync", "min", "max", "CPU", "vCPU",
        "vCPUs", "RAM", "GiB", "MiB", "KiB", "TiB", "GB", "TB", "MB", "ms", "µs", "ns",
        "DIRECT", "SHA", "RSS", "Atom", "URL", "KVM", "VM", "AWS", "EBS", "io2", "gp3",
        "English", "iB", "px", "AX", "PRO", "gp",
    }
)  # fmt: skip
# Values of attributes that a program reads.
MACHINE = re.compile(
    r"width=device-width|light dark|website|summary(?:_large_image)?|noindex|image/|application/|"
    r"\{\"includeIndicator|index, follow|Fsyncmark$|"
    r"[0-9a-f]{8}-[0-9a-f-]{27}$"
)


def words_said(template: str) -> list[str]:
    """Every text of a template that no tag translates, each once, in the order of the file."""
    tokens = Lexer(template).tokenize()
    found = [*_arguments(tokens)]
    reader = _Reader()
    reader.feed("".join(_without_tags(tokens)))
    reader.close()
    return list(dict.fromkeys([*found, *reader.found]))


def words_of(text: str) -> list[str]:
    """The words of a text that are not names."""
    return [word for word in WORD.findall(text) if word not in NAMES]


def _without_tags(tokens: list[Token]) -> Iterator[str]:
    """What stands outside of tags; what a translating block or a comment holds is left out."""
    until = ""
    for token in tokens:
        name = token.contents.split(" ", 1)[0] if token.token_type is TokenType.BLOCK else ""
        if until:
            until = "" if name == until else until
        elif name in {"blocktranslate", "blocktrans", "comment"}:
            until = f"end{name}"
            yield GAP
        elif token.token_type is TokenType.TEXT:
            yield token.contents
        elif name not in {"if", "endif", "else", "elif", "for", "endfor"}:
            yield GAP


def _arguments(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.token_type not in {TokenType.VAR, TokenType.BLOCK}:
            continue
        for match in SPOKEN_FILTER.finditer(token.contents):
            if match[1] and words_of(match[1]):
                yield match[1]
            elif "pluralize" in match[0]:
                yield ENGLISH_PLURAL
        if token.contents.split(" ", 1)[0] in WITH_ARGUMENTS:
            for text in ARGUMENT.findall(token.contents):
                is_said = " " in text.strip() or text[:1].isupper()
                if is_said and words_of(text) and "/" not in text:
                    yield text


class _Reader(HTMLParser):
    """Collects the texts that a reader or a screen reader meets."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in SILENT
        for name, value in attrs:
            if name in SPOKEN_ATTRIBUTES and value and not MACHINE.search(value):
                self._take(value)

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self._take(data)

    def _take(self, text: str) -> None:
        if words_of(text):
            self.found.append(" ".join(text.replace(GAP, " … ").split()))
