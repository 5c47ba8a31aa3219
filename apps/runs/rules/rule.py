"""What a rule is: a permanent id, a version, its words, and a check."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from apps.runs.figures import Figures, Words
    from apps.runs.rules.run_facts import RunFacts

# What a label does to its run, by the part that it keeps out of standings.
CONSEQUENCES: Final[dict[str, str]] = {
    KeepsOut.RUN: "This keeps the run out of standings.",
    KeepsOut.PLAN: "This keeps the run out of the standings of its plan.",
    KeepsOut.DISTURBED: "This keeps what was disturbed out of standings.",
    KeepsOut.READS: "This keeps its reads out of standings.",
    KeepsOut.WEIGHT: "An uploader with such runs alone weighs half.",
    KeepsOut.NOTHING: "The run counts as before.",
}
QUARANTINE: Final = "Quarantine: the figures cannot be what they say."
NOT_RANKED: Final = "The run is shown and not ranked."  # by its level


class RuleKind(StrEnum):
    """What a rule is about: the folder that it lies in. Pages list the kinds in this order."""

    FRESHNESS = "freshness"  # whether the run was made when we asked for it
    CONSISTENCY = "consistency"  # whether the figures fit each other; Witnessed demands it
    IDENTITY = "identity"  # whether all say the same of what was measured
    ENVIRONMENT = "environment"  # where the file lay, and what else went on
    PHYSICS = "physics"  # whether the medium can do that
    PEERS = "peers"  # whether it lies far from what others measured
    BEHAVIOUR = "behaviour"  # how runs come in
    DECISION = "decision"  # what its owner or a moderator says


class ThresholdBasis(StrEnum):
    """Where the threshold of a rule comes from; arithmetic and a yes or no need none."""

    MEASURED = "measured"
    DOCUMENTED = "documented"
    CONVENTION = "convention"


_KINDS: Final = tuple(RuleKind)
_GRAVEST_FIRST: Final = (
    KeepsOut.RUN, KeepsOut.PLAN, KeepsOut.DISTURBED, KeepsOut.READS, KeepsOut.WEIGHT,
    KeepsOut.NOTHING,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `check` returns the figures of its finding, or None.

    Figures that may change without the rule, as those of `judgement.v1.json`, have places in the
    words of `why`.
    """

    id: str
    version: int
    kind: RuleKind
    outcome: Outcome = Outcome.LABEL
    keeps_out: KeepsOut = KeepsOut.NOTHING
    text: str  # on the label
    why: str  # when it speaks, and why that matters
    why_figures: Mapping[str, float | str] = field(default_factory=dict)
    basis: ThresholdBasis | None = None  # of its threshold
    source: str = ""  # address of the document that it rests on, if it has one
    remedy: str  # what to do about it
    finding: Words = ""  # about the figures of its check; without any a rule says why it speaks
    cases: Mapping[str, Words] = field(default_factory=dict)  # the finding in several cases
    check: Callable[[RunFacts], Figures | None] | None = None  # None: it needs several runs

    def find(self, facts: RunFacts) -> Figures | None:
        """Return what the rule finds in one run, or None."""
        return self.check(facts) if self.check is not None else None

    @property
    def sort_key(self) -> tuple[int, bool, int, str]:
        """What orders rules on pages: kind, then the gravest consequence first, then id."""
        return (
            _KINDS.index(self.kind),
            self.outcome != Outcome.QUARANTINE,
            _GRAVEST_FIRST.index(self.keeps_out),
            self.id,
        )

    @property
    def consequence(self) -> str:
        """What the label does to the run, in a sentence."""
        if self.outcome == Outcome.QUARANTINE:
            return QUARANTINE
        if self.kind is RuleKind.FRESHNESS:
            return NOT_RANKED
        return CONSEQUENCES[self.keeps_out]
