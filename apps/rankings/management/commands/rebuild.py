"""manage.py rebuild: makes all derived rows again from the stored bytes, while the site goes on."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from apps.plans.models import Plan
from apps.rankings.digest import standings_digest
from apps.rankings.models import CellMark, Standing
from apps.rankings.rebuilding import mark_all_and_take_places
from apps.rankings.services import refresh_marked
from apps.runs.models import Run
from apps.runs.rebuilding import places, tables
from apps.runs.rebuilding.batches import Stage, counted, fill, left_before, work_on_next
from apps.runs.rebuilding.crew import Crew
from apps.runs.services import NORMALISER_VERSION

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
        if abandon:
            tables.drop_shadow()
            return
        # other processes do not see what the transaction of a caller wrote
        most = 1 if connection.in_atomic_block else os.cpu_count() or 1
        crew = Crew(processes or most, say=self.stdout.write)
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
        except OperationalError as error:
            raise CommandError(
                "Nothing was replaced, because others hold the tables of runs, as a backup does. "
                f"Call rebuild again when they have let go: it goes on. ({error})"
            ) from error
        tables.prove_references()
        Plan.objects.filter(is_listed=False).exclude(pk__in=_plans_of_runs()).delete()
        crew.do_all("Marked cells", refresh_marked, left=CellMark.objects.count)
        self.stdout.write(
            f"Made again: {uploads} uploaded and {others} other runs, "
            f"{Standing.objects.count()} standings, SHA-256 {standings_digest()}."
        )

    def _bring_all_to(self, stage: Stage, crew: Crew, *, words: str) -> None:
        crew.do_all(words, partial(work_on_next, stage), left=partial(left_before, stage))

    def _begin(self) -> None:
        """Begin, or go on with what an earlier call of the same version began."""
        tables.prove_references()  # if the last one was broken off after its swap
        made_for = tables.stamp_of(NORMALISER_VERSION)
        if tables.is_begun() and tables.stamp() == made_for:
            self.stdout.write("Going on with a rebuild that was broken off.")
            return
        tables.drop_shadow()
        tables.make_shadow(made_for)
        fill()


def _plans_of_runs() -> Any:
    return Run.objects.exclude(plan=None).values("plan")
