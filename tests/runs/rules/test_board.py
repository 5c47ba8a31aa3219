"""Nothing that is faster than physics ever ranks, first or anywhere: on a rebuilt board."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from uuid import UUID

import pytest
from django.core.management import call_command

from apps.drives.models import LadderClass
from apps.intake.services.work import drain
from apps.rankings.models import Evidence, Standing, StandingRun
from apps.runs.ladder.floors import floors
from apps.runs.models import Label, Level, Run
from tests import make
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.django_db

SATA = {"class": "scsi", "transport": "sata", "vendor": "ATA"}
VIRTIO = {"class": "scsi", "transport": "virtio"}


@dataclass(frozen=True)
class Storage:
    """One kind of storage, as an agent reports it, and whose floor holds."""

    floor: str
    devices: list[make.Json]
    virt: str = "none"


KINDS = {
    "datacenter NVMe": Storage("nvme-plp", [make.device()]),
    "consumer NVMe": Storage("nvme-no-plp", [make.device(model="Samsung SSD 990 PRO 2TB")]),
    "Optane": Storage("optane", [make.device(model="INTEL SSDPF21Q800GB")]),
    "datacenter SATA": Storage("sata-plp", [make.device(model="SAMSUNG MZ7L3960HCJR", **SATA)]),
    "consumer SATA": Storage("sata-no-plp", [make.device(model="Samsung SSD 850 EVO 1TB", **SATA)]),
    "NVMe whose protection nobody states": Storage(
        "nvme-plp", [make.device(model="Samsung SSD 980 1TB")]
    ),
    "SATA whose protection nobody states": Storage(
        "sata-plp", [make.device(model="Samsung SSD 870 EVO 1TB", **SATA)]
    ),
    "hard disk": Storage("hdd", [make.device(model="ST18000NM000J", rotational=True, **SATA)]),
    "network volume": Storage(
        "cloud-ssd", [make.device(vendor="HC", model="Volume", **VIRTIO)], virt="kvm"
    ),
    "local disk of a cloud": Storage(
        "cloud-local", [make.device(model="Amazon EC2 NVMe Instance Storage")], virt="kvm"
    ),
    "disk of a hypervisor": Storage(
        "any", [make.device(vendor="QEMU", model="QEMU HARDDISK", **VIRTIO)], virt="kvm"
    ),
    "a drive that nobody knows": Storage("any", [make.device(model="NO SUCH DRIVE")]),
    "drives that differ": Storage("any", [make.device(), make.device(model="NO SUCH DRIVE")]),
    "no drive in sight": Storage("any", []),
    "persistent memory": Storage(
        "pmem", [make.device(**{"class": "pmem", "transport": "memory", "model": ""})]
    ),
    "memory of a virtual machine": Storage(
        "any", [make.device(**{"class": "pmem", "transport": "memory", "model": ""})], virt="kvm"
    ),
}  # fmt: skip


MEDIAN_BESIDE_NS = 172  # how much more than `latency_ns` half of the commits of make.payload take


def send(name: str, kind: Storage, *, latency_ns: int) -> UUID:
    """Store a witnessed run of a machine and an uploader of its own; return its key."""
    plan = f"{name} at {latency_ns} ns"
    claim = {"provider": "Home", "plan": plan, "region": None}
    identity = hashlib.sha256(plan.encode()).hexdigest()[:32]
    document = make.payload(
        latency_ns=latency_ns, claim=claim, machine=identity, devices=kind.devices,
        env=make.environment(virt=kind.virt),
    )  # fmt: skip
    return make.upload(document, witnessed=True, network=identity).pk


def commit_ns(run: Run) -> int:
    commits = run.measurements.get(workload="commit-8k").latencies.get(side="commit")
    assert commits.p50_ns
    return commits.p50_ns


def board() -> list[tuple[str, float]]:
    """Return the plans that stand on the board of durable commits, best first."""
    standings = Standing.objects.filter(
        evidence=Evidence.MEASURED, workload="commit-8k", plan__isnull=False
    )
    return list(standings.order_by("-rate_per_s").values_list("plan__name", "rate_per_s"))


@pytest.mark.daily
def test_nothing_faster_than_physics_ranks_after_a_rebuild() -> None:
    store_catalogue()
    floor_ns = {name: floors()[kind.floor].floor_ns for name, kind in KINDS.items()}
    quick = {name: send(name, kind, latency_ns=floor_ns[name] * 9 // 10 - MEDIAN_BESIDE_NS)
             for name, kind in KINDS.items()}  # fmt: skip
    slow = {name: send(name, kind, latency_ns=floor_ns[name] * 11 // 10 - MEDIAN_BESIDE_NS)
            for name, kind in KINDS.items()}  # fmt: skip
    assert drain(most=2 * len(KINDS)) == 2 * len(KINDS)  # the rebuild computes the standings
    too_quick = [Run.objects.get(pk=quick[name]) for name in KINDS]
    honest = [Run.objects.get(pk=slow[name]) for name in KINDS]
    for name, below, above in zip(KINDS, too_quick, honest, strict=True):
        assert commit_ns(below) < floor_ns[name] <= commit_ns(above), name
    call_command("rebuild", verbosity=0)

    counted = set(StandingRun.objects.values_list("run_id", flat=True))
    too_fast = Label.objects.filter(rule="faster-than-medium")
    sent = too_fast.exclude(run__level=Level.PUBLISHED)
    labelled = set(sent.values_list("run_id", flat=True))
    named = too_fast.values("run_id")
    assert not StandingRun.objects.filter(run_id__in=named).exists()
    assert labelled == {run.pk for run in too_quick}
    assert counted & labelled == set()
    assert counted >= {run.pk for run in honest}
    ranked = [plan for plan, _ in board()]
    names = {run.pk: run.plan.name for run in honest if run.plan}
    assert sorted(ranked) == sorted(names.values())
    quickest_of_all = min([*too_quick, *honest], key=commit_ns)
    assert quickest_of_all in too_quick
    assert ranked[0] in {
        names[run.pk]
        for run in honest
        if run.plan and run.plan.sent_name.startswith("persistent memory")
    }


@pytest.mark.usefixtures("few_published")
def test_a_floor_that_is_raised_in_the_ladder_holds_after_a_rebuild() -> None:
    store_catalogue()
    key = send("datacenter NVMe", KINDS["datacenter NVMe"], latency_ns=9_000)
    assert drain() == 1
    run = Run.objects.get(pk=key)
    assert [plan for plan, _ in board()] == [run.plan and run.plan.name]
    LadderClass.objects.filter(pk="nvme-plp").update(floor_ns=10_000)
    call_command("rebuild", verbosity=0)
    assert board() == []
