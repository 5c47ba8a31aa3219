"""The machines of the made-up year: which plan has which storage, where, and who measures it.

Everything follows from one seed. Latencies are those of the ladder's classes; nobody measured them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.intake.examples.drives import lottery_of, storages_of
from apps.plans.models import Plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator

    from apps.intake.examples.drives import ExampleDrive

SEED: Final = 20_261_122
YEAR: Final = timedelta(days=365)
PLANS: Final = 90  # with runs; the others show what nobody has measured
DEDICATED_WEIGHT: Final = 4.0  # in the choice of these: their drives have names of their own
UPLOADERS: Final = 70  # networks that send them
PLAN_DEVIATION: Final = 0.35  # of plans of one storage from its class, in ln: of virtual disks
MACHINE_DEVIATION: Final = 0.12
RUN_DEVIATION: Final = 0.06
LOTTERY_PLAN: Final = "hetzner-ax52"  # one uploader in three gets another drive than the others
TWO_KINDS_EVERY: Final = 9  # plans: the others have one kind of storage
CHANGED_EVERY: Final = 13  # plans: their provider renewed the disks in the middle of the year
KIND_FACTOR: Final = 4.0  # between two kinds of storage of one plan
CHANGE_FACTOR: Final = 0.6
HALF: Final = 0.5  # of the year
WITNESSED_SHARE: Final = 0.9  # of runs; the others were measured without a network
STANDARD_EVERY: Final = 4  # uploaders: one in so many runs the standard suite, the others the quick


@dataclass(frozen=True, slots=True)
class Visit:
    """One run of one machine."""

    at: datetime
    plan: Plan
    region: str
    storage: ExampleDrive
    commit_ns: int
    uploader: int
    machine: int
    is_witnessed: bool

    @property
    def suite(self) -> str:
        """Which suite its uploader runs, always the same."""
        return "standard" if self.uploader % STANDARD_EVERY == 1 else "quick"


def visits(*, runs: int, until: datetime) -> Iterator[Visit]:
    """Yield so many runs of the year that ends `until`, oldest first."""
    generator = np.random.default_rng(SEED)
    plans = _plans(generator)
    popularity = generator.pareto(1.2, len(plans)) + 0.3
    popularity[[plan.slug == LOTTERY_PLAN for plan in plans]] = popularity.max()
    days = np.sort(generator.uniform(0, 1, runs))
    for share in days:
        number = int(generator.choice(len(plans), p=popularity / popularity.sum()))
        at = until - YEAR * (1 - float(share))
        yield _visit(generator, plans[number], number, at=at, is_late=bool(share > HALF))


def _plans(generator: Generator) -> list[Plan]:
    """Return what somebody can rent and look into: nobody runs an agent in a managed database."""
    listed = list(
        Plan.objects.rentable()
        .exclude(kind__in=("volume", "managed"))
        .exclude(is_retired=True)
        .order_by("slug")
    )
    weights = np.array([DEDICATED_WEIGHT if plan.kind == "dedicated" else 1.0 for plan in listed])
    sample = generator.choice(
        len(listed), size=min(PLANS, len(listed)), replace=False, p=weights / weights.sum()
    )
    lottery = {place for place, plan in enumerate(listed) if plan.slug == LOTTERY_PLAN}
    return [listed[place] for place in sorted({*map(int, sample), *lottery})]


def _visit(generator: Generator, plan: Plan, number: int, *, at: datetime, is_late: bool) -> Visit:
    uploader = int(generator.integers(UPLOADERS))
    machine = int(generator.integers(3))
    is_other = number % TWO_KINDS_EVERY == 0 and uploader % 3 == 0
    is_renewed = number % CHANGED_EVERY == 0 and is_late
    storages = storages_of(plan)
    storage = storages[number % len(storages)]
    factor = 1.0
    if plan.slug == LOTTERY_PLAN:
        storage = lottery_of()[uploader % 3 == 0]
    elif storage.is_physical:  # another kind has another name
        storage = storages[(number + is_other + is_renewed) % len(storages)]
    else:
        factor = (KIND_FACTOR if is_other else 1.0) * (CHANGE_FACTOR if is_renewed else 1.0)
    own = np.random.default_rng([SEED, number])  # what is the plan's own
    mine = np.random.default_rng([SEED, number, uploader, machine])
    log = float(own.normal(0, PLAN_DEVIATION)) + float(mine.normal(0, MACHINE_DEVIATION))
    log = log * storage.storage_class.deviation + float(generator.normal(0, RUN_DEVIATION))
    return Visit(
        at=at,
        plan=plan,
        region=_region(plan, uploader),
        storage=storage,
        commit_ns=int(storage.commit_ns * factor * np.exp(log)),
        uploader=uploader,
        machine=machine,
        is_witnessed=bool(generator.uniform() < WITNESSED_SHARE),
    )


def _region(plan: Plan, uploader: int) -> str:
    """Most people say where; of those some rent on the other side of an ocean."""
    places = {"hetzner": ("fsn1", "ash"), "aws": ("eu-central-1", "us-east-1")}
    usual = places.get(plan.provider_id, ("DE", "US"))
    return "" if uploader % 5 == 0 else usual[uploader % 4 == 0]
