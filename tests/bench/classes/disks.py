"""Disks to measure on: in memory or a file of the host's disk, each below loop devices."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.failure import BenchmarkError

MIB: Final = 1 << 20
FILE_SYSTEM_BYTES: Final = 1536 * MIB  # the test files, journals and what is allocated ahead
RAW_BYTES: Final = 64 * MIB  # behind it, for work without a file system
MAKERS: Final = {
    "ext4": ("mkfs.ext4", "-q", "-F"),
    "xfs": ("mkfs.xfs", "-q", "-f"),
    "btrfs": ("mkfs.btrfs", "-q", "-f"),
}
FLUSHES_FIELD: Final = 15  # of /sys/block/DEVICE/stat, from 0: flush requests completed


@dataclass(frozen=True, slots=True)
class Disk:
    """What lies below: memory with a flush of this time, or the host's disk (None)."""

    name: str
    flush_ms: float | None = None


HOST: Final = Disk("host")  # its latency is that of whatever else the host does
SLOW: Final = (Disk("flush-1ms", flush_ms=1.0), Disk("flush-8ms", flush_ms=8.0))


@dataclass(frozen=True, slots=True)
class Target:
    """A mounted file system, and a raw device on the same disk."""

    folder: Path
    device: str  # of the file system
    raw: str

    def flushes(self) -> int:
        """Flushes that both devices have finished since they were made."""
        return sum(
            int(
                Path(f"/sys/block/{Path(device).name}/stat")
                .read_text("ascii")
                .split()[FLUSHES_FIELD]
            )
            for device in (self.device, self.raw)
        )


def require(filesystems: Sequence[str]) -> None:
    """Refuse before anything is made.

    Raises:
        BenchmarkError: not root, or a program is missing.

    """
    programs = ["losetup", "mount", "umount", *(MAKERS[name][0] for name in filesystems)]
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        raise BenchmarkError(
            f"Not installed: {', '.join(missing)}.\n"
            "  Debian, Ubuntu: apt-get install e2fsprogs xfsprogs btrfs-progs mount"
        )
    if not Path("/dev/loop-control").exists() or not Path("/dev/fuse").exists():
        raise BenchmarkError("This needs root, loop devices and /dev/fuse.")


@contextmanager
def target(disk: Disk, filesystem: str, within: Path) -> Iterator[Target]:
    """Make disk, devices and file system; undo all of it at the end."""
    within.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=within, prefix="disk-")))
        backing, mounted = folder / "disk", folder / "mounted"
        mounted.mkdir()
        stack.enter_context(backing_file(disk, backing))
        raw = stack.enter_context(loop_device(backing, offset=FILE_SYSTEM_BYTES, size=RAW_BYTES))
        device = stack.enter_context(loop_device(backing, offset=0, size=FILE_SYSTEM_BYTES))
        call(*MAKERS[filesystem], device)
        call("mount", device, str(mounted))
        stack.callback(call, "umount", "--lazy", str(mounted))
        yield Target(folder=mounted, device=device, raw=raw)


@contextmanager
def backing_file(disk: Disk, path: Path) -> Iterator[None]:
    """A file of the host, written so that no block is allocated later; or one that FUSE serves."""
    size = FILE_SYSTEM_BYTES + RAW_BYTES
    path.touch()
    if disk.flush_ms is None:
        call("dd", "if=/dev/zero", f"of={path}", "bs=1M", f"count={size // MIB}", "conv=fsync")
        yield
        return
    module = "tests.bench.classes.slow_disk"
    words = [sys.executable, "-m", module, str(path), str(size), str(disk.flush_ms)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout is None or server.stdout.readline().strip() != "mounted":
                raise BenchmarkError("The slow disk could not be mounted; see above.")
            yield
        finally:
            call("umount", "--lazy", str(path))


@contextmanager
def loop_device(backing: Path, *, offset: int, size: int) -> Iterator[str]:
    """A device over a part of the file."""
    words = ("losetup", "--find", "--show", f"--offset={offset}", f"--sizelimit={size}")
    device = call(*words, str(backing)).strip()
    try:
        yield device
    finally:
        call("losetup", "--detach", device)


def call(*words: str) -> str:
    """Run a program to its end and return what it printed.

    Raises:
        BenchmarkError: it failed.

    """
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchmarkError(f"`{' '.join(words)}` failed: {done.stderr.strip()}")
    return done.stdout
