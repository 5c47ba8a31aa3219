"""Names that strangers sent are held until a moderator has read them.

A mark stands where the name would stand. As other names of the catalogue it is not translated.
"""

from __future__ import annotations

import hashlib
from typing import Final

from apps.plans.regions import place_of

UNSEEN_NAME: Final = "(unlisted)"  # of a provider, plan or drive that a run is said to be of
UNSEEN_PLAN: Final = "an unlisted plan"
_DIGITS: Final = 12  # of the SHA-256: enough that no two of a million plans share them


def shown_region(sent: str, *, provider: str) -> str:
    """Return the name of a region where a list of the catalogue has it, else the mark."""
    return sent if not sent or place_of(sent, provider=provider).group else UNSEEN_NAME


def held_slug(slug: str) -> str:
    """Return what stands in an address for the words of a slug."""
    return hashlib.sha256(slug.encode()).hexdigest()[:_DIGITS]


def held_plan_name(_sent: str, digits: str, *, provider: str = "") -> str:
    """Return what an unlisted plan is called until then; `provider` is a name of the catalogue."""
    of_whom = f"{provider}: " if provider else ""
    return f"{of_whom}{UNSEEN_PLAN} {digits}"
