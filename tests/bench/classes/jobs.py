"""What is timed: the agent's own loops, and published kinds of work by fio and pg_test_fsync."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from apps.embedded.process import start_tied
from tests.bench.classes.disks import Target
from tests.bench.engine import fio, program
from tests.bench.engine.contest import Programs, renew
from tests.bench.engine.readings import PassError, perform
from tests.bench.engine.shapes import ALLOCATED, ETCD, GROWING, LOG, File, State

NEW: Final = File("new", 256 << 20, State.GROWING)  # laid out by fio, which allocates it
PG_LINE: Final = re.compile(r"^\s+(?P<method>\w+)\s+(?P<rate>\d+\.\d+) ops/sec")
PG_SECTION_END: Final = "Compare file sync methods using two"
PG_FILE: Final = "pg_test_fsync"


@dataclass(frozen=True, slots=True)
class Job:
    """One pass. It gives the rate of one workload, pg_test_fsync those of four."""

    id: str
    file: File | None = None  # None: on the raw device
    fio: tuple[str, ...] = ()  # empty: the agent's loop of that name

    def run(self, target: Target, programs: Programs, seconds: float) -> dict[str, float]:
        """Do it and return operations a second by workload."""
        path = target.raw if self.file is None else str(self.prepare(target, programs))
        if not self.fio:
            words = program.command(
                programs.ours, ("closed", self.id, "FILE", "MS"), file=path, seconds=seconds
            )
            return {self.id: program.read(perform(words)[0]).rate}
        is_over = self.file is not None and self.file.ends_a_pass
        words = [
            programs.fio, f"--name={self.id}", f"--filename={path}", *self.fio,
            f"--runtime={round(seconds * 1000)}ms", *([] if is_over else ["--time_based=1"]),
            *fio.COMMON,
        ]  # fmt: skip
        return {self.id: fio.read(perform(words)[0]).rate}

    def prepare(self, target: Target, programs: Programs) -> Path:
        """Bring its file into the state in which every pass finds it."""
        file = self.file or NEW
        path = target.folder / file.name
        if file.ends_a_pass:
            renew(path, file)
        elif not path.exists():
            perform([str(programs.ours), "fill", str(path), str(file.bytes)])
        return path


@dataclass(frozen=True, slots=True)
class PgTestFsync:
    """One write of 8 KiB to the same place of a written 16 MiB file, made durable in four ways."""

    path: str
    id: str = PG_FILE

    def run(self, target: Target, _programs: Programs, seconds: float) -> dict[str, float]:
        """Let it do its first section, which is all of it that is compared here."""
        file = target.folder / PG_FILE
        words = [self.path, "-s", str(max(1, round(seconds))), "-f", str(file)]
        process = start_tied(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        rates: dict[str, float] = {}
        try:
            for line in process.stdout or ():
                if line.startswith(PG_SECTION_END):
                    break
                rates |= read_pg_line(line)
        finally:
            process.terminate()
            process.wait()
            file.unlink(missing_ok=True)
        if not rates:
            raise PassError("pg_test_fsync printed no rate")
        return rates


def read_pg_line(line: str) -> dict[str, float]:
    """Return the rate of a line of pg_test_fsync by the name under which it is published."""
    found = PG_LINE.match(line)
    if not found:
        return {}
    return {f"pg-8k-{found['method'].replace('_', '-')}": float(found["rate"])}


def flushes_per_commit(
    rates: Mapping[str, float], *, seconds: float, flushes: int
) -> dict[str, float]:
    """Return flushes for each operation of a pass of one workload; of several nobody can tell."""
    if len(rates) != 1:
        return {}
    ((workload, rate),) = rates.items()
    return {workload: flushes / max(rate * seconds, 1.0)}


OVER: Final = ("--overwrite=1", "--size=64m")
SAME: Final = ("--size=4k", "--overwrite=1")

JOBS: Final = (
    Job("commit-8k", LOG),
    Job("commit-8k-dsync", LOG),
    Job("commit-8k-rwf-dsync", LOG),
    Job("commit-8k-fsync", LOG),
    Job("fallocated-8k-fsync", ALLOCATED),
    Job("fallocated-2300-fdatasync", ETCD),
    Job("append-8k-fdatasync", GROWING),
    # The agent's own direct-16k-* take a file of 4 GiB; the same calls on the smaller one.
    Job("direct-16k-fdatasync", LOG,
        ("--ioengine=psync", "--direct=1", "--rw=randwrite", "--bs=16k", *OVER, "--fdatasync=1")),
    Job("direct-16k-fsync", LOG,
        ("--ioengine=psync", "--direct=1", "--rw=randwrite", "--bs=16k", *OVER, "--fsync=1")),
    Job("randwrite-4k-fsync", LOG,
        ("--ioengine=psync", "--direct=1", "--rw=randwrite", "--bs=4k", *OVER, "--fsync=1")),
    Job("fio-4k-direct-fdatasync-overwrite", LOG,
        ("--ioengine=psync", "--direct=1", "--rw=write", "--bs=4k", *OVER, "--fdatasync=1")),
    Job("fio-4k-direct-odsync-overwrite", LOG,
        ("--ioengine=psync", "--direct=1", "--rw=write", "--bs=4k", *OVER, "--sync=dsync")),
    Job("fio-4k-sync-direct", None,
        ("--ioengine=psync", "--direct=1", "--rw=write", "--bs=4k", "--size=64m", "--sync=1")),
    Job("direct-same-4k-fsync", File("same", 4096),
        ("--ioengine=psync", "--direct=1", "--rw=write", "--bs=4k", *SAME, "--fsync=1")),
    Job("etcd-2300-fdatasync", NEW,
        ("--ioengine=sync", "--rw=write", "--bs=2300", "--size=22m", "--fdatasync=1")),
    Job("fio-4k-fdatasync", NEW,
        ("--ioengine=sync", "--rw=write", "--bs=4k", "--size=256m", "--fdatasync=1")),
    Job("fio-8k-direct-fdatasync", NEW,
        ("--ioengine=libaio", "--direct=1", "--rw=write", "--bs=8k", "--size=256m",
         "--fdatasync=1")),
    Job("fio-8k-osync-fdatasync-direct", LOG,
        ("--ioengine=psync", "--direct=1", "--rw=write", "--bs=8k", *OVER, "--sync=1",
         "--fdatasync=1")),
    Job("direct-2m-fdatasync", LOG,
        ("--ioengine=psync", "--direct=1", "--rw=randwrite", "--bs=2m", *OVER, "--fdatasync=1")),
)  # fmt: skip
