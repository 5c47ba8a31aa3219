"""Processes of the product that are killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Final

from tests.faults.site.rig import Rig
from tests.faults.trial import Fault

DEPLOY_SECONDS: Final = 4.0  # that the web server lets old and new workers overlap


def calm(_rig: Rig) -> Iterator[float]:
    """Do nothing: what the others are compared with."""
    yield 0


def kill_web(rig: Rig) -> Iterator[float]:
    rig.kill("web")
    yield 0


def kill_a_web_worker(rig: Rig) -> Iterator[float]:
    rig.kill_a_child_of("web")
    yield 0


def kill_worker(rig: Rig) -> Iterator[float]:
    rig.kill("worker")
    yield 0


def kill_a_child_of_the_worker(rig: Rig) -> Iterator[float]:
    rig.arm("after-record")  # in the midst of its work, and one wherever it is
    rig.kill_a_child_of("worker")
    yield 0


def kill_sweeper(rig: Rig) -> Iterator[float]:
    rig.kill("sweeper")
    yield 0


def die_at(place: str) -> Fault:
    """The process that reaches a place in the code dies there."""

    def act(rig: Rig) -> Iterator[float]:
        rig.arm(place)
        yield 0

    words = {
        "in-accept": "web dies before it stores an upload",
        "after-insert": "web dies between INSERT and COMMIT",
        "after-commit": "web dies between COMMIT and its reply",
        "after-doorbell": "web dies when it has rung the doorbell",
        "after-lease": "a worker dies with an upload in hand",
        "before-refresh": "the sweeper dies before it computes standings",
    }
    return Fault(f"die-{place}", words[place], act)


def deploy(rig: Rig) -> Iterator[float]:
    """As an operator replaces the code: one process after the other."""
    os.kill(rig.child("web").process.pid, signal.SIGHUP)
    yield DEPLOY_SECONDS * 2
    for name in ("worker", "sweeper"):
        with rig.stopped(name):
            yield 0
        yield rig.outage(2)


PROCESSES: Final = (
    Fault("calm", "nothing goes wrong", calm),
    Fault("kill-web", "kill -9 of the web server", kill_web),
    Fault("kill-web-worker", "kill -9 of one of its workers", kill_a_web_worker),
    Fault("kill-worker", "kill -9 of the Celery worker", kill_worker),
    Fault("kill-worker-child", "kill -9 of one of its children", kill_a_child_of_the_worker),
    Fault("kill-sweeper", "kill -9 of the sweeper", kill_sweeper),
    *map(
        die_at,
        ("in-accept", "after-insert", "after-commit", "after-doorbell", "after-lease",
         "before-refresh"),
    ),
    Fault("deploy", "web, worker and sweeper replaced under load", deploy),
)  # fmt: skip
