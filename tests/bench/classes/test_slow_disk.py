"""The slow disk: what it answers, and as a disk below a file system where this is root."""

from __future__ import annotations

import errno
import os
import struct
import time
from pathlib import Path

import pytest

from tests.bench.classes import slow_disk
from tests.bench.classes.disks import SLOW, target
from tests.bench.classes.slow_disk import EXTENT, FSYNC, GETATTR, INIT, OPEN, READ, WRITE, SlowDisk

HAS_DEVICES = os.geteuid() == 0 and Path("/dev/fuse").exists() and Path("/dev/loop0").exists()


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    taken: list[float] = []
    monkeypatch.setattr(time, "sleep", taken.append)
    return taken


def extent(offset: int, count: int, data: bytes = b"") -> bytes:
    return EXTENT.pack(0, offset, count).ljust(slow_disk.WRITE_HEADER_BYTES, b"\0") + data


def test_what_was_written_is_read_again() -> None:
    disk = SlowDisk(size=8192, flush_seconds=0.0)
    assert disk.answer(WRITE, extent(4096, 3, b"abc")) == struct.pack("<II", 3, 0)
    assert disk.answer(READ, extent(4095, 5)) == b"\0abc\0"


def test_a_flush_takes_its_time_where_something_was_written_since_the_last(
    sleeps: list[float],
) -> None:
    disk = SlowDisk(size=4096, flush_seconds=0.008)
    for opcode, body in ((FSYNC, b""), (WRITE, extent(0, 1, b"a")), (FSYNC, b""), (FSYNC, b"")):
        disk.answer(opcode, body)
    assert sleeps == [0.008]


def test_answers_have_the_sizes_that_the_kernel_expects() -> None:
    disk = SlowDisk(size=4096, flush_seconds=0.0)
    sizes = {GETATTR: 104, OPEN: 16, INIT: 64}
    for opcode, size in sizes.items():
        answer = disk.answer(opcode, b"")
        assert isinstance(answer, bytes)
        assert len(answer) == size
    assert disk.answer(43, b"") == errno.ENOSYS


@pytest.mark.skipif(not HAS_DEVICES, reason="needs root, /dev/fuse and loop devices")
def test_a_file_system_on_it_counts_the_flushes_of_a_sync(tmp_path: Path) -> None:
    with target(SLOW[0], "ext4", tmp_path) as made:
        file = made.folder / "log"
        file.write_bytes(bytes(8192))
        with file.open("r+b", buffering=0) as opened:
            os.fsync(opened.fileno())
            before = made.flushes()
            opened.write(bytes(4096))
            os.fdatasync(opened.fileno())
            assert made.flushes() == before + 1
    assert not list(tmp_path.iterdir())
    assert str(tmp_path) not in Path("/proc/mounts").read_text("utf-8")
