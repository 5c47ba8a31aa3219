"""Reads outputs of benchmarks that people already have; `tools.py` lists them.

Pure functions from bytes to figures, each with the line that it came from. What is not certain is
left out and said: a wrong figure is worse than none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apps.intake.importers.numbered_json import documents_of
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
from apps.intake.importers.surroundings import surroundings_of
from apps.intake.importers.text import lines_of, plain_text
from apps.intake.importers.tools import INCOMPLETE, TOOLS, tools_and_formats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.intake.importers.numbered_json import Document
    from apps.intake.importers.text import TextLine

__all__ = (
    "READER_VERSION",
    "ImportReading",
    "ImportedFigure",
    "Job",
    "UnreadableError",
    "as_document",
    "read_output",
    "without_measures",
)  # fmt: skip

_ARRAY: Final = re.compile(r"\s*\[\s*[\[{\"0-9\]]")


def read_output(raw: bytes) -> ImportReading:
    """Return what the output of a benchmark says. Raises UnreadableError, whose text says why."""
    text = plain_text(raw)
    if _ARRAY.match(text):
        raise UnreadableError("a JSON array, which none of these tools prints")
    documents = documents_of(text)
    reading = _read_documents(documents) if documents else _read_text(lines_of(text))
    reading.facts.update(surroundings_of(text, reading.paths))
    if not any(job.figures for job in reading.jobs):
        reasons = [note for job in reading.jobs for note in job.notes] or ["it was cut short"]
        raise UnreadableError(f"an output of {reading.tool} without a figure: {reasons[0]}")
    check_figures(reading.jobs)
    return reading


def _read_documents(documents: Sequence[Document]) -> ImportReading:
    writers = {
        next((tool for tool in TOOLS if tool.json and tool.json.is_of(document.root)), None)
        for document in documents
    }
    if len(writers) > 1:
        raise UnreadableError("JSON of several tools in one file: send them one by one")
    writer = writers.pop()
    if writer is None or writer.json is None:
        raise UnreadableError(f"JSON, but of no tool that is read here: {tools_and_formats()}")
    return writer.json.read(documents)


def _read_text(lines: Sequence[TextLine]) -> ImportReading:
    writers = [
        tool
        for tool in TOOLS
        if any(mark.match(line.text) for mark in tool.text.marks for line in lines)
    ]
    if len(writers) > 1:
        names = " and ".join(tool.name for tool in writers)
        raise UnreadableError(f"outputs of {names} in one file: send them one by one")
    if writers:
        return writers[0].text.read(lines)
    for mark, explanation in INCOMPLETE:
        if any(mark.match(line.text) for line in lines):
            raise UnreadableError(explanation)
    raise UnreadableError(
        f"no output that is read here: {tools_and_formats()}. Where a tool spoke another language, "
        "run it with LC_ALL=C"
    )
