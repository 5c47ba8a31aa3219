"""Nothing is known of the drives, and commits are quicker than flash can be programmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import MEASURE_OUTSIDE, P50_BELOW_FLOOR
from apps.runs.rules.devices import PROGRAMMED_NS_MIN
from apps.runs.rules.environment.storage import memory_filesystem
from apps.runs.rules.environment.unseen import unseen_server
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    p50_ns = facts.commit_p50_ns
    if facts.run.devices or p50_ns is None or p50_ns >= PROGRAMMED_NS_MIN:
        return None
    if memory_filesystem.check(facts) is not None or unseen_server.check(facts) is not None:
        return None
    return {"p50_ns": p50_ns, "floor_ns": PROGRAMMED_NS_MIN}


RULE: Final = Rule(
    id="unseen-drive",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="drive out of sight",
    why="No drive is seen under the file, and half of the commits took less than "
    f"{PROGRAMMED_NS_MIN / 1000:g} µs, the floor of flash. A volatile cache looks the same.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy=MEASURE_OUTSIDE,
    finding=P50_BELOW_FLOOR,
    check=check,
)
