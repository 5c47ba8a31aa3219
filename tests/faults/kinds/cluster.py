"""Machines of a cluster that go away."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Final

from tests.faults.kinds.processes import calm
from tests.faults.site.many import ClusterRig, many_machines
from tests.faults.site.rig import Rig
from tests.faults.trial import Act, Fault

AWAY_SECONDS: Final = 10.0
NOTICED_SECONDS: Final = 3.0  # until somebody, or a program of theirs, promotes the replica


def away(name: str) -> Act:
    """A machine loses its power, and has it again after ten seconds."""

    def act(rig: Rig) -> Iterator[float]:
        with rig.stopped(name, signal.SIGKILL):
            yield rig.outage(AWAY_SECONDS)

    return act


def kill_pooler(rig: Rig) -> Iterator[float]:
    rig.kill("PgBouncer")
    yield 0


def fail_over(rig: Rig) -> Iterator[float]:
    """The primary dies; the replica takes its place; its machine comes back, as the replica."""
    assert isinstance(rig, ClusterRig)
    rig.leave_dead("PostgreSQL")
    yield rig.outage(NOTICED_SECONDS)
    rig.cluster.databases.promote()
    rig.cluster.repoint()
    yield rig.outage(NOTICED_SECONDS)
    rig.take_back()
    yield 0


CLUSTER: Final = (
    Fault("cluster-calm", "nothing goes wrong in a cluster", calm, many_machines),
    Fault("cluster-web", "a web host away for 10 s", away("web-1"), many_machines),
    Fault("cluster-worker", "a worker host away for 10 s", away("worker-1"), many_machines),
    Fault("cluster-replica", "the replica away for 10 s", away("replica"), many_machines),
    Fault("cluster-pooler", "kill -9 of PgBouncer", kill_pooler, many_machines),
    # the last: the two databases change places
    Fault("cluster-failover", "the primary dies, the replica is promoted 3 s later", fail_over,
          many_machines),
)  # fmt: skip
