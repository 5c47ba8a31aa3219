"""The sum of latencies fits the elapsed time and the operations in flight.

With one operation in flight, the latencies fill the elapsed time. With n in flight in a closed
loop, their sum is at most n times the elapsed time (Little 1961), and hardly less than once: an
operation begins as soon as another has ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE, tenths
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import MEASURE_AGAIN
from apps.runs.rules.consistency import TOLERANCE
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.runs.rules.workloads import MeasuredWorkload

BUSY_SHARE_MIN: Final = 0.5  # of the elapsed time: between operations there is only the agent


def check(facts: RunFacts) -> Figures | None:
    for each in facts.one_at_a_time():
        whole = each.whole
        if whole is None or not each.workload.elapsed_ns:
            continue
        share = whole.sum_ns / each.workload.elapsed_ns
        if abs(share - 1) > TOLERANCE:
            return {
                CASE: "one",
                "workload": each.workload.id,
                "sum_ns": whole.sum_ns,
                "share_permille": tenths(share * 100),
                "elapsed_ns": each.workload.elapsed_ns,
            }
    findings = (_wrong_in_flight(each) for each in facts.workloads)
    return next((figures for figures in findings if figures is not None), None)


def _wrong_in_flight(each: MeasuredWorkload) -> Figures | None:
    """Return figures if a closed loop had more operations in flight than it can, or hardly any.

    For each operation in flight, one began in the warm-up of a pass. It can have taken as long as
    the longest latency, but not longer than warm-up and pass together.
    """
    definition, workload = each.definition, each.workload
    if definition is None or definition.p99_ns_max is not None:  # a search is an open loop
        return None
    commits = each.histograms.get("commit")
    wholes = [commits] if commits else [
        each.histograms[side] for side in ("read", "write") if side in each.histograms
    ]  # fmt: skip
    together_ns = sum(whole.sum_ns for whole in wholes)
    longest_ns = max((whole.max_ns for whole in wholes), default=0)
    begun_before_ns = sum(
        min(longest_ns, definition.warm_up_ns + one.elapsed_ns) for one in workload.passes
    )
    in_flight = definition.writers * definition.queue_depth
    most_ns = in_flight * (workload.elapsed_ns * (1 + TOLERANCE) + begun_before_ns)
    has_wholes = bool(wholes) and (commits is not None or "commit" not in definition.histograms)
    is_idle = has_wholes and together_ns < BUSY_SHARE_MIN * workload.elapsed_ns
    if together_ns <= most_ns and not is_idle:
        return None
    return {
        CASE: "idle" if is_idle else "several",
        "workload": workload.id,
        "sum_ns": together_ns,
        "in_flight": in_flight,
        "elapsed_ns": workload.elapsed_ns,
    }


_SEVERAL: Final = (
    "{workload}: operations took {sum_ns} ns together; {in_flight} in flight cannot in "
    "{elapsed_ns} ns."
)

RULE: Final = Rule(
    id="rate-against-latency",
    version=3,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="rate and latency disagree",
    why="By Little's law the latencies of one writer add up to the elapsed time within "
    "{tolerance:.0%}, those of n in flight to between {busy_share:.0%} of it and n times it. "
    "Searches are not judged.",
    why_figures={"tolerance": TOLERANCE, "busy_share": BUSY_SHARE_MIN},
    remedy=MEASURE_AGAIN,
    cases={
        "one": "{workload}: operations took {sum_ns} ns together, {share_permille:tenths}% of the "
        "{elapsed_ns} ns that went by.",
        "several": _SEVERAL,
        "idle": _SEVERAL,
    },
    check=check,
)
