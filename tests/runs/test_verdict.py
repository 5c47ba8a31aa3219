"""The flush verdict: what is concluded from what was declared, counted and timed."""

from __future__ import annotations

from typing import Any

import pytest

from apps.intake.services.work import drain
from apps.runs.flush_verdict import FLUSHES, RULE, FlushFacts, FlushJudgement, judge_flushes
from apps.runs.ladder.floors import floors
from apps.runs.models import FlushVerdict, Run
from apps.stats.analysis.caches import CacheDrain, FlushCost
from apps.wire.suites import find_workload
from apps.words.flush_reasons import reason_sentences
from tests import make

PROTECTED, VOLATILE = FlushVerdict.PROTECTED, FlushVerdict.VOLATILE
SUSPICIOUS, UNKNOWN = FlushVerdict.SUSPICIOUS, FlushVerdict.UNKNOWN

MISSING, COUNTED = FLUSHES.missing_per_commit_below.value, FLUSHES.counted_per_commit_min.value
BETWEEN = (MISSING + COUNTED) / 2  # what that says is unclear

# Words that would turn a measurement into an accusation, or into a promise.
TOO_MUCH = ("lying", "lie", "cheat", "fake", "fraud", "guarantee", "certified", "proves")


def drain_of(ratio: float) -> FlushCost:
    kind = (
        CacheDrain.FLAT if ratio < 3 else CacheDrain.VOLATILE if ratio > 10 else CacheDrain.UNCLEAR
    )
    return FlushCost(slope_ns_per_mib=1.0, ratio=ratio, drain=kind)


def facts(**changes: Any) -> FlushFacts:
    """A drive that nobody knows, reporting a volatile cache and no FUA, at 200 µs a commit."""
    usual: dict[str, Any] = {
        "write_caches": ("write back",),
        "fua": (False,),
        "volatile_by_drive": (None,),
        "plp": ("unknown",),
        "flushes_per_commit": 1.0,
        "drain": None,
        "commit_p50_ns": 200_000,
        "floor": floors()["any"],
    }
    return FlushFacts(**{**usual, **changes})


def judged(**changes: Any) -> FlushJudgement:
    found = judge_flushes(facts(**changes))
    assert found is not None
    return found


SAFE = {"write_caches": ("write through",), "flushes_per_commit": 0.0}
NO_DRIVE = {"write_caches": (), "fua": (), "volatile_by_drive": (), "plp": ()}


def finding(rule: str, **figures: Any) -> dict[str, Any]:
    """What a rule that contradicts durability found."""
    return {RULE: rule, **figures}


IN_MEMORY = finding("memory-filesystem", layer="tmpfs")
NO_BARRIERS = finding("barriers-off", flags=["nobarrier"])
TOO_QUICK = finding(
    "faster-than-medium", **{"class": "nvme-no-plp"}, workload="w", p50_ns=9_000, floor_ns=150_000
)
CONSUMER = {"plp": ("none",), "floor": floors()["nvme-no-plp"]}
DATACENTER = {"plp": ("full",), "floor": floors()["nvme-plp"], "commit_p50_ns": 30_000}


@pytest.mark.parametrize(
    ("changes", "verdict", "reason"),
    [
        # what contradicts durability comes first, whatever else is known
        ({"contradictions": (IN_MEMORY,)}, SUSPICIOUS, "on tmpfs"),
        ({**DATACENTER, "contradictions": (NO_BARRIERS,)}, SUSPICIOUS, "with nobarrier."),
        ({**CONSUMER, "contradictions": (TOO_QUICK,)}, SUSPICIOUS, "the floor is 150 µs "),
        ({**SAFE, "volatile_by_drive": (False,), "contradictions": (NO_BARRIERS,)},
         SUSPICIOUS, "barrier."),
        ({"fua": (True,)}, UNKNOWN, "write back, with FUA."),
        ({"fua": (False,)}, UNKNOWN, "write back, without FUA."),
        ({"fua": (None,)}, UNKNOWN, "write back, FUA not known of all."),
        ({"fua": (True, False)}, UNKNOWN, "write back, with FUA on some drives."),
        ({"flushes_per_commit": COUNTED}, UNKNOWN, "only a power cut"),
        ({"flushes_per_commit": COUNTED - 0.01}, UNKNOWN, "reached the medium is unclear"),
        ({"flushes_per_commit": MISSING}, UNKNOWN, "reached the medium is unclear"),
        ({"flushes_per_commit": MISSING - 0.01}, UNKNOWN, "only a power cut"),  # by the rule
        ({**DATACENTER, "flushes_per_commit": BETWEEN}, UNKNOWN, "reached the medium is unclear"),
        ({**CONSUMER, "flushes_per_commit": BETWEEN}, UNKNOWN, f"{BETWEEN:.2f} flushes a commit"),
        ({"drain": drain_of(203), "flushes_per_commit": BETWEEN},
         UNKNOWN, "reached the medium is unclear"),
        ({**DATACENTER, **SAFE, "flushes_per_commit": BETWEEN}, PROTECTED, "data sheet says"),
        ({"flushes_per_commit": None}, UNKNOWN, "not counted"),
        ({"commit_p50_ns": 5_000}, UNKNOWN, "not below the floor"),
        (SAFE, UNKNOWN, "as write through"),
        # protection, by the data sheet or by the drive's own word
        (DATACENTER, PROTECTED, "data sheet says"),
        ({**DATACENTER, **SAFE}, PROTECTED, "data sheet says"),
        ({**DATACENTER, "commit_p50_ns": 8_000}, PROTECTED, "data sheet says"),
        ({**DATACENTER, "drain": drain_of(40)}, PROTECTED, "40.0 times an empty one"),
        ({"plp": ("full", "unknown")}, UNKNOWN, "not known of this drive"),
        ({**SAFE, "volatile_by_drive": (False,)}, PROTECTED, "drive itself says"),
        ({**SAFE, "volatile_by_drive": (False, None)}, UNKNOWN, "only a power cut"),
        ({**SAFE, "volatile_by_drive": (False,), "drain": drain_of(40)}, UNKNOWN, "40.0 times"),
        # a volatile cache that is emptied
        ({"drain": drain_of(203)}, VOLATILE, "203.0 times an empty one"),
        ({"drain": drain_of(2.4)}, UNKNOWN, "does no work that grows"),
        ({"drain": drain_of(5)}, UNKNOWN, "too uneven to tell"),
        (CONSUMER, VOLATILE, "names no protection"),
        ({**CONSUMER, "commit_p50_ns": 150_000}, VOLATILE, "as long as its medium needs"),
        ({**CONSUMER, "plp": ("partial", "none")}, VOLATILE, "names no protection"),
        ({**CONSUMER, "floor": floors()["any"]}, UNKNOWN, "only a power cut"),
        ({**CONSUMER, **SAFE}, UNKNOWN, "as write through"),
        ({"volatile_by_drive": (True,)}, UNKNOWN, "keeps a volatile cache"),
        # little is known
        (NO_DRIVE, UNKNOWN, "as unknown"),
        ({"write_caches": ("write back", "write through")}, UNKNOWN, "back and write through"),
        ({"commit_p50_ns": None, "drain": drain_of(203)}, VOLATILE, "is emptied"),
        ({**CONSUMER, "commit_p50_ns": None, "drain": drain_of(2)}, UNKNOWN, "only a power cut"),
    ],
)  # fmt: skip
def test_what_is_concluded(changes: dict[str, Any], verdict: FlushVerdict, reason: str) -> None:
    judgement = judged(**changes)
    said = reason_sentences(judgement.reasons)
    assert judgement.verdict == verdict, said
    assert reason in " ".join(said)
    assert len(said) == len(judgement.reasons) == len(set(said))


def test_without_a_commit_and_a_flush_there_is_no_verdict() -> None:
    assert judge_flushes(facts(commit_p50_ns=None)) is None


def test_no_reason_accuses_or_promises() -> None:
    for changes in ({}, SAFE, CONSUMER, DATACENTER, {"flushes_per_commit": 0.0}):
        said = " ".join(reason_sentences(judged(**changes).reasons)).lower()
        assert not [word for word in TOO_MUCH if word in said.split()]


def probed(empty_ns: int, full_ns: int, *, flushes: int = 3) -> make.Json:
    """Return a run whose flushes took so long after nothing and after 64 MiB."""
    document = make.payload()
    for name, latency_ns in (("empty-flush", empty_ns), ("drain-64m", full_ns)):
        definition = find_workload(name, version=1)
        assert definition
        document["workloads"].append(
            make.workload(definition, latency_ns=latency_ns, operations=flushes)
        )
    return document


BY_HAND = {"write_cache": "write through", "volatile_write_cache": True}


def unflushed(share: float) -> make.Json:
    """Return a run of whose commits this share reached a drive with FUA as flushes."""
    document = make.payload()
    headline = document["workloads"][0]
    headline["flushes"] = round(headline["operations"] * share)
    return document


def recorded(document: make.Json) -> Run:
    make.upload(document, witnessed=True)
    assert drain() == 1
    return Run.objects.get()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        (probed(100_000, 21_900_000), VOLATILE),
        (probed(44_000, 106_000), UNKNOWN),
        (make.payload(latency_ns=3_000), SUSPICIOUS),
        (make.payload(env=make.environment(fs="tmpfs")), SUSPICIOUS),
        (make.payload(env=make.environment(mount_flags=["nobarrier"])), SUSPICIOUS),
        (make.payload(devices=[make.device(**BY_HAND)]), SUSPICIOUS),
        (unflushed(MISSING - 0.001), SUSPICIOUS),
        (unflushed(MISSING), UNKNOWN),
    ],
)
def test_a_run_keeps_its_verdict_and_the_reasons(
    document: make.Json, verdict: FlushVerdict
) -> None:
    run = recorded(document)
    assert run.flush_verdict == verdict
    said = reason_sentences(run.flush_reasons)
    assert said
    assert all(reason.endswith(".") for reason in said)


@pytest.mark.django_db
def test_fewer_than_three_flushes_decide_nothing() -> None:
    document = probed(100_000, 21_900_000)
    for workload in document["workloads"][-2:]:
        syncs = workload["histograms"]["sync"]
        syncs["counts"] = [[syncs["counts"][0][0], 2]]
    assert recorded(document).flush_verdict == UNKNOWN


@pytest.mark.django_db
def test_a_drive_s_own_word_counts() -> None:
    document = make.payload(
        devices=[make.device(write_cache="write through", volatile_write_cache=False)]
    )
    assert recorded(document).flush_verdict == PROTECTED


@pytest.mark.django_db
def test_a_hypervisor_s_word_for_its_disk_does_not() -> None:
    disk = make.device(write_cache="write through", volatile_write_cache=False)
    document = make.payload(devices=[disk], env=make.environment(virt="kvm"))
    assert recorded(document).flush_verdict == UNKNOWN


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "verdict"), [("ssd", PROTECTED), ("virtual", UNKNOWN)])
def test_a_physical_drive_that_is_handed_through_speaks_for_itself(
    kind: str, verdict: FlushVerdict
) -> None:
    make.drive_family(match=r"^SAMSUNG MZQL2", plp="unknown", kind=kind)
    disk = make.device(write_cache="write through", volatile_write_cache=False)
    document = make.payload(devices=[disk], env=make.environment(virt="kvm"))
    assert recorded(document).flush_verdict == verdict


@pytest.mark.django_db
def test_the_data_sheet_of_the_family_counts() -> None:
    make.drive_family(match=r"^SAMSUNG MZQL2", plp="full", ladder_class=make.ladder_class())
    run = recorded(make.payload())
    assert run.flush_verdict == PROTECTED
    assert "survives a power cut" in reason_sentences(run.flush_reasons)[0]
