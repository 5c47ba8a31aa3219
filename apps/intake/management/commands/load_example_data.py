"""manage.py load_example_data: a made-up year of runs to look at, marked as examples."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand
from django.utils import timezone

from apps.intake.examples import loading

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

RUNS: Final = 3_000
RUNS_MAX: Final = 50_000  # three hours
TELL_EVERY: Final = 200  # runs: a line every quarter of a minute


class Command(BaseCommand):
    """Makes or removes examples, which never count with measured or published runs."""

    help = "Make a year of example runs, or remove them. Takes about ten minutes."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take how many runs to make, or that all are to be removed."""
        parser.add_argument("--runs", type=_count, default=RUNS, help=f"default {RUNS:,}")
        parser.add_argument("--remove", action="store_true", help="remove all examples")

    def handle(self, *_args: Any, runs: int, remove: bool, **_options: Any) -> None:
        """Load or remove, and say how many there were."""
        if remove:
            self.stdout.write(f"Removed: {loading.remove()} examples.")
            return
        made = loading.load(runs=runs, until=timezone.now(), tell=self._tell)
        self.stdout.write(f"Made: {made} example runs. --remove takes them away again.")

    def _tell(self, made: int) -> None:
        if made % TELL_EVERY == 0:
            self.stdout.write(f"{made} runs")


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= RUNS_MAX:
        raise argparse.ArgumentTypeError(f"from 1 to {RUNS_MAX:,}")
    return count
