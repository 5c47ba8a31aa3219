"""The measured file has the contents that follow from the seed of the challenge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
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


RULE: Final = Rule(
    id="seed-proof",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="file contents not proven",
    explanation="A challenge decides what the measured file must contain; reading it back "
    "proves that the run was not made before. The proof is missing or wrong.",
    threshold="Speaks where the SHA-256 over 16 blocks of the file differs in any bit.",
    origin="A yes or no: the contents follow from the seed.",
    remedy="Measure again. If it happens again, the drive returned other bytes than were "
    "written: check it.",
    cases={
        "missing": "The run names a challenge and carries no proof of its file contents.",
        "wrong": "The proof is not that of the contents that the challenge demanded.",
    },
    check=check,
)
