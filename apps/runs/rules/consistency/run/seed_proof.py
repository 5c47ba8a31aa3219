"""The measured file has the contents that follow from the seed of the challenge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import MEASURE_AGAIN
from apps.runs.rules.rule import Rule, RuleKind
from apps.wire.seed import seed_proof

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    if facts.challenge_seed is None:
        return None
    if facts.run.seed_proof is None:
        return {CASE: "missing"}
    if facts.run.seed_proof != seed_proof(facts.challenge_seed):
        return {CASE: "wrong"}
    return None


_UNPROVEN: Final = "The proof of the file's contents is missing or wrong."

RULE: Final = Rule(
    id="seed-proof",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="file contents not proven",
    why="The challenge decides what the file holds: the SHA-256 over 16 blocks read back proves "
    "that the run was not made before.",
    remedy=MEASURE_AGAIN,
    cases={"missing": _UNPROVEN, "wrong": _UNPROVEN},
    check=check,
)
