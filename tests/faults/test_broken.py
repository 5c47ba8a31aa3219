"""Each promise broken on purpose: the fault that it guards against is noticed."""

from __future__ import annotations

from typing import Final

import pytest

from tests.faults.registry import FAULTS
from tests.faults.site.rig import Rig
from tests.faults.trial import Trial, try_fault

PATIENCE_SECONDS: Final = 30.0  # whoever waits for what never comes need not wait long
TRIES_MAX: Final = 5

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("faults")]


def tried(rig: Rig, name: str, uploads: int = 4) -> Trial:
    return try_fault(rig, FAULTS[name], uploads=uploads, rush=True, most_s=PATIENCE_SECONDS)


@pytest.mark.parametrize(
    ("promise", "name", "noticed"),
    [
        ("stored before the reply", "kill-web", "was acknowledged and is lost"),
        ("one run an id", "die-after-commit", "is stored, and nobody sent it"),
        ("bytes as they came", "calm", "is stored with other bytes"),
    ],
)
@pytest.mark.daily
def test_a_web_server_without_a_promise_is_noticed(
    usual_rig: Rig, promise: str, name: str, noticed: str
) -> None:
    with usual_rig.broken("web", promise):
        found = tried(usual_rig, name).found
    assert any(noticed in line for line in found), found


def test_a_worker_that_takes_uploads_off_the_queue_too_early_is_noticed(usual_rig: Rig) -> None:
    with usual_rig.broken("worker", "done after the work"):
        # where the sweeper is quicker to take an upload, it dies in the worker's place
        trials = (tried(usual_rig, "die-after-lease").found for _ in range(TRIES_MAX))
        found = next(filter(None, trials), [])
    assert any("has 0 runs" in line for line in found), found


@pytest.mark.daily
def test_a_site_without_a_sweeper_is_noticed(usual_rig: Rig) -> None:
    with usual_rig.stopped("sweeper"):
        found = tried(usual_rig, "kill-worker-child").found
    assert any("not whole" in line for line in found), found
