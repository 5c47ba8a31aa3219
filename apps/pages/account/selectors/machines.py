"""The machines of a person: their runs over time, and when their rate changed for good."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Max

from apps.accounts.models import MachineName
from apps.runs.models import Measurement, Run
from apps.stats.analysis.changes import change_points
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

RUNS_MAX = 400  # of one machine in its picture: a run a day for a year


@dataclass(frozen=True, slots=True)
class OwnMachine:
    """A machine by its pseudonym, which nobody but its owner sees beside a name."""

    machine: str
    name: str  # empty: not named yet
    cpu_model: str  # of a run: what tells machines apart that have no name
    n_runs: int
    newest: datetime
    keyids: frozenset[str]  # that signed its runs


@dataclass(frozen=True, slots=True)
class MachineRun:
    """One run of a machine by its headline: durable commits a second of one writer."""

    slug: str
    at: datetime
    rate_per_s: float
    plan: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Runs between two changes, and their median."""

    runs: tuple[MachineRun, ...]

    @property
    def rate_per_s(self) -> float:
        return median(run.rate_per_s for run in self.runs)


@dataclass(frozen=True, slots=True)
class MachineHistory:
    """The runs of a machine, oldest first, divided where the rate changed."""

    machine: OwnMachine
    stretches: tuple[Stretch, ...]

    @property
    def runs(self) -> tuple[MachineRun, ...]:
        return tuple(run for stretch in self.stretches for run in stretch.runs)


def machines_of(user: User) -> tuple[OwnMachine, ...]:
    """Return the machines of a person, the one that ran last first: two queries."""
    names = dict(MachineName.objects.filter(user=user).values_list("machine", "name"))
    rows = (
        _runs_of(user)
        .order_by()
        .values("machine")
        .annotate(
            n=Count("pk"),
            newest=Max("measured_at"),
            cpu_model=Max("cpu_model"),
            keyids=ArrayAgg("upload__key", distinct=True),
        )
        .order_by("-newest", "machine")
    )
    return tuple(
        OwnMachine(
            machine=row["machine"],
            name=names.get(row["machine"], ""),
            cpu_model=row["cpu_model"],
            n_runs=row["n"],
            newest=row["newest"],
            keyids=frozenset(row["keyids"]),
        )
        for row in rows
    )


def history_of(user: User, machine: str) -> MachineHistory | None:
    """Return a machine with its newest runs, or None for one that is not theirs: three queries."""
    found = next((each for each in machines_of(user) if each.machine == machine), None)
    if found is None:
        return None
    rows = (
        Measurement.objects.filter(
            run__in=_runs_of(user).filter(machine=machine),
            workload=HEADLINE_WORKLOAD,
            rate_per_s__gt=0,
        )
        .order_by("-run__measured_at", "-run_id")
        .values_list("run__slug", "run__measured_at", "rate_per_s", "run__plan__name")[:RUNS_MAX]
    )
    runs = [
        MachineRun(slug, at, rate, plan or "")
        for slug, at, rate, plan in reversed(rows)
        if at is not None and rate is not None  # the query asks for both
    ]
    return MachineHistory(found, _divided(runs))


def _runs_of(user: User) -> QuerySet[Run]:
    """Return the runs that somebody's keys signed; a run without a machine is of none."""
    return Run.objects.filter(upload__key__owner=user, measured_at__isnull=False).exclude(
        machine=""
    )


def _divided(runs: list[MachineRun]) -> tuple[Stretch, ...]:
    places = [0, *change_points([run.rate_per_s for run in runs]), len(runs)]
    return tuple(Stretch(tuple(runs[begin:end])) for begin, end in pairwise(places) if begin < end)
