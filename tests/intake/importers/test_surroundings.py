"""On which filesystem a file lay, by the command and by what was pasted around an output."""

from __future__ import annotations

import pytest

from apps.intake.importers import read_output
from apps.intake.importers.limits import MOUNTS_MAX
from tests.intake.importers.outputs import FIXTURES, MADE

TMPFS = (MADE / "fio-3.33-tmpfs.txt").read_text()
PG = (MADE / "pg_test_fsync-15-tmpfs.txt").read_text()
COMMAND = "$ fio --name=log --rw=write --ioengine=psync --fsync=1 --bs=4k --size=16m"
MOUNTED = "tmpfs on /dev/shm type tmpfs (rw,relatime,size=24684084k)"  # as mount printed it here
DISK = "/dev/vda on / type ext4 (rw,relatime,discard,resuid=65534,resgid=65534)"


def facts_of(*lines: str) -> tuple[str | None, str | None]:
    facts = read_output("\n".join(lines).encode()).facts
    return facts.get("filesystem"), facts.get("mount options")


@pytest.mark.parametrize(
    "line",
    [
        MOUNTED,
        "tmpfs /dev/shm tmpfs rw,relatime,size=24684084k 0 0",
        "  /dev/shm tmpfs  tmpfs  rw,relatime,size=24684084k",
        "└─/dev/shm   tmpfs      tmpfs    rw,nosuid,nodev",
        "tmpfs          tmpfs   24G  2.2G   22G  10% /dev/shm",
        "tmpfs           24684084 2295368  22388716  10% /dev/shm",
        "    ID: e89e946323515ac4 Namelen: 255     Type: tmpfs",
        "> [09:07:11] " + MOUNTED,
    ],
)
def test_the_only_filesystem_of_a_paste_is_that_of_its_output(line: str) -> None:
    assert facts_of("$ what says it", line, TMPFS) == ("tmpfs", None)
    assert facts_of(TMPFS, line) == ("tmpfs", None)


def test_an_output_alone_names_no_filesystem() -> None:
    assert facts_of(TMPFS) == (None, None)
    assert facts_of((FIXTURES / "pg_test_fsync-15.txt").read_text()) == (None, None)


def test_the_file_of_the_command_lies_on_the_innermost_mount() -> None:
    inner = "/dev/sdb1 on /srv/db type xfs (rw,noatime)"
    memory = "tmpfs on /srv type tmpfs (rw)"
    for path, filesystem in (
        ("/srv/db/f", "xfs"), ("/srv/f", "tmpfs"), ("/srv/dbs/f", "tmpfs"), ("/home/f", "ext4"),
    ):  # fmt: skip
        assert facts_of(DISK, memory, inner, f"{COMMAND} --filename={path}", TMPFS) == (
            filesystem, None,
        )  # fmt: skip
    assert facts_of(DISK, memory, inner, TMPFS) == (None, None)  # nothing says where it lay


def test_shared_memory_is_known_without_a_mount() -> None:
    assert facts_of(f"{COMMAND} --filename=/dev/shm/f", TMPFS) == ("tmpfs", None)
    assert facts_of(f"{COMMAND} --directory=/dev/shm", TMPFS) == ("tmpfs", None)
    assert facts_of(DISK, f"{COMMAND} --filename=/dev/shm/f", TMPFS) == ("tmpfs", None)
    assert facts_of((MADE / "fio-3.33-tmpfs.json").read_text()) == ("tmpfs", None)
    assert facts_of("$ pg_test_fsync -s 1 -f /dev/shm/x", PG) == ("tmpfs", None)
    assert facts_of("$ pg_test_fsync --filename=/dev/shm/x", PG) == ("tmpfs", None)


def test_a_disk_lies_below_dev_and_not_in_its_memory() -> None:
    devices = "udev on /dev type devtmpfs (rw,nosuid,relatime)"
    assert facts_of(devices, DISK, f"{COMMAND} --filename=/dev/nvme0n1", TMPFS) == (None, None)
    assert facts_of(DISK, f"{COMMAND} --filename=/dev/zram0", TMPFS) == ("zram", None)
    assert facts_of("/dev/ram0 on /mnt type ext4 (rw)", TMPFS) == ("ram", None)


def test_options_that_keep_flushes_from_the_drive_are_kept_and_no_others() -> None:
    line = "/dev/sda1 on /data type ext4 (rw,relatime,nobarrier,data=writeback)"
    assert facts_of(line, TMPFS) == ("ext4", "nobarrier")
    assert facts_of("/data /dev/sda1 ext4 rw,barrier=0", TMPFS) == ("ext4", "barrier=0")


def test_of_several_files_one_in_memory_is_enough() -> None:
    both = (MADE / "fio-3.33-tmpfs.json").read_text()
    on_disk = both.replace('"/dev/shm"', '"/srv"')
    assert facts_of(DISK, both, on_disk) == ("tmpfs", None)
    assert facts_of(DISK, "/dev/sdb on /srv type xfs (rw)", on_disk) == ("xfs", None)
    elsewhere = both.replace('"/dev/shm"', '"/home"')
    assert facts_of(DISK, "/dev/sdb on /srv type xfs (rw)", on_disk, elsewhere) == (None, None)


def test_a_host_with_more_mounts_than_are_read() -> None:
    mounts = (f"overlay on /var/lib/{n} type overlay (rw)" for n in range(MOUNTS_MAX))
    assert facts_of(*mounts, MOUNTED, TMPFS) == ("overlay", None)
