"""The level of a run: how much can be defended about it, decided here and nowhere else.

"Reproduced" is of a cell and no level of a run; see apps.stats.standings.agreement.
"""

from __future__ import annotations

from typing import Final

from apps.runs.models import Level

MEASURED: Final = (Level.SIGNED, Level.WITNESSED, Level.PLACED, Level.LAB)  # by our agent
# Each says at least that the run was not prepared before it was asked for.
COUNTING: Final = (Level.WITNESSED, Level.PLACED, Level.LAB)


def level_of(*, is_fresh: bool, is_consistent: bool, is_placed: bool, is_lab: bool) -> Level:
    """Return the level of a run that a key signed.

    `is_fresh`: its challenge was issued before it and came back in time. `is_consistent`: its
    figures fit each other. Without both neither a provider's word nor a laboratory's lifts it.
    """
    if not (is_fresh and is_consistent):
        return Level.SIGNED
    if is_lab:
        return Level.LAB
    return Level.PLACED if is_placed else Level.WITNESSED


def evidence_of(shown_level: str) -> str:
    """Return `measured`, `lab`, `published`, `imported`, or `example` where the run is made up."""
    is_ours = shown_level in MEASURED and shown_level != Level.LAB
    return "measured" if is_ours else shown_level
