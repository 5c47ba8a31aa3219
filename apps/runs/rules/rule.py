"""What a rule is: a permanent id, a version, its words, and a check."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from apps.runs.figures import Figures, Words
    from apps.runs.rules.run_facts import RunFacts

# What a label does that keeps something out.
_CONSEQUENCES: Final[dict[str, str]] = {
    KeepsOut.RUN: "Label: the run is shown with it and kept out of standings.",
    KeepsOut.PLAN: "Label: the run is shown with it. It counts for its drive, and not for the "
    "plan.",
    KeepsOut.DISTURBED: "Label: the run is shown with it. What others disturbed counts in no "
    "standing.",
    KeepsOut.READS: "Label: the run is shown with it. Its reads count in no standing, its commits "
    "do.",
    KeepsOut.WEIGHT: "Label: the run is shown with it and counts. An uploader all of whose runs in "
    "a standing have a label that says so weighs half there.",
}


class RuleKind(StrEnum):
    """What a rule is about: the folder that it lies in. Pages list the kinds in this order."""

    FRESHNESS = "freshness"  # whether the run was made when we asked for it
    CONSISTENCY = "consistency"  # whether the figures fit each other; Witnessed demands it
    IDENTITY = "identity"  # whether all say the same of what was measured
    ENVIRONMENT = "environment"  # where the file lay, and what else went on
    PHYSICS = "physics"  # whether the medium can do that
    PEERS = "peers"  # whether it lies far from what others measured
    BEHAVIOUR = "behaviour"  # how runs come in


_KINDS: Final = tuple(RuleKind)
_GRAVEST_FIRST: Final = (
    KeepsOut.RUN, KeepsOut.PLAN, KeepsOut.DISTURBED, KeepsOut.READS, KeepsOut.WEIGHT,
    KeepsOut.NOTHING,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `check` returns the figures of its finding, or None.

    Figures that may change without the rule, as those of `judgement.v1.json`, have places in the
    words of its threshold.
    A rule without a check needs several runs; `judged_by` says when it is applied.
    """

    id: str
    version: int
    kind: RuleKind
    outcome: Outcome = Outcome.LABEL
    keeps_out: KeepsOut = KeepsOut.NOTHING
    text: str  # on the label
    explanation: str  # what it means
    threshold: str  # when it speaks
    threshold_figures: Mapping[str, float | Sequence[str]] = field(default_factory=dict)
    origin: str  # where its number comes from
    remedy: str  # what to do about it
    finding: Words = ""  # about the figures of its check, or in several cases:
    cases: Mapping[str, Words] = field(default_factory=dict)
    check: Callable[[RunFacts], Figures | None] | None = None
    judged_by: str = "when the run is normalised"

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
    def stands_nowhere(self) -> str:
        """The part of a run that the label keeps out of standings, in a few words."""
        if self.kind is RuleKind.FRESHNESS:
            return "the whole run, by its level"
        return str(self.keeps_out.label)

    @property
    def consequence(self) -> str:
        """What the label does to the run, in a sentence."""
        if self.outcome == Outcome.QUARANTINE:
            return (
                "Quarantine: the run keeps its page, with this reason. Its level is Signed, and it "
                "counts in no standing."
            )
        if self.keeps_out in _CONSEQUENCES:
            return _CONSEQUENCES[self.keeps_out]
        if self.kind is RuleKind.FRESHNESS:
            return "Label: the run stays at level Signed, which is shown and not ranked."
        return "Label: the run is shown with it and counts as before."
