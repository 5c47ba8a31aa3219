"""What the agent of a made-up visit would have read of the machine around the drive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.random import Generator

    from apps.intake.examples.world import Visit

Json = dict[str, Any]

KERNEL_SHARE: Final = 0.974  # of the memory that was sold: the kernel keeps the rest
FILESYSTEM_SHARE: Final = 0.98  # of the drive: partitions and metadata take the rest
FREE_SHARES: Final = (0.45, 0.93)
# Threads of the processors of dedicated servers, of whose plans nobody states vCPUs.
THREADS: Final = {
    "AMD EPYC 4244P": 12, "AMD EPYC 4484PX": 24, "AMD EPYC 4564P": 32, "AMD EPYC 7232P": 16,
    "AMD EPYC 7272": 24, "AMD EPYC 7313": 32, "AMD EPYC 8024P": 16, "AMD EPYC 9124": 32,
    "AMD EPYC 9254": 48, "AMD EPYC 9275F": 48, "AMD EPYC 9354P": 64, "AMD EPYC 9454P": 96,
    "AMD EPYC 9455P": 96, "AMD EPYC 9554P": 128, "AMD Ryzen 5 3600": 12, "AMD Ryzen 7 7700": 16,
    "AMD Ryzen 7 9700X": 16, "AMD Ryzen 7 PRO 8700GE": 16, "AMD Ryzen 9 5900X": 24,
    "AMD Ryzen 9 7950X3D": 32, "Ampere Altra Q80-30": 80, "Intel Core i5-13500": 20,
    "Intel Core i9-13900": 32, "Intel Xeon E3-1220": 4, "Intel Xeon Gold 5412U": 48,
    "Intel Xeon-E 2386G": 12,
}  # fmt: skip
NEOVERSE_V2: Final = ("AWS Graviton4", "Google Axion")
USUAL_THREADS: Final = 16
USUAL_RAM_GB: Final = 64


def environment(generator: Generator, visit: Visit) -> Json:
    """Return the part of the payload that tells of machine and filesystem."""
    is_bare = visit.storage.virt == "none"
    held_bytes = int(visit.storage.device["size_bytes"] * FILESYSTEM_SHARE) // 4096 * 4096
    free_share = float(generator.uniform(*FREE_SHARES))
    ram_bytes = float(visit.plan.ram_gb or USUAL_RAM_GB) * (1 << 30) * KERNEL_SHARE
    return {
        "os": "linux",
        "kernel": "6.8.0-45-generic",
        "arch": machine_of(visit),
        "cpu_model": _processor(visit),
        "cpu_count": visit.plan.vcpus or THREADS.get(_bare_name(visit), USUAL_THREADS),
        "ram_bytes": int(ram_bytes) // 4096 * 4096,
        "virt": visit.storage.virt,
        "cloud_vendor": None,
        "cloud_product": None,
        "provider": None,
        "instance_type": None,
        "container": None,
        "cpu_governor": "performance" if is_bare else None,
        "steal_permille": 0,
        "limits": dict.fromkeys((
            "cpu_milli", "memory_bytes", "io_weight", "read_bytes_per_s", "write_bytes_per_s",
            "read_ops_per_s", "write_ops_per_s",
        )),
        "fs": "ext4",
        "mount_flags": ["relatime"],
        "fs_size_bytes": held_bytes,
        "fs_free_bytes": int(held_bytes * free_share) // 4096 * 4096,
    }  # fmt: skip


def machine_of(visit: Visit) -> str:
    """Return the architecture as the kernel calls it."""
    return "aarch64" if visit.plan.arch == "arm64" else "x86_64"


def clock_of(visit: Visit) -> str:
    """Return the kernel's clock source, which a hypervisor or the architecture brings."""
    if machine_of(visit) == "aarch64":
        return "arch_sys_counter"
    sources = {"none": "tsc", "hyperv": "hyperv_clocksource_tsc_page"}
    return sources.get(visit.storage.virt, "kvm-clock")


def _processor(visit: Visit) -> str | None:
    """Return a name that a kernel may see: hypervisors show a model of their own making."""
    if machine_of(visit) == "aarch64":
        is_newer = any(name in visit.plan.cpu for name in NEOVERSE_V2)
        return "Neoverse-V2" if is_newer else "Neoverse-N1"
    if visit.plan.kind == "dedicated":
        return _bare_name(visit) if _bare_name(visit) in THREADS else None
    is_amd = "AMD" in visit.plan.cpu
    return "AMD EPYC Processor" if is_amd else "Intel Xeon Processor"


def _bare_name(visit: Visit) -> str:
    """Return the name of the processor without what the catalogue adds of its cores."""
    return visit.plan.cpu.partition(" (")[0]
