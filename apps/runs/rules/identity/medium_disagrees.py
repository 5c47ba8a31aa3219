"""A device reports another medium than the catalogue has for its family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import medium_disagreement
from apps.runs.figures import EACH
from apps.runs.members import report_of
from apps.runs.rules.common_words import TELL_DRIVE
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    members = facts.members
    doubts = [
        doubt
        for device, family in zip(members.devices, members.families, strict=True)
        if family is not None
        and (doubt := medium_disagreement(report_of(device), family)) is not None
    ]
    each_once = [doubt for place, doubt in enumerate(doubts) if doubt not in doubts[:place]]
    return {EACH: each_once} if each_once else None


RULE: Final = Rule(
    id="medium-disagrees",
    version=1,
    kind=RuleKind.IDENTITY,
    text="device and family disagree",
    why="Bus and rotational flag make the drive another medium than its family is. Virtual disks "
    "and USB are not judged.",
    remedy=TELL_DRIVE,
    cases={
        "medium": "The device reports {reported:medium}; the catalogue has {family} as "
        "{medium:medium}."
    },
    check=check,
)
