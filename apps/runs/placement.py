"""Reads from a payload what decides on the plan of its run: the machine and the owner's claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.plans.placement import (
    DeviceLocation,
    DeviceName,
    MachineReport,
    Placement,
    PlacementClaim,
)
from apps.plans.services import place_run

if TYPE_CHECKING:
    from datetime import datetime

    from apps.drives.models import DriveFamily
    from apps.runs.members import Members
    from apps.wire.run import RunPayload

REGION_CHARACTERS_MAX: Final = 96  # of the column; a claim has no more
_STORAGE_OF: Final = {"network volume": DeviceLocation.NETWORK, "local disk": DeviceLocation.LOCAL}


def place(
    payload: RunPayload, *, members: Members, received_at: datetime, network_provider: str
) -> Placement:
    """Return the plan of a run, what decided and what contradicts; may create an unlisted plan.

    `network_provider` is the slug of the provider in whose network the sender was, "" for none.
    """
    return place_run(
        seen=seen_by_agent(payload, members=members),
        claim=PlacementClaim(provider=payload.claim.provider, plan=payload.claim.plan),
        device=DeviceName(members.display_name, is_known=members.family is not None),
        day=received_at.date(),
        network=network_provider,
    )


def seen_by_agent(payload: RunPayload, *, members: Members) -> MachineReport:
    """Return what the agent read on the machine, without the owner's claim."""
    env, metadata = payload.env, payload.env.cloud_metadata
    return MachineReport(
        provider=env.provider,
        instance_type=env.instance_type,
        metadata_provider=metadata.provider if metadata else None,
        metadata_type=metadata.instance_type if metadata else None,
        product=env.cloud_product,
        arch=env.arch,
        virt=env.virt,
        cpu_count=env.cpu_count,
        ram_bytes=env.ram_bytes,
        is_contained=env.container is not None,
        region=region_of(payload),
        drive=_drive(members),
        storage=_storage(members),
    )


def region_of(payload: RunPayload) -> str:
    """Return the region of the machine: by the cloud's metadata, else by the claim."""
    metadata = payload.env.cloud_metadata
    region = (metadata.region if metadata else None) or payload.claim.region
    return (region or "")[:REGION_CHARACTERS_MAX]


def _drive(members: Members) -> str:
    """Return the name of the family of all drives, "" where they differ or are virtual."""
    families = set(members.families)
    family = families.pop() if len(families) == 1 else None
    return family.name if family is not None and not family.is_virtual else ""


def _storage(members: Members) -> DeviceLocation:
    kinds = {_storage_of(family) for family in members.families}
    return kinds.pop() if len(kinds) == 1 else DeviceLocation.UNKNOWN


def _storage_of(family: DriveFamily | None) -> DeviceLocation:
    """Return where a drive of this family is; a physical one is in the machine."""
    if family is None:
        return DeviceLocation.UNKNOWN
    if not family.is_virtual:
        return DeviceLocation.LOCAL
    return _STORAGE_OF.get(family.form_factor, DeviceLocation.UNKNOWN)
