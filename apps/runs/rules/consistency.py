"""Checks that the figures of a run fit each other, and our clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.wire.seed import seed_proof

if TYPE_CHECKING:
    from apps.runs.rules.facts import Measured, RunFacts

TOLERANCE: Final = 0.02  # what clock reads and scheduling may cost between two operations
GROUP_COMMIT: Final = "group-commit"
CLOCK_TOLERANCE: Final = 1.02  # a clock that runs 2 % fast is broken, one that runs 1 % fast is not

GROUPED_SIDES: Final = frozenset({"write", "sync"})  # of a group commit: one for the whole group


def histogram_totals(facts: RunFacts) -> str | None:
    """Each operation is in each histogram once, and the exact sum fits the buckets.

    Every histogram of the workload must be there: rules cannot judge a commit that was left out.
    """
    for each in facts.measured:
        if each.definition is not None and each.histograms.keys() != {*each.definition.histograms}:
            brought = ", ".join(sorted(each.histograms))
            wanted = ", ".join(sorted(each.definition.histograms))
            return f"{each.sent.id}: histograms of {brought} instead of {wanted}."
        if found := _miscounted(each):
            return found
        for side, histogram in each.histograms.items():
            low, high = histogram.bounds_sum_ns()
            if not low <= histogram.sum_ns <= high:
                return (
                    f"{each.sent.id}: the {side} latencies add up to {histogram.sum_ns} ns, their "
                    f"histogram to {low} ns at least and {high} ns at most."
                )
    return None


def _miscounted(each: Measured) -> str | None:
    """Each operation has one latency a side, but where one sync is for many or a side for some."""
    operations = each.sent.operations
    kind = each.definition.operation if each.definition is not None else ""
    counts = {side: histogram.count for side, histogram in each.histograms.items()}
    if kind == "mix":  # an operation is a write or a read
        counts = {" and ".join(sorted(counts)): sum(counts.values())}
    shared = GROUPED_SIDES if kind == "group-commit" else frozenset()
    for side, count in counts.items():
        fits = 0 < count <= operations if side in shared else count == operations
        if not fits:
            return f"{each.sent.id}: {count} {side} latencies of {operations} operations."
    return None


def pass_totals(facts: RunFacts) -> str | None:
    """The passes of a workload add up to the workload."""
    for each in facts.measured:
        sent, passes = each.sent, each.sent.passes
        totals = {
            "operations": (sum(one.operations for one in passes), sent.operations),
            "bytes": (sum(one.bytes for one in passes), sent.bytes),
            "elapsed nanoseconds": (sum(one.elapsed_ns for one in passes), sent.elapsed_ns),
        }
        for name, (added, stated) in totals.items():
            if added != stated:
                return f"{sent.id}: passes add up to {added} {name}, the workload says {stated}."
        for one in passes:
            if sum(one.rate_samples) > one.operations:
                return f"{sent.id}: samples hold more operations than their pass did."
            if len(one.rate_samples) * sent.sample_ns > one.elapsed_ns:
                return f"{sent.id}: there are more samples than fit into the pass."
    return None


def bytes_per_operation(facts: RunFacts) -> str | None:
    """Every operation moves one block."""
    for each in facts.measured:
        if each.definition is None:
            continue
        block = each.definition.block_bytes
        if each.sent.bytes != each.sent.operations * block:
            return (
                f"{each.sent.id}: {each.sent.bytes} bytes in {each.sent.operations} operations "
                f"of {block} bytes."
            )
    return None


def rate_against_latency(facts: RunFacts) -> str | None:
    """With one operation in flight latencies fill the elapsed time; more in flight fit into it.

    In a closed loop as many operations are under way as the workload keeps in flight, so that the
    sum of their latencies is at most so many times the elapsed time (Little 1961).
    """
    for each in facts.one_at_a_time():
        whole = each.whole
        if whole is None or not each.sent.elapsed_ns:
            continue
        share = whole.sum_ns / each.sent.elapsed_ns
        if abs(share - 1) > TOLERANCE:
            return (
                f"{each.sent.id}: operations took {whole.sum_ns} ns together, "
                f"{share:.1%} of the {each.sent.elapsed_ns} ns that went by."
            )
    found = (_too_many_in_flight(each) for each in facts.measured)
    return next((sentence for sentence in found if sentence is not None), None)


def _too_many_in_flight(each: Measured) -> str | None:
    """The latencies of a closed loop need more operations in flight than it keeps.

    What was under way when a pass began to count began in its warm-up: one operation of each slot,
    as long as the longest at most, and no longer than warm-up and pass together.
    """
    definition, sent = each.definition, each.sent
    if definition is None or definition.p99_ns_max is not None:  # a search is an open loop
        return None
    commits = each.histograms.get("commit")
    wholes = [commits] if commits else [
        each.histograms[side] for side in ("read", "write") if side in each.histograms
    ]  # fmt: skip
    together_ns = sum(whole.sum_ns for whole in wholes)
    longest_ns = max((whole.max_ns for whole in wholes), default=0)
    begun_before_ns = sum(
        min(longest_ns, definition.warm_up_ns + one.elapsed_ns) for one in sent.passes
    )
    in_flight = definition.writers * definition.queue_depth
    if together_ns <= in_flight * (sent.elapsed_ns * (1 + TOLERANCE) + begun_before_ns):
        return None
    return (
        f"{sent.id}: operations took {together_ns} ns together, which {in_flight} in flight cannot "
        f"in {sent.elapsed_ns} ns."
    )


def commit_is_write_and_sync(facts: RunFacts) -> str | None:
    """A commit takes as long as its write and its sync together.

    Not in a group: there one writes and syncs for all, and each commit has waited for its turn.
    """
    for each in facts.measured:
        sides = each.histograms
        if each.definition is not None and each.definition.operation == GROUP_COMMIT:
            continue
        if not sides.keys() >= {"write", "sync", "commit"}:
            continue
        parts = sides["write"].sum_ns + sides["sync"].sum_ns
        whole = sides["commit"].sum_ns
        if abs(parts - whole) > TOLERANCE * whole:
            return f"{each.sent.id}: writes and syncs took {parts} ns, commits {whole} ns."
    return None


def elapsed_totals(facts: RunFacts) -> str | None:
    """Workloads run one after the other within the run, suspended or not."""
    clock = facts.run.clock
    workloads_ns = sum(workload.elapsed_ns for workload in facts.run.workloads)
    if workloads_ns > clock.mono_elapsed_ns:
        return f"Workloads took {workloads_ns} ns, the whole run {clock.mono_elapsed_ns} ns."
    if clock.mono_elapsed_ns > clock.boottime_elapsed_ns * CLOCK_TOLERANCE:
        return (
            f"The monotonic clock advanced {clock.mono_elapsed_ns} ns, the boot-time clock, "
            f"which never stops, {clock.boottime_elapsed_ns} ns."
        )
    return None


def server_clock(facts: RunFacts) -> str | None:
    """A run cannot have lasted longer than the time between our challenge and its upload."""
    server_ns = facts.server_elapsed_ns
    if server_ns is None:
        return None
    clock = facts.run.clock
    agent_ns = max(clock.mono_elapsed_ns, clock.boottime_elapsed_ns)
    if agent_ns <= server_ns * CLOCK_TOLERANCE:
        return None
    return f"The run says it took {agent_ns} ns; by our clock {server_ns} ns went by."


def seed_proof_fits(facts: RunFacts) -> str | None:
    """The file that was measured held the contents that our challenge demanded."""
    if facts.challenge_seed is None:
        return None
    if facts.run.seed_proof is None:
        return "The run names a challenge and carries no proof of its file contents."
    if facts.run.seed_proof != seed_proof(facts.challenge_seed):
        return "The proof is not that of the contents that the challenge demanded."
    return None


def copied_figures(facts: RunFacts) -> str | None:
    """Another key had sent the same latencies before, to the nanosecond."""
    if facts.history.copied_from is None:
        return None
    return f"Run {facts.history.copied_from} of another key has the very same latencies."


def suite_is_ours(facts: RunFacts) -> str | None:
    """What was run is what the suite's name means here."""
    if facts.suite is None:
        stated = facts.run.suite
        digest = stated.sha256[:12]
        return f"The suite is {stated.id} version {stated.version}, SHA-256 {digest}…, not ours."
    return None


def suite_is_complete(facts: RunFacts) -> str | None:
    """Every workload ran all its passes to their end."""
    if not facts.run.suite.complete:
        if any(_was_stopped(each) for each in facts.measured):
            return "The run was stopped before its end."
        return "The run carries a part of its suite."
    if facts.suite is None:
        return None
    done = {(each.sent.id, each.sent.version): each for each in facts.measured}
    for definition in facts.suite.workloads:
        each = done.get((definition.id, definition.version))
        if each is None or not _ran_to_the_end(each, passes=definition.passes):
            return f"{definition.id} did not run its passes to their end."
    return None


def _ran_to_the_end(each: Measured, *, passes: int) -> bool:
    return len(each.sent.passes) >= passes and not _was_stopped(each) and each.sent.operations > 0


def _was_stopped(each: Measured) -> bool:
    return any(one.ended_by in ("interrupted", "error") for one in each.sent.passes)
