#!/usr/bin/env python3
"""Record what this machine's /proc and /sys say, as far as the probes look, as a tree for tests.

    record.py "a sentence that says what this machine is" MOUNT POINT... > NAME.tree

Linux only; run it as root, on a machine that you may publish. Keeps the devices below these mount
points. Serial numbers and the like become texts with SECRET in them; read the result before you
keep it: names of volumes and paths stay.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

QUEUE = (
    "fua",
    "iostats",
    "logical_block_size",
    "nr_requests",
    "physical_block_size",
    "rotational",
    "scheduler",
    "write_cache",
)
BLOCK = (
    "dev",
    "size",
    "partition",
    "wwid",
    "cache_type",
    "dm/name",
    "dm/uuid",
    "loop/backing_file",
    "loop/dio",
    "md/level",
    "md/raid_disks",
    "md/degraded",
    "md/sync_action",
    "md/bitmap/location",
    "bcache/cache_mode",
    *(f"queue/{name}" for name in QUEUE),
)
DEVICE = (
    "vendor",
    "model",
    "rev",
    "serial",
    "wwid",
    "name",
    "fwrev",
    "cid",
    "life_time",
    "raid_level",
    "firmware_rev",
    "transport",
    "address",
    "subsysnqn",
)
LINK = ("current_link_speed", "current_link_width", "max_link_speed", "max_link_width")
FILES = (
    "/proc/self/cgroup",
    "/proc/sys/kernel/osrelease",
    "/proc/meminfo",
    "/proc/stat",
    "/sys/hypervisor/type",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
    *(
        f"/sys/class/dmi/id/{name}"
        for name in (
            "sys_vendor",
            "product_name",
            "product_serial",
            "product_uuid",
            "chassis_asset_tag",
            "bios_version",
        )
    ),
)
CGROUP = (
    "cpu.max",
    "memory.max",
    "io.max",
    "io.weight",
    "memory.limit_in_bytes",
    "cpu.cfs_quota_us",
    "cpu.cfs_period_us",
    "blkio.throttle.read_bps_device",
    "blkio.throttle.write_bps_device",
    "blkio.throttle.read_iops_device",
    "blkio.throttle.write_iops_device",
)
SECRETS = {"serial", "wwid", "cid", "address", "subsysnqn", "product_serial", "product_uuid"}
KEPT_LINES = {"/proc/meminfo": 2, "/proc/stat": 1}

lines: set[str] = set()


def text_of(path: Path) -> str | None:
    try:
        return path.read_text(errors="replace").strip("\n")
    except OSError:
        return None


def keep(path: Path) -> None:
    text = text_of(path) if path.is_file() else None
    if text is None:
        return
    if path.name in SECRETS:
        text = f"SECRET-{path.name.upper()}"
    if path.name == "uuid":
        text = re.sub(
            r"^(LVM-)[A-Za-z0-9]{64}|^(CRYPT-[A-Z0-9]+-)[0-9a-f]{32}",
            lambda found: f"{found[1] or found[2]}SECRET",
            text,
        )
    if count := KEPT_LINES.get(str(path)):
        text = "\n".join(text.splitlines()[:count])
    escaped = text.rstrip().replace("\n", "\\n").replace("\t", "\\t").replace("\0", "\\0")
    lines.add(f"{str(path)[1:]}: {escaped}")


def keep_link(path: Path) -> None:
    if path.is_symlink():
        lines.add(f"{str(path)[1:]} -> {path.readlink()}")


def keep_device(folder: Path) -> None:
    """Keep a folder such as .../nvme/nvme0, and the PCI device that it stands on."""
    for name in DEVICE:
        keep(folder / name)
    keep_link(folder / "device")
    for name in LINK:
        keep((folder / "device").resolve() / name)


def keep_block(link: Path) -> None:
    folder = link.resolve()
    keep_link(link)
    keep_link(Path("/sys/class/block") / folder.name)
    for name in BLOCK:
        keep(folder / name)
    for slave in folder.glob("slaves/*"):
        keep_link(slave)
    keep_link(folder / "device")
    keep_link(folder / "bcache")
    if (folder / "bcache").is_symlink():
        keep((folder / "bcache").resolve() / "cache_mode")
    if (folder / "device").is_symlink():
        device = (folder / "device").resolve()
        keep_device(device)
        for cache in device.glob("scsi_disk/*/cache_type"):
            keep(cache)
        for host in device.parents:
            keep(host / "scsi_host" / host.name / "proc_name")
        for controller in device.glob("nvme[0-9]*"):
            keep_link(controller)
            keep_device(controller.resolve())


def keep_groups() -> None:
    for line in (text_of(Path("/proc/self/mountinfo")) or "").splitlines():
        mount, _, filesystem = line.partition(" - ")
        if not filesystem.startswith("cgroup"):
            continue
        top = Path(mount.split(" ")[4])
        for member in (text_of(Path("/proc/self/cgroup")) or "").splitlines():
            group = top / member.split(":", 2)[2].lstrip("/")
            for folder in (group, *group.parents):
                for name in CGROUP:
                    if folder.is_relative_to(top):
                        keep(folder / name)


def mounts() -> list[tuple[str, str, str, str]]:
    """Return (line, mount point, kind, source and options) of each mount."""
    found = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, filesystem = line.partition(" - ")
        kind, _, rest = filesystem.partition(" ")
        found.append((line, mount.split(" ")[4], kind, rest))
    return found


def below_device(folder: Path, devices: set[Path]) -> None:
    if folder in devices or not (folder / "dev").exists():
        return
    devices.add(folder)
    if (folder / "partition").exists():
        below_device(folder.parent, devices)
    for slave in folder.glob("slaves/*"):
        below_device(slave.resolve(), devices)
    if backing := text_of(folder / "loop/backing_file"):
        lines.add(f"{backing[1:]}:")
        below_path(backing, devices)


def below_path(path: str, devices: set[Path]) -> None:
    number = Path(path).stat().st_dev
    if os.major(number):
        link = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
        below_device(link.resolve(), devices)
    here = [each for each in mounts() if Path(path).is_relative_to(each[1])]
    line, _, kind, rest = max(here, key=lambda each: len(each[1]))
    lines.add(f"MOUNT {line}")
    if kind == "zfs":
        keep_intent_log(rest.split(" ")[0])
    if kind == "btrfs":
        name = Path(rest.split(" ")[0]).resolve().name
        for member in Path("/sys/fs/btrfs").glob(f"*-*/devices/{name}"):
            for each in member.parent.iterdir():
                keep_link(each)
                below_device(each.resolve(), devices)
            for total in member.parent.parent.glob("allocation/data/*/total_bytes"):
                keep(total)
    if upper := re.search(r"upperdir=([^,]+)", rest):
        lines.add(f"{upper[1][1:]}/.keep:")
        below_path(upper[1], devices)
    if log := re.search(r"logdev=([^,]+)", rest):
        below_device((Path("/sys/class/block") / Path(log[1]).name).resolve(), devices)


def keep_intent_log(dataset: str) -> None:
    """Keep the counts of all datasets, and those of this one."""
    folder = Path("/proc/spl/kstat/zfs")
    keep(folder / "zil")
    own = re.compile(rf"^dataset_name +7 +{re.escape(dataset)}$", re.MULTILINE)
    for counts in (folder / dataset.partition("/")[0]).glob("objset-*"):
        if own.search(text_of(counts) or ""):
            keep(counts)


def main() -> None:
    sentence, *points = sys.argv[1:]
    for path in FILES:
        keep(Path(path))
    cpu = [
        each
        for each in (text_of(Path("/proc/cpuinfo")) or "").splitlines()
        if each.split("\t")[0] in {"processor", "model name", "CPU implementer", "CPU part"}
    ]
    lines.add("proc/cpuinfo: " + "\\n".join(each.replace("\t", "\\t") for each in cpu))
    devices: set[Path] = set()
    for point in points:
        below_path(point, devices)
    for folder in devices:
        keep(Path("/sys/fs/ext4") / folder.name / "journal_task")
        keep_block(Path("/sys/dev/block") / (text_of(folder / "dev") or ""))
    keep_groups()
    lines.update(f"MOUNT {each[0]}" for each in mounts() if each[2].startswith("cgroup"))
    used = [each.removeprefix("MOUNT ") for each in lines if each.startswith("MOUNT ")]
    order = [each[0] for each in mounts() if each[0] in used]
    kept = sorted(each for each in lines if not each.startswith("MOUNT "))
    kept.append("proc/self/mountinfo: " + "\\n".join(order))
    sys.stdout.write(f"# Recorded: {sentence}\n" + "".join(f"{line}\n" for line in kept))


main()
