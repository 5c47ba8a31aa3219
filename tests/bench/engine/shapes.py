"""The shapes of `./run bench engine`: what each program does, on which file, for which goals."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

MIB: Final = 1 << 20


class Family(Enum):
    """Shapes that share their goals."""

    ONE = "a device, one operation at a time"
    DEEP = "a device, many operations in flight"
    MEMORY = "memory, one operation at a time"
    MEMORY_DEEP = "memory, many operations in flight"
    NULL = "no device at all"
    OPEN = "arrivals that do not wait"
    REPEATED = "the same again and again"
    ALONE = "a device, without fio"


class State(Enum):
    """What a file is brought into before each pass, the same for every program."""

    OVERWRITTEN = "written once, not in the page cache"
    CACHED = "written once, in the page cache"
    GROWING = "empty"
    ALLOCATED = "allocated, not written"


@dataclass(frozen=True)
class File:
    """A file that all programs use in turn."""

    name: str
    bytes: int
    state: State = State.OVERWRITTEN
    in_memory: bool = False  # in /dev/shm rather than in the folder under test

    @property
    def ends_a_pass(self) -> bool:
        """Whether a pass is over at the end of the file, because what follows is another state."""
        return self.state in (State.GROWING, State.ALLOCATED)


LOG: Final = File("log", 64 * MIB)
GROWING: Final = File("growing", 512 * MIB, State.GROWING)
ALLOCATED: Final = File("allocated", 512 * MIB, State.ALLOCATED)
ETCD: Final = File("allocated-22m", 22 * MIB, State.ALLOCATED)
MEDIA: Final = File("media", 4096 * MIB)
CACHED: Final = File("cached", 256 * MIB, State.CACHED)
NOTHING: Final = File("nothing", 0)
SHARED_MEMORY: Final = File("shared-memory", 256 * MIB, State.CACHED, in_memory=True)


@dataclass(frozen=True)
class Shape:
    """One line of comparison. Words for our program hold FILE and MS, which are filled in."""

    name: str
    family: Family
    ours: tuple[str, ...]
    file: File
    fio: tuple[str, ...] = ()  # as somebody would type it
    tuned: tuple[str, ...] = ()  # the same I/O with whatever makes fio faster
    sides: tuple[str, str] | None = None  # the latency that is compared: its name with us, with fio
    bare: tuple[str, ...] = ()  # our program's words for the loop without a clock
    note: str = ""
    is_same_work: bool = True  # else the ratios are shown and judged by no goal


# What makes fio faster. It keeps its clat and lat clocks wherever latencies are compared: without
# clat it keeps no latency of syncs either.
LEAN: Final = ("--disable_slat=1", "--thread=1")
LEAN_RANDOM: Final = (*LEAN, "--norandommap=1")
RING: Final = ("--ioengine=io_uring", "--registerfiles=1", "--fixedbufs=1")
BATCH: Final = (
    "--iodepth_batch_submit=8", "--iodepth_batch_complete_min=1", "--iodepth_batch_complete_max=8",
)  # fmt: skip
# Nothing but counting operations, for shapes in which latencies are not compared. Its buffers are
# scrambled as always: without that it would write the same block again, which is other work.
COUNT_ONLY: Final = ("--gtod_reduce=1", "--norandommap=1", "--thread=1")


def commit(name: str, file: File, *words: str, side: str = "sync", note: str = "") -> Shape:
    """A write and a sync, one at a time, through the page cache."""
    fio = ("--ioengine=psync", "--rw=write", f"--size={file.bytes // MIB}m", *words)
    sides = ("sync", "sync") if side == "sync" else ("commit", "write")
    ours = ("closed", name, "FILE", "MS")
    return Shape(name, Family.ONE, ours, file, fio, (*fio, *LEAN), sides, note=note)


def direct(name: str, rw: str, size: str, sync: str = "", *, side: str | None = None) -> Shape:
    """Past the page cache, one at a time, at random places of 4 GiB."""
    fio = ("--ioengine=psync", "--direct=1", f"--rw={rw}", f"--bs={size}", "--size=4g",
           *([f"--{sync}=1"] if sync else []))  # fmt: skip
    side = side or ("sync" if sync else "write")
    ours = ("closed", name, "FILE", "MS")
    return Shape(name, Family.ONE, ours, MEDIA, fio, (*fio, *LEAN_RANDOM), (side, side))


def deep(name: str, *asked: str, side: str, typed: tuple[str, ...] = (), note: str = "") -> Shape:
    """Past the page cache, many in flight: by libaio as published, tuned by io_uring."""
    asked = ("--direct=1", *asked)
    lean = LEAN_RANDOM if any(word.startswith("--rw=rand") for word in asked) else LEAN
    return Shape(
        name, Family.DEEP, ("closed", name, "FILE", "MS"), MEDIA,
        ("--ioengine=libaio", *asked, *typed), (*RING, *asked, *BATCH, *lean), (side, side),
        note=note,
    )  # fmt: skip


def mix(size: str) -> Shape:
    """YABS' half and half."""
    return deep(
        f"mix-{size}", "--rw=randrw", "--rwmixread=50", f"--bs={size}", "--size=2g",
        "--iodepth=64", "--numjobs=2", side="read", typed=("--gtod_reduce=1",),
        note="YABS' own line counts operations only; latencies are compared with the tuned one",
    )  # fmt: skip


def memory(name: str, rw: str, file: File, *, note: str) -> Shape:
    """Where no disk is the limit: what remains is the kernel and the program."""
    fio = ("--ioengine=psync", f"--rw=rand{rw}", "--bs=4k", "--size=256m", "--invalidate=0",
           "--overwrite=1")  # fmt: skip
    return Shape(
        name, Family.MEMORY, ("closed", f"cached-{rw}-4k", "FILE", "MS"), file,
        fio, (*fio, *COUNT_ONLY), (rw, rw), bare=("bare", rw, "FILE", "MS"), note=note,
    )  # fmt: skip


RING_READS: Final = ("--rw=randread", "--bs=4k", "--size=256m", "--iodepth=32", "--invalidate=0")
NULL_READS: Final = ("--ioengine=null", "--rw=randread", "--bs=4k", "--size=4g")
OPEN_READS: Final = ("--ioengine=io_uring", "--direct=1", "--rw=randread", "--bs=4k", "--size=4g",
                     "--iodepth=64", "--rate_process=poisson", "--rate_iops=RATE")  # fmt: skip
UNSYNCED: Final = ("--bs=8k", "--overwrite=1")
COMMIT: Final = commit("commit-8k", LOG, *UNSYNCED, "--fdatasync=1")

SHAPES: Final = (
    COMMIT,
    commit("commit-8k-fsync", LOG, *UNSYNCED, "--fsync=1"),
    commit("commit-8k-dsync", LOG, *UNSYNCED, "--sync=dsync", side="commit"),
    Shape(
        "control", Family.ALONE, COMMIT.ours, LOG, sides=("sync", "sync"), bare=COMMIT.ours,
        note="our commit-8k beside itself: as far as this is from 1, nothing is known here",
    ),
    Shape(
        "commit-8k-rwf-dsync", Family.ALONE, ("closed", "commit-8k-rwf-dsync", "FILE", "MS"), LOG,
        note="fio 3.33 has no RWF_DSYNC: pvsync2 knows hipri, nowait and uncached only",
    ),
    commit("fallocated-8k-fsync", ALLOCATED, "--bs=8k", "--fallocate=none", "--fsync=1",
           note="allocated anew before each pass"),
    commit("fallocated-2300-fdatasync", ETCD, "--bs=2300", "--fallocate=none", "--fdatasync=1",
           note="allocated anew before each pass, which ends at 22 MiB"),
    commit("append-8k-fdatasync", GROWING, "--bs=8k", "--fallocate=none", "--file_append=1",
           "--fdatasync=1",
           note="a new file before each pass, which fio would replace by another were it not told "
           "to append"),
    direct("direct-16k-nosync", "randwrite", "16k"),
    direct("direct-16k-fsync", "randwrite", "16k", "fsync"),
    direct("direct-16k-fdatasync", "randwrite", "16k", "fdatasync"),
    direct("direct-2m-nosync", "randwrite", "2m"),
    direct("direct-2m-fsync", "randwrite", "2m", "fsync"),
    direct("direct-2m-fdatasync", "randwrite", "2m", "fdatasync"),
    direct("randwrite-4k-fsync", "randwrite", "4k", "fsync"),
    direct("randread-4k-qd1", "randread", "4k", side="read"),
    Shape(
        "randwrite-8k-fsync-qd32x4", Family.DEEP,
        ("closed", "randwrite-8k-fsync-qd32x4", "FILE", "MS"), MEDIA,
        ("--ioengine=libaio", "--direct=1", "--rw=randwrite", "--bs=8k", "--size=4g",
         "--iodepth=32", "--numjobs=4", "--fsync=1"),
        note="our writes wait each for their own fsync, fio's for none in particular. By "
        "io_uring fio's syncs merge, a hundred writes for each flush of the device, so there is "
        "no tuned one. libaio syncs in kernel workers that no process is charged for, io_uring "
        "in threads of ours. Not the same work, so only our depth is judged",
        is_same_work=False,
    ),
    deep("randread-4k-qd32", "--rw=randread", "--bs=4k", "--size=4g", "--iodepth=32", side="read"),
    deep("randwrite-4k-qd32", "--rw=randwrite", "--bs=4k", "--size=4g", "--iodepth=32",
         side="write"),
    deep("seqread-256k-qd8", "--rw=read", "--bs=256k", "--size=4g", "--iodepth=8", side="read"),
    deep("seqwrite-256k-qd8", "--rw=write", "--bs=256k", "--size=4g", "--iodepth=8", side="write"),
    deep("randread-8k-qd32x4", "--rw=randread", "--bs=8k", "--size=4g", "--iodepth=32",
         "--numjobs=4", side="read"),
    *(mix(size) for size in ("4k", "64k", "512k", "1m")),
    memory("cached-read-4k", "read", CACHED, note="ext4's page cache or whatever the folder has"),
    memory("shm-read-4k", "read", SHARED_MEMORY, note="a file in shared memory"),
    memory("shm-write-4k", "write", SHARED_MEMORY,
           note="in shared memory; both change each block, of which we have 128 KiB and fio one"),
    Shape(
        "cached-read-4k-qd32", Family.MEMORY_DEEP, ("closed", "cached-read-4k-qd32", "FILE", "MS"),
        CACHED, ("--ioengine=io_uring", *RING_READS),
        (*RING, *RING_READS, *COUNT_ONLY, "--iodepth_batch_submit=32",
         "--iodepth_batch_complete_min=1", "--iodepth_batch_complete_max=32"),
        ("read", "read"),
    ),
    Shape(
        "null", Family.NULL, ("null", "MS"), NOTHING, NULL_READS, (*NULL_READS, *COUNT_ONLY),
        note="our loop keeps every latency; the tuned fio keeps none",
    ),
    Shape(
        "open-110", Family.OPEN, ("open", "FILE", "RATE", "1024", "MS"), MEDIA,
        OPEN_READS, (*RING, *OPEN_READS[1:], "--iodepth=1024", *LEAN_RANDOM),
        ("read", "read"),
        note="offered: 1.1 times what randread-4k-qd32 reached just before",
    ),
    Shape(
        "repeatability", Family.REPEATED, COMMIT.ours, LOG, COMMIT.fio, (), ("sync", "sync"),
        note="commit-8k, 12 passes of 1 s of each program in turn",
    ),
)  # fmt: skip


def named(name: str) -> Shape:
    """The shape of this name; KeyError when there is none."""
    return {shape.name: shape for shape in SHAPES}[name]
