"""Other programs used the drive during a pass of the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import STOP_OTHERS, THEIR_SHARE
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.stats.analysis.interference import DEVICE_SHARE_MILLI_MAX

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    headline = facts.headline
    if headline is None or not headline.others.disturbs_device:
        return None
    return {"share_permille": headline.others.device_permille}


RULE: Final = Rule(
    id="other-io",
    version=3,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="others used the drive",
    why="Other programs moved over {share:.0%} of the drive's bytes during a pass "
    "of the headline: neighbours show in p99. Only ext4 and XFS are judged.",
    why_figures={"share": DEVICE_SHARE_MILLI_MAX / 1000},
    basis=ThresholdBasis.MEASURED,
    remedy=STOP_OTHERS,
    finding=THEIR_SHARE,
    check=check,
)
