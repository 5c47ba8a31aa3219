"""manage.py comparable_work: how far classes of comparable work lie apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.rankings.comparable import data, section

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

PAGES: Final = (Path("docs") / "methodology.md", Path("docs") / "methodology.zh-hans.md")


class Command(BaseCommand):
    """Touches no database."""

    help = "Compare kinds of durable work on one disk, by what was measured and published."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --measured and --write."""
        parser.add_argument(
            "--measured", type=Path, metavar="FILE",
            help="what ./run bench classes left, in place of the measurements that are there",
        )  # fmt: skip
        parser.add_argument(
            "--write", action="store_true",
            help=f"put them into {data.DATA_FILE.name} and the tables of {PAGES[0]} as well",
        )  # fmt: skip

    def handle(self, *_args: Any, measured: Path | None, write: bool, **_options: Any) -> None:
        """Print the rows of the three tables."""
        written = data.written(data.found_in(measurements(measured)))
        work = msgspec.json.decode(written, type=data.ComparableWork)  # as rounded as what ships
        for rows in section.tables(work):
            self.stdout.write("\n".join(rows) + "\n")
        if write:
            data.DATA_FILE.write_text(written, encoding="utf-8")
            for name in PAGES:
                page = Path(settings.BASE_DIR) / name
                text = page.read_text(encoding="utf-8")
                page.write_text(section.replaced(text, work), encoding="utf-8")


def measurements(file: Path | None) -> data.Measured:
    """Return those of a file, else those that ship.

    Raises:
        CommandError: there is no such file, or it is not one of `./run bench classes`.

    """
    if file is None:
        return data.comparable_work().measured
    try:
        return msgspec.json.decode(file.read_bytes(), type=data.Measured)
    except (OSError, msgspec.DecodeError) as error:
        raise CommandError(f"{file}: {error}. `./run bench classes` makes one.") from error
