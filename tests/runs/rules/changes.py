"""Changes to a faultless, witnessed run, and the cases that are made of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from apps.intake.services.work import drain
from apps.runs.models import Run, Upload
from apps.runs.packed.packing import deflated
from apps.wire.suites import suites
from tests import make
from tests.support.sent import depth_milli

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

ANSWERED = ("challenge", "seed_proof")
SYNCS = make.payload()["workloads"][0]["operations"]  # of the headline workload
PM9A3 = r"^(SAMSUNG[ _]+)?MZQL2"


def nothing(_document: make.Json) -> None:
    """Leave the run as it is."""


@dataclass(frozen=True)
class Case:
    """A run on one side of the threshold of the rule that it is about."""

    about: str  # id of the rule
    name: str
    speaks: bool
    change: Callable[[make.Json], None] = nothing
    upload: dict[str, Any] = field(default_factory=dict)  # columns that the door noted otherwise
    latency_ns: int = 40_000
    before: Callable[[Upload], None] | None = None  # what was stored before, and what of the sender
    patch: Callable[[pytest.MonkeyPatch], None] | None = None

    def __str__(self) -> str:
        return f"{self.about}: {self.name}"


def speaks(
    about: str, name: str, change: Callable[[make.Json], None] = nothing, **more: Any
) -> Case:
    """Return a case in which the rule speaks."""
    return Case(about=about, name=name, speaks=True, change=change, **more)


def silent(
    about: str, name: str, change: Callable[[make.Json], None] = nothing, **more: Any
) -> Case:
    """Return a case in which the rule has nothing to say."""
    return Case(about=about, name=name, speaks=False, change=change, **more)


def judged(case: Case) -> Run:
    """Return the run that a case becomes, with a drive of a class that has a floor."""
    plp = make.ladder_class(slug="nvme-plp", low_ns=10_000, high_ns=50_000, floor_ns=8_000)
    make.drive_family(
        name="PM9A3", match=PM9A3, ladder_class=plp, capacities_gb="960;1920;3840;7680"
    )
    unprotected = make.ladder_class(
        slug="nvme-no-plp", low_ns=200_000, high_ns=5_300_000, floor_ns=150_000
    )
    make.drive_family(name="990", match="990 PRO", plp="none", ladder_class=unprotected)
    make.drive_family(
        name="PERC", match="PERC", kind="virtual", protocol_generation="RAID controller volume"
    )
    make.drive_family(
        name="HC Volume", match="HC Volume", kind="virtual", form_factor="network volume"
    )
    make.drive_family(
        slug="t500", name="Crucial T500", match="T500SSD", plp="unknown", segment="consumer"
    )
    make.drive_family(name="DC", match="MZQLB", plp="unknown", segment="datacenter")
    make.drive_family(
        slug="hpe", name="HPE SAS", match="MO00", interface="sas", capacities_gb="800;1600;3200"
    )
    document = make.payload(latency_ns=case.latency_ns)
    upload = make.upload(document, witnessed=True)
    answered = {key: workload(upload)[key] for key in ANSWERED}
    document.update(answered)
    case.change(document)
    if case.about != "effective-depth":
        _as_agents_compute_it(document)
    body = deflated(make.as_bytes(document))
    for name, value in {"packed_payload": body, **case.upload}.items():
        setattr(upload, name, value)
    upload.save()
    if case.before is not None:
        case.before(upload)
    drain(most=10)  # all there is, without the standings
    return Run.objects.get(pk=upload.pk)


def _as_agents_compute_it(document: make.Json) -> None:
    """Let the effective depth of every workload follow from what was changed."""
    for each in document["workloads"]:
        depth = depth_milli(each["histograms"], each["elapsed_ns"])
        each["engine"]["effective_depth_milli"] = depth


def workload(upload: Upload) -> make.Json:
    """Return the document of an upload."""
    found: make.Json = json.loads(upload.payload)
    return found


def place_of(document: make.Json, path: str) -> tuple[Any, Any]:
    """Return the container and the last step of a path such as `workloads/0/bytes`."""
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    place: Any = document
    for step in steps:
        place = place[step]
    return place, last


def setting(path: str, value: Any) -> Callable[[make.Json], None]:
    """Return a change of one member, by path."""

    def change(document: make.Json) -> None:
        place, last = place_of(document, path)
        place[last] = value

    return change


IN_MILLISECONDS = setting("workloads/0/sample_ns", 1_000_000)


def adding(path: str, amount: int) -> Callable[[make.Json], None]:
    """Return a change that adds to one number."""

    def change(document: make.Json) -> None:
        place, last = place_of(document, path)
        place[last] += amount

    return change


def both(*changes: Callable[[make.Json], None]) -> Callable[[make.Json], None]:
    """Return several changes as one."""

    def change(document: make.Json) -> None:
        for each in changes:
            each(document)

    return change


def stretched(factor: float) -> Callable[[make.Json], None]:
    """Return a change that lets more time go by than the operations of the headline took."""

    def change(document: make.Json) -> None:
        workload = document["workloads"][0]
        for each in workload["passes"]:
            last_for(each, round(each["elapsed_ns"] * factor))
        workload["elapsed_ns"] = sum(each["elapsed_ns"] for each in workload["passes"])

    return change


def last_for(one: make.Json, elapsed_ns: int) -> None:
    """Let a pass take so long, with as many samples as fit into it."""
    one["elapsed_ns"] = elapsed_ns
    del one["rate_samples"][elapsed_ns // make.SAMPLE_NS :]


def lopsided(share: float) -> Callable[[make.Json], None]:
    """Return a change that gives the first pass of the headline time of the second."""

    def change(document: make.Json) -> None:
        first, second, _ = document["workloads"][0]["passes"]
        moved = round(first["elapsed_ns"] * share)
        last_for(first, first["elapsed_ns"] + moved)
        last_for(second, second["elapsed_ns"] - moved)

    return change


def last_pass_at(count: int) -> Callable[[make.Json], None]:
    """Return a change to 21 commits in each tenth of a second, and to so many in the last pass."""

    def change(document: make.Json) -> None:
        for each, value in zip(document["workloads"][0]["passes"], (21, 21, count), strict=True):
            each["rate_samples"] = [value] * 47

    return change


def ended(ended_by: str) -> Callable[[make.Json], None]:
    """Return a change that lets the first pass of the headline say that it ended by this."""
    return setting("workloads/0/passes/0/ended_by", ended_by)


def without_histogram(side: str) -> Callable[[make.Json], None]:
    """Return a change that leaves one histogram of the headline workload out."""

    def change(document: make.Json) -> None:
        del document["workloads"][0]["histograms"][side]

    return change


def instant(side: str, latency_ns: int) -> Callable[[make.Json], None]:
    """Return a change that lets one operation of the headline workload take so few nanoseconds."""

    def change(document: make.Json) -> None:
        histogram = document["workloads"][0]["histograms"][side]
        histogram["counts"][0][1] -= 1
        histogram["counts"].insert(0, [latency_ns, 1])
        histogram["min_ns"] = latency_ns

    return change


def flushing(flushes: int | None, **device: Any) -> Callable[[make.Json], None]:
    """Return a change of the flushes that the drive finished, and of what it reports."""

    def change(document: make.Json) -> None:
        document["workloads"][0]["flushes"] = flushes
        document["devices"][0].update(device)

    return change


def reading(latency_ns: int) -> Callable[[make.Json], None]:
    """Return a change to reads of so many nanoseconds, and 0.2 µs more at the median."""
    return reworked("workloads/3", "read-4k-floor", latency_ns=latency_ns)


def reworked(
    path: str, workload_id: str, *, latency_ns: int = 40_000, **changes: Any
) -> Callable[[make.Json], None]:
    """Return a change of the workload at this path to another, with figures that fit each other."""
    definition = next(
        each for suite in suites().values() for each in suite.workloads if each.id == workload_id
    )

    def change(document: make.Json) -> None:
        workload = make.workload(definition, latency_ns=latency_ns)
        place, last = place_of(document, path)
        longer_ns = workload["elapsed_ns"] - (place[last] or {"elapsed_ns": 0})["elapsed_ns"]
        place[last] = {**workload, **changes}
        for clock in ("mono_elapsed_ns", "boottime_elapsed_ns"):
            document["clock"][clock] += longer_ns

    return change


def added(workload_id: str, **changes: Any) -> Callable[[make.Json], None]:
    """Return a change that measures one workload more, at the end of a longer run."""

    def change(document: make.Json) -> None:
        document["workloads"].append(None)
        reworked(f"workloads/{len(document['workloads']) - 1}", workload_id, **changes)(document)

    return change


def hurried(workload_id: str, *, by: int, in_time: int = 1) -> Callable[[make.Json], None]:
    """Return a change that measures one workload more, with so many times the operations.

    They share so many times the time. The longest takes a hundredth of the pass, so that the
    warm-up explains next to nothing.
    """

    def change(document: make.Json) -> None:
        added(workload_id, latency_ns=4_000_000)(document)
        workload = document["workloads"][-1]
        for part in (workload, *workload["passes"]):
            part["operations"] *= by
            part["bytes"] *= by
            part["elapsed_ns"] *= in_time
        for one in workload["passes"]:
            one["rate_samples"] = []
        for histogram in workload["histograms"].values():
            histogram["sum_ns"] *= by
            histogram["counts"] = [[bucket, count * by] for bucket, count in histogram["counts"]]
        for clock in ("mono_elapsed_ns", "boottime_elapsed_ns"):
            document["clock"][clock] += workload["elapsed_ns"]

    return change


def on(**device: Any) -> Callable[[make.Json], None]:
    """Return a change to another drive."""
    return setting("devices", [make.device(**device)])


def disturbed(
    *, device_permille: int = 0, cpu_permille: int = 0, place: int = 0
) -> Callable[[make.Json], None]:
    """Return what lets others have so much of the last pass of a workload."""

    def change(document: make.Json) -> None:
        document["stack"][0] = "xfs"  # on which a write in place is all that there is
        one = document["workloads"][place]["passes"][-1]
        seen = one["interference"]
        seen["device"]["bytes_written"] = one["bytes"] * 1000 // (1000 - device_permille)
        cpus_ns = one["elapsed_ns"] * document["env"]["cpu_count"]
        seen["other_cpu_ns"] = -(-cpus_ns * cpu_permille // 1000)

    return change


def lasting(*, beside_ns: int) -> Callable[[make.Json], None]:
    """Return what makes a run last so much longer than its passes."""

    def change(document: make.Json) -> None:
        passes_ns = sum(each["elapsed_ns"] for each in document["workloads"])
        for clock in ("mono_elapsed_ns", "boottime_elapsed_ns"):
            document["clock"][clock] = passes_ns + beside_ns

    return change


def unseen(document: make.Json) -> None:
    """Nothing of what others did can be seen."""
    for each in document["workloads"]:
        for one in each["passes"]:
            del one["interference"]


def half_at_once(document: make.Json) -> None:
    """Let half of the headline's commits take 8.1 us, one 15 us and the others 0.1 us."""
    headline = document["workloads"][0]
    operations = headline["passes"][0]["operations"]
    quick = operations // 2 - 1
    commits = [15_000] + [8_100] * (operations - quick - 1) + [100] * quick
    parts = {"write": [each // 100 for each in commits], "commit": commits}
    parts["sync"] = [whole - write for whole, write in zip(commits, parts["write"], strict=True)]
    passes = len(headline["passes"])
    headline["histograms"] = {
        side: make.histogram_json(parts[side], passes=passes) for side in headline["histograms"]
    }
    elapsed_ns = sum(commits)
    for one in headline["passes"]:
        one.update(elapsed_ns=elapsed_ns, rate_samples=[])
    headline["elapsed_ns"] = elapsed_ns * passes
    headline["engine"]["effective_depth_milli"] = depth_milli(
        headline["histograms"], headline["elapsed_ns"]
    )
