"""The uploader of a run lies far from the others of its cell.

The modified z-score of an uploader's value x = ln(rate) in its cell is 0.6745 (x - median) / MAD
(Iglewicz and Hoaglin 1993); the limits are those of stats.standings.outliers. A cell judges, not a
run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE, tenths
from apps.runs.rules.rule import Rule, RuleKind
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


RULE: Final = Rule(
    id="far-from-peers",
    version=1,
    kind=RuleKind.PEERS,
    text="far from its peers",
    explanation="The uploader of this run lies far from the others who measured the same. "
    "Another drive behind the same plan, a busy neighbour and an invented figure all look "
    "like that: it is looked at, and nothing is removed.",
    threshold=f"Speaks beyond a modified z-score of {SCORE_MAX} in the logarithm of the rate, "
    f"from {UPLOADERS_MIN} uploaders on.",
    origin="Iglewicz and Hoaglin (1993). Of fewer uploaders the median absolute deviation "
    "means nothing.",
    remedy="Measure again, and on a second machine of the plan.",
    cases={
        "above": "Its uploader lies above the others of its cell: modified z-score "
        "{score_tenths:tenths} among {uploaders} uploaders.",
        "below": "Its uploader lies below the others of its cell: modified z-score "
        "{score_tenths:tenths} among {uploaders} uploaders.",
    },
    judged_by="when the standing of its cell is computed, which knows the other runs",
)
