"""Makes files of published results that hold a few of the shipped records, changed or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from apps.runs.published.check.files import SHIPPED, PublishedFiles

Json = dict[str, Any]
RECORD_ID = "pklaus-970evo-1tb-8k-fdatasync"


def records() -> list[Json]:
    return [json.loads(line) for line in SHIPPED.results.read_text("utf-8").splitlines()]


def some(record_id: str) -> Json:
    return next(record for record in records() if record["id"] == record_id)


def write(folder: Path, *rows: Json | str, sources: Json | None = None,
          workloads: Json | None = None) -> PublishedFiles:  # fmt: skip
    """Write files that hold these records and only the entries that they name."""
    named = [row for row in rows if isinstance(row, dict)]
    sources = sources or entries_of(SHIPPED.sources, {row["source"] for row in named})
    workloads = workloads or entries_of(SHIPPED.workloads, {row["workload"]["id"] for row in named})
    files = PublishedFiles(*(folder / each.name for each in
                             (SHIPPED.results, SHIPPED.sources, SHIPPED.workloads)))  # fmt: skip
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    files.results.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    files.sources.write_text(json.dumps(sources, indent=1), "utf-8")
    files.workloads.write_text(json.dumps(workloads, indent=1), "utf-8")
    return files


def entries_of(path: Path, names: set[str]) -> Json:
    entries: Json = json.loads(path.read_text("utf-8"))
    return {name: entry for name, entry in entries.items() if name in names}
