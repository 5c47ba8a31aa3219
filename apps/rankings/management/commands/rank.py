"""manage.py rank: how a cell came to its place, and whether a dump gives what it states."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from apps.rankings.dumps.reading import DumpError, DumpFolder
from apps.rankings.dumps.recomputing import recompute
from apps.rankings.standings.explanation import UnknownCellError, explain, find_cell
from apps.rankings.versions.method import METHOD_VERSION

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Reads and computes; writes nothing."""

    help = (
        "Print how a cell came to its standing, from its runs to its rank; or compute all "
        "standings of a dump again, of its files alone, and compare them with what it states."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take --explain or --from-dump."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "--explain",
            metavar="CELL",
            help=(
                "plan/SLUG/europe/measured/commit-8k/v1, without a region group where none is "
                "known, drive/SLUG/published/...; a slug alone is the headline of a plan, in the "
                "region with most uploaders, or of a drive family"
            ),
        )
        what.add_argument(
            "--from-dump", metavar="FOLDER", type=Path, help="with the files of a dump"
        )

    def handle(
        self, *_args: Any, explain: str | None, from_dump: Path | None, **_options: Any
    ) -> None:
        """Print the steps, or what a dump gives."""
        if from_dump is not None:
            self.compare(DumpFolder(from_dump))
        elif explain is not None:
            self.print_steps(explain)

    def compare(self, dump: DumpFolder) -> None:
        """Compute the standings of a dump and say of each board whether they are those it states.

        Raises CommandError where one is not.
        """
        try:
            stated = dump.package["standings"]
            dump.check()
        except DumpError as error:
            raise CommandError(str(error)) from error
        if stated["method_version"] != METHOD_VERSION:
            raise CommandError(
                f"The dump is of method version {stated['method_version']}, and this program "
                f"computes version {METHOD_VERSION}: take the program of its day."
            )
        n_standings = n_boards = n_behind = 0
        others = []
        for found in recompute(dump, day=date.fromisoformat(stated["day"])):
            if found.is_other:
                others.append(found.name)
                self.stdout.write(f"OTHER  {found.name}: {found.sha256}, stated {found.stated}")
            n_standings += found.n_standings
            n_boards += 1
            n_behind += found.stated is None
        if others:
            raise CommandError(
                f"{len(others)} of {n_boards} boards are other than the dump states."
            )
        behind = f" {n_behind} were not up to date in the dump and are not compared." * bool(
            n_behind
        )
        self.stdout.write(
            f"Identical: {n_standings:,} standings of {n_boards} boards, computed of the dump "
            f"alone.{behind}"
        )

    def print_steps(self, name: str) -> None:
        """Print the steps of the cell of this name."""
        try:
            key = find_cell(name)
        except UnknownCellError as error:
            raise CommandError(str(error)) from error
        for line in explain(key):
            self.stdout.write(line)
