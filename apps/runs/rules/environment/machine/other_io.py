"""Other programs used the drive during a pass of the headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.rule import Rule, RuleKind
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
    explanation="During a pass the drive moved more than the pass and its filesystem can have "
    "caused: the figures are not the drive's.",
    threshold="Speaks above {share_permille:percent} % of what the drive read and wrote during any "
    "pass of the headline, on ext4 and XFS. Elsewhere it cannot be told.",
    threshold_figures={"share_permille": DEVICE_SHARE_MILLI_MAX},
    origin="What filesystems write beside the data was measured where nobody else wrote; from 5 % "
    "on neighbours show in p99.",
    remedy="Stop the other programs and measure again, or let the agent wait until they stop.",
    finding="Other programs had {share_permille:percent} % of what the drive moved during a pass.",
    check=check,
)
