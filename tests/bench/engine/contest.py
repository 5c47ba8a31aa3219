"""Runs the programs of a shape in turn on its file, the order turned round each time."""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.engine import fio, program
from tests.bench.engine.ratios import BARE, DEFAULT, OURS, TUNED, Round
from tests.bench.engine.readings import Cost, PassError, Reading, perform
from tests.bench.engine.shapes import Family, File, Shape, State, named
from tests.bench.failure import BenchmarkError

FREE_BYTES_MIN: Final = 6 << 30  # the files, and room for what the filesystem keeps
SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108  a filesystem in memory is what is asked for
READ_BYTES: Final = 1 << 20
START_RATE: Final = 1_000  # the first arrival is soon
OVERLOAD: Final = 1.1  # arrivals of the open loop, as a multiple of what a closed one reached


@dataclass(frozen=True)
class Programs:
    """Where both programs are, and the version of fio."""

    ours: Path
    fio: str
    fio_version: str


class Files:
    """The test files, each laid out when it is first asked for and removed with the folder."""

    def __init__(self, folder: Path, shared_memory: Path | None, programs: Programs) -> None:
        self.folder = folder
        self.shared_memory = shared_memory
        self.programs = programs

    @classmethod
    @contextmanager
    def within(cls, folder: Path, programs: Programs) -> Iterator[Files]:
        """Files in a new folder below `folder`, and in another in shared memory if there is any."""
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
        if free < FREE_BYTES_MIN:
            raise BenchmarkError(
                f"{folder} has {free >> 30} GiB free; the test files need {FREE_BYTES_MIN >> 30}."
            )
        with ExitStack() as stack:
            on_disk = Path(stack.enter_context(TemporaryDirectory(dir=folder, prefix="files-")))
            in_memory = None
            if SHARED_MEMORY.is_dir():
                made = TemporaryDirectory(dir=SHARED_MEMORY, prefix="fsyncmark-bench-")
                in_memory = Path(stack.enter_context(made))
            yield cls(on_disk, in_memory, programs)

    def ready(self, file: File) -> Path:
        """The file in the state in which each program finds it."""
        folder = self.shared_memory if file.in_memory else self.folder
        if folder is None:
            raise PassError(f"there is no {SHARED_MEMORY} here")
        path = folder / file.name
        if file.ends_a_pass:
            renew(path, file)
            return path
        if not path.exists():
            # under another name until it is whole: a fill that was cut short is no laid-out file
            partial = path.with_suffix(".partial")
            perform([str(self.programs.ours), "fill", str(partial), str(file.bytes)])
            partial.rename(path)
        settle(path, file)
        return path


def renew(path: Path, file: File) -> None:
    """Empty, or allocated and not written. A new file each time, because where the blocks lie that
    an old one gives back decides about its next pass.
    """
    path.unlink(missing_ok=True)
    with path.open("xb") as opened:
        if file.state is State.ALLOCATED:
            os.posix_fallocate(opened.fileno(), 0, file.bytes)
        os.fsync(opened.fileno())


def settle(path: Path, file: File) -> None:
    """Nothing of it waits to be written; the page cache has all of it or nothing."""
    with path.open("rb", buffering=0) as opened:
        os.fsync(opened.fileno())
        if file.state is State.CACHED:
            while opened.read(READ_BYTES):
                pass
        else:
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class Contest:
    """One shape: who takes part, and their passes."""

    def __init__(self, shape: Shape, programs: Programs, files: Files, *, seconds: float) -> None:
        self.shape = shape
        self.programs = programs
        self.files = files
        self.seconds = seconds
        self.start = Cost()

    @property
    def players(self) -> list[str]:
        shape = self.shape
        given = {OURS: shape.ours, DEFAULT: shape.fio, TUNED: shape.tuned, BARE: shape.bare}
        return [player for player, words in given.items() if words]

    def command(self, player: str, *, seconds: float, rate: int | None = None) -> list[str]:
        """The command line of a pass; the file is not touched."""
        shape, file = self.shape, self.shape.file
        folder = self.files.shared_memory if file.in_memory else self.files.folder
        path = str((folder or SHARED_MEMORY) / file.name)
        given = {OURS: shape.ours, DEFAULT: shape.fio, TUNED: shape.tuned, BARE: shape.bare}
        words = [
            word if rate is None else word.replace("RATE", str(rate)) for word in given[player]
        ]
        if player in (OURS, BARE):
            return program.command(self.programs.ours, words, file=path, seconds=seconds)
        return fio.command(self.programs.fio, shape, words, file=path, seconds=seconds)

    def run(self, player: str, *, seconds: float, rate: int | None = None) -> Reading:
        """One pass, the file made ready for it."""
        self.files.ready(self.shape.file)
        output, cost = perform(self.command(player, seconds=seconds, rate=rate))
        if player in (OURS, BARE):
            return dataclasses.replace(program.read(output), cost=cost, offered=rate)
        return dataclasses.replace(fio.read(output), offered=rate)

    def measure_start(self) -> None:
        """What a single operation costs our process: that of starting, taken off every pass. fio
        says itself what its jobs cost without that.
        """
        rate = START_RATE if self.shape.family is Family.OPEN else None
        self.start = self.run(OURS, seconds=0, rate=rate).cost

    def play(self, rounds: int, told: Callable[[int, Round], None]) -> list[Round]:
        """All rounds. Who was first in one is last in the next."""
        self.measure_start()
        played: list[Round] = []
        for number in range(rounds):
            rate = self.overload() if self.shape.family is Family.OPEN else None
            order: Sequence[str] = self.players if number % 2 == 0 else self.players[::-1]
            readings = {}
            for player in order:
                readings[player] = self.run(player, seconds=self.seconds, rate=rate)
            for player in {OURS, BARE} & set(readings):
                reading = readings[player]
                cost = reading.cost.less(self.start)
                readings[player] = dataclasses.replace(reading, cost=cost)
            told(number + 1, readings)
            played.append(readings)
        return played

    def overload(self) -> int:
        """More arrivals a second than a closed loop just reached."""
        closed = Contest(named("randread-4k-qd32"), self.programs, self.files, seconds=self.seconds)
        return round(closed.run(OURS, seconds=self.seconds).rate * OVERLOAD)
