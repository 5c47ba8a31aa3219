"""manage.py rebuild: makes all derived rows again from the stored bytes, while the site goes on."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection, transaction
from django.db.models import Max
from django.db.models.functions import Now

from apps.plans.models import Plan
from apps.rankings.digest import standings_digest
from apps.rankings.management.rebuilding import (
    OutdatedError,
    finish_swap,
    made_for,
    mark_all_and_take_places,
)
from apps.rankings.models import CellMark, MonthMark, Standing
from apps.rankings.services import hold_all_standings, rank_all, refresh_marked, refresh_months
from apps.rankings.standings.providers import refresh_providers
from apps.runs.locks import held_for_long
from apps.runs.models import Run
from apps.runs.rebuilding import places, tables
from apps.runs.rebuilding.batches import Stage, counted, fill, left_before, work_on_next
from apps.runs.rebuilding.crew import Crew
from apps.runs.services import hold_all_runs

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Readers see the old rows until the new ones are complete. Broken off, it goes on."""

    help = (
        "Make runs, measurements, labels and standings again from the stored bytes. It needs free "
        "space for these tables a second time. If it is broken off, call it again: it goes on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask for the number of processes, and whether to give up what is there."""
        parser.add_argument(
            "--processes",
            type=int,
            help="that work side by side; default: one a processor",
        )
        parser.add_argument(
            "--abandon",
            action="store_true",
            help="drop what a rebuild that was broken off has made, and change nothing",
        )

    def handle(
        self, *_args: Any, processes: int | None = None, abandon: bool = False, **_options: Any
    ) -> None:
        """Rebuild and say how much there was."""
        with held_for_long("fsyncmark.rebuild") as is_alone:
            if not is_alone:
                raise CommandError("Another rebuild is at work.")
            if abandon:
                tables.abandon()
                return
            # other processes do not see what the transaction of a caller wrote
            most = 1 if connection.in_atomic_block else os.cpu_count() or 1
            self._rebuild(Crew(processes or most, say=self.stdout.write))

    def _rebuild(self, crew: Crew) -> None:
        self._begin()
        uploads = counted()
        self._bring_all_to(Stage.MADE, crew, words="Batches of uploads to make")
        tables.complete()
        others = places.load_others()
        self._bring_all_to(Stage.COMPARED, crew, words="Batches to compare with earlier ones")
        places.catch_up()
        try:
            mark_all_and_take_places()
        except places.UploadsFailedError as error:
            raise CommandError(str(error)) from error
        except OutdatedError as error:
            raise CommandError(
                "Nothing was replaced, because a release or a catalogue came meanwhile. Call "
                "rebuild again: it begins anew."
            ) from error
        except OperationalError as error:
            raise CommandError(
                "Nothing was replaced, because others hold the tables of runs, as a backup does. "
                f"Call rebuild again when they have let go: it goes on. ({error})"
            ) from error
        finish_swap()
        newest = CellMark.objects.aggregate(newest=Max("pk"))["newest"] or 0
        marked = CellMark.objects.filter(pk__lte=newest, due_at__lte=Now())
        crew.do_all("Marked cells", refresh_marked, left=marked.count)
        due = MonthMark.objects.filter(due_at__lte=Now())
        crew.do_all("Marked months", refresh_months, left=due.count)
        rank_all()
        self._tidy()
        self.stdout.write(
            f"Made again: {uploads} uploaded and {others} other runs, "
            f"{Standing.objects.count()} standings, SHA-256 {standings_digest()}."
        )

    @transaction.atomic
    def _tidy(self) -> None:
        """Choose the best of each provider once more, and drop plans that no run names any more."""
        hold_all_standings()
        hold_all_runs()
        refresh_providers(None)
        in_use = Run.objects.exclude(plan=None).values("plan")
        Plan.objects.filter(is_listed=False).exclude(pk__in=in_use).delete()

    def _bring_all_to(self, stage: Stage, crew: Crew, *, words: str) -> None:
        crew.do_all(words, partial(work_on_next, stage), left=partial(left_before, stage))

    def _begin(self) -> None:
        """Begin, or go on with what an earlier call of the same version began."""
        finish_swap()  # if the last one was broken off after its swap
        if tables.is_begun() and tables.stamp() == made_for():
            tables.let_vacuum_in()  # if it was broken off while it waited for its swap
            self.stdout.write("Going on with a rebuild that was broken off.")
            return
        tables.abandon()
        begun_for = made_for()
        tables.make_shadow()
        fill()
        tables.set_stamp(begun_for)
