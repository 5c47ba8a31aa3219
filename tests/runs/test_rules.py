"""Every rule, on each side of its border."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from apps.intake.services.work import drain
from apps.runs.models import ChallengeUse, Label, Level, Run
from apps.runs.rules import RULES, TABLE, Kind
from tests import make

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


@dataclass
class Case:
    """A change to a faultless, witnessed run, and the rule that speaks (None: no rule does)."""

    name: str
    rule: str | None
    change: Callable[[make.Json], None] = lambda _document: None
    upload: dict[str, Any] = field(default_factory=dict)


def setting(path: str, value: Any) -> Callable[[make.Json], None]:
    """Return a change of one member, by path."""

    def change(document: make.Json) -> None:
        *steps, last = path.split("/")
        place: Any = document
        for step in steps:
            place = place[int(step)] if step.isdigit() else place[step]
        place[int(last) if last.isdigit() else last] = value

    return change


def adding(path: str, amount: int) -> Callable[[make.Json], None]:
    """Return a change that adds to one number."""

    def change(document: make.Json) -> None:
        *steps, last = path.split("/")
        place: Any = document
        for step in steps:
            place = place[int(step)] if step.isdigit() else place[step]
        place[last] += amount

    return change


def both(*changes: Callable[[make.Json], None]) -> Callable[[make.Json], None]:
    def change(document: make.Json) -> None:
        for each in changes:
            each(document)

    return change


def stretched(factor: float) -> Callable[[make.Json], None]:
    """Return a change that lets more time go by than the operations took, in every workload."""

    def change(document: make.Json) -> None:
        for workload in document["workloads"]:
            for each in workload["passes"]:
                each["elapsed_ns"] = round(each["elapsed_ns"] * factor)
            workload["elapsed_ns"] = sum(each["elapsed_ns"] for each in workload["passes"])

    return change


def without_histogram(side: str) -> Callable[[make.Json], None]:
    """Return a change that leaves one histogram of the headline workload out."""

    def change(document: make.Json) -> None:
        del document["workloads"][0]["histograms"][side]

    return change


def flushing(flushes: int | None, **device: Any) -> Callable[[make.Json], None]:
    def change(document: make.Json) -> None:
        document["workloads"][0]["flushes"] = flushes
        document["devices"][0].update(device)

    return change


def unwatched(document: make.Json) -> None:
    """Nobody looked at the device between the passes."""
    for each in document["workloads"]:
        del each["other_io"]


VOLATILE = {"write_cache": "write back", "fua": False}
SYNCS = 3000  # of the headline workload in make.payload

CASES = [
    Case("a faultless run", None),
    Case("no challenge", "measured-offline", upload={"challenge_use": ChallengeUse.NONE}),
    Case("late", "challenge-expired", upload={"challenge_use": ChallengeUse.EXPIRED}),
    Case("forgotten", "challenge-unknown", upload={"challenge_use": ChallengeUse.UNKNOWN}),
    # consistency
    Case(
        "a latency missing",
        "histogram-totals",
        setting("workloads/0/histograms/write/counts/0/1", SYNCS - 1),
    ),
    Case("the commits left out", "histogram-totals", without_histogram("commit")),
    Case("the writes left out", "histogram-totals", without_histogram("write")),
    Case(
        "a sum beyond its buckets",
        "histogram-totals",
        both(
            adding("workloads/3/histograms/read/sum_ns", 900_000),
            adding("workloads/3/elapsed_ns", 900_000),
            adding("workloads/3/passes/0/elapsed_ns", 900_000),
        ),
    ),
    Case("an operation in no pass", "pass-totals", adding("workloads/0/passes/1/operations", 1)),
    Case("bytes in no pass", "pass-totals", adding("workloads/0/passes/1/bytes", 1)),
    Case("time in no pass", "pass-totals", adding("workloads/0/passes/1/elapsed_ns", 1)),
    Case(
        "samples of more than was done",
        "pass-totals",
        both(
            setting("workloads/0/sample_ns", 1_000_000),
            setting("workloads/0/passes/0/rate_samples", [1001]),
        ),
    ),
    Case(
        "as many samples as fit",
        None,
        both(
            setting("workloads/0/sample_ns", 1_000_000),
            setting("workloads/0/passes/0/rate_samples", [1000] + [0] * 46),
        ),
    ),
    Case(
        "more samples than fit",
        "pass-totals",
        both(
            setting("workloads/0/sample_ns", 1_000_000),
            setting("workloads/0/passes/0/rate_samples", [0] * 48),
        ),
    ),
    Case(
        "a byte more than the blocks",
        "bytes-per-operation",
        both(adding("workloads/0/bytes", 1), adding("workloads/0/passes/0/bytes", 1)),
    ),
    Case("one per cent between operations", None, stretched(1.01)),
    Case("three per cent between operations", "rate-against-latency", stretched(1.03)),
    Case("more latency than time", "rate-against-latency", stretched(0.97)),
    Case(
        "a sync that the commit lacks",
        "commit-parts",
        both(
            setting("workloads/0/histograms/write", make.histogram_json([2000] * SYNCS)),
        ),
    ),
    Case("workloads longer than the run", "elapsed-totals", setting("clock/mono_elapsed_ns", 1)),
    Case(
        "a boot-time clock that stood still",
        "elapsed-totals",
        setting("clock/boottime_elapsed_ns", 900_000_000),
    ),
    Case(
        "a machine that slept before the upload",
        None,
        setting("clock/boottime_elapsed_ns", 299_000_000_000),
    ),
    Case(
        "longer than between challenge and upload",
        "server-clock",
        setting("clock/boottime_elapsed_ns", 310_000_000_000),
    ),
    Case("another proof", "seed-proof", upload={"challenge_seed": b"\x01" * 32}),
    Case("no proof", "seed-proof", setting("seed_proof", None)),
    Case("another suite", "suite-unknown", setting("suite/sha256", "0" * 64)),
    Case("another version of the suite", "suite-unknown", setting("suite/version", 7)),
    # environment
    Case("a choice of workloads", "suite-incomplete", setting("suite/complete", value=False)),
    Case(
        "interrupted",
        "suite-incomplete",
        both(
            setting("suite/complete", value=False),
            setting("workloads/0/passes/2/ended_by", "interrupted"),
        ),
    ),
    Case("a workload less", "suite-incomplete", lambda document: document["workloads"].pop()),
    Case(
        "a pass that was broken off",
        "suite-incomplete",
        setting("workloads/0/passes/2/ended_by", "error"),
    ),
    Case("in memory", "memory-filesystem", setting("env/fs", "tmpfs")),
    Case("over the network", "indirect-filesystem", setting("env/fs", "nfs4")),
    Case("in user space", "indirect-filesystem", setting("env/fs", "fuse.sshfs")),
    Case("on btrfs", None, setting("env/fs", "btrfs")),
    Case("no barriers", "barriers-off", setting("env/mount_flags", ["nobarrier"])),
    Case("ZFS without", "barriers-off", setting("env/mount_flags", ["zfs_nocacheflush=1"])),
    Case(
        "no barriers, and none needed",
        None,
        both(
            setting("env/mount_flags", ["nobarrier"]),
            setting("devices/0/write_cache", "write through"),
        ),
    ),
    Case("syncs that do not flush", "few-flushes", flushing(299, **VOLATILE)),
    Case("syncs of which some flush", None, flushing(300, **VOLATILE)),
    Case("flushes that are not counted", None, flushing(None, **VOLATILE)),
    Case("syncs by FUA", None, flushing(0, write_cache="write back", fua=True)),
    Case("syncs of a safe cache", None, flushing(0, write_cache="write through", fua=False)),
    Case("no devices known", None, both(flushing(0), setting("devices", []))),
    Case("a slow clock", "unusual-clock", setting("clock/source", "hpet")),
    Case("nine per cent free", "little-free-space", setting("env/fs_free_bytes", 369 * 10**9)),
    Case("ten per cent free", None, setting("env/fs_free_bytes", 370 * 10**9)),
    Case("a neighbour", "other-io", setting("env/other_io/reads", 1100)),
    Case("a quiet neighbour", None, setting("env/other_io/reads", 1000)),
    Case(
        "a neighbour between passes",
        "other-io",
        both(
            setting("workloads/0/other_io/bytes", 1 << 30),
            setting("workloads/0/other_io/writes", 9),
        ),
    ),
    Case(
        "a neighbour that reads between passes",
        None,
        both(
            setting("workloads/0/other_io/bytes", 1 << 30),
            setting("workloads/0/other_io/reads", 9),
        ),
    ),
    Case(
        "nobody looked between passes",
        None,
        unwatched,
    ),
    Case("nobody looked for neighbours", None, setting("env/other_io/interval_ns", 0)),
    Case(
        "members of two kinds",
        "mixed-drives",
        setting("devices", [make.device(), make.device(model="something else")]),
    ),
]


def judged(case: Case) -> Run:
    """Return the run that a case becomes, with a drive of a class that has a floor."""
    plp = make.ladder_class(slug="nvme-plp", low_ns=10_000, high_ns=50_000, floor_ns=8_000)
    make.drive_family(name="PM9A3", match=r"^(SAMSUNG[ _]+)?MZQL2", ladder_class=plp)
    document = make.payload()
    upload = make.upload(document, witnessed=True)
    answered = {key: value for key, value in read(upload).items() if key in ANSWERED}
    document.update(answered)
    case.change(document)
    for name, value in {"payload": make.as_bytes(document), **case.upload}.items():
        setattr(upload, name, value)
    upload.save()
    assert drain() == 1
    return Run.objects.get()


ANSWERED = {"challenge", "seed_proof"}


def read(upload: Any) -> make.Json:
    found: make.Json = json.loads(bytes(upload.payload))
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_rule_speaks_on_its_side_of_the_border(case: Case) -> None:
    run = judged(case)
    found = list(run.labels.values_list("rule", flat=True))
    assert found == ([case.rule] if case.rule else []), list(run.labels.values())
    if case.rule is None:
        assert (run.level, run.in_standings) == (Level.WITNESSED, True)
        return
    rule, label = RULES[case.rule], run.labels.get()
    assert (label.rule_version, label.outcome, label.text) == (
        rule.version, rule.outcome, rule.text,
    )  # fmt: skip
    assert label.detail
    is_lowered = rule.kind in (Kind.CONSISTENCY, Kind.FRESHNESS)
    assert run.level == (Level.SIGNED if is_lowered else Level.WITNESSED)
    assert run.in_standings == (not is_lowered and rule.outcome == Label.Outcome.NOTE)


@pytest.mark.parametrize(
    ("floor_ns", "rules"), [(40_000, []), (41_000, ["faster-than-medium"]), (None, [])]
)
def test_nothing_is_faster_than_its_medium(floor_ns: int | None, rules: list[str]) -> None:
    """Half of the commits of make.payload take 40 µs and a little."""
    expected = make.ladder_class(name="NVMe with PLP", floor_ns=floor_ns)
    make.drive_family(match=r"^(SAMSUNG[ _]+)?MZQL2", ladder_class=expected)
    make.upload(witnessed=True)
    drain()
    run = Run.objects.get()
    assert list(run.labels.values_list("rule", flat=True)) == rules
    assert run.level == Level.WITNESSED
    assert run.in_standings == (not rules)
    if rules:
        assert run.labels.get().detail == (
            "Half of the commits took 40.1 µs or less; NVMe with PLP needs 41 µs."
        )


def test_an_upload_right_after_its_challenge_cannot_hold_a_minute() -> None:
    document = make.payload(latency_ns=9_000_000)
    make.upload(document, witnessed=True, challenge_issued_at=make.NOON - timedelta(seconds=30))
    drain()
    assert "server-clock" in Run.objects.get().labels.values_list("rule", flat=True)


def test_a_run_without_any_workload_is_incomplete_and_shown() -> None:
    make.upload(make.payload(workloads=[]), witnessed=True)
    drain()
    run = Run.objects.get()
    assert "suite-incomplete" in run.labels.values_list("rule", flat=True)
    assert run.measured_class is None


def test_every_rule_has_words_for_people_and_a_case_here() -> None:
    tested = {case.rule for case in CASES} | {"faster-than-medium"}
    assert tested >= set(RULES)
    assert len(RULES) == len(TABLE)
    for rule in TABLE:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
        assert rule.explanation.endswith(".")
        assert len(rule.text) <= 40 or rule.kind is Kind.PHYSICS
        assert (rule.outcome == Label.Outcome.EXCLUDE) or rule.kind is not Kind.CONSISTENCY
