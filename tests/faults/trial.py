"""One fault: uploads come in, it happens in their midst, and then all has to be whole again."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Final

from tests.faults.oracle import faults_of, is_quiet
from tests.faults.site.grounds import Ground, usual
from tests.faults.site.rig import Rig
from tests.faults.site.watch import watched
from tests.faults.uploads import Ledger, Sending, SpooledRun, homes, send, shared_out, spool

RATE_PER_S: Final = 20
SENDERS_MAX: Final = 48  # at once: above it nobody new begins, as a machine has memory for so many
TRIES_MAX: Final = 8  # of `fsyncmark upload` for one run; each tries for three minutes itself
LOOK_SECONDS: Final = 0.02
QUIET_SECONDS_MAX: Final = 150.0
COURSE_SECONDS_MAX: Final = 600.0  # for all uploads to be taken; 200 and an outage take 40
# Tests do not wait a minute for a lease that nobody holds, which was given some seconds ago.
HASTENED: Final = """
    UPDATE runs_upload SET next_attempt_at = now()
    WHERE state = 'retry' OR (state = 'leased' AND next_attempt_at < now() + interval '56 s')
"""

# Does its harm, and yields the seconds that the uploads go on before it is resumed.
Act = Callable[[Rig], Iterator[float]]


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong."""

    name: str
    words: str
    act: Act
    ground: Ground = usual
    clock_off: int = 0  # of the senders' machines, in seconds
    rate_per_s: float = RATE_PER_S  # lower where 200 uploads have to last longer than ten seconds


@dataclass
class Trial:
    """What was sent under one fault, and what became of it."""

    fault: Fault
    uploads: int
    acknowledged: int = 0
    tries: int = 0
    gap_s: float = 0.0  # the longest time without an acknowledgement
    away_s: float = 0.0  # the longest time in which the site was not ready
    unseen_s: float = 0.0  # the longest time from an acceptance until the run is shown
    whole_s: float = 0.0  # from the end of the fault until all of it is shown
    found: list[str] = field(default_factory=list)  # what is lost or wrong

    @property
    def holds(self) -> bool:
        return not self.found


def try_fault(
    rig: Rig, fault: Fault, *, uploads: int, rush: bool = False, most_s: float = COURSE_SECONDS_MAX
) -> Trial:
    """Send so many runs under a fault. `rush`: leases end with the fault.

    After `most_s` what was not taken counts as lost, and what is not whole as wrong.
    """
    rig.empty()
    ledger = Ledger(rig.senders / f"ledger-{fault.name}")
    trial = Trial(fault, uploads)
    try:
        waiting = _spooled(rig, fault, uploads)
        sent = {run.run_id for run in waiting}
        course = _Course(rig, trial, ledger, waiting)
        with watched(rig.site.url, lambda: rig.superuser_url) as watch:
            course.run(most_s)
            _wait_until_quiet(rig, trial, rush=rush, most_s=min(most_s, QUIET_SECONDS_MAX))
        trial.away_s, trial.unseen_s = watch.away_s, watch.unseen_s
        trial.acknowledged = len(ledger.acknowledged)
        trial.found += [*rig.found, *faults_of(rig, ledger.acknowledged, sent | rig.others)]
        rig.found.clear()
    finally:
        rig.disarm()
        ledger.close()
    return trial


def _spooled(rig: Rig, fault: Fault, uploads: int) -> deque[SpooledRun]:
    words = [f"--clock-off={fault.clock_off}"] if fault.clock_off else []
    by_home = [
        spool(rig.programs, home, count, *words)
        for home, count in shared_out(uploads, homes(rig.senders)).items()
        if count
    ]
    longest = max(map(len, by_home))
    return deque(each[at] for at in range(longest) for each in by_home if at < len(each))


class _Course:
    """The uploads of one trial as they go."""

    def __init__(self, rig: Rig, trial: Trial, ledger: Ledger, waiting: deque[SpooledRun]) -> None:
        self.rig, self.trial, self.ledger, self.waiting = rig, trial, ledger, waiting
        self.sending: list[Sending] = []
        # the fault comes before so many have been sent; one that takes its time comes early
        self.act_at = len(waiting) // (2 if trial.fault.rate_per_s == RATE_PER_S else 10)
        self.act: Iterator[float] | None = None
        self.resume = 0.0
        self.tries: dict[str, int] = {}
        self.last = time.monotonic()

    def run(self, most_s: float) -> None:
        """Send all and let the fault happen."""
        next_at = time.monotonic()
        ends = next_at + most_s
        while self.waiting or self.sending or self.act is not None or self.act_at >= 0:
            if time.monotonic() > ends:
                self._give_up()
                break
            self.rig.supervisor.look()
            self._go_on_with_the_fault()
            now = time.monotonic()
            if self.waiting and now >= next_at and len(self.sending) < SENDERS_MAX:
                self._begin(self.waiting.popleft())
                next_at = max(next_at + 1 / self.trial.fault.rate_per_s, now - 1)
            self._collect()
            time.sleep(LOOK_SECONDS)

    def _go_on_with_the_fault(self) -> None:
        begun = self.trial.tries - sum(each - 1 for each in self.tries.values())
        if self.act_at >= 0 and begun >= self.act_at:
            self.act, self.act_at = self.trial.fault.act(self.rig), -1
        if self.act is not None and time.monotonic() >= self.resume:
            try:
                self.resume = time.monotonic() + next(self.act)
            except StopIteration:
                self.act = None

    def _begin(self, run: SpooledRun) -> None:
        self.trial.tries += 1
        self.tries[run.run_id] = self.tries.get(run.run_id, 0) + 1
        sending = send(self.rig.programs, run, self.rig.site.url)
        self.sending.append(sending)
        self.rig.sent_pids.add(sending.process.pid)

    def _collect(self) -> None:
        for sending in [each for each in self.sending if each.process.poll() is not None]:
            self.sending.remove(sending)
            self.rig.sent_pids.discard(sending.process.pid)
            status, printed, said = sending.end()
            run = sending.run
            if status == 0 and run.run_id.encode() in printed:
                self._acknowledged(run)
            elif self.tries[run.run_id] < TRIES_MAX and run.file.exists():
                self.waiting.append(run)
            elif not run.file.exists():  # killed before it could say so
                self._acknowledged(run)
            else:
                words = said.decode(errors="replace").strip().splitlines()[-1:]
                self.trial.found.append(f"{run.run_id} was never taken: {' '.join(words)}")

    def _give_up(self) -> None:
        """Whatever is not taken by now will not be."""
        if isinstance(self.act, Generator):
            self.act.close()  # so that what it stopped is started again
        for sending in self.sending:
            sending.process.kill()
            sending.end()
        left = [*self.waiting, *(sending.run for sending in self.sending)]
        self.trial.found += [f"{run.run_id} was never taken" for run in left]

    def _acknowledged(self, run: SpooledRun) -> None:
        self.ledger.add(run)
        now = time.monotonic()
        self.trial.gap_s = max(self.trial.gap_s, now - self.last)
        self.last = now


def _wait_until_quiet(rig: Rig, trial: Trial, *, rush: bool, most_s: float) -> None:
    began = time.monotonic()
    while True:
        rig.supervisor.look()
        passed = time.monotonic() - began
        with contextlib.suppress(Exception):  # a server that is coming up
            if rush:
                rig.sql(HASTENED)
            if is_quiet(rig) and rig.site.is_ready():
                break
        if passed > most_s:
            trial.found.append(f"not whole after {most_s:.0f} s")
            break
        time.sleep(LOOK_SECONDS * 5)
    trial.whole_s = time.monotonic() - began
