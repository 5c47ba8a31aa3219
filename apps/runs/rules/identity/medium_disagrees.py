"""A device reports another medium than the catalogue has for its family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import medium_disagreement
from apps.runs.figures import EACH
from apps.runs.members import report_of
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
    explanation="The device reports itself as another medium than the catalogue has for the "
    "family that its name means. Host adapters call flash rotational and bridges hide what "
    "lies behind them; a name may also be borrowed. Both are shown, neither is believed "
    "more.",
    threshold="Speaks where attachment and rotational flag of a member make it another medium "
    "than its family is. Virtual disks, drives on USB and devices that do not tell are not "
    "judged.",
    origin="A yes or no: the kernel's words and the facts of the catalogue of drives.",
    remedy="Look how the drive is attached, and at what the controller makes of it. If the "
    "drive is not the one that we recognised, tell us.",
    cases={
        "medium": "The device reports {reported:medium}; the catalogue has {family} as "
        "{medium:medium}."
    },
    check=check,
)
