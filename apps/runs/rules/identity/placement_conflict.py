"""Claim, firmware, metadata and machine do not agree on what was rented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import EACH
from apps.runs.rules.common_words import TELL_PLAN
from apps.runs.rules.identity import MACHINE_CASES
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    return {EACH: list(facts.placement.questions)} if facts.placement.questions else None


_METADATA_PROVIDER: Final = "The cloud's metadata names {metadata}; the firmware names {firmware}."
_PROVIDER: Final = "The claim says {claim}; {teller:word} names {named}."
_HELD: Final = "The claim says something else; {teller:word} names {named}."

RULE: Final = Rule(
    id="placement-conflict",
    version=3,
    kind=RuleKind.IDENTITY,
    text="claim and machine disagree",
    why="Claim, firmware, metadata and machine disagree on provider, type or storage. The run "
    "stands where the firmware says, then the metadata, then the claim.",
    remedy=TELL_PLAN,
    cases={
        "metadata-provider": _METADATA_PROVIDER,
        "metadata-type": _METADATA_PROVIDER,
        "provider": _PROVIDER,
        "type": _PROVIDER,
        "provider-held": _HELD,
        "type-held": _HELD,
        "look-alike": "The provider is written almost like {known}.",
        "firmware": "the firmware",
        "metadata": "the cloud's metadata",
        **MACHINE_CASES,
        "local-storage": "{plan} has local drives; the file lay on a network volume.",
        "network-storage": "{plan} is storage on the network; the file lay on a local drive.",
    },
    check=check,
)
