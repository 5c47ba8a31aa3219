"""What fio was told to do: the shape of a job from its options, and what cannot be known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from apps.intake.importers.numbered_json import Json
from apps.intake.importers.reading import Job, name_of, own_name_of

# Engines that return from a call when it is done: fio caps their depth at 1.
SYNCHRONOUS: Final = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice"})
# Engines that move data to and from storage, and whose syncs reach it. Others move nothing (null,
# cpuio), names or sizes alone (ftruncate, falloc, dircreate), or do not sync at all (http).
WITH_STORAGE: Final = SYNCHRONOUS | {
    "libaio", "io_uring", "posixaio", "solarisaio", "windowsaio", "cufile", "libcufile", "hipfile",
    "libhipfile", "sg", "io_uring_cmd", "xnvme", "libblkio", "libzbc", "libpmem", "dev-dax",
    "rbd", "gfapi", "gfapi_async", "nbd", "libiscsi", "libhdfs", "dfs", "ime_psync", "ime_psyncv",
    "ime_aio",
}  # fmt: skip
# Engines that write through the file that fio opened: for these alone O_SYNC means anything.
WRITING_THE_OPEN_FILE: Final = frozenset(
    {"sync", "psync", "vsync", "pvsync", "pvsync2", "libaio", "io_uring", "posixaio", "solarisaio"}
)
DURABLE_CALLS: Final = frozenset({"fsync", "fdatasync"})
DURABLE_FLAGS: Final = frozenset({"o_sync", "o_dsync"})
WRITES: Final = frozenset({"write", "randwrite"})
_SYNC_OPTIONS: Final = ("fsync", "fdatasync", "sync_file_range")
_SYNC_FLAGS: Final = {"1": "o_sync", "sync": "o_sync", "dsync": "o_dsync", "": "o_sync"}
_OFF: Final = frozenset({"0", "none", "false"})
_SIZE: Final = re.compile(r"(?P<count>[0-9]{1,15})(?P<unit>[kmgt]?)i?b?", re.IGNORECASE)
_BITS: Final = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_WHOLE: Final = re.compile(r"[0-9]{1,9}")
# Options that limit a job's rate: then the rate says nothing of the storage.
_THROTTLES: Final = (
    "rate", "rate_iops", "rate_min", "rate_process", "thinktime", "latency_target", "flow",
)  # fmt: skip
_DEFAULT_RW: Final = "read"
_BLOCK_SIZES: Final = frozenset({"bsrange", "blocksize_range", "bssplit", "bs_unaligned"})


@dataclass(frozen=True, slots=True)
class Options:
    """Options of one job, those of its job file's global section among them."""

    values: dict[str, str]

    @classmethod
    def of(cls, shared: Json, own: Json) -> Options:
        """Return the options of a job; its own ones hold before the global ones."""
        merged = {**shared, **own}
        return cls({key: value for key, value in merged.items() if isinstance(value, str)})

    def word(self, *names: str) -> str | None:
        """Return the value of the first of these names that was given."""
        return next((self.values[name] for name in names if name in self.values), None)

    def is_on(self, name: str) -> bool:
        """Whether a switch was given and not turned off; a bare switch is on."""
        value = self.word(name)
        return value is not None and value.lower() not in _OFF

    def whole(self, name: str, *, default: int | None) -> int | None:
        """Return a whole number; None where it is written in a way that we do not read."""
        value = self.word(name)
        if value is None:
            return default
        return int(value) if _WHOLE.fullmatch(value) else None

    @property
    def workload(self) -> str:
        """What the job does: write, randread, ..."""
        value = self.word("rw", "readwrite") or _DEFAULT_RW
        return name_of(value.partition(":")[0])

    @property
    def engine(self) -> str | None:
        """The engine, or None: fio's own default differs between systems."""
        value = self.word("ioengine")
        return own_name_of(value) if value else None

    @property
    def paths(self) -> set[str]:
        """The files that the job works on, or the folders that they lie in.

        Absolute ones alone: nobody knows from where a relative one counts.
        """
        names = (self.word("filename") or "").split(":")
        folders = (self.word("directory") or "").split(":")
        absolute = {name for name in names if name.startswith("/")}
        return absolute or {folder for folder in folders if folder.startswith("/")}

    @property
    def is_throttled(self) -> bool:
        """Whether an option limits the job's rate."""
        return any(self.is_on(name) for name in _THROTTLES)

    @property
    def is_direct(self) -> bool | None:
        """Whether the job goes past the page cache."""
        if "direct" in self.values:
            return self.is_on("direct")
        return not self.is_on("buffered") if "buffered" in self.values else False

    @property
    def unified(self) -> str:
        """How reads and writes are reported: none, mixed or both."""
        value = (self.word("unified_rw_reporting") or "none").lower()
        return {"0": "none", "1": "mixed", "2": "both", "": "mixed"}.get(value, value)

    @property
    def sync_calls(self) -> tuple[str, ...]:
        """The calls that the job makes after writes."""
        return tuple(name for name in _SYNC_OPTIONS if self.is_on(name))

    @property
    def sync_flag(self) -> str | None:
        """What the file was opened with: o_sync, o_dsync, or nothing."""
        value = self.word("sync")
        return None if value is None or value.lower() in _OFF else _SYNC_FLAGS.get(value.lower())

    @property
    def sync(self) -> str | None:
        """What makes its writes durable, in a word; None where it is written as we do not read."""
        if self.word("sync") is not None and self.is_on("sync") and self.sync_flag is None:
            return None
        flags = [*([self.sync_flag] if self.sync_flag else []), *self.sync_calls]
        return "+".join(flags) if flags else "none"

    @property
    def sync_every(self) -> int | None:
        """Writes between two syncs; None where there are none or several kinds."""
        calls = self.sync_calls
        if self.sync_flag and not calls:
            return 1
        if len(calls) != 1 or calls[0] not in DURABLE_CALLS:
            return None
        return self.whole(calls[0], default=None)

    @property
    def queue_depth(self) -> int | None:
        """Operations that one job keeps in flight; a synchronous engine has one, whatever is said.

        Without an engine fio takes the system's default, which is synchronous on some.
        """
        depth = self.whole("iodepth", default=1)
        if self.engine in SYNCHRONOUS:
            return 1
        return depth if self.engine is not None or depth == 1 else None

    @property
    def has_block_sizes(self) -> bool:
        """Whether operations have several sizes."""
        return any(name in self.values for name in _BLOCK_SIZES)

    def block_bytes(self, side: str) -> int | None:
        """Return the block size of reads or writes, or None where it is not certain."""
        value = self.word("bs", "blocksize")
        if value is None:
            return 4096
        parts = value.split(",")
        place = {"read": 0, "write": 1, "trim": 2}[side]
        text = parts[place] if place < len(parts) else parts[-1]
        return self._bytes(text or parts[0])

    def _bytes(self, text: str) -> int | None:
        """Return a size in bytes; what k means is open where kb_base was set."""
        match = _SIZE.fullmatch(text.strip())
        if match is None or "kb_base" in self.values:
            return None
        return int(match["count"]) << _BITS[match["unit"].lower()]


def name_sync(job: Job, options: Options) -> None:
    """Fill in what the options say about how writes became durable."""
    job.sync, job.sync_every = options.sync, options.sync_every
    job.is_direct, job.is_overwrite = options.is_direct, options.is_on("overwrite")
    if options.sync_flag and job.engine is not None and job.engine not in WRITING_THE_OPEN_FILE:
        job.sync = job.sync_every = None
        job.note(
            f"ioengine={job.engine} does not write through the file that was opened with O_SYNC or "
            "O_DSYNC: how durable its writes were is unknown."
        )


def moves_data(job: Job) -> bool:
    """Whether the engine is one that moves data to storage; says so where it is not known.

    A job that names no engine has fio's own for the system, which is one.
    """
    if job.engine is None or job.engine in WITH_STORAGE:
        return True
    job.note(
        f"ioengine={job.engine} is none of those that move data to a disk: its figures are "
        "left out."
    )
    return False


def describe(job: Job, options: Options) -> None:
    """Fill in what the options say about a job."""
    job.workload = options.workload
    job.engine = options.engine
    job.queue_depth = options.queue_depth
    name_sync(job, options)
    if options.is_throttled:
        job.note("fio held this job back on purpose (rate, thinktime or latency_target).")
    if job.sync_every is not None and job.sync_every > 1:
        job.note(f"A sync after every {job.sync_every} writes: its rate is not that of commits.")
    if "sync_file_range" in options.sync_calls:
        job.note("sync_file_range makes nothing durable: no drive is told to flush.")
    if options.is_on("end_fsync") or options.is_on("fsync_on_close"):
        job.note("fio synced once more at the end (end_fsync or fsync_on_close).")


def is_durable_single_writer(job: Job, options: Options) -> bool:
    """Whether one writer made each write durable before the next, and nothing held it back."""
    is_synced = (job.sync in DURABLE_CALLS and job.sync_every == 1) or job.sync in DURABLE_FLAGS
    is_alone = (job.writers, job.queue_depth) == (1, 1)
    return job.workload in WRITES and is_synced and is_alone and not options.is_throttled
