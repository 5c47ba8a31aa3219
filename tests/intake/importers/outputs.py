"""Outputs for tests of the importers: those that lie here, whole or with a change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from apps.intake.importers import as_document, read_output

FIXTURES = Path(__file__).parent / "fixtures"
MADE = FIXTURES / "made"
FSYNC = FIXTURES / "fio-3.33-debian.fsync.json"


def jobs_of(raw: bytes | str) -> list[dict[str, Any]]:
    jobs: list[dict[str, Any]] = as_document(
        read_output(raw.encode() if isinstance(raw, str) else raw)
    )["jobs"]
    return jobs


def made(name: str) -> list[dict[str, Any]]:
    return jobs_of((FIXTURES / "made" / name).read_bytes())


def changed(
    change: dict[str, Any], *, path: Path = FSYNC, drop: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the one job of an output in which some values were changed, by their dotted names."""
    document = json.loads(path.read_text())
    for place, value in change.items():
        *parents, last = place.split(".")
        target = document
        for parent in parents:
            target = target[int(parent) if parent.isdecimal() else parent]
        target[last] = value
    for place in drop:
        *parents, last = place.split(".")
        target = document
        for parent in parents:
            target = target[int(parent) if parent.isdecimal() else parent]
        del target[last]
    (job,) = jobs_of(json.dumps(document, indent=1))
    return job


def text_changed(name: str, *changes: tuple[str, str]) -> list[dict[str, Any]]:
    text = (FIXTURES / name).read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return jobs_of(text)


def value(job: dict[str, Any], name: str) -> float | None:
    figure = job["figures"].get(name)
    return figure["value"] if figure else None


def says(job: dict[str, Any], words: str) -> bool:
    return any(words in note for note in job["notes"])
