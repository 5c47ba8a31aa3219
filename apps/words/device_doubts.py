"""Sentences on how a device and its drive family disagree, for the page of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import Doubt
from apps.runs.rules.identity import medium_disagrees

if TYPE_CHECKING:
    from apps.runs.figures import Words

# The rule of media has the words of what the device itself contradicts.
DEVICE_DOUBTS: Final[dict[str, Words]] = {
    **medium_disagrees.RULE.cases,
    Doubt.CALLED_WRITE_THROUGH: "The kernel takes the cache for write through; the drive says "
    "volatile.",
    Doubt.CALLED_WRITE_BACK: "The kernel takes the cache for write back; the drive says none is "
    "volatile.",
    Doubt.PROTECTED_CALLED_VOLATILE: "The device reports a volatile write cache; {family} keeps "
    "its cache through a power cut.",
    Doubt.UNPROTECTED_CALLED_SAFE: "The device reports no volatile write cache; {family} has no "
    "power-loss protection.",
}
