"""What a machine shows of where it stands, what its owner claims, and where the two disagree.

A conflict is a sentence with both sides in it. It is not a verdict: resellers rent machines of
other providers, and people run virtual machines on servers that they rent.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from apps.plans.models import HOME, UNLISTED, StorageKind
from apps.plans.naming import provider_slug_of, slug_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.plans.models import Plan

BARE_METAL: Final = "none"  # of env.virt
# Kernel, crash area and firmware keep some of the memory that was sold, most of a small machine,
# and by a gigabyte providers mean 10^9 or 2^30 bytes.
MEMORY_SHARE_MIN: Final = 0.75
MEMORY_SHARE_MAX: Final = 1.10
THREADS_OF_A_CORE: Final = 2  # whoever switches hyper-threading off has half of the vCPUs
_GIB: Final = 1 << 30
_ARCHITECTURES: Final = {"aarch64": "arm64", "x86_64": "x86_64"}
_LOCAL: Final = frozenset({StorageKind.LOCAL_NVME.value, StorageKind.LOCAL_SATA.value})
_SHARED_KINDS: Final = frozenset({"cloud", "vps"})


class Basis(StrEnum):
    """What decided on which plan a run stands."""

    INSTANCE_TYPE = "instance-type"  # of the firmware
    CLAIM = "claim"
    FIRMWARE = "firmware"  # the provider alone is known, by its name in the firmware
    DEVICE = "device"  # nothing is known: called after the drive


class Storage(StrEnum):
    """Where the measured device lies, where its family tells."""

    LOCAL = "local"
    NETWORK = "network"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the agent read on the machine, all of it in the machine's own words."""

    provider: str | None = None  # slug of the agent's list of clouds
    instance_type: str | None = None
    product: str | None = None  # DMI product name
    arch: str = ""
    virt: str = "unknown"
    cpu_count: int = 0  # 0: not known
    ram_bytes: int = 0
    is_contained: bool = False  # in a container, which may see a part of the machine
    storage: Storage = Storage.UNKNOWN


@dataclass(frozen=True, slots=True)
class Claim:
    """What the owner said; None where nothing was said."""

    provider: str | None = None
    plan: str | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """The plan on which a run stands, what decided, and every contradiction in a sentence."""

    plan: Plan
    basis: Basis
    conflicts: tuple[str, ...]


def machine_words(seen: Seen) -> str:
    """Return a name for a machine of which only the provider is known: type, or product and size.

    Machines of different size must not share a plan: "vServer, 4 processors, 8 GB".
    """
    if seen.instance_type:
        return seen.instance_type
    words = [seen.product or "machine"]
    if seen.cpu_count:
        words.append(f"{seen.cpu_count} processor{'' if seen.cpu_count == 1 else 's'}")
    if seen.ram_bytes:
        words.append(f"{round(seen.ram_bytes / _GIB) or 1} GB")
    return ", ".join(words)


def conflicts_of(
    *, seen: Seen, claim: Claim, plan: Plan, typed: Plan | None, claimed: Plan | None
) -> tuple[str, ...]:
    """Return each disagreement of claim, firmware and machine.

    `plan` is where the run stands, `typed` the listed plan of the instance type and `claimed` that
    of the claim, where there are any.
    """
    return (
        *_provider_conflicts(seen, claim, claimed),
        *_type_conflicts(seen, claim, typed=typed, claimed=claimed),
        *(_machine_conflicts(seen, plan) if plan.is_listed else ()),
    )


def _provider_conflicts(seen: Seen, claim: Claim, claimed: Plan | None) -> Iterator[str]:
    if not seen.provider:
        return
    named = claimed.provider_id if claimed else provider_slug_of((claim.provider or "").strip())
    if named and named != provider_slug_of(seen.provider):
        said = claim.provider or claim.plan
        yield f"The claim says {said}; the firmware names {seen.provider}."


def _type_conflicts(
    seen: Seen, claim: Claim, *, typed: Plan | None, claimed: Plan | None
) -> Iterator[str]:
    if not seen.instance_type or not claim.plan:
        return
    if claimed is not None and (claimed.kind == "volume" or claimed == typed):
        return
    if claimed is None and slug_of(claim.plan) == slug_of(seen.instance_type):
        return
    yield f"The claim says {claim.plan}; the firmware names the type {seen.instance_type}."


def _machine_conflicts(seen: Seen, plan: Plan) -> Iterator[str]:
    """Compare the machine with what is offered."""
    if plan.provider_id in (HOME, UNLISTED):
        return
    arch = _ARCHITECTURES.get(seen.arch)
    if plan.arch and arch and plan.arch != arch:
        yield f"{plan.name} is {plan.arch}; the machine is {arch}."
    if plan.kind == "dedicated" and seen.virt not in (BARE_METAL, "unknown", "container"):
        yield f"{plan.name} is a dedicated server; the system runs under {seen.virt}."
    if plan.kind in _SHARED_KINDS and seen.virt == BARE_METAL:
        yield f"{plan.name} is a virtual machine; the system runs on bare metal."
    if plan.kind in _SHARED_KINDS and not seen.is_contained:
        yield from _size_conflicts(seen, plan)
    if plan.storage_kind in _LOCAL and seen.storage is Storage.NETWORK:
        yield f"{plan.name} has local drives; the file lay on a network volume."
    if plan.storage_kind == StorageKind.NETWORK and seen.storage is Storage.LOCAL:
        yield f"{plan.name} is storage on the network; the file lay on a local drive."


def _size_conflicts(seen: Seen, plan: Plan) -> Iterator[str]:
    if plan.vcpus and seen.cpu_count:
        least = plan.vcpus / THREADS_OF_A_CORE
        if not least <= seen.cpu_count <= plan.vcpus:
            yield f"{plan.name} has {plan.vcpus} vCPUs; the machine shows {seen.cpu_count}."
    if plan.ram_gb and seen.ram_bytes:
        share = seen.ram_bytes / (float(plan.ram_gb) * _GIB)
        if not MEMORY_SHARE_MIN <= share <= MEMORY_SHARE_MAX:
            sold, shown = f"{float(plan.ram_gb):g}", f"{seen.ram_bytes / _GIB:.1f}"
            yield f"{plan.name} has {sold} GB of memory; the machine shows {shown}."
