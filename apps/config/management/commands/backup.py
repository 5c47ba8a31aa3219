"""manage.py backup: the whole database into a folder, with figures to check it by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from apps.config.operation.backups import BackupError, back_up

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Writes one snapshot while the site runs, into a folder that is not there yet."""

    help = "Write a backup of one consistent snapshot into DIRECTORY, which must not exist."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the folder."""
        parser.add_argument("directory", type=Path)

    def handle(self, *_args: Any, directory: Path, **_options: Any) -> None:
        """Back up and say what there is."""
        try:
            manifest = back_up(directory)
        except BackupError as error:
            raise CommandError(str(error)) from error
        tables = manifest.tables
        self.stdout.write(
            f"{directory}: {tables['runs_upload'].rows} uploads and {tables['runs_run'].rows} runs "
            f"in {len(tables)} tables, {manifest.dump_bytes} bytes, SHA-256 "
            f"{manifest.dump_sha256}. The archive was read to its end. Keep SECRET_KEY with it."
        )
