"""Checks what the device can do: floors of commits and reads, and what a cache makes of them.

Every speaker here names figures. None of them proves anything of a power cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_BACK
from apps.drives.models import PowerLossProtection
from apps.runs.floors import floor_of
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts

# A drive whose cache is really volatile has to program flash before it answers a flush: as the
# floor of NVMe drives without protection.
PROGRAMMED_NS_MIN: Final = 150_000
# Protected drives commit in 0.3 to 1.6 times a read of 60 us, by what was published of them.
READS_PER_COMMIT_MAX: Final = 5
ZEROS_WORKLOAD: Final = "write-64k-zeros"
_WITHOUT_PROTECTION: Final = (PowerLossProtection.NONE, PowerLossProtection.PARTIAL)


def faster_than_medium(facts: RunFacts) -> str | None:
    """The median commit of some workload is quicker than the floor of what it was measured on.

    Of every workload that makes each write durable before the next: a layer may heed one sync call
    and ignore another. What takes the time hardly depends on the size of the block. Zeros need no
    medium where a layer detects them, which is what they are written for.
    """
    floor = floor_of(facts.members)
    for each in facts.one_at_a_time():
        is_durable = each.definition is not None and each.definition.sync != "none"
        if not is_durable or each.sent.id == ZEROS_WORKLOAD:
            continue
        p50_ns = each.p50_ns("commit")
        if p50_ns is not None and p50_ns < floor.floor_ns:
            return (
                f"{each.sent.id}: half of the commits took {_us(p50_ns)} µs or less; "
                f"{floor.name} needs {_us(floor.floor_ns)} µs."
            )
    return None


def reads_from_cache(facts: RunFacts) -> str | None:
    """The median read is quicker than the medium can answer."""
    floor, p50_ns = floor_of(facts.members), facts.read_p50_ns
    if p50_ns is None or floor.read_floor_ns is None or p50_ns >= floor.read_floor_ns:
        return None
    return (
        f"Half of the reads took {_us(p50_ns)} µs or less; "
        f"{floor.name} needs {_us(floor.read_floor_ns)} µs."
    )


def fast_for_volatile_cache(facts: RunFacts) -> str | None:
    """A volatile cache is reported, nobody knows of protection, and syncs are quicker than flash.

    Where the class is known, its floor judges instead; a name alone, of which nobody knows whether
    it is protected, gives no class.
    """
    devices, families = facts.members.devices, facts.members.families
    reports_volatile = bool(devices) and all(each.write_cache == WRITE_BACK for each in devices)
    is_protected = any(
        family is not None and not family.is_virtual and family.plp == PowerLossProtection.FULL
        for family in families
    )
    syncs_ns = facts.p50_ns(HEADLINE_WORKLOAD, "sync")
    if not reports_volatile or is_protected or facts.members.expected is not None:
        return None
    if syncs_ns is None or syncs_ns >= PROGRAMMED_NS_MIN:
        return None
    return (
        f"The drive reports a volatile cache, and half of the syncs took {_us(syncs_ns)} µs or "
        f"less; programming flash takes {_us(PROGRAMMED_NS_MIN)} µs."
    )


def commit_above_reads(facts: RunFacts) -> str | None:
    """A durable commit takes much longer than a read, and neither flash nor a platter explains it.

    On drives that are known to have no protection flash does, on hard disks the platter.
    """
    commit_ns, read_ns = facts.commit_p50_ns, facts.read_p50_ns
    if commit_ns is None or not read_ns or commit_ns <= READS_PER_COMMIT_MAX * read_ns:
        return None
    families = [family for family in facts.members.families if family is not None]
    is_explained = any(device.rotational for device in facts.members.devices) or any(
        not family.is_virtual and family.plp in _WITHOUT_PROTECTION for family in families
    )
    if is_explained:
        return None
    return (
        f"Half of the commits took {_us(commit_ns)} µs or less, half of the reads {_us(read_ns)} "
        f"µs: {commit_ns / read_ns:.1f} times as long."
    )


def _us(ns: int) -> str:
    """Return microseconds in as many digits as mean something."""
    return f"{ns / 1000:,.1f}".removesuffix(".0")
