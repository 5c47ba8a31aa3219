"""manage.py dump FOLDER: everything public as files, as a worker writes it each day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from apps.rankings.dumps.writing import write_dump

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Writes into a folder of its own; the store of the site is left alone."""

    help = "Write everything that is public as Parquet and CSV into a new folder."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the folder."""
        parser.add_argument("folder", type=Path, help="that is not there yet")

    def handle(self, *_args: Any, folder: Path, **_options: Any) -> None:
        """Write, and say how much."""
        try:
            folder.mkdir(parents=True)
        except FileExistsError as error:
            raise CommandError(f"{folder} is there already: name another folder.") from error
        files = write_dump(folder)
        n_bytes = sum(each.bytes for each in files)
        self.stdout.write(f"{folder}: {len(files)} files, {n_bytes / 1e6:,.1f} MB.")
