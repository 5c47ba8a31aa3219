"""A fixture on each side of the threshold of every rule."""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from apps.intake.services.work import drain
from apps.runs.models import ChallengeUse, Upload
from apps.runs.rules.agents import Release
from apps.runs.rules.consistency.run import another_binary
from apps.runs.rules.environment.machine import agent_unknown, stale_workload
from apps.runs.rules.environment.storage import few_flushes
from tests import make
from tests.runs.rules.behaviour_cases import A_DAY, BEHAVIOUR
from tests.runs.rules.changes import (
    IN_MILLISECONDS,
    SYNCS,
    added,
    both,
    disturbed,
    flushing,
    half_at_once,
    last_pass_at,
    lopsided,
    on,
    reading,
    reworked,
    setting,
    silent,
    speaks,
    unseen,
    workload,
)
from tests.runs.rules.consistency_cases import CONSISTENCY
from tests.runs.rules.decision_cases import DECISION
from tests.runs.rules.durability_cases import DURABILITY
from tests.runs.rules.identity_cases import IDENTITY
from tests.runs.rules.likeness_cases import LIKENESS

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

VOLATILE = {"write_cache": "write back", "fua": False}
SAFE = {"write_cache": "write through", "fua": False}
FORCED = {"write_cache": "write back", "fua": True}
BY_HAND = {"write_cache": "write through", "volatile_write_cache": True}
DSYNC_UNFLUSHED = setting("workloads/2/flushes", 0)
NAMELESS = {"model": "NO SUCH DRIVE"}
OWN_WORD = {**SAFE, "volatile_write_cache": False}
UNSTATED = {"model": "CT1000T500SSD8"}  # named, and nobody says whether its cache is protected
ENOUGH = ceil(SYNCS * few_flushes.MISSING_PER_COMMIT_BELOW)
PROTECTED = {
    "model": "MO003200KXPTT",
    "class": "scsi",
    "transport": "sas",
}  # by its data sheet, on a bus that has no class

FRESHNESS = [
    speaks("measured-offline", "no challenge", upload={"challenge_use": ChallengeUse.NONE}),
    silent("measured-offline", "a challenge redeemed"),
    speaks("challenge-expired", "late", upload={"challenge_use": ChallengeUse.EXPIRED}),
    silent("challenge-expired", "in time"),
    speaks("challenge-unknown", "forgotten", upload={"challenge_use": ChallengeUse.UNKNOWN}),
    silent("challenge-unknown", "remembered"),
]


def copied(
    *, received: timedelta, ns: int = 0, same_key: bool = False, machine: str = ""
) -> Callable[[Upload], None]:
    """Return what stores a run with the figures of the upload, or some nanoseconds beside them."""

    def before(upload: Upload) -> None:
        document = make.payload()
        document["machine"] = machine or document["machine"]
        mine = workload(upload)["workloads"][0]
        document["workloads"][0] = mine
        mine["histograms"]["commit"]["sum_ns"] += ns
        other = make.upload(
            document,
            received_at=upload.received_at - received,
            next_attempt_at=upload.next_attempt_at - A_DAY,
        )
        if same_key:
            Upload.objects.filter(pk=other.pk).update(key=upload.key)
        drain(most=1)
        assert Upload.objects.get(pk=other.pk).state == Upload.State.DONE

    return before


COPIES = [
    speaks("copied-figures", "another key had them before", before=copied(received=A_DAY)),
    silent("copied-figures", "a nanosecond less", before=copied(received=A_DAY, ns=-1)),
    silent("copied-figures", "the same machine", before=copied(received=A_DAY, same_key=True)),
    speaks(
        "copied-figures",
        "the same key under another machine's name",
        before=copied(received=A_DAY, same_key=True, machine="f" * 32),
    ),
    silent("copied-figures", "another key had them later", before=copied(received=-A_DAY)),
]

STORAGE = [
    silent("suite-incomplete", "whole"),
    speaks("suite-incomplete", "a choice of workloads", setting("suite/complete", value=False)),
    speaks(
        "suite-incomplete",
        "interrupted",
        both(
            setting("suite/complete", value=False),
            setting("workloads/0/passes/2/ended_by", "interrupted"),
        ),
    ),
    speaks("suite-incomplete", "a workload less", lambda document: document["workloads"].pop()),
    speaks(
        "suite-incomplete",
        "a pass that was broken off",
        setting("workloads/0/passes/2/ended_by", "error"),
    ),
    speaks("memory-filesystem", "in memory", setting("env/fs", "tmpfs")),
    speaks("memory-filesystem", "on a disk of memory", setting("stack", ["ext4", "zram"])),
    speaks("memory-filesystem", "on a disk of tests", setting("stack", ["ext4", "nullb"])),
    speaks("memory-filesystem", "on SCSI's disk of tests", on(model="scsi_debug", **SAFE)),
    speaks("memory-filesystem", "on set aside memory", setting("stack", ["ext4", "pmem-e820"])),
    silent("memory-filesystem", "on an NVDIMM", setting("stack", ["ext4", "pmem"])),
    speaks("memory-filesystem", "over memory", setting("stack", ["overlay", "tmpfs"])),
    silent("memory-filesystem", "on ZFS", setting("stack", ["ext4", "zvol", "zfs"])),
    speaks("indirect-filesystem", "over another filesystem", setting("env/fs", "overlay")),
    speaks("indirect-filesystem", "in user space", setting("env/fs", "fuse.sshfs")),
    silent("indirect-filesystem", "on btrfs", setting("env/fs", "btrfs")),
    speaks("barriers-off", "no barriers", setting("env/mount_flags", ["nobarrier"])),
    speaks("barriers-off", "a volatile overlay", setting("env/mount_flags", ["volatile"])),
    speaks(
        "barriers-off",
        "a volatile overlay over a drive that needs no flush",
        both(
            setting("env/mount_flags", ["volatile"]),
            setting("devices/0/write_cache", "write through"),
        ),
    ),
    speaks("barriers-off", "f2fs without", setting("env/mount_flags", ["fsync_mode=nobarrier"])),
    silent("barriers-off", "f2fs with", setting("env/mount_flags", ["fsync_mode=posix"])),
    speaks("barriers-off", "ZFS without", setting("env/mount_flags", ["zfs_nocacheflush=1"])),
    silent(
        "barriers-off",
        "no barriers, and none needed",
        both(
            setting("env/mount_flags", ["nobarrier"]),
            setting("devices/0/write_cache", "write through"),
        ),
    ),
    speaks("few-flushes", "syncs that do not flush", flushing(ENOUGH - 1, **VOLATILE)),
    silent("few-flushes", "syncs of which some flush", flushing(ENOUGH, **VOLATILE)),
    speaks("few-flushes", "syncs after writes, for all FUA", flushing(ENOUGH - 1, **FORCED)),
    silent("few-flushes", "syncs that flush besides FUA", flushing(ENOUGH, **FORCED)),
    speaks(
        "few-flushes",
        "buffered O_DSYNC, for all FUA",
        both(flushing(SYNCS, **FORCED), DSYNC_UNFLUSHED),
    ),
    speaks(
        "few-flushes", "O_DSYNC without FUA", both(flushing(SYNCS, **VOLATILE), DSYNC_UNFLUSHED)
    ),
    silent("few-flushes", "syncs of a safe cache", flushing(0, **SAFE)),
    silent(
        "few-flushes",
        "syncs with nothing to write",
        both(flushing(SYNCS, **VOLATILE), added("empty-flush", flushes=0)),
    ),
    speaks(
        "few-flushes",
        "syncs of 4 KiB each",
        both(flushing(SYNCS, **VOLATILE), added("drain-4k", flushes=0)),
    ),
    speaks("volatile-write-through", "set by hand", on(**NAMELESS, **BY_HAND), latency_ns=200_000),
    silent("volatile-write-through", "a protected cache", on(**BY_HAND)),
    silent("volatile-write-through", "nobody asked the drive", on(**NAMELESS, **SAFE)),
    silent(
        "volatile-write-through",
        "the kernel flushes",
        on(**NAMELESS, **VOLATILE, volatile_write_cache=True),
        latency_ns=200_000,
    ),
    silent(
        "few-flushes",
        "no devices known",
        both(flushing(0), setting("devices", [])),
        latency_ns=200_000,
    ),
    speaks(
        "mixed-drives",
        "members of two kinds",
        setting("devices", [make.device(), make.device(**NAMELESS)]),
    ),
    silent("mixed-drives", "two of a kind", setting("devices", [make.device(), make.device()])),
    speaks("little-free-space", "9.9 % free", setting("env/fs_free_bytes", 369 * 10**9)),
    silent("little-free-space", "10 % free", setting("env/fs_free_bytes", 370 * 10**9)),
]


def newest(version: int) -> Callable[[pytest.MonkeyPatch], None]:
    """Return what makes this the newest version of the headline workload."""
    versions = {**stale_workload.newest_versions(), "commit-8k": version}
    return lambda patch: patch.setattr(stale_workload, "newest_versions", lambda: versions)


COMMIT = "0123456789abcdef0123456789abcdef01234567"  # of the payload


def released(
    sha256: str, *, commit: str = COMMIT, target: str = "x86_64-unknown-linux-musl"
) -> Callable[[pytest.MonkeyPatch], None]:
    """Return what makes this the released binary of the version of the payload."""
    agents = {"0.1.0": Release(commit=commit, binaries={target: sha256})}

    def known(patch: pytest.MonkeyPatch) -> None:
        for rule in (another_binary, agent_unknown):
            patch.setattr(rule, "released_agents", lambda: agents)

    return known


MACHINE = [
    speaks("stale-workload", "a version behind", patch=newest(2)),
    silent("stale-workload", "the newest", patch=newest(1)),
    speaks("agent-unknown", "a version that nobody knows", setting("agent/version", "9.9.9")),
    speaks("agent-unknown", "no commit", setting("agent/commit", None)),
    silent("agent-unknown", "the released binary", patch=released("a" * 64)),
    speaks("another-binary", "not the released one", patch=released("b" * 64)),
    silent("another-binary", "the released one", patch=released("a" * 64)),
    silent("another-binary", "of a commit of their own", patch=released("b" * 64, commit="f" * 40)),
    silent("another-binary", "of another target", patch=released("b" * 64, target="riscv")),
    speaks("unusual-clock", "a slow clock", setting("clock/source", "hpet")),
    silent("unusual-clock", "a virtual machine's own", setting("clock/source", "kvm-clock")),
    speaks("other-io", "5.2 %", disturbed(device_permille=52)),
    silent("other-io", "5 %", disturbed(device_permille=50)),
    silent("other-io", "nothing can be seen", unseen),
    silent(
        "other-io",
        "a filesystem that nobody measured",
        both(
            disturbed(device_permille=900),
            setting("stack/0", "btrfs"),
        ),
    ),
    silent(
        "other-io",
        "data written twice",
        both(
            disturbed(device_permille=900),
            setting("env/mount_flags", ["data=journal"]),
        ),
    ),
    silent(
        "other-io",
        "a layer that may write more",
        both(
            disturbed(device_permille=900),
            setting("stack/1", "md-raid5"),
        ),
    ),
    speaks("other-cpu", "5.1 %", disturbed(cpu_permille=51)),
    silent("other-cpu", "5 %", disturbed(cpu_permille=50)),
    silent("other-cpu", "nothing can be seen", unseen),
    speaks("disturbed-workloads", "the reads", disturbed(device_permille=900, place=3)),
    speaks("disturbed-workloads", "an fsync", disturbed(cpu_permille=90, place=1)),
    silent(
        "disturbed-workloads",
        "an fsync, its journal with it",
        disturbed(
            device_permille=80,
            place=1,
        ),
    ),
    speaks("stolen-time", "10.1 %", setting("env/steal_permille", 101)),
    silent("stolen-time", "10 %", setting("env/steal_permille", 100)),
    silent("stolen-time", "not counted", setting("env/steal_permille", None)),
    speaks("limited-by-control-group", "I/O", setting("env/limits/write_ops_per_s", 3000)),
    speaks(
        "limited-by-control-group", "less than one processor", setting("env/limits/cpu_milli", 999)
    ),
    silent("limited-by-control-group", "one processor", setting("env/limits/cpu_milli", 1000)),
    speaks("unsteady-passes", "12 % apart", lopsided(0.06)),
    silent("unsteady-passes", "8 % apart", lopsided(0.04)),
    speaks(
        "burst",
        "71 % of the rate remain",
        both(on(**NAMELESS), last_pass_at(15)),
        latency_ns=4_000_000,
    ),
    silent(
        "burst",
        "86 % of the rate remain",
        both(on(**NAMELESS), last_pass_at(18)),
        latency_ns=4_000_000,
    ),
    silent("burst", "another interval", IN_MILLISECONDS),
]

PHYSICS = [
    speaks(
        "faster-than-medium", "a group that waits for nothing",
        added("group-commit-8k-32", latency_ns=7_000),
    ),
    silent(
        "faster-than-medium", "one file, whose blocks others write",
        added("commit-8k-writers-32", latency_ns=7_000),
    ),
    speaks("faster-than-medium", "7.8 µs", reading(60_000), latency_ns=7_600),
    silent("faster-than-medium", "8.2 µs", reading(60_000), latency_ns=8_000),
    silent("faster-than-medium", "unknown at 5.2 µs", both(on(**NAMELESS, **SAFE), reading(60_000)),
           latency_ns=5_000),
    speaks("faster-than-medium", "unknown at 4.9 µs", both(on(**NAMELESS, **SAFE), reading(60_000)),
           latency_ns=4_700),
    speaks(
        "faster-than-medium",
        "O_DSYNC that nobody heeds",
        reworked("workloads/2", "commit-8k-dsync", latency_ns=7_600),
    ),
    silent(
        "faster-than-medium",
        "O_DSYNC at the floor",
        reworked("workloads/2", "commit-8k-dsync", latency_ns=8_000),
    ),
    silent(
        "faster-than-medium",
        "zeros that a layer detects",
        added("write-64k-zeros", latency_ns=7_600),
    ),
    speaks(
        "faster-than-medium", "a median at the floor, and the other half at once", half_at_once
    ),
    silent("faster-than-medium", "no sync", added("direct-16k-nosync", latency_ns=6_000)),
    speaks("reads-from-cache", "9.8 µs", reading(9_600)),
    silent("reads-from-cache", "10.2 µs", reading(10_000)),
    speaks(
        "reads-from-cache", "9.8 µs with 32 in flight", added("randread-4k-qd32", latency_ns=9_600)
    ),
    silent(
        "reads-from-cache", "one after the other, which a drive reads ahead",
        added("seqread-256k-qd8", latency_ns=9_600),
    ),
    silent(
        "reads-from-cache", "an area that a drive's cache holds",
        added("read-4k-area-256m", latency_ns=9_600),
    ),
    speaks("writes-from-memory", "4.9 µs", added("direct-16k-nosync", latency_ns=4_800)),
    silent("writes-from-memory", "5.2 µs", added("direct-16k-nosync", latency_ns=5_200)),
    silent(
        "writes-from-memory", "writes that are synced",
        added("direct-16k-fdatasync", latency_ns=100_000),
    ),
    speaks("fast-for-volatile-cache", "149 µs", on(**NAMELESS), latency_ns=150_000),
    silent("fast-for-volatile-cache", "151 µs", on(**NAMELESS), latency_ns=152_000),
    speaks("fast-for-volatile-cache", "a name that tells no protection", on(**UNSTATED)),
    silent("fast-for-volatile-cache", "a data sheet that does", on(**PROTECTED)),
    silent("fast-for-volatile-cache", "a safe cache", on(**NAMELESS, **SAFE)),
    speaks("commit-above-reads", "5.4 times", reading(11_000), latency_ns=60_000),
    silent("commit-above-reads", "4.9 times", reading(11_000), latency_ns=54_000),
    silent(
        "commit-above-reads", "a named drive whose protection nobody states may program flash",
        both(on(**UNSTATED), reading(30_000)), latency_ns=160_000,
    ),
    speaks(
        "faster-than-medium", "of a named drive whose protection nobody states, 7.8 µs",
        both(on(**UNSTATED, **OWN_WORD), reading(11_000)), latency_ns=7_600,
    ),
    silent(
        "faster-than-medium", "of a named drive whose protection nobody states, 8.2 µs",
        both(on(**UNSTATED, **OWN_WORD), reading(11_000)), latency_ns=8_200,
    ),
    silent(
        "commit-above-reads",
        "a platter explains it",
        both(on(**NAMELESS, **SAFE, rotational=True), reading(11_000)),
        latency_ns=60_000,
    ),
]  # fmt: skip


CASES = [
    *FRESHNESS, *CONSISTENCY, *COPIES, *IDENTITY, *STORAGE, *MACHINE, *PHYSICS, *BEHAVIOUR,
    *DECISION,
    *DURABILITY, *LIKENESS,
]  # fmt: skip
