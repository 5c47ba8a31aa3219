"""Checks the three files of published results as a whole and says in which line a fault stands."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from apps.drives.catalogue import read_families
from apps.plans.catalogue import read_plans, read_providers
from apps.runs.published.check.rules import RULES, Known
from apps.runs.published.check.shape import Locator, RecordShape, SourceShape, WorkloadShape
from apps.runs.published.services import RESULTS_FILE, SOURCES_FILE, WORKLOADS_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Entry = TypeVar("Entry", SourceShape, WorkloadShape)


@dataclass(frozen=True, slots=True)
class PublishedFiles:
    """Where the files lie."""

    results: Path
    sources: Path
    workloads: Path


SHIPPED: Final = PublishedFiles(RESULTS_FILE, SOURCES_FILE, WORKLOADS_FILE)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One fault: file and line, the record or entry, and what to do."""

    file: str
    line: int
    subject: str
    message: str

    def __str__(self) -> str:
        """Return the finding as compilers print theirs."""
        return f"{self.file}:{self.line}: {self.subject}: {self.message}"


@dataclass(frozen=True, slots=True)
class Line:
    """A record of the right shape and the line that it stands in."""

    number: int
    record: RecordShape


@dataclass(frozen=True, slots=True)
class Checked:
    """What was read, and every fault of it in the order of file and line."""

    records: tuple[Line, ...]
    sources: Mapping[str, SourceShape]
    findings: tuple[Finding, ...]


def check_files(files: PublishedFiles = SHIPPED) -> Checked:
    """Return the records of the right shape and all faults; needs no database."""
    findings: list[Finding] = []
    sources = _entries(files.sources, SourceShape, findings)
    workloads = _entries(files.workloads, WorkloadShape, findings)
    lines = _lines(files.results, findings)
    is_all_read = not findings  # else an entry would seem unused that a faulty line names
    known = known_of(sources, workloads)
    for line in lines:
        for rule in RULES:
            findings += (_at(files, line, message) for message in rule(line.record, known))
    findings += _repeated(files, lines)
    findings += _workloads_that_differ(files, lines)
    findings += _lines_of_others(files, lines)
    used = {line.record.source for line in lines}, {line.record.workload.id for line in lines}
    if is_all_read:
        for path, names in zip((files.sources, files.workloads), used, strict=True):
            findings += _unused(path, names)
    return Checked(tuple(lines), sources, tuple(sorted(findings)))


def known_of(sources: Mapping[str, SourceShape], workloads: Mapping[str, WorkloadShape]) -> Known:
    """Return these names and those of the catalogue."""
    return Known(
        sources=sources,
        workloads=workloads,
        providers=frozenset(provider.name for provider in read_providers()),
        plans=_plan_names(),
        families={family.name: family.released for family in read_families()},
    )


def _plan_names() -> frozenset[tuple[str, str]]:
    names = {provider.slug: provider.name for provider in read_providers()}
    return frozenset((names[plan.provider_id], plan.name) for plan in read_plans())


def _lines(path: Path, findings: list[Finding]) -> list[Line]:
    lines = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            lines.append(Line(number, msgspec.json.decode(text, type=RecordShape)))
        except msgspec.DecodeError as error:
            findings.append(Finding(path.name, number, _id_in(text), str(error)))
    return lines


def _id_in(text: str) -> str:
    try:
        return str(json.loads(text)["id"])
    except (ValueError, KeyError, TypeError):
        return "no id"


def _entries(path: Path, shape: type[Entry], findings: list[Finding]) -> dict[str, Entry]:
    text = path.read_text(encoding="utf-8")
    entries: dict[str, Entry] = {}
    for name, entry in _object(path, text, findings).items():
        try:
            entries[name] = msgspec.convert(entry, type=shape)
        except msgspec.ValidationError as error:
            findings.append(Finding(path.name, _line_of(text, name), name, str(error)))
    return entries


def _object(path: Path, text: str, findings: list[Finding]) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        findings.append(Finding(path.name, 1, "the file", str(error)))
        return {}


def _line_of(text: str, name: str) -> int:
    """Return the line in which an entry of an object begins."""
    before, _, _ = text.partition(f"{json.dumps(name)}:")
    return before.count("\n") + 1


def _at(files: PublishedFiles, line: Line, message: str) -> Finding:
    return Finding(files.results.name, line.number, line.record.id, message)


def _repeated(files: PublishedFiles, lines: list[Line]) -> Iterator[Finding]:
    """Yield ids that are used twice, and figures that one machine has twice for one workload."""
    first_of_id: dict[str, int] = {}
    first_of_figures: dict[bytes, int] = {}
    for line in lines:
        record = line.record
        first = first_of_id.setdefault(record.id, line.number)
        if first != line.number:
            yield _at(files, line, f"the id of line {first} again: take another")
        figures = (
            record.source, record.machine or record.machine_label, record.plan,
            record.filesystem, record.measured_on, record.workload, record.metrics,
        )  # fmt: skip
        first = first_of_figures.setdefault(msgspec.json.encode(figures), line.number)
        if first != line.number:
            yield _at(files, line, f"the machine, workload and figures of line {first} again")


def _workloads_that_differ(files: PublishedFiles, lines: list[Line]) -> Iterator[Finding]:
    """Yield records whose block or sync is not that of the others of their workload."""
    of_workload: dict[str, dict[tuple[object, object], Line]] = defaultdict(dict)
    for line in lines:
        shape = line.record.workload
        seen = of_workload[shape.id]
        seen.setdefault((shape.block_size_bytes, shape.sync), line)
        first = next(iter(seen.values()))
        one = first.record.workload
        if (shape.block_size_bytes, shape.sync) != (one.block_size_bytes, one.sync):
            yield _at(
                files,
                line,
                f"workload {shape.id!r} has another block or sync in line {first.number}",
            )


def _lines_of_others(files: PublishedFiles, lines: list[Line]) -> Iterator[Finding]:
    """Yield records that share what to search for, where it does not carry the figure of each."""
    of_locator: dict[tuple[str, Locator], list[Line]] = defaultdict(list)
    for line in lines:
        of_locator[line.record.source, line.record.locator].append(line)
    for (_, locator), sharing in of_locator.items():
        if len({line.record.metrics.rate_per_s for line in sharing}) == 1:
            continue
        for line in sharing:
            if line.record.metrics.rate_as_printed not in locator.find:
                numbers = [other.number for other in sharing if other is not line]
                yield _at(
                    files,
                    line,
                    f"locator.find is that of line {numbers[0]} too, of another figure: quote the "
                    f"line that has {line.record.metrics.rate_as_printed}",
                )


def _unused(path: Path, used: set[str]) -> Iterator[Finding]:
    text = path.read_text(encoding="utf-8")
    for name in _object(path, text, []).keys() - used:
        yield Finding(path.name, _line_of(text, name), name, "no record refers to it: remove it")
