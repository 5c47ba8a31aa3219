"""Cases of the rules about what is acknowledged and may not last, on both sides of thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.wire.judgement import thresholds
from tests import make
from tests.runs.rules.changes import both, on, setting, silent, speaks

if TYPE_CHECKING:
    from collections.abc import Callable

MISSING = round(1000 * thresholds().flushes.missing_per_commit_below.value)  # permille
SAFE = {"write_cache": "write through", "fua": False}
NAMELESS = {"model": "NO SUCH DRIVE"}
CONSUMER = {"model": "Samsung SSD 990 PRO 2TB", "firmware": "4B2QJXD7"}
UNSTATED = {"model": "CT1000T500SSD8"}  # named, and nobody says whether its cache is protected
UNSTATED_DATACENTER = {"model": "SAMSUNG MZQLB3T8HALS-00007"}
VIRTIO = {
    "class": "virtio-blk", "transport": "virtio", "model": "", "firmware": "", "pcie": None,
    "rotational": None,
}  # fmt: skip
PERC = {
    "class": "scsi", "transport": "unknown", "vendor": "DELL", "model": "PERC H730 Mini",
    "firmware": "4.30", "pcie": None, "driver": "megaraid_sas", "raid_volume": True,
}  # fmt: skip
JBOD = {**PERC, "vendor": "ATA", **NAMELESS, "raid_volume": False}
USB = {"class": "scsi", "transport": "usb", "pcie": None, **NAMELESS}
IN_KVM = setting("env/virt", "kvm")
SAS = {
    "class": "scsi", "transport": "sas", "vendor": "HPE", "model": "MO003200KXPTT",
    "firmware": "HPD2", "size_bytes": 3_200_631_791_616, "pcie": None,
}  # fmt: skip


def on_zfs(permille: int) -> Callable[[make.Json], None]:
    """Return a change to ZFS on drives out of sight, its log committed for so many syncs."""

    def change(document: make.Json) -> None:
        document["env"]["fs"] = "zfs"
        document["stack"] = ["zfs", "unknown"]
        document["devices"] = []
        headline = document["workloads"][0]
        headline["flushes"] = None
        headline["intent_log_commits"] = headline["operations"] * permille // 1000

    return change


def written(permille: int) -> Callable[[make.Json], None]:
    """Return a change of the share of the headline's bytes that the devices wrote."""

    def change(document: make.Json) -> None:
        headline = document["workloads"][0]
        headline["device_bytes"] = headline["bytes"] * permille // 1000

    return change


def uncounted(**device: Any) -> Callable[[make.Json], None]:
    return both(on(**device), setting("workloads/0/flushes", None))


ZFS = [
    speaks("zfs-sync-disabled", "too few of the syncs", on_zfs(MISSING - 1), latency_ns=200_000),
    speaks("zfs-sync-disabled", "none", on_zfs(0), latency_ns=200_000),
    silent("zfs-sync-disabled", "enough of them", on_zfs(MISSING + 1), latency_ns=200_000),
    silent("zfs-sync-disabled", "sync=always", on_zfs(2000), latency_ns=200_000),
    speaks("unseen-drive", "149 µs", on_zfs(1000), latency_ns=148_000),
    silent("unseen-drive", "151 µs", on_zfs(1000), latency_ns=152_000),
]

COUNTERS = [
    speaks("unwritten-bytes", "49.9 %", written(499)),
    silent("unwritten-bytes", "50 %", written(500)),
    silent(
        "unwritten-bytes",
        "nobody counts",
        both(setting("workloads/0/device_bytes", None), setting("env/kernel", "5.4.0")),
    ),
    silent(
        "unwritten-bytes",
        "memory that is written without the block layer",
        both(
            on(**{"class": "pmem", "transport": "memory"}, **NAMELESS, **SAFE),
            setting("stack", ["ext4", "pmem"]),
            written(0),
        ),
    ),
    speaks("counters-hidden", "bytes", setting("workloads/0/device_bytes", None)),
    silent("counters-hidden", "neither"),
    silent(
        "unwritten-bytes", "where it may be compressed",
        both(written(100), setting("stack/0", "btrfs"), setting("env/fs", "btrfs")),
    ),
    speaks("counters-hidden", "on Linux 5.5",
           both(uncounted(), setting("env/kernel", "5.5.0"))),
    silent("counters-hidden", "on Linux 5.4",
           both(uncounted(), setting("env/kernel", "5.4.0-150-generic"))),
    silent("counters-hidden", "a kernel without a number",
           both(uncounted(), setting("env/kernel", "custom"))),
    silent("counters-hidden", "on a mapped device",
           uncounted(**{"class": "dm"}, **NAMELESS, **SAFE)),
    silent("counters-hidden", "on a multipath device",
           both(uncounted(), setting("stack", ["ext4", "nvme-multipath", "nvme"]))),
]  # fmt: skip

CACHES = [
    speaks("controller-cache", "flash at 149 µs", on(**PERC, **SAFE), latency_ns=148_000),
    silent("controller-cache", "flash at 151 µs", on(**PERC, **SAFE), latency_ns=152_000),
    speaks("controller-cache", "a platter at 1.99 ms", on(**{**PERC, **SAFE, "rotational": True}),
           latency_ns=1_990_000),
    silent("controller-cache", "a platter at 2.01 ms", on(**{**PERC, **SAFE, "rotational": True}),
           latency_ns=2_010_000),
    silent("controller-cache", "a drive that it hands through", on(**{**JBOD, **SAFE})),
    speaks("unflushed-host-disk", "149 µs", both(IN_KVM, on(**VIRTIO, **SAFE)), latency_ns=148_000),
    silent("unflushed-host-disk", "151 µs", both(IN_KVM, on(**VIRTIO, **SAFE)), latency_ns=152_000),
    silent("unflushed-host-disk", "a cloud's volume, of which a floor is known",
           both(IN_KVM, on(**{**VIRTIO, **SAFE, "class": "scsi", "model": "HC Volume"})),
           latency_ns=140_000),
    speaks("unprotected-write-through", "nobody but the kernel says so", on(**CONSUMER, **SAFE),
           latency_ns=300_000),
    silent("unprotected-write-through", "the drive says so",
           on(**CONSUMER, **SAFE, volatile_write_cache=False), latency_ns=300_000),
    silent("unprotected-write-through", "its driver read so",
           on(**CONSUMER, **SAFE, driver_write_cache="write through"), latency_ns=300_000),
    speaks("unprotected-write-through", "the drive says so, at 199 µs",
           on(**CONSUMER, **SAFE, volatile_write_cache=False), latency_ns=198_000),
    silent("unprotected-write-through", "with flushes", on(**CONSUMER), latency_ns=300_000),
    speaks("unprotected-write-through", "of a consumer's drive nobody states it, at 149 µs",
           on(**UNSTATED, **SAFE), latency_ns=148_000),
    silent("unprotected-write-through", "the same at 151 µs", on(**UNSTATED, **SAFE),
           latency_ns=152_000),
    silent("unprotected-write-through", "the same, and the drive says so itself",
           on(**UNSTATED, **SAFE, volatile_write_cache=False), latency_ns=148_000),
    silent("unprotected-write-through", "of a data centre's drive nobody states it",
           on(**UNSTATED_DATACENTER, **SAFE), latency_ns=148_000),
    speaks("unflushed-usb-disk", "249 µs", on(**USB, **SAFE), latency_ns=248_000),
    silent("unflushed-usb-disk", "251 µs", on(**USB, **SAFE), latency_ns=252_000),
    speaks("volatile-write-through", "a driver that read otherwise",
           on(**NAMELESS, **SAFE, driver_write_cache="write back"), latency_ns=200_000),
    silent("volatile-write-through", "a driver that read the same",
           on(**NAMELESS, **SAFE, driver_write_cache="write through"), latency_ns=200_000),
    speaks("memory-filesystem", "SCSI's disk of tests under another name",
           on(**NAMELESS, **SAFE, driver="scsi_debug")),
    silent("memory-filesystem", "a host adapter", on(**NAMELESS, **SAFE, driver="mpt3sas")),
]  # fmt: skip

OUT_OF_SIGHT = [
    speaks("unseen-server", "NFS", setting("env/fs", "nfs4")),
    speaks("unseen-server", "the host's folder", setting("env/fs", "virtiofs")),
    silent("unseen-server", "XFS", setting("env/fs", "xfs")),
    speaks("barriers-off", "CIFS that syncs nothing",
           both(setting("env/mount_flags", ["nostrictsync"]), on(**NAMELESS, **SAFE))),
    silent("barriers-off", "a journal that is flushed",
           both(setting("env/mount_flags", ["journal_flush_delay=1000"]), on(**NAMELESS, **SAFE))),
    speaks("barriers-off", "a journal that is not",
           both(setting("env/mount_flags", ["journal_flush_disabled"]), on(**NAMELESS, **SAFE))),
]  # fmt: skip

EMULATED_LINK = {"speed_mts": 2500, "width": 1, "speed_max_mts": 2500, "width_max": 1}
NAMES = [
    speaks("name-alone", "on a software target", on(**SAS, driver="tcm_loopback")),
    silent("name-alone", "on a host adapter", on(**SAS, driver="mpt3sas")),
    speaks("name-alone", "on NVMe without a bus", on(transport="unknown", pcie=None)),
    speaks("name-alone", "in a guest without a link", both(IN_KVM, on(pcie=None))),
    speaks("name-alone", "in a guest with an emulated link",
           both(IN_KVM, on(pcie=EMULATED_LINK))),
    silent("name-alone", "handed through to a guest", both(IN_KVM, on())),
    speaks("name-alone", "QEMU's firmware", on(**{**SAS, "firmware": "2.5+"})),
    speaks("name-alone", "a version of QEMU", on(firmware="8.2.2", pcie=EMULATED_LINK)),
    silent("name-alone", "a maker that numbers its firmware like QEMU", on(firmware="2.2.8")),
    speaks("name-alone", "no firmware", on(firmware=" ")),
    silent("name-alone", "a maker's firmware", on(firmware="GDC5902Q")),
    speaks("name-alone", "2.21 times the largest", on(size_bytes=17_000_000_000_000)),
    silent("name-alone", "twice the largest", on(size_bytes=15_360_950_534_144)),
    silent("name-alone", "a namespace of an NVMe drive", on(size_bytes=100_000_000_000)),
    speaks("name-alone", "0.49 times the smallest on SAS",
           on(**{**SAS, "size_bytes": 390_000_000_000})),
    silent("name-alone", "half of the smallest on SAS",
           on(**{**SAS, "size_bytes": 400_000_000_000})),
    speaks("name-alone", "501 µs", latency_ns=502_000),
    silent("name-alone", "499 µs", latency_ns=497_000),
    silent("name-alone", "held up by a limit that is said",
           both(on(**CONSUMER), setting("env/limits/cpu_milli", 2000)), latency_ns=502_000),
    speaks("hypervisor-hidden", "virtio on bare metal", on(**VIRTIO), latency_ns=200_000),
    silent("hypervisor-hidden", "virtio in a guest", both(IN_KVM, on(**VIRTIO)),
           latency_ns=200_000),
    silent("hypervisor-hidden", "on a processor that does not say",
           both(setting("env/arch", "aarch64"), on(**VIRTIO)), latency_ns=200_000),
]  # fmt: skip

DURABILITY = [*ZFS, *COUNTERS, *CACHES, *OUT_OF_SIGHT, *NAMES]
