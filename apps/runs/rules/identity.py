"""Checks whether everybody says the same of what was measured: claim, machine, drive, network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.drives.media import medium_disagreements
from apps.runs.members import reported

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts


def placement_conflict(facts: RunFacts) -> str | None:
    """Claim, firmware, metadata and machine do not agree on what was rented."""
    return " ".join(facts.placement.conflicts) or None


def network_elsewhere(facts: RunFacts) -> str | None:
    """The upload came from the network of another provider."""
    return facts.placement.elsewhere or None


def medium_disagrees(facts: RunFacts) -> str | None:
    """A device reports another medium than the catalogue has for its family."""
    members = facts.members
    found = [
        sentence
        for device, family in zip(members.devices, members.families, strict=True)
        if family is not None
        for sentence in medium_disagreements(reported(device), family)
    ]
    return " ".join(dict.fromkeys(found)) or None
