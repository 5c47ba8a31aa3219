"""What other programs had of a pass, and whether that disturbed it.

Their bytes are what the devices moved beyond what the pass can have caused, which was measured for
each filesystem (`own_traffic` of judgement.v1.json). Pressure, stolen time and throttling are not
judged: a sync raises the first itself, and the others belong to what is measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import dropwhile
from typing import TYPE_CHECKING, Final

from apps.wire.judgement import judgement, thresholds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.wire.judgement import FilesystemTraffic
    from apps.wire.run import Pass
    from apps.wire.suites import WorkloadDefinition

DEVICE_SHARE_MILLI_MAX: Final = thresholds().interference.device_share_milli_max.value
CPU_SHARE_MILLI_MAX: Final = thresholds().interference.cpu_share_milli_max.value
OTHER_CPU_NS_MIN: Final = thresholds().interference.other_cpu_ns_min.value
DEVICE_BYTES_PER_S_MAX: Final = thresholds().interference.device_bytes_per_s_max.value
TIMESTAMPS_PER_S_MAX: Final = thresholds().interference.timestamps_per_s_max.value
PASS_THROUGH_LAYERS: Final = thresholds().interference.pass_through_layers.value
MIRROR: Final = "md-raid1"  # writes everything to each of its members
OVERLAY: Final = "overlay"  # hands everything to the filesystem below it
DATA_JOURNAL: Final = "data=journal"  # ext3 and ext4 write data twice then
NS_PER_S: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class OthersShare:
    """What other programs had of a pass, in thousandths; None where that cannot be seen."""

    device_permille: int | None = None  # of what the devices read and wrote
    cpu_permille: int | None = None  # of the time of all processors

    @property
    def disturbs_device(self) -> bool:
        """Whether they used the devices enough to change the figures."""
        return (self.device_permille or 0) > DEVICE_SHARE_MILLI_MAX

    @property
    def disturbs_cpu(self) -> bool:
        """Whether they used the processors enough to change the figures."""
        return (self.cpu_permille or 0) > CPU_SHARE_MILLI_MAX

    @property
    def disturbs(self) -> bool:
        """Whether they did either."""
        return self.disturbs_device or self.disturbs_cpu


@dataclass(frozen=True, slots=True)
class OwnTraffic:
    """What the devices have to do for a pass."""

    filesystem: FilesystemTraffic
    copies: int  # how often each byte is written

    def bytes_max(self, definition: WorkloadDefinition, one: Pass) -> int:
        """Return the most bytes that a pass of this workload makes the devices move."""
        row = self.filesystem
        timestamps = min(one.operations, one.elapsed_ns * TIMESTAMPS_PER_S_MAX // NS_PER_S + 1)
        if definition.file_state != "overwritten":
            beside = one.operations * row.new_block_bytes
        elif definition.sync == "fsync":
            beside = timestamps * row.fsync_bytes
        else:
            beside = timestamps * row.timestamp_bytes
        # What was in flight when the warm-up ended is finished within the pass.
        in_flight = definition.writers * definition.queue_depth
        beside += in_flight * definition.block_bytes
        if definition.page_cache and in_flight > 1:
            beside += one.operations * row.concurrent_bytes
        return (one.bytes + beside) * self.copies


@dataclass(frozen=True, slots=True)
class Bystanders:
    """By what the share of others can be judged on one machine."""

    cpus: int
    own_traffic: OwnTraffic | None  # None: nobody has measured this filesystem, or these layers

    def share_of_others(
        self, definition: WorkloadDefinition, passes: Iterable[Pass]
    ) -> OthersShare:
        """Return what others had of the pass that they disturbed most.

        A share is unknown where it is unknown of one pass.
        """
        passes = tuple(passes)
        return OthersShare(
            _largest([self._device_share(definition, one) for one in passes]),
            _largest([self._cpu_share(one) for one in passes]),
        )

    def _device_share(self, definition: WorkloadDefinition, one: Pass) -> int | None:
        """Return the share of the devices' bytes; none of it counts below what a log writes."""
        seen = one.interference
        if seen is None or seen.device is None or self.own_traffic is None or not one.elapsed_ns:
            return None
        moved = seen.device.bytes_read + seen.device.bytes_written
        others = max(moved - self.own_traffic.bytes_max(definition, one), 0)
        if others * NS_PER_S // one.elapsed_ns <= DEVICE_BYTES_PER_S_MAX:
            return 0
        return min(others * 1000 // moved, 1000)

    def _cpu_share(self, one: Pass) -> int | None:
        seen = one.interference
        all_ns = one.elapsed_ns * self.cpus
        if seen is None or seen.other_cpu_ns is None or not all_ns:
            return None
        others_ns = seen.other_cpu_ns if seen.other_cpu_ns >= OTHER_CPU_NS_MIN else 0
        return min(others_ns * 1000 // all_ns, 1000)


def own_traffic_below(
    layers: Sequence[str], *, mount_flags: Sequence[str], device_classes: Sequence[str]
) -> OwnTraffic | None:
    """Return what is known of a filesystem on these layers, above drives of these classes.

    None for a filesystem that nobody has measured and a layer that may write more than it is given.
    """
    below = list(dropwhile(lambda layer: layer == OVERLAY, layers))
    rows = {row.filesystem: row for row in judgement().own_traffic}
    if not below or below[0] not in rows or DATA_JOURNAL in mount_flags:
        return None
    known = {*PASS_THROUGH_LAYERS, *device_classes, MIRROR}
    if not known.issuperset(below[1:]):
        return None
    return OwnTraffic(rows[below[0]], copies=len(device_classes) if MIRROR in below else 1)


def _largest(shares: list[int | None]) -> int | None:
    known = [share for share in shares if share is not None]
    return max(known) if known and len(known) == len(shares) else None
