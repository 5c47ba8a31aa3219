"""Checks where the file lay, whether flushes reached the drive, and who else used it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_BACK, WRITE_THROUGH
from apps.drives.models import PowerLossProtection
from apps.runs.models import ChallengeUse
from apps.stats.others import is_marked, others_share_milli, written_share

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts

# pmem-e820 is memory that firmware or a boot option set aside: nothing says that it keeps anything.
MEMORY_LAYERS: Final = frozenset({"tmpfs", "ramfs", "ram", "zram", "nullb", "pmem-e820"})
MEMORY_MODELS: Final = frozenset({"scsi_debug"})  # disks of the kernel's own tests
INDIRECT_FILESYSTEMS: Final = frozenset(
    {"overlay", "9p", "nfs", "nfs4", "cifs", "fuse", "virtiofs"}
)
BARRIERS_OFF: Final = frozenset(
    {"nobarrier", "barrier=0", "barrier=none", "barrier=off", "zfs_nocacheflush=1"}
)
CLOCK_SOURCES: Final = frozenset(
    {
        "tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page",
        "hyperv_clocksource_msr", "xen", "riscv_clocksource", "mach_absolute_time",
    }
)  # fmt: skip
FLUSHES_PER_SYNC_MIN: Final = 0.1  # a file system may merge some; below this, syncs go nowhere
FREE_SPACE_SHARE_MIN: Final = 0.1
OTHER_IO_SHARE_MAX: Final = 0.05  # of the run's own rate: beyond that neighbours show in p99
OTHER_IO_PER_SECOND_MIN: Final = 5.0  # a system log writes that much


def measured_offline(facts: RunFacts) -> str | None:
    """Nothing ties the run to a time."""
    if facts.challenge_use != ChallengeUse.NONE:
        return None
    return "The agent did not reach a server before it measured."


def challenge_expired(facts: RunFacts) -> str | None:
    """The upload came after its challenge had ended."""
    if facts.challenge_use != ChallengeUse.EXPIRED:
        return None
    return f"The challenge was issued {facts.challenge_issued_at:%Y-%m-%d %H:%M} UTC."


def challenge_unknown(facts: RunFacts) -> str | None:
    """The run names a challenge that this server does not remember."""
    if facts.challenge_use != ChallengeUse.UNKNOWN:
        return None
    return "The challenge that the run names is not known here."


def memory_filesystem(facts: RunFacts) -> str | None:
    """The file lay in memory: its filesystem, or a layer or disk under it."""
    layers = [facts.run.env.fs, *facts.run.stack]
    layers += [device.model.strip() for device in facts.members.devices]
    found = next((layer for layer in layers if layer in MEMORY_LAYERS | MEMORY_MODELS), None)
    return f"The file lay on {found}." if found else None


def indirect_filesystem(facts: RunFacts) -> str | None:
    """Another filesystem, or another machine, stands between the file and the drive."""
    filesystem = facts.run.env.fs
    is_indirect = filesystem.partition(".")[0] in INDIRECT_FILESYSTEMS
    return f"The filesystem is {filesystem}." if is_indirect else None


def barriers_off(facts: RunFacts) -> str | None:
    """The mount sends no flushes to a drive that needs them."""
    flags = BARRIERS_OFF.intersection(facts.run.env.mount_flags)
    needs_flushes = any(device.write_cache != "write through" for device in facts.members.devices)
    if not flags or not needs_flushes:
        return None
    return f"Mounted with {', '.join(sorted(flags))}."


def volatile_write_through(facts: RunFacts) -> str | None:
    """A drive says that its cache is volatile, and the kernel sends it no flushes.

    Power-loss protection of the family makes that honest. A virtual disk has no data sheet.
    """
    for device, family in zip(facts.members.devices, facts.members.families, strict=True):
        is_protected = (
            family is not None and not family.is_virtual and family.plp == PowerLossProtection.FULL
        )
        if device.write_cache == WRITE_THROUGH and device.volatile_write_cache and not is_protected:
            return "The kernel takes the cache for write through; the drive says volatile."
    return None


def few_flushes(facts: RunFacts) -> str | None:
    """Syncs did not become flushes, on drives that report a volatile cache.

    The kernel drops flushes on write-through drives, which is honest, so only a certain "write
    back" on every drive is judged. A forced write (FUA) saves the flush only of an O_DSYNC
    overwrite past the page cache (fs/iomap/direct-io.c), which no workload does: through the page
    cache O_DSYNC ends in the filesystem's fsync, and a journal forces its commit block after a
    flush (fs/jbd2/commit.c). Syncs that wait side by side share a flush, as group commits do: only
    one writer needs one for each. A sync with nothing to write needs none: btrfs returns at once.
    """
    devices = facts.members.devices
    if not devices or any(device.write_cache != WRITE_BACK for device in devices):
        return None
    for each in facts.one_at_a_time():
        definition = each.definition
        if definition is None or definition.sync == "none" or not definition.block_bytes:
            continue
        flushes, syncs = each.sent.flushes, each.sent.operations
        if flushes is not None and flushes < syncs * FLUSHES_PER_SYNC_MIN:
            return f"{each.sent.id}: {syncs} syncs, and the drive finished {flushes} flushes."
    return None


def unusual_clock(facts: RunFacts) -> str | None:
    """The clock source is slow, or not known to be steady."""
    source = facts.run.clock.source
    return f"The clock source is {source}." if source not in CLOCK_SOURCES else None


def little_free_space(facts: RunFacts) -> str | None:
    """The filesystem was nearly full."""
    env = facts.run.env
    if env.fs_free_bytes >= env.fs_size_bytes * FREE_SPACE_SHARE_MIN:
        return None
    return f"{env.fs_free_bytes / env.fs_size_bytes:.1%} of the filesystem was free."


def other_io(facts: RunFacts) -> str | None:
    """Somebody else used the drive before the run, or between its passes, and so during it."""
    if (share := _others_share_milli(facts)) is not None and is_marked(share):
        return f"{share / 10:g} % of what the device wrote was probably not this run's."
    other = facts.run.env.other_io
    if not other.interval_ns:
        return None
    per_second = (other.reads + other.writes) * 1e9 / other.interval_ns
    own = (facts.headline.rate_per_s if facts.headline else None) or 0.0
    if per_second <= max(own * OTHER_IO_SHARE_MAX, OTHER_IO_PER_SECOND_MIN):
        return None
    return f"{per_second:.0f} other operations a second in an idle interval before the run."


def _others_share_milli(facts: RunFacts) -> int | None:
    """Return thousandths of the bytes written, if others went on as right before the passes."""
    written = [
        (each.sent, each.sent.other_io)
        for each in facts.measured
        if each.sent.other_io and each.sent.device_bytes and each.definition
        and each.definition.operation != "read"
    ]  # fmt: skip
    return others_share_milli(
        idle_ns=sum(idle.interval_ns for _, idle in written),
        idle_bytes=sum(
            written_share(moved_bytes=idle.bytes, reads=idle.reads, writes=idle.writes)
            for _, idle in written
        ),
        elapsed_ns=sum(sent.elapsed_ns for sent, _ in written),
        device_bytes=sum(sent.device_bytes or 0 for sent, _ in written),
    )


def mixed_drives(facts: RunFacts) -> str | None:
    """The members of a RAID or volume are not alike."""
    if len(set(facts.members.families)) <= 1:
        return None
    return f"Members: {facts.members.reported}."
