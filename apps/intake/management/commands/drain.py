"""manage.py drain: works off the upload queue with nothing but the database."""

from __future__ import annotations

import signal
import threading
import time
from datetime import UTC
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError, connection

from apps.accounts.clock import database_now
from apps.intake.services.forgetting import forget_what_is_over
from apps.intake.services.heartbeat import beat
from apps.intake.services.reconciling import SecondLook, reconcile
from apps.intake.services.work import drain
from apps.moderation.services.reports import empty_bin, send_answers
from apps.rankings.dumps.tasks import ask_for_dump
from apps.rankings.services import advance_standings_day, thin_marks
from apps.rankings.versions.data import forget_old_changes
from apps.rankings.versions.public import number_changes
from apps.rankings.versions.ranks import note_rank_changes
from apps.runs.clusters.services import find_clusters
from apps.runs.lists.tallies import add_up
from apps.watches.services import tell_watchers

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

DRAIN_S: Final = 30.0  # of a round, under a stream of uploads

log = structlog.get_logger(__name__)


class Command(BaseCommand):
    """Works once, or until stopped with --loop; SIGTERM ends it after the current upload."""

    help = (
        "Normalise waiting uploads and compute the standings that they mark. With --loop, look "
        "again every few seconds until stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take --loop and --every."""
        parser.add_argument("--loop", action="store_true", help="go on until SIGTERM or SIGINT")
        parser.add_argument(
            "--every", type=float, default=settings.SWEEP_SECONDS, help="seconds between two looks"
        )

    def handle(self, *_args: Any, loop: bool, every: float, **_options: Any) -> None:
        """Drain the queue."""
        if not loop:
            self.stdout.write(f"{drain()} worked on")
            return
        stopped = threading.Event()
        rounds = Rounds()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        self.stdout.write("looking for uploads")
        self.stdout.flush()
        while not stopped.is_set():
            connection.close_if_unusable_or_obsolete()  # the web does so with every request
            is_all = sweep(stopped, rounds)
            beat()
            stopped.wait(every if is_all else 0)
        self.stdout.write("stopped")


def is_over(stopped: threading.Event, ends: float) -> bool:
    """Whether to stop at this moment of `monotonic`; asked between two uploads and two boards."""
    beat()
    return stopped.is_set() or time.monotonic() >= ends


class Rounds:
    """The daily look at all stored bytes and the second look at new runs, each batch by batch."""

    def __init__(self) -> None:
        self._today: Iterator[None] = iter(())
        self._second_look = SecondLook()

    def begin(self) -> None:
        """Begin with the first upload, wherever the round of yesterday is."""
        self._today = reconcile()

    def step(self) -> None:
        """Look at the next batch of each, if some are left."""
        next(self._today, None)
        self._second_look.step()


def sweep(stopped: threading.Event, rounds: Rounds) -> bool:
    """Drain once and mail the answers that are due; after midnight begin with the new day.

    Returns whether nothing waits. Under a stream of uploads it is not drained to the end, so that
    all else has its turn. Where the database is away, log it and return.
    """
    ends = time.monotonic() + DRAIN_S
    try:
        today = database_now().astimezone(UTC).date()
        if advance_standings_day(today):
            forget_what_is_over(today)
            find_clusters()
            empty_bin()
            forget_old_changes()
            note_rank_changes(today)
            rounds.begin()
        drain(stop=partial(is_over, stopped, ends))
        is_all = time.monotonic() < ends
        thin_marks()
        number_changes()
        add_up()
        send_answers()
        tell_watchers(today)
        ask_for_dump()
        rounds.step()
    except (OperationalError, InterfaceError) as error:
        log.warning("database not available, trying again", error=str(error).strip())
        connection.close()
        return True
    return is_all
