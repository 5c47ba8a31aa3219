"""Lets one upload of each suite come again and again; prints what its standings took as JSON.

A program of its own, in the environment of the site: `python -m tests.bench.standings.refresh 5`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

import django

TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print for each suite how many cells its newest upload has, and what they take."""
    django.setup()
    from apps.runs.models import Run  # noqa: PLC0415 -- models need the set-up

    found = {}
    for suite in ("quick", "standard"):
        run = Run.objects.filter(suite=suite, upload__isnull=False, in_standings=True).latest(
            "measured_at"
        )
        found[suite] = taken_by(run, rounds=int(sys.argv[1]))
    sys.stdout.write(json.dumps(found) + "\n")


def taken_by(run: Any, *, rounds: int) -> dict[str, float]:
    """Return milliseconds of processors that the standings of a run take, here and in PostgreSQL.

    The standings before are those without the run: the same again would be less work. All is rolled
    back, so that each round finds the same.
    """
    from django.db import connection, transaction  # noqa: PLC0415 -- as above

    from apps.rankings.services import refresh_cells, refresh_months  # noqa: PLC0415 -- as above
    from apps.rankings.standings.points import keys_of_runs  # noqa: PLC0415 -- as above

    here, there, clock = [], [], []
    for _ in range(rounds):
        with transaction.atomic():
            count_run(run, in_standings=False)
            refresh_cells(run_ids=[run.pk])
            count_run(run, in_standings=True)
            while refresh_months():  # they are computed by themselves
                pass
            backend = connection.connection.info.backend_pid
            begun = time.process_time(), ticks_of(backend), time.monotonic()
            refresh_cells(run_ids=[run.pk])
            here.append(time.process_time() - begun[0])
            there.append((ticks_of(backend) - begun[1]) / TICKS_PER_S)
            clock.append(time.monotonic() - begun[2])
            transaction.set_rollback(True)
    figures = {"worker": here, "postgres": there, "clock": clock}
    ms = {f"{name}_ms": round(median(each) * 1000, 1) for name, each in figures.items()}
    return {"cells": len(keys_of_runs([run.pk])), **ms}


def count_run(run: Any, *, in_standings: bool) -> None:
    """Let the run count in standings, or not."""
    run.in_standings = in_standings
    run.save(update_fields=("in_standings",))


def ticks_of(process: int) -> int:
    """Return the clock ticks of processors that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


if __name__ == "__main__":
    main()
