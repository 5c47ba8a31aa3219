"""What a machine reports about its provider and plan, what its owner claims, and their conflicts.

A conflict names both sides and is no verdict: resellers rent out machines of other providers,
people run virtual machines on rented servers, and uploads are sent later from elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from apps.plans.held import UNSEEN_NAME
from apps.plans.models import NOT_FOR_RENT, StorageKind
from apps.plans.naming import provider_slug_of, slug_of
from apps.plans.regions import Offered, offered_in, place_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from decimal import Decimal

    from apps.plans.models import Plan

BARE_METAL: Final = "none"  # of env.virt
VOLUME: Final = "volume"  # a kind of plan that is rented beside a machine of any type
# Kernel, crash area and firmware keep part of the memory, a larger part of a small machine's, and a
# gigabyte of a provider is 10^9 or 2^30 bytes.
MEMORY_SHARE_MIN: Final = 0.75
MEMORY_SHARE_MAX: Final = 1.10
THREADS_OF_A_CORE: Final = 2  # without hyper-threading a machine has half of the vCPUs
_GIB: Final = 1 << 30
_ARCHITECTURES: Final = {"aarch64": "arm64", "x86_64": "x86_64"}
_LOCAL: Final = frozenset({StorageKind.LOCAL_NVME.value, StorageKind.LOCAL_SATA.value})
_SHARED_KINDS: Final = frozenset({"cloud", "vps"})

# What a machine can be seen to be: one that is not as the claimed plan is sold is not that plan.
# Kinds of storage are not among them, since a machine may have both.
CONTRADICTIONS: Final = frozenset({"architecture", "dedicated", "virtual", "processors", "memory"})
# What the catalogue has a list of for a plan. Such lists rarely have all that there are: who got
# another drive, or rented elsewhere, is asked and not doubted, unless the list is called complete.
LISTS: Final = frozenset({"drives", "networks", "regions"})
_LIST_OF: Final = {"drive": "drives", "region": "regions"}

# Names and figures of both sides, with the kind of conflict as `case`. The rules
# `placement-conflict` and `network-elsewhere` have a sentence for each case.
Conflict: TypeAlias = dict[str, str | int]

# Cloud software whose metadata service names the type but not the provider, with the clouds of the
# catalogue that run it and whose types differ by name.
PLATFORMS: Final[dict[str, tuple[str, ...]]] = {"openstack": ("infomaniak", "ovhcloud")}


class Basis(StrEnum):
    """What decided on the plan of a run, the first source first."""

    INSTANCE_TYPE = "instance-type"  # of the firmware
    METADATA = "metadata"  # of the cloud's own service: its instance type, or its name alone
    CLAIM = "claim"
    FIRMWARE = "firmware"  # the provider alone is known, by its name in the firmware
    NETWORK = "network"  # the provider alone is known, by the network from which the upload came
    DEVICE = "device"  # nothing is known: the plan is named after the drive


class ReportSource(StrEnum):
    """A source on the machine's side: its firmware, or the cloud's metadata."""

    FIRMWARE = "firmware"
    METADATA = "metadata"


class DeviceLocation(StrEnum):
    """Whether the measured device is in the machine or behind a network, by its family."""

    LOCAL = "local"
    NETWORK = "network"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class MachineReport:
    """What the agent read on the machine, unchanged."""

    provider: str | None = None  # slug of the agent's list of clouds
    instance_type: str | None = None
    metadata_provider: str | None = None  # by the cloud's metadata service
    metadata_type: str | None = None
    product: str | None = None  # DMI product name
    arch: str = ""
    virt: str = "unknown"
    cpu_count: int = 0  # 0: not known
    ram_bytes: int = 0
    is_contained: bool = False  # in a container, which may see a part of the machine
    region: str = ""  # by the cloud's metadata, else by the claim
    drive: str = ""  # the family of a physical drive, where all are of one
    storage: DeviceLocation = DeviceLocation.UNKNOWN


@dataclass(frozen=True, slots=True)
class DeviceName:
    """What a drive is called, and whether the catalogue calls it so."""

    text: str
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class PlacementClaim:
    """What the owner claimed; None where nothing was claimed."""

    provider: str | None = None
    plan: str | None = None


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """Provider and type of a machine, by its firmware, else by the cloud's metadata.

    `provider` is a slug and `type` as the machine names it; each is "" where it is not named.
    """

    provider: str = ""
    provider_by: ReportSource = ReportSource.FIRMWARE
    type: str = ""
    type_by: ReportSource = ReportSource.FIRMWARE
    plan: Plan | None = None  # the listed plan of the type

    @property
    def basis(self) -> Basis:
        """What decides on the plan if the claim does not."""
        if (self.type_by if self.type else self.provider_by) is ReportSource.METADATA:
            return Basis.METADATA
        return Basis.INSTANCE_TYPE if self.plan else Basis.FIRMWARE


@dataclass(frozen=True, slots=True)
class Placement:
    """The plan on which a run stands, what decided, and every contradiction."""

    plan: Plan
    basis: Basis
    conflicts: tuple[Conflict, ...]  # of claim, firmware, metadata and machine
    unlisted: tuple[Conflict, ...] = ()  # what the catalogue does not list for the plan
    elsewhere: Conflict | None = None  # the upload came from the network of another provider

    @property
    def contradictions(self) -> tuple[Conflict, ...]:
        """What the machine shows against the plan, where only the claim names it."""
        if self.basis is not Basis.CLAIM:
            return ()
        complete = self.plan.complete_lists
        machine = (each for each in self.conflicts if each["case"] in CONTRADICTIONS)
        others = (each for each in self.unlisted if _LIST_OF[str(each["case"])] in complete)
        network = (self.elsewhere,) if self.elsewhere and "networks" in complete else ()
        return (*machine, *others, *network)

    @property
    def questions(self) -> tuple[Conflict, ...]:
        """The other conflicts of claim, firmware, metadata and machine."""
        return tuple(each for each in self.conflicts if each not in self.contradictions)

    @property
    def other_places(self) -> tuple[Conflict, ...]:
        """What the catalogue does not list for the plan, of lists that are not complete."""
        return tuple(each for each in self.unlisted if each not in self.contradictions)

    @property
    def sent_elsewhere(self) -> Conflict | None:
        """The network of another provider, where that alone says nothing against the plan."""
        return None if self.elsewhere in self.contradictions else self.elsewhere

    @property
    def disagreements(self) -> list[Conflict]:
        """All conflicts."""
        return [*self.conflicts, *self.unlisted, *([self.elsewhere] if self.elsewhere else [])]


def machine_words(seen: MachineReport) -> str:
    """Return a name by product and size for a machine of which only the provider is known.

    The size is in it because machines of different size must not share a plan. An example is
    "vServer, 4 processors, 8 GB".
    """
    words = [seen.product or "machine"]
    if seen.cpu_count:
        words.append(f"{seen.cpu_count} processor{'' if seen.cpu_count == 1 else 's'}")
    if seen.ram_bytes:
        words.append(f"{round(seen.ram_bytes / _GIB) or 1} GB")
    return ", ".join(words)


def names_same(one: str, other: str) -> bool:
    """Whether two names mean one type: they are equal, or one has a prefix of its cloud.

    D2s_v3 is Standard_D2s_v3, and DEV1-S is SCW-DEV1-S.
    """
    short, long = sorted((slug_of(one), slug_of(other)), key=len)
    return bool(short) and (long == short or long.endswith(f"-{short}"))


def conflicts_of(
    *,
    seen: MachineReport,
    claim: PlacementClaim,
    plan: Plan,
    facts: MachineFacts,
    claimed: Plan | None,
) -> tuple[Conflict, ...]:
    """Return each disagreement of claim, firmware, metadata and machine.

    `plan` is the plan of the run and `claimed` the listed plan of the claim, if there is one.
    """
    return (
        *_metadata_conflicts(seen),
        *_provider_conflicts(facts, claim, claimed),
        *_type_conflicts(facts, claim, claimed),
        *(_machine_conflicts(seen, plan) if plan.is_listed else ()),
    )


def as_shown(conflict: Conflict, shown: PlacementClaim) -> Conflict:
    """Return a conflict without words of a claim that nobody has read; `shown` is that claim."""
    if "claim" not in conflict:
        return conflict
    told = shown.plan if conflict["case"] == "type" else shown.provider or shown.plan
    if told != UNSEEN_NAME:
        return conflict
    rest = {name: value for name, value in conflict.items() if name != "claim"}
    return {**rest, "case": f"{conflict['case']}-held"}


def network_conflict_of(
    *,
    facts: MachineFacts,
    claim: PlacementClaim,
    claimed: Plan | None,
    network: str,
    clouds: Collection[str],
) -> Conflict | None:
    """Return both clouds where the upload came from another cloud's network, else None.

    `network` is the provider of the upload's network. `clouds` are the providers whose networks are
    known; for others, such as machines at home, the answer is None.
    """
    provider = facts.provider or _claimed_provider(claim, claimed)
    if not network or provider == network or provider not in clouds:
        return None
    source = facts.provider_by if facts.provider else "claim"
    return {"case": f"elsewhere-{source}", "named": provider, "network": network}


def _claimed_provider(claim: PlacementClaim, claimed: Plan | None) -> str:
    return claimed.provider_id if claimed else provider_slug_of((claim.provider or "").strip())


def _metadata_conflicts(seen: MachineReport) -> Iterator[Conflict]:
    """Yield what the cloud's metadata and the firmware name differently."""
    by_metadata = provider_slug_of(seen.metadata_provider or "")
    if by_metadata in PLATFORMS:
        by_metadata = ""
    if by_metadata and seen.provider and by_metadata != provider_slug_of(seen.provider):
        yield {
            "case": "metadata-provider",
            "metadata": seen.metadata_provider or "",
            "firmware": seen.provider,
        }
    elif (
        seen.metadata_type
        and seen.instance_type
        and not names_same(seen.metadata_type, seen.instance_type)
    ):
        yield {
            "case": "metadata-type",
            "metadata": seen.metadata_type,
            "firmware": seen.instance_type,
        }


def _provider_conflicts(
    facts: MachineFacts, claim: PlacementClaim, claimed: Plan | None
) -> Iterator[Conflict]:
    claimed_provider = _claimed_provider(claim, claimed)
    if facts.provider and claimed_provider and claimed_provider != facts.provider:
        yield {
            "case": "provider",
            "claim": claim.provider or claim.plan or "",
            "teller": facts.provider_by,
            "named": facts.provider,
        }


def _type_conflicts(
    facts: MachineFacts, claim: PlacementClaim, claimed: Plan | None
) -> Iterator[Conflict]:
    if not facts.type or not claim.plan:
        return
    if claimed is not None and (claimed.kind == VOLUME or claimed == facts.plan):
        return
    if names_same(claim.plan, facts.type):
        return
    yield {"case": "type", "claim": claim.plan, "teller": facts.type_by, "named": facts.type}


def _machine_conflicts(seen: MachineReport, plan: Plan) -> Iterator[Conflict]:
    """Yield what of the machine differs from the plan."""
    if plan.provider_id in NOT_FOR_RENT:
        return
    arch = _ARCHITECTURES.get(seen.arch)
    if plan.arch and arch and plan.arch != arch:
        yield {"case": "architecture", "plan": plan.name, "sold": plan.arch, "shown": arch}
    if plan.kind == "dedicated" and seen.virt not in (BARE_METAL, "unknown", "container"):
        yield {"case": "dedicated", "plan": plan.name, "shown": seen.virt}
    if plan.kind in _SHARED_KINDS and seen.virt == BARE_METAL:
        yield {"case": "virtual", "plan": plan.name}
    if plan.kind in _SHARED_KINDS and not seen.is_contained:
        yield from _size_conflicts(seen, plan)
    if plan.storage_kind in _LOCAL and seen.storage is DeviceLocation.NETWORK:
        yield {"case": "local-storage", "plan": plan.name}
    if plan.storage_kind == StorageKind.NETWORK and seen.storage is DeviceLocation.LOCAL:
        yield {"case": "network-storage", "plan": plan.name}


def unlisted_of(seen: MachineReport, plan: Plan) -> tuple[Conflict, ...]:
    """Return what the catalogue does not list for the plan: the machine's region, its drive."""
    if not plan.is_listed or plan.provider_id in NOT_FOR_RENT:
        return ()
    return tuple(_unlisted(seen, plan))


def _unlisted(seen: MachineReport, plan: Plan) -> Iterator[Conflict]:
    drives = [each for each in plan.drive_family_hint.split("; ") if each]
    if drives and seen.drive and plan.storage_kind in _LOCAL and seen.drive not in drives:
        yield {
            "case": "drive",
            "plan": plan.name,
            "listed": plan.drive_family_hint,
            "shown": seen.drive,
        }
    region = place_of(seen.region, provider=plan.provider_id)
    offered = offered_in(plan.regions, region=region, provider=plan.provider_id)
    if offered is Offered.NO:
        yield {
            "case": "region",
            "plan": plan.name,
            "listed": plan.regions,
            "shown": seen.region,
        }


def _size_conflicts(seen: MachineReport, plan: Plan) -> Iterator[Conflict]:
    if plan.vcpus and seen.cpu_count:
        least = plan.vcpus / THREADS_OF_A_CORE
        if not least <= seen.cpu_count <= plan.vcpus:
            yield {
                "case": "processors",
                "plan": plan.name,
                "sold": plan.vcpus,
                "shown": seen.cpu_count,
            }
    if plan.ram_gb and seen.ram_bytes and not fits_memory(seen.ram_bytes, ram_gb=plan.ram_gb):
        yield {
            "case": "memory",
            "plan": plan.name,
            "sold_milli": round(plan.ram_gb * 1000),
            "shown_bytes": seen.ram_bytes,
        }


def fits_memory(ram_bytes: int, *, ram_gb: Decimal) -> bool:
    """Whether a machine with this memory may have been sold with `ram_gb` gigabytes."""
    share = ram_bytes / (float(ram_gb) * _GIB)
    return MEMORY_SHARE_MIN <= share <= MEMORY_SHARE_MAX
