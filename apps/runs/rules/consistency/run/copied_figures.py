"""Another key, or another machine of this one, had the same latencies to the nanosecond."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.history import COPY_COMMITS_MIN
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    if facts.history.copied_from is None:
        return None
    return {"run": facts.history.copied_from}


RULE: Final = Rule(
    id="copied-figures",
    version=2,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="figures of another run",
    explanation="A run of another key, or of another machine of the same key, was sent before "
    "whose commits have the same count in each bucket, and the same sum, smallest and largest to "
    "the nanosecond. Two measurements never agree so far: one of them was copied. The earlier one "
    "is not touched.",
    threshold=f"Speaks where all of it is equal and there were {COPY_COMMITS_MIN} commits or "
    "more. The same bytes under another key are refused at the door.",
    origin="The sum of a hundred latencies that vary by 1 % of 100 µs agrees to the nanosecond "
    "once in tens of thousands, and the buckets and extremes must agree as well.",
    remedy="Measure on the machine itself. If both keys are yours, use one.",
    finding="Run {run}, of another key or machine, has the very same latencies.",
    check=check,
)
