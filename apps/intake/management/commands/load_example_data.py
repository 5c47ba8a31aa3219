"""manage.py load_example_data: a made-up year of runs to look at, marked as examples."""

from __future__ import annotations

import argparse
import signal
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand

from apps.accounts.clock import database_now
from apps.intake.examples import loading
from apps.runs.models import Run

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

RUNS: Final = 3_000
RUNS_MAX: Final = 50_000  # one transaction of an hour or so
TELL_EVERY: Final = 200  # runs: a line every quarter of a minute
TELL_TERMINAL_EVERY: Final = 10  # runs: the line of a terminal is written anew twice a second
INTERRUPTED: Final = 128 + signal.SIGINT  # the status that shells give to whom Ctrl-C stopped


class Command(BaseCommand):
    """Makes or removes examples, which never count with measured or published runs."""

    help = (
        "Make a year of example runs in place of those that are there, or remove them. It takes "
        "two minutes or so on two idle cores. Stopped or killed, it leaves what was there before."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take how many runs to make until when, or that all are to be removed."""
        parser.add_argument("--runs", type=_count, default=RUNS, help=f"default {RUNS:,}")
        parser.add_argument(
            "--until",
            type=date.fromisoformat,
            metavar="YYYY-MM-DD",
            help="the day (UTC) before which the year ends, default today: the same day and the "
            "same catalogue give the same runs",
        )
        parser.add_argument("--remove", action="store_true", help="remove all examples")

    def handle(
        self, *_args: Any, runs: int, until: date | None, remove: bool, **_options: Any
    ) -> None:
        """Load or remove, and say how many there were."""
        if remove:
            self.stdout.write(f"Removed: {loading.remove():,} examples.")
            return
        day = until or database_now().astimezone(UTC).date()
        try:
            made = loading.load(
                runs=runs,
                until=datetime.combine(day, time(), UTC),
                tell=lambda made: self._tell(made, runs),
            )
        except KeyboardInterrupt:
            left = Run.objects.filter(is_example=True).count()
            self.stderr.write(f"\nStopped. As before there are {left:,} example runs.")
            raise SystemExit(INTERRUPTED) from None
        self.stdout.write(f"Made: {made:,} example runs. --remove takes them away again.")

    def _tell(self, made: int, runs: int) -> None:
        is_terminal = self.stdout.isatty()
        if made % (TELL_TERMINAL_EVERY if is_terminal else TELL_EVERY) and made < runs:
            return
        text = f"{made:,} of {runs:,} example runs"
        if made == runs:
            text = f"{text}, now their standings"
        start, end = ("\r\033[K", "\n" if made == runs else "") if is_terminal else ("", "\n")
        self.stdout.write(start + text, ending=end)
        self.stdout.flush()


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= RUNS_MAX:
        raise argparse.ArgumentTypeError(f"from 1 to {RUNS_MAX:,}")
    return count
