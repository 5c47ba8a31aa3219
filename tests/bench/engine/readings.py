"""One pass of one program: how it is run, what it cost, and what it says it did."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from apps.embedded.process import start_tied

TIMEOUT_SECONDS: Final = 120  # a pass lasts seconds; laying out 4 GiB on a slow disk is given this
ERROR_CHARACTERS: Final = 600  # the end of what a failed program said


class PassError(RuntimeError):
    """One pass failed; its shape is reported as failed and the others go on."""


@dataclass(frozen=True)
class Cost:
    """What a process and its children took, start to end, as wait4 tells."""

    user_ns: float = 0.0
    system_ns: float = 0.0
    switches: int = 0  # context switches, voluntary and not

    @property
    def cpu_ns(self) -> float:
        return self.user_ns + self.system_ns

    def less(self, start: Cost) -> Cost:
        """Without the cost of starting, which a short pass would be charged with."""
        return Cost(
            max(self.user_ns - start.user_ns, 0.0),
            max(self.system_ns - start.system_ns, 0.0),
            max(self.switches - start.switches, 0),
        )


@dataclass(frozen=True)
class Latency:
    """Nanoseconds of one side of the operations; percentiles are absent where nobody kept them."""

    mean: float
    p50: float | None = None
    p99: float | None = None


@dataclass(frozen=True)
class Reading:
    """What a pass brought: operations, seconds, latencies by side (write, sync, commit, read)."""

    operations: int
    seconds: float
    latencies: Mapping[str, Latency] = field(default_factory=dict)
    depth: float | None = None  # mean operations in flight, as a share of those asked for
    offered: float | None = None  # arrivals a second, of an open loop
    cost: Cost = Cost()

    @property
    def rate(self) -> float:
        return self.operations / self.seconds

    @property
    def cpu_per_operation(self) -> float:
        return self.cost.cpu_ns / self.operations


def perform(argv: Sequence[str]) -> tuple[str, Cost]:
    """Run a program to its end; its standard output, and what it cost with its children."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = start_tied(argv, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        timer = threading.Timer(TIMEOUT_SECONDS, process.kill)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        except KeyboardInterrupt:
            process.kill()
            process.wait()
            raise
        finally:
            timer.cancel()
        output.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            said = errors.read()[-ERROR_CHARACTERS:].strip()
            raise PassError(f"`{' '.join(argv)}` ended with {process.returncode}: {said}")
        cost = Cost(usage.ru_utime * 1e9, usage.ru_stime * 1e9, usage.ru_nvcsw + usage.ru_nivcsw)
        return output.read(), cost
