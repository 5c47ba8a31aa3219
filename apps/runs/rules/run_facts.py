"""The input of rules: one run, its suite, and the facts of its upload."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apps.runs.figures import CASE
from apps.runs.rules.history import History
from apps.runs.rules.workloads import READ_FLOOR_WORKLOAD, p50_ns_of
from apps.wire.suites import HEADLINE_WORKLOAD, Suite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from apps.plans.placement import Placement
    from apps.runs.figures import Figures
    from apps.runs.members import Members
    from apps.runs.models import RunRuling
    from apps.runs.rules.workloads import MeasuredWorkload
    from apps.wire.run import RunPayload


@dataclass(frozen=True)
class RunFacts:
    """One run with everything that rules need."""

    run: RunPayload
    workloads: tuple[MeasuredWorkload, ...]  # of the run, as measured
    suite: Suite | None  # None: not a suite of this server, or with other bytes
    members: Members
    placement: Placement
    challenge_use: str
    challenge_issued_at: datetime | None
    challenge_seed: bytes | None
    received_at: datetime
    history: History = field(default_factory=History)
    rulings: Mapping[str, RunRuling] = field(default_factory=dict)  # by kind, without releases
    compromised_since: datetime | None = None  # its key was revoked; None: it was not

    @property
    def headline(self) -> MeasuredWorkload | None:
        """The workload that boards rank by."""
        return self.find(HEADLINE_WORKLOAD)

    @property
    def commit_p50_ns(self) -> int | None:
        """The median commit of the headline workload in nanoseconds."""
        return self.p50_ns(HEADLINE_WORKLOAD, "commit")

    @property
    def read_p50_ns(self) -> int | None:
        """The median of single reads past the page cache in nanoseconds."""
        return self.p50_ns(READ_FLOOR_WORKLOAD, "read")

    def find(self, workload_id: str) -> MeasuredWorkload | None:
        """Return a workload of the run by its id, or None."""
        return next((each for each in self.workloads if each.workload.id == workload_id), None)

    def p50_ns(self, workload_id: str, side: str) -> int | None:
        """Return the median of one side of a workload in nanoseconds, or None."""
        return p50_ns_of(self.workloads, workload_id, side)

    @property
    def server_elapsed_ns(self) -> int | None:
        """The nanoseconds between challenge and upload by the server's clock, or None."""
        if self.challenge_issued_at is None:
            return None
        return round((self.received_at - self.challenge_issued_at).total_seconds() * 1e9)

    def one_at_a_time(self) -> Iterator[MeasuredWorkload]:
        """Yield the workloads with one operation in flight."""
        return (each for each in self.workloads if each.is_one_at_a_time)


def ruling_figures(ruling: RunRuling) -> Figures:
    """Return day and reason of a decision about a run."""
    day, reason = ruling.at.date().isoformat(), ruling.reason.rstrip(" .")
    return {CASE: "reason" if reason else "no-reason", "day": day, "reason": reason}
