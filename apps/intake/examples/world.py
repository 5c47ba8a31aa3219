"""The machines of the made-up year: which plan has which storage, where, and who measures it.

Everything follows from one seed. Latencies are those of the ladder's classes; nobody measured them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from apps.plans.models import Plan, StorageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator

SEED: Final = 20_261_122
YEAR: Final = timedelta(days=365)
PLANS: Final = 90  # with runs; the others show what nobody has measured
UPLOADERS: Final = 70  # networks that send them
PLAN_DEVIATION: Final = 0.35  # of plans of one storage from its class, in ln
MACHINE_DEVIATION: Final = 0.12
RUN_DEVIATION: Final = 0.06
TWO_KINDS_EVERY: Final = 9  # plans: the others have one kind of storage
CHANGED_EVERY: Final = 13  # plans: their provider renewed the disks in the middle of the year
KIND_FACTOR: Final = 4.0  # between two kinds of storage of one plan
CHANGE_FACTOR: Final = 0.6
HALF: Final = 0.5  # of the year
WITNESSED_SHARE: Final = 0.9  # of runs; the others were measured without a network
STANDARD_EVERY: Final = 4  # uploaders: one in so many runs the standard suite, the others the quick

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Storage:
    """A drive as the kernel reports it, and how long a commit of 8 KiB takes on it."""

    device: Json
    commit_ns: int
    tail: float  # how many times longer the slowest hundredth takes
    read_ns: int  # a single 4 KiB read
    virt: str = "none"
    byte_ns: float = 0.5  # of each byte beyond small blocks: 2 GB/s


def _nvme(model: str, commit_ns: int, *, tail: float = 3.0) -> Storage:
    return Storage(
        {"class": "nvme", "transport": "pcie", "model": model, "write_cache": "write back",
         "fua": True},
        commit_ns, tail, 80_000,
    )  # fmt: skip


def _sata(model: str, commit_ns: int, *, rotational: bool = False, tail: float = 3.0) -> Storage:
    return Storage(
        {"class": "scsi", "transport": "sata", "vendor": "ATA", "model": model,
         "rotational": rotational, "write_cache": "write back", "fua": False, "pcie": None},
        commit_ns, tail, 8_000_000 if rotational else 150_000, byte_ns=5.0 if rotational else 2.0,
    )  # fmt: skip


def _virtual(commit_ns: int, *, read_ns: int, tail: float = 6.0) -> Storage:
    return Storage(
        {"class": "scsi", "transport": "virtio", "vendor": "QEMU", "model": "QEMU HARDDISK",
         "firmware": "2.5+", "fua": False, "pcie": None},
        commit_ns, tail, read_ns, "kvm",
    )  # fmt: skip


DEDICATED: Final = (
    _nvme("SAMSUNG MZQL23T8HCLS-00A07", 38_000),
    _nvme("Micron_7450_MTFDKCC3T8TFR", 33_000),
    _nvme("SAMSUNG MZVL2512HCJQ-00B00", 4_800_000),
    _nvme("Samsung SSD 990 PRO 2TB", 1_700_000, tail=5.0),
    _sata("SAMSUNG MZ7L33T8HBLT-00A07", 240_000),
)
DISKS: Final = (_sata("ST18000NM000J-2TV103", 8_400_000, rotational=True),)
CLOUD_LOCAL: Final = (_virtual(850_000, read_ns=200_000), _virtual(420_000, read_ns=110_000))
CLOUD_NETWORK: Final = (
    _virtual(1_900_000, read_ns=450_000), _virtual(3_200_000, read_ns=700_000, tail=9.0),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Visit:
    """One run of one machine."""

    at: datetime
    plan: Plan
    region: str
    storage: Storage
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
    days = np.sort(generator.uniform(0, 1, runs))
    for share in days:
        number = int(generator.choice(len(plans), p=popularity / popularity.sum()))
        at = until - YEAR * (1 - float(share))
        yield _visit(generator, plans[number], number, at=at, is_late=bool(share > HALF))


def _plans(generator: Generator) -> list[Plan]:
    listed = list(Plan.objects.filter(is_listed=True).exclude(kind="volume").order_by("slug"))
    chosen = generator.choice(len(listed), size=min(PLANS, len(listed)), replace=False)
    return [listed[place] for place in sorted(chosen)]


def _visit(generator: Generator, plan: Plan, number: int, *, at: datetime, is_late: bool) -> Visit:
    uploader = int(generator.integers(UPLOADERS))
    machine = int(generator.integers(3))
    kinds = _storages(plan)
    storage = kinds[number % len(kinds)]
    own = np.random.default_rng([SEED, number])  # what is the plan's own
    log = float(own.normal(0, PLAN_DEVIATION))
    if number % TWO_KINDS_EVERY == 0 and uploader % 3 == 0:
        log += float(np.log(KIND_FACTOR))
    if number % CHANGED_EVERY == 0 and is_late:
        log += float(np.log(CHANGE_FACTOR))
    mine = np.random.default_rng([SEED, number, uploader, machine])
    log += float(mine.normal(0, MACHINE_DEVIATION)) + float(generator.normal(0, RUN_DEVIATION))
    return Visit(
        at=at,
        plan=plan,
        region=_region(plan, uploader),
        storage=storage,
        commit_ns=max(int(storage.commit_ns * np.exp(log)), 25_000),
        uploader=uploader,
        machine=machine,
        is_witnessed=bool(generator.uniform() < WITNESSED_SHARE),
    )


def _storages(plan: Plan) -> tuple[Storage, ...]:
    if plan.storage_kind == StorageKind.HDD:
        return DISKS
    if plan.kind == "dedicated":
        return DEDICATED
    return CLOUD_NETWORK if plan.storage_kind == StorageKind.NETWORK else CLOUD_LOCAL


def _region(plan: Plan, uploader: int) -> str:
    """Most people say where; of those some rent on the other side of an ocean."""
    places = {"hetzner": ("fsn1", "ash"), "aws": ("eu-central-1", "us-east-1")}
    usual = places.get(plan.provider_id, ("DE", "US"))
    return "" if uploader % 5 == 0 else usual[uploader % 4 == 0]
