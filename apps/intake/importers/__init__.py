"""Reads outputs of benchmarks that people already have: fio, YABS, pgbench, pg_test_fsync.

Pure functions from bytes to figures, each with the line that it came from. What is not certain is
left out and said: a wrong figure is worse than none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apps.intake.importers.fio_json import read_fio_json
from apps.intake.importers.fio_text import HEADER, JOB, read_fio_text
from apps.intake.importers.numbered_json import documents_of
from apps.intake.importers.patterns import Pattern
from apps.intake.importers.pg_test_fsync import read_pg_test_fsync
from apps.intake.importers.pgbench import read_pgbench
from apps.intake.importers.reading import (
    READER_VERSION,
    ImportedFigure,
    ImportReading,
    Job,
    UnreadableError,
    as_document,
    check_figures,
    without_measures,
)
from apps.intake.importers.text import lines_of, plain_text
from apps.intake.importers.yabs import read_yabs_json, read_yabs_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from apps.intake.importers.numbered_json import Document
    from apps.intake.importers.text import TextLine

__all__ = (
    "READER_VERSION",
    "TOOLS",
    "ImportReading",
    "ImportedFigure",
    "Job",
    "UnreadableError",
    "as_document",
    "read_output",
    "without_measures",
)  # fmt: skip

KNOWN: Final = (
    "fio (--output-format=json, json+ or its text), YABS (JSON or text), pgbench, pg_test_fsync"
)
_ARRAY: Final = re.compile(r"\s*\[\s*[\[{\"0-9\]]")
_TEXTS: Final[
    tuple[tuple[str, tuple[Pattern, ...], Callable[[Sequence[TextLine]], ImportReading]], ...]
] = (
    ("fio", (JOB,), read_fio_text),
    (
        "YABS",
        (
            Pattern(r".*(?:fio|dd Sequential) Disk Speed Tests.*", having="Disk Speed Tests"),
            Pattern(r".*", having="Yet-Another-Bench-Script"),
        ),
        read_yabs_text,
    ),
    (
        "pg_test_fsync",
        (
            Pattern(r"Compare file sync methods using .*", having="Compare file sync"),
            Pattern(r".*", having=" ops/sec"),
        ),
        read_pg_test_fsync,
    ),
    ("pgbench", (Pattern(r"transaction type: .*", having="transaction type: "),), read_pgbench),
)
TOOLS: Final = frozenset(name for name, _, _ in _TEXTS)
_OTHERS: Final = (
    (
        Pattern(r"\d;fio-\d.*", having=";fio-"),
        "fio's terse output: run fio with --output-format=json",
    ),
    (
        Pattern(r"pgbench \(.*|progress: \d.*", having=" "),
        "pgbench without its summary: it was cut short",
    ),
    (HEADER, "fio without a result: it was cut short"),
)


def read_output(raw: bytes) -> ImportReading:
    """Return what the output of a benchmark says. Raises UnreadableError, whose text says why."""
    text = plain_text(raw)
    if _ARRAY.match(text):
        raise UnreadableError("a JSON array, which none of these tools prints")
    documents = documents_of(text)
    reading = _read_documents(documents) if documents else _read_text(lines_of(text))
    if not any(job.figures for job in reading.jobs):
        reasons = [note for job in reading.jobs for note in job.notes] or ["it was cut short"]
        raise UnreadableError(f"an output of {reading.tool} without a figure: {reasons[0]}")
    check_figures(reading.jobs)
    return reading


def _read_documents(documents: Sequence[Document]) -> ImportReading:
    kinds = {_kind(document) for document in documents}
    if kinds == {"fio"}:
        return read_fio_json(documents)
    if kinds == {"yabs"}:
        return read_yabs_json(documents)
    if len(kinds) > 1:
        raise UnreadableError("JSON of several tools in one file: send them one by one")
    raise UnreadableError(f"JSON, but of no tool that is read here: {KNOWN}")


def _kind(document: Document) -> str:
    root = document.root
    if "fio version" in root:
        return "fio"
    is_yabs = str(root.get("version", "")).startswith("v20") and {"os", "cpu"} & root.keys()
    return "yabs" if is_yabs else ""


def _read_text(lines: Sequence[TextLine]) -> ImportReading:
    found = [
        (name, read)
        for name, patterns, read in _TEXTS
        if any(pattern.match(line.text) for pattern in patterns for line in lines)
    ]
    if len(found) > 1:
        names = " and ".join(name for name, _ in found)
        raise UnreadableError(f"outputs of {names} in one file: send them one by one")
    if found:
        return found[0][1](lines)
    for pattern, what in _OTHERS:
        if any(pattern.match(line.text) for line in lines):
            raise UnreadableError(what)
    raise UnreadableError(
        f"no output that is read here: {KNOWN}. Where a tool spoke another language, run it with "
        "LC_ALL=C"
    )
