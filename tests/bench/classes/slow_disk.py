"""A disk in memory whose flush takes as long as it is told: one file of FUSE, below a loop device.

A real disk's flush changes with its load; this one costs the same each time that something was
written, so that what a file system adds to a commit can be read in multiples of it.
Structures are those of linux/fuse.h, version 7.31.
`python -m tests.bench.classes.slow_disk FILE BYTES MILLISECONDS` serves until FILE is unmounted.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import stat
import struct
import sys
import time
from pathlib import Path
from typing import Final

HEADER: Final = struct.Struct("<IIQQIIII")  # length, opcode, unique, node, uid, gid, pid, padding
ANSWER: Final = struct.Struct("<IiQ")  # length, -errno, unique
EXTENT: Final = struct.Struct("<QQI")  # file handle, offset, bytes; both READ and WRITE begin so
WRITE_HEADER_BYTES: Final = 40
WRITE_BYTES_MAX: Final = 1 << 20
PAGES_MAX: Final = WRITE_BYTES_MAX // mmap.PAGESIZE
ROOT_NODE: Final = 1
FOREVER_SECONDS: Final = 1 << 30

FORGET, GETATTR, SETATTR, OPEN, READ, WRITE = 2, 3, 4, 14, 15, 16
RELEASE, FSYNC, FLUSH, INIT, INTERRUPT, DESTROY = 18, 20, 25, 26, 36, 38
BATCH_FORGET: Final = 42
UNANSWERED: Final = frozenset({FORGET, BATCH_FORGET, INTERRUPT})
BIG_WRITES, MAX_PAGES = 1 << 5, 1 << 22
DIRECT_IO: Final = 1  # of an open file: no page cache of the kernel's above ours

# Version 7.31, and writes of up to a MiB.
HELLO: Final = struct.pack(
    "<IIIIHHIIHH8I", 7, 31, WRITE_BYTES_MAX, BIG_WRITES | MAX_PAGES, 16, 12, WRITE_BYTES_MAX, 1,
    PAGES_MAX, *(0,) * 9,
)  # fmt: skip
OPENED: Final = struct.pack("<QII", 0, DIRECT_IO, 0)
ALWAYS: Final[dict[int, bytes | int]] = {
    INIT: HELLO, OPEN: OPENED, RELEASE: b"", FLUSH: b"", DESTROY: b"",
}  # fmt: skip


class SlowDisk:
    """Answers the requests of one file."""

    def __init__(self, *, size: int, flush_seconds: float) -> None:
        self.memory = mmap.mmap(-1, size)
        self.size = size
        self.flush_seconds = flush_seconds
        self.is_dirty = False  # a flush of nothing costs nothing, as on a drive

    def serve(self, device: int) -> None:
        """Answer until the file is unmounted."""
        while True:
            try:
                request = os.read(device, WRITE_BYTES_MAX + mmap.PAGESIZE)
            except OSError as error:
                if error.errno == errno.ENODEV:
                    return
                raise
            _, opcode, unique, *_ = HEADER.unpack_from(request)
            if opcode in UNANSWERED:
                continue
            answer = self.answer(opcode, request[HEADER.size :])
            number, body = (-answer, b"") if isinstance(answer, int) else (0, answer)
            os.write(device, ANSWER.pack(ANSWER.size + len(body), number, unique) + body)

    def answer(self, opcode: int, body: bytes) -> bytes | int:
        """Return the answer's body, or the number of an error."""
        if opcode == WRITE:
            return self.write(body)
        if opcode == READ:
            _, offset, count = EXTENT.unpack_from(body)
            return self.memory[offset : offset + count]
        if opcode == FSYNC:
            return self.flush()
        if opcode in {GETATTR, SETATTR}:
            return self.attributes()
        return ALWAYS.get(opcode, errno.ENOSYS)

    def write(self, body: bytes) -> bytes:
        self.is_dirty = True
        _, offset, count = EXTENT.unpack_from(body)
        data = body[WRITE_HEADER_BYTES : WRITE_HEADER_BYTES + count]
        self.memory[offset : offset + count] = data
        return struct.pack("<II", count, 0)

    def flush(self) -> bytes:
        if self.is_dirty:
            time.sleep(self.flush_seconds)
        self.is_dirty = False
        return b""

    def attributes(self) -> bytes:
        mode, blocks = stat.S_IFREG | 0o600, self.size // 512
        times = (0,) * 6
        return struct.pack(
            "<QII6Q10I",
            FOREVER_SECONDS, 0, 0, ROOT_NODE, self.size, blocks, *times[:3], *times[3:],
            mode, 1, 0, 0, 0, mmap.PAGESIZE, 0,
        )  # fmt: skip


def mount(device: int, file: Path) -> None:
    """Mount over a regular file, which then is the disk."""
    options = f"fd={device},rootmode=100000,user_id=0,group_id=0".encode()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"slow-disk", str(file).encode(), b"fuse", 0, options) != 0:
        raise OSError(ctypes.get_errno(), f"cannot mount a file of FUSE on {file}")


def main(file: str, size: str, milliseconds: str) -> None:
    """Mount, say so, serve."""
    device = os.open("/dev/fuse", os.O_RDWR)
    mount(device, Path(file))
    os.write(sys.stdout.fileno(), b"mounted\n")
    SlowDisk(size=int(size), flush_seconds=float(milliseconds) / 1000).serve(device)


if __name__ == "__main__":
    main(*sys.argv[1:])
