"""Rules about whether the figures of a run fit each other and our clock: quarantine."""

from __future__ import annotations

from typing import Final

from apps.runs.rules import consistency, origin
from apps.runs.rules.history import COPY_COMMITS_MIN
from apps.runs.rules.rule import quarantine

_ARITHMETIC: Final = (
    "Arithmetic: an honest agent counts each operation once, so nothing may differ."
)
_NEW_RUN: Final = (
    "Measure again with a current agent. If it happens again, it is a fault of the agent: please "
    "report it with the run's address."
)

RULES: Final = (
    quarantine(
        "histogram-totals",
        consistency.histogram_totals,
        text="histograms do not add up",
        explanation="A workload brings each of its histograms, every operation is counted once in "
        "each, and the exact sum must lie within what the buckets allow. Here it does not fit.",
        border="Speaks from a difference of one operation, or one nanosecond beyond the buckets.",
        origin=_ARITHMETIC,
        remedy=_NEW_RUN,
    ),
    quarantine(
        "pass-totals",
        consistency.pass_totals,
        text="passes do not add up",
        explanation="Operations, bytes and time of the passes must add up to those of the "
        "workload, and the samples of a pass must fit into it.",
        border="Speaks from a difference of one operation, one byte or one nanosecond.",
        origin=_ARITHMETIC,
        remedy=_NEW_RUN,
    ),
    quarantine(
        "bytes-per-operation",
        consistency.bytes_per_operation,
        text="bytes do not fit operations",
        explanation="Each operation moves one block of a size that the workload fixes.",
        border="Speaks from a difference of one byte.",
        origin=_ARITHMETIC,
        remedy=_NEW_RUN,
    ),
    quarantine(
        "rate-against-latency",
        consistency.rate_against_latency,
        version=2,
        text="rate and latency disagree",
        explanation="With one operation in flight, latencies must fill the elapsed time: a rate "
        "is the inverse of a mean latency. With more in flight, all latencies together cannot be "
        "longer than so many times the elapsed time.",
        border=f"Speaks beyond {consistency.TOLERANCE:.0%}: with one operation in flight on either "
        "side, with more above it. What was begun in the warm-up of a pass is granted besides, one "
        "operation of each in flight. Searches offer a load of their own and are not judged.",
        origin="The end of one operation is the begin of the next, so nothing is lost between "
        "them; 2 % is left for reading the clock and for losing the processor. With more in flight "
        "it is Little's law: operations under way = rate times mean latency.",
        remedy=_NEW_RUN,
    ),
    quarantine(
        "commit-parts",
        consistency.commit_is_write_and_sync,
        version=2,
        text="commit is not write and sync",
        explanation="A commit is a write and the sync after it. Their times must add up.",
        border=f"Speaks beyond {consistency.TOLERANCE:.0%}; not for group commits, in which one "
        "writes for many.",
        origin="The same clock reading ends the write and begins the sync; 2 % as for the rate.",
        remedy=_NEW_RUN,
    ),
    quarantine(
        "elapsed-totals",
        consistency.elapsed_totals,
        text="times do not add up",
        explanation="The workloads run one after the other, within the time that the run took, "
        "and the clock that stops in sleep cannot be ahead of the one that does not.",
        border="Speaks where the workloads took longer than the run, or the monotonic clock "
        f"advanced over {consistency.CLOCK_TOLERANCE - 1:.0%} more than the boot-time clock.",
        origin=_ARITHMETIC,
        remedy=_NEW_RUN,
    ),
    quarantine(
        "server-clock",
        consistency.server_clock,
        text="longer than our clock allows",
        explanation="The run claims to have lasted longer than the time between the challenge and "
        "the upload by the server's clock.",
        border=f"Speaks beyond {consistency.CLOCK_TOLERANCE - 1:.0%}.",
        origin="A crystal is off by 0.01 % at most; a clock that runs 2 % fast is broken or was "
        "made to.",
        remedy="Check the machine's clock source. On a virtual machine, ask whether it was paused.",
    ),
    quarantine(
        "seed-proof",
        consistency.seed_proof_fits,
        text="file contents not proven",
        explanation="A challenge decides what the measured file must contain; reading it back "
        "proves that the run was not made before. The proof is missing or wrong.",
        border="Speaks where the SHA-256 over 16 blocks of the file differs in any bit.",
        origin="A yes or no: the contents follow from the seed.",
        remedy="Measure again. If it happens again, the drive returned other bytes than were "
        "written: check it.",
    ),
    quarantine(
        "suite-unknown",
        consistency.suite_is_ours,
        text="suite not known here",
        explanation="The suite's definition is not one of this server's, so its figures compare "
        "with nothing.",
        border="Speaks where id, version and SHA-256 of the definition are not all known here.",
        origin="A yes or no: a definition is frozen once it is released.",
        remedy="Use a released agent, or ask the operator of this server to update it.",
    ),
    quarantine(
        "another-binary",
        origin.another_binary,
        text="not the released program",
        explanation="The run names a released version of the agent and the commit that it was "
        "built from, and the SHA-256 of the program that measured is not that of the released "
        "binary. It was changed or damaged, or somebody built the same commit themselves.",
        border="Speaks where version, commit and target are those of a binary that this server "
        "knows, and the SHA-256 differs. A program of any other commit is not judged.",
        origin="A yes or no: the list of released agents in the repository.",
        remedy="Use the released binary. What you build yourself counts from a commit of your own, "
        "which it names.",
    ),
    quarantine(
        "copied-figures",
        consistency.copied_figures,
        text="figures of another run",
        explanation="Another key had sent a run whose commits have the same count in each bucket, "
        "and the same sum, smallest and largest to the nanosecond. Two measurements never agree "
        "so far: one of them was copied. The earlier one is not touched.",
        border=f"Speaks where all of it is equal and there were {COPY_COMMITS_MIN} commits or "
        "more. The same bytes under another key are refused at the door.",
        origin="The sum of a hundred latencies that vary by 1 % of 100 µs agrees to the nanosecond "
        "once in tens of thousands, and the buckets and extremes must agree as well.",
        remedy="Measure on the machine itself. If both keys are yours, use one.",
    ),
)
