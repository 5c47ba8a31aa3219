"""What stands beside the tables of a dump: its description, its checksums and a text for people."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from django.conf import settings

from apps.runs.trust.licences import CITED
from apps.stored_files import sha256_of

if TYPE_CHECKING:
    from datetime import date, datetime
    from pathlib import Path

    from apps.rankings.dumps.tables import DumpTable

PACKAGE: Final = "datapackage.json"
SUMS: Final = "SHA256SUMS"
METHOD: Final = "METHOD_VERSION"
FORMAT: Final = 1  # of the tables: raised when a column changes its meaning or goes
CC0: Final = {
    "name": "CC0-1.0",
    "path": "https://creativecommons.org/publicdomain/zero/1.0/",
    "title": "CC0 1.0 Universal",
}
PUBLISHED_NOTE: Final = (
    f"CC0 holds for what was measured and uploaded here. Published figures (licence: {CITED}) and "
    "prices are facts of the sources that stand beside them."
)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file of a dump."""

    name: str
    bytes: int
    sha256: str
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class DumpContent:
    """What a dump is of."""

    taken_at: datetime
    day: date  # of the standings
    method_version: int
    boards: dict[str, str]  # SHA-256 of the standings of each board that was computed completely
    behind: list[str]  # boards that wait for a worker: their standings are older than the runs
    providers: str | None  # SHA-256 of the standings of providers


def write_package(
    folder: Path, content: DumpContent, tables: dict[str, DumpTable], rows: dict[str, int]
) -> list[StoredFile]:
    """Describe what lies in a folder, and return its files."""
    (folder / METHOD).write_text(f"{content.method_version}\n", encoding="utf-8")
    files = [_stored(each, rows) for each in sorted(folder.iterdir())]
    described = {
        "name": "fsyncmark",
        "title": "Fsyncmark: durable commits per second of real machines",
        "homepage": settings.SITE_URL,
        "created": content.taken_at.isoformat(),
        "licenses": [CC0],
        "description": PUBLISHED_NOTE,
        "format": FORMAT,
        "standings": {
            "day": content.day.isoformat(),
            "method_version": content.method_version,
            "boards": content.boards,
            "behind": content.behind,
            "providers": content.providers,
        },
        "resources": [_resource(each, tables) for each in files],
    }
    path = folder / PACKAGE
    path.write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    files.append(_stored(path, rows))
    lines = [f"{each.sha256}  {each.name}\n" for each in files]
    (folder / SUMS).write_text("".join(lines), encoding="ascii")
    return [*files, _stored(folder / SUMS, rows)]


def files_as_json(files: list[StoredFile]) -> list[dict[str, Any]]:
    """Return files as a row of the database has them."""
    return [asdict(each) for each in files]


def _stored(path: Path, rows: dict[str, int]) -> StoredFile:
    name = path.name.split(".")[0]
    return StoredFile(path.name, path.stat().st_size, sha256_of(path), rows.get(name))


def _resource(file: StoredFile, tables: dict[str, DumpTable]) -> dict[str, Any]:
    """Return the description of a file, as Frictionless' data packages have it."""
    found: dict[str, Any] = {
        "name": file.name.lower().replace(".", "-"),
        "path": file.name,
        "bytes": file.bytes,
        "hash": f"sha256:{file.sha256}",
    }
    table = tables.get(file.name.split(".")[0])
    if table is None:
        return found
    is_csv = ".csv" in file.name
    columns = [each for each in table.columns if each.is_flat or not is_csv]
    fields = [
        {"name": each.name, "type": _type(each.type)}
        | ({"description": each.about} if each.about else {})
        for each in columns
    ]
    return found | {
        "format": "csv" if is_csv else "parquet",
        "description": table.about,
        "schema": {"fields": fields, "primaryKey": list(table.key)},
    }


def _type(kind: pa.DataType) -> str:
    """Return the name that data packages have for a type."""
    for is_it, name in (
        (pa.types.is_boolean, "boolean"),
        (pa.types.is_integer, "integer"),
        (pa.types.is_floating, "number"),
        (pa.types.is_decimal, "number"),
        (pa.types.is_timestamp, "datetime"),
        (pa.types.is_date, "date"),
        (pa.types.is_list, "array"),
    ):
        if is_it(kind):
            return name
    return "string"
