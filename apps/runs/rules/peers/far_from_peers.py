"""The uploader of a run lies far from the others of its cell.

The modified z-score of an uploader's value x = ln(rate) in its cell is 0.6745 (x - median) / MAD
(Iglewicz and Hoaglin 1993); the limits are those of stats.standings.outliers. A cell judges, not a
run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE, tenths
from apps.runs.rules.common_words import AT_OTHER_HOURS
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.stats.standings.outliers import SCORE_MAX, UPLOADERS_MIN

if TYPE_CHECKING:
    from apps.runs.figures import Figures


def far_from_peers(*, modified_z: float, uploaders: int) -> Figures | None:
    if uploaders < UPLOADERS_MIN or abs(modified_z) <= SCORE_MAX:
        return None
    return {
        CASE: "above" if modified_z > 0 else "below",
        "score_tenths": tenths(modified_z),
        "uploaders": uploaders,
    }


_ABOVE: Final = "Its modified z-score is {score_tenths:tenths} among {uploaders} uploaders."

RULE: Final = Rule(
    id="far-from-peers",
    version=1,
    kind=RuleKind.PEERS,
    text="far from its peers",
    why=f"The uploader lies beyond a modified z-score of {SCORE_MAX} (Iglewicz and Hoaglin, 1993) "
    f"among {UPLOADERS_MIN} or more. Another drive, a busy neighbour and an invented figure look "
    "the same.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy=AT_OTHER_HOURS,
    cases={
        "above": _ABOVE,
        "below": _ABOVE,
    },
)
