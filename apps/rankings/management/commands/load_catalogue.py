"""`manage.py load_catalogue`: drives, plans, prices, ladder and published runs, as shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from apps.drives.services import AmbiguousPatternError, PatternError
from apps.rankings.catalogue import load_catalogue

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Loads the shipped catalogue, unless it is loaded already."""

    help = "Load the ladder, drives, providers, plans, prices and published runs that ship with us."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --force."""
        parser.add_argument(
            "--force",
            action="store_true",
            help="load and compute all standings even where nothing changed",
        )

    def handle(self, *_args: Any, force: bool, **_options: Any) -> None:
        """Load, and print one line a kind of row."""
        try:
            load = load_catalogue(force=force)
        except (AmbiguousPatternError, PatternError) as error:
            raise CommandError(f"The catalogue was not loaded. {error}") from error
        if load is None:
            self.stdout.write("The catalogue is up to date.")
            return
        for change in load.changes:
            self.stdout.write(str(change))
        self.stdout.write(f"standings: {load.n_standings}")
