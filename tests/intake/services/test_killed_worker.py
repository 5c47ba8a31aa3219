"""A worker that is killed loses nothing: real processes, killed where it hurts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from celery import Celery
from django.db import connection

from apps.config.one_machine.environment import ROOT
from apps.config.one_machine.product import ProductSettings, running
from apps.config.processes import SWEEPER, WORKER
from apps.embedded.postgres import free_port
from apps.embedded.process import wait_until
from apps.intake.failpoints import VARIABLE
from apps.intake.services.work import drain
from apps.rankings.models import CellMark, Standing
from apps.runs.models import ATTEMPTS_MAX, Latency, Run, Upload
from tests import make

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS_MAX = 120  # seconds alone; only a test that fails waits for so long


@pytest.fixture
def environment() -> dict[str, str]:
    """What a process of the product is told, on the test's own database and queue."""
    base, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    return {
        **os.environ,
        "DATABASE_URL": f"{base}/{connection.settings_dict['NAME']}",
        "CELERY_QUEUE": f"killed-worker-{os.getpid()}",
    }


def drain_in_a_process(environment: dict[str, str], *, failpoint: str = "") -> int:
    done = subprocess.run(
        [sys.executable, "manage.py", "drain"],
        env={**environment, VARIABLE: failpoint},
        cwd=ROOT,
        check=False,
        timeout=SECONDS_MAX,
    )
    return done.returncode


def let_the_lease_run_out(upload: Upload) -> None:
    Upload.objects.filter(pk=upload.pk).update(next_attempt_at=make.NOON)


def assert_done_once(upload: Upload, *, attempts: int) -> None:
    stored = Upload.objects.get(pk=upload.pk)
    assert (stored.state, stored.attempts) == ("done", attempts), stored.last_error
    run = Run.objects.get()
    assert run.measurements.count() == 4
    assert Latency.objects.count() == 8
    plan_cells = Standing.objects.filter(plan=run.plan)
    assert set(plan_cells.values_list("n_runs", flat=True)) == {1}
    assert plan_cells.count() == 4


@pytest.mark.parametrize(
    "failpoint", ["after-record", pytest.param("after-lease", marks=pytest.mark.daily)]
)
def test_a_sweeper_that_is_killed_loses_nothing(
    environment: dict[str, str], failpoint: str
) -> None:
    upload = make.upload(witnessed=True)
    assert drain_in_a_process(environment, failpoint=failpoint) == -signal.SIGKILL
    stored = Upload.objects.get(pk=upload.pk)
    assert (stored.state, stored.attempts) == ("leased", 1)
    assert drain() == 0  # its lease protects it from being worked on twice at once

    let_the_lease_run_out(upload)
    assert drain_in_a_process(environment) == 0
    assert_done_once(upload, attempts=2)


def test_a_sweeper_that_is_killed_before_it_computes_standings_leaves_the_marks(
    environment: dict[str, str],
) -> None:
    upload = make.upload(witnessed=True)
    assert drain_in_a_process(environment, failpoint="before-refresh") == -signal.SIGKILL
    assert Upload.objects.get(pk=upload.pk).state == "done"
    assert CellMark.objects.count() == 4
    assert not Standing.objects.exists()
    assert drain_in_a_process(environment) == 0
    assert_done_once(upload, attempts=1)
    assert not CellMark.objects.exists()


def test_an_upload_that_kills_its_worker_every_time_is_poison(
    environment: dict[str, str],
) -> None:
    upload = make.upload(attempts=ATTEMPTS_MAX - 1)
    assert drain_in_a_process(environment, failpoint="after-lease") == -signal.SIGKILL
    let_the_lease_run_out(upload)
    assert drain_in_a_process(environment) == 0
    stored = Upload.objects.get(pk=upload.pk)
    assert (stored.state, stored.attempts) == ("poison", ATTEMPTS_MAX)


def test_a_celery_worker_that_is_killed_loses_nothing(
    environment: dict[str, str], tmp_path: Path
) -> None:
    setting = ProductSettings(
        port=free_port(),
        worker_name=f"killed@tests-{os.getpid()}",
        logs=tmp_path,
        environment={**environment, VARIABLE: "after-record"},
    )
    upload = make.upload(witnessed=True)
    with running(setting, processes=[WORKER]) as product:
        ring(environment)
        log = product.children[WORKER.name].command.log
        wait_until(
            lambda: "signal 9 (SIGKILL)" in log.read_text(),
            what="the worker's child was killed",
            seconds=SECONDS_MAX,
            children=list(product.children.values()),
        )
    assert Upload.objects.get(pk=upload.pk).attempts == 1

    let_the_lease_run_out(upload)
    calm = replace(setting, environment=environment)
    with running(calm, processes=[SWEEPER]) as product:
        wait_until(
            lambda: (
                Upload.objects.get(pk=upload.pk).state == "done" and not CellMark.objects.exists()
            ),
            what="the sweeper has found the upload and computed its standings",
            seconds=SECONDS_MAX,
            children=list(product.children.values()),
        )
    assert_done_once(upload, attempts=2)
    log_of_sweeper = product.children[SWEEPER.name].command.log.read_text()
    assert "stopped" in log_of_sweeper  # SIGTERM ended it in order


def ring(environment: dict[str, str]) -> None:
    """Ring the doorbell of the worker under test."""
    broker = Celery(broker=environment["REDIS_URL"], set_as_current=False)
    broker.send_task("intake.work", queue=environment["CELERY_QUEUE"])
