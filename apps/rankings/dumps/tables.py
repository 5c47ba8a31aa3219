"""Tables of a dump, each as Parquet and as CSV, written a part at a time."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from apps.spreadsheet import without_formula

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TEXT: Final = pa.string()
WHOLE: Final = pa.int64()
FLAG: Final = pa.bool_()
RATE: Final = pa.float64()
MOMENT: Final = pa.timestamp("us", tz="UTC")
DAY: Final = pa.date32()
TEXTS: Final = pa.list_(TEXT)
ZSTD_LEVEL: Final = 9  # half of the time of 19, and a few per cent more bytes
GZIP_LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class DumpColumn:
    """One column: its name with the unit, its type, and what its name leaves open."""

    name: str
    type: pa.DataType
    about: str = ""

    @property
    def is_flat(self) -> bool:
        """Whether a cell of a CSV file can hold its values."""
        return not pa.types.is_nested(self.type)


@dataclass(frozen=True, slots=True)
class DumpTable:
    """A table by its name, which its files have, and its columns."""

    name: str
    about: str
    columns: tuple[DumpColumn, ...]
    key: tuple[str, ...]
    is_large: bool = False  # its CSV is compressed
    rows_a_group: int = 20_000  # of the Parquet file, all in memory

    @property
    def schema(self) -> pa.Schema:
        """The columns, as Parquet has them."""
        return pa.schema([(each.name, each.type) for each in self.columns])

    @property
    def parquet(self) -> str:
        """The name of the file with everything."""
        return f"{self.name}.parquet"

    @property
    def csv(self) -> str:
        """The name of the file for spreadsheets: without the columns that are not flat."""
        return f"{self.name}.csv.gz" if self.is_large else f"{self.name}.csv"


@dataclass
class TableWriter:
    """Writes the rows of a table into both of its files."""

    folder: Path
    table: DumpTable
    n_rows: int = 0
    _waiting: list[dict[str, Any]] = field(default_factory=list)
    _opened: list[Any] = field(default_factory=list)

    def __enter__(self) -> Self:
        table, flat = self.table, self._flat
        self._parquet = pq.ParquetWriter(
            self.folder / table.parquet, table.schema, compression="zstd",
            compression_level=ZSTD_LEVEL,
        )  # fmt: skip
        path = self.folder / table.csv
        raw: Any = path.open("wb")
        self._opened = [raw]
        if table.is_large:
            raw = gzip.GzipFile(path.stem, "wb", GZIP_LEVEL, raw, mtime=0)
            self._opened.insert(0, raw)
        schema = pa.schema([table.schema.field(name) for name in flat])
        self._csv = pa_csv.CSVWriter(raw, schema)
        return self

    def __exit__(self, *_: object) -> None:
        self._write_group()
        for each in (self._parquet, self._csv, *self._opened):
            each.close()

    @property
    def _flat(self) -> list[str]:
        return [each.name for each in self.table.columns if each.is_flat]

    def write(self, rows: Iterable[dict[str, Any]]) -> None:
        """Take rows; as soon as they are enough, they become a group of the Parquet file."""
        for row in rows:
            self._waiting.append(row)
            if len(self._waiting) == self.table.rows_a_group:
                self._write_group()

    def _write_group(self) -> None:
        made = pa.Table.from_pylist(self._waiting, self.table.schema)
        self.n_rows += len(self._waiting)
        self._waiting.clear()
        if made.num_rows:
            self._parquet.write_table(made)
            self._csv.write_table(_for_spreadsheets(made.select(self._flat)))


def write_all(folder: Path, table: DumpTable, rows: Iterable[dict[str, Any]]) -> int:
    """Write a table, and return how many rows it has."""
    with TableWriter(folder, table) as writer:
        writer.write(rows)
    return writer.n_rows


def _for_spreadsheets(table: pa.Table) -> pa.Table:
    """Return a table in which no text is a formula."""
    for place, column in enumerate(table.schema):
        if column.type == TEXT:
            coded = table.column(place).combine_chunks().dictionary_encode()
            safe = [without_formula(each) for each in coded.dictionary.to_pylist()]
            cells = pa.DictionaryArray.from_arrays(coded.indices, pa.array(safe, TEXT))
            table = table.set_column(place, column, cells.cast(TEXT))
    return table
