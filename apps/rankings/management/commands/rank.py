"""manage.py rank --explain CELL: every step from the runs of a cell to its place on its board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from apps.rankings.standings.explanation import UnknownCellError, explain, find_cell

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Reads and computes; writes nothing."""

    help = "Print how a cell came to its standing, from its runs to its rank."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take --explain."""
        parser.add_argument(
            "--explain",
            metavar="CELL",
            required=True,
            help=(
                "plan/SLUG/europe/measured/commit-8k/v1, without a region group where none is "
                "known, drive/SLUG/published/...; a slug alone is the headline of a plan, in the "
                "region with most uploaders, or of a drive family"
            ),
        )

    def handle(self, *_args: Any, explain: str, **_options: Any) -> None:
        """Print the steps."""
        self.print_steps(explain)

    def print_steps(self, name: str) -> None:
        """Print the steps of the cell of this name."""
        try:
            key = find_cell(name)
        except UnknownCellError as error:
            raise CommandError(str(error)) from error
        for line in explain(key):
            self.stdout.write(line)
