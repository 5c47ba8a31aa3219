"""The flush verdict: whether the commits of a run seem to reach the medium, and why.

A measurement from inside cannot tell a protected cache from an ignored flush; where both are
possible, the verdict is `unknown`. It considers in this order: contradictions to durability, the
number of flushes, protection of the cache, and signs that a volatile cache is emptied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.drives.models import PowerLossProtection
from apps.runs.figures import CASE, hundredths, tenths
from apps.runs.ladder.floors import ANY, Floor
from apps.runs.members import BARE_METAL
from apps.runs.models import FlushVerdict
from apps.runs.rules.environment.storage import (
    barriers_off,
    few_flushes,
    memory_filesystem,
    unwritten_bytes,
    volatile_write_through,
    zfs_sync_disabled,
)
from apps.runs.rules.identity.name_alone import doubt_of
from apps.runs.rules.physics import faster_than_medium
from apps.stats.analysis.caches import FLUSHES_MIN, CacheDrain, FlushCost, flush_cost
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.drives.models import DriveFamily
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

# Rules whose finding contradicts commits that survive a power cut, the surest first.
CONTRADICTING: Final = (
    memory_filesystem.RULE, barriers_off.RULE, zfs_sync_disabled.RULE,
    volatile_write_through.RULE, few_flushes.RULE, unwritten_bytes.RULE, faster_than_medium.RULE,
)  # fmt: skip
EMPTY_FLUSH: Final = "empty-flush"
FLUSH_AFTER_WRITES: Final = "batch"  # the operation of workloads that flush after so many bytes
LARGEST_DRAIN: Final = "drain-64m"
FLUSHES: Final = thresholds().flushes
UNPROTECTED: Final = frozenset({PowerLossProtection.NONE, PowerLossProtection.PARTIAL})

RULE: Final = "rule"  # the figure with the id of the rule that the other figures are of, if any
_FUA: Final[dict[frozenset[bool | None], str]] = {
    frozenset({True}): "fua-all",
    frozenset({False}): "fua-none",
    frozenset({True, False}): "fua-some",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FlushFacts:
    """What the verdict rests on; tuples have one value for each drive, in their order."""

    write_caches: tuple[str, ...]  # write back, write through, unknown: by the kernel
    fua: tuple[bool | None, ...]
    # NVMe VWC; None: the drive was not asked, or a hypervisor may have answered for it
    volatile_by_drive: tuple[bool | None, ...]
    plp: tuple[str, ...]  # by the catalogue of drives; unknown where only a name speaks for it
    flushes_per_commit: float | None  # of one writer; None: nobody counted
    drain: FlushCost | None  # after 64 MiB, over an empty one
    commit_p50_ns: int | None
    floor: Floor  # of the class, or of any device
    contradictions: tuple[Figures, ...] = ()  # what the rules of CONTRADICTING found

    @property
    def is_write_back(self) -> bool:
        """Whether the kernel treats every drive's cache as volatile, and so sends flushes."""
        return bool(self.write_caches) and set(self.write_caches) == {"write back"}

    @property
    def has_unclear_flushes(self) -> bool:
        """Whether drives that need flushes got some, but too few for all commits."""
        flushes = self.flushes_per_commit
        if flushes is None or not self.is_write_back:
            return False
        missing_below = FLUSHES.missing_per_commit_below.value
        return missing_below <= flushes < FLUSHES.counted_per_commit_min.value

    @property
    def is_protected(self) -> bool:
        """Whether the data sheets of all drives say that their caches survive a power cut."""
        return bool(self.plp) and set(self.plp) == {PowerLossProtection.FULL}

    @property
    def is_unprotected(self) -> bool:
        """Whether the data sheets of all drives say that their caches do not survive one."""
        return bool(self.plp) and UNPROTECTED.issuperset(self.plp)

    @property
    def has_no_volatile_cache(self) -> bool:
        """Whether all drives themselves say that no cache of theirs is volatile."""
        return bool(self.volatile_by_drive) and set(self.volatile_by_drive) == {False}


@dataclass(frozen=True, slots=True)
class FlushJudgement:
    """A verdict with the figures that it rests on, the decisive ones first."""

    verdict: FlushVerdict
    reasons: tuple[Figures, ...]


def judge_flushes(facts: FlushFacts) -> FlushJudgement | None:
    """Return the verdict on these facts; None where neither a commit nor a flush was timed."""
    if facts.commit_p50_ns is None and facts.drain is None:
        return None
    verdict, decisive = _decide(facts)
    return FlushJudgement(verdict, (*decisive, *_all_reasons(facts)))


def flush_facts(facts: RunFacts) -> FlushFacts:
    """Return the facts of a run on which its verdict rests."""
    devices, families = facts.members.devices, facts.members.families
    headline = facts.headline
    flushes = headline.workload.flushes if headline else None
    commits = headline.workload.operations if headline else 0
    return FlushFacts(
        write_caches=tuple(device.write_cache for device in devices),
        fua=tuple(device.fua for device in devices),
        volatile_by_drive=_reported_volatile(facts),
        plp=tuple(
            family.plp
            if family and doubt_of(device, family, facts) is None
            else PowerLossProtection.UNKNOWN.value
            for device, family in zip(devices, families, strict=True)
        ),
        flushes_per_commit=flushes / commits if commits and flushes is not None else None,
        drain=_drain(facts),
        commit_p50_ns=facts.commit_p50_ns,
        floor=facts.members.floor,
        contradictions=tuple(
            {RULE: rule.id, **figures}
            for rule in CONTRADICTING
            if (figures := rule.find(facts)) is not None
        ),
    )


def _reported_volatile(facts: RunFacts) -> tuple[bool | None, ...]:
    """Return for each drive whether it reports a volatile cache; None if that is not reliable.

    A virtual disk may report that nothing is volatile although its host has a cache.
    """
    is_bare_metal = facts.run.env.virt == BARE_METAL
    return tuple(
        device.volatile_write_cache
        if device.volatile_write_cache or _is_physical(family, or_unknown=is_bare_metal)
        else None
        for device, family in zip(facts.members.devices, facts.members.families, strict=True)
    )


def _is_physical(family: DriveFamily | None, *, or_unknown: bool) -> bool:
    return or_unknown if family is None else not family.is_virtual


def _decide(facts: FlushFacts) -> tuple[FlushVerdict, list[Figures]]:
    if facts.contradictions:
        return FlushVerdict.SUSPICIOUS, list(facts.contradictions)
    if facts.has_unclear_flushes:
        return FlushVerdict.UNKNOWN, [{CASE: "flushes-unclear"}]
    is_emptied = facts.drain is not None and facts.drain.drain is CacheDrain.VOLATILE
    if facts.is_protected or (facts.has_no_volatile_cache and not is_emptied):
        return FlushVerdict.PROTECTED, [{CASE: "data-sheet" if facts.is_protected else "own-word"}]
    if facts.is_write_back and is_emptied:
        return FlushVerdict.VOLATILE, [{CASE: "emptied"}]
    has_floor = facts.floor.id != ANY  # the floor of any device says nothing of this medium
    is_timed = has_floor and facts.commit_p50_ns is not None
    if facts.is_write_back and facts.is_unprotected and is_timed:
        return FlushVerdict.VOLATILE, [{CASE: "slow-as-medium"}]
    return FlushVerdict.UNKNOWN, [{CASE: "only-a-power-cut"}]


def _all_reasons(facts: FlushFacts) -> list[Figures]:
    """Return everything that was declared, counted and timed, whatever the verdict."""
    caches = list(dict.fromkeys(facts.write_caches)) or ["unknown"]
    fua = _FUA.get(frozenset(facts.fua), "fua-unknown")
    reasons: list[Figures] = [{CASE: "kernel", "caches": caches, "fua": fua}]
    if True in facts.volatile_by_drive:
        reasons.append({CASE: "says-volatile"})
    if facts.is_unprotected:
        reasons.append({CASE: "unprotected"})
    elif not facts.is_protected:
        reasons.append({CASE: "protection-unknown"})
    if facts.flushes_per_commit is None:
        reasons.append({CASE: "uncounted"})
    else:
        reasons.append(
            {CASE: "counted", "flushes_hundredths": hundredths(facts.flushes_per_commit)}
        )
    if facts.drain is not None:
        drain = facts.drain
        reasons.append({CASE: "drain", "times_tenths": tenths(drain.ratio), "drain": drain.drain})
    if facts.commit_p50_ns is not None and facts.commit_p50_ns >= facts.floor.floor_ns:
        reasons.append(
            {
                CASE: "floor",
                "p50_ns": facts.commit_p50_ns,
                "class": facts.floor.id,
                "floor_ns": facts.floor.floor_ns,
            }
        )
    return reasons


def _drain(facts: RunFacts) -> FlushCost | None:
    """Return how the time of a flush grows with the bytes before it, or None if not measured."""
    points = {
        each.workload.id: (each.definition.block_bytes, each.histograms["sync"].percentile_ns(0.5))
        for each in facts.workloads
        if each.definition is not None
        and each.definition.operation == FLUSH_AFTER_WRITES
        and "sync" in each.histograms
        and each.histograms["sync"].count >= FLUSHES_MIN
    }
    if not {EMPTY_FLUSH, LARGEST_DRAIN} <= points.keys():
        return None
    return flush_cost(sorted(points.values()))
