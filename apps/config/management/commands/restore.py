"""manage.py restore: fills an empty database from a backup, and checks every table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from apps.config.operation.backups import BackupError, key_of_this_site, restore

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Restores all or nothing, and never over tables that are there."""

    help = "Fill the empty database of DATABASE_URL from a backup, and compare every table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the folder."""
        parser.add_argument("directory", type=Path)

    def handle(self, *_args: Any, directory: Path, **_options: Any) -> None:
        """Restore and say what there is."""
        try:
            manifest = restore(directory)
        except BackupError as error:
            raise CommandError(str(error)) from error
        tables = manifest.tables
        self.stdout.write(
            f"As of {manifest.taken_at}: {tables['runs_upload'].rows} uploads and "
            f"{tables['runs_run'].rows} runs; rows and digests of all {len(tables)} tables are "
            "those of the backup. Now: manage.py migrate, then start the processes."
        )
        if manifest.key != key_of_this_site():
            self.stderr.write(
                "SECRET_KEY is not that of the backup: earlier senders would count as strangers."
            )
