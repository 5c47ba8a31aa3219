"""Another key, or another machine of this one, had the same latencies to the nanosecond."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import MEASURE_ON_IT
from apps.runs.rules.history import COPY_COMMITS_MIN
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.history import History


def find_in(history: History) -> Figures | None:
    """Return the figures of the finding in what came before a run, or None."""
    if history.copied_from is None:
        return None
    return {"run": history.copied_from}


RULE: Final = Rule(
    id="copied-figures",
    version=2,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="figures of another run",
    why="An earlier run of another key or machine has the same buckets, sum, shortest and "
    f"longest to the nanosecond, over {COPY_COMMITS_MIN} commits or more: one is a copy.",
    remedy=MEASURE_ON_IT,
    finding="Run {run} has the very same latencies.",
    check=lambda facts: find_in(facts.history),
)
