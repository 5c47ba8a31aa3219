"""A load of examples that is stopped or killed leaves what was there, and the next one is whole."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.core.management import call_command
from django.db import connection

from apps.config.one_machine.environment import ROOT
from apps.intake.management.commands.load_example_data import INTERRUPTED
from apps.rankings.models import Evidence, Standing
from apps.runs.models import Label, Latency, Run, Upload
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

RUNS: Final = 25
ARGUMENTS: Final = ("--runs", str(RUNS), "--until", "2026-11-22")
FIRST_WORDS: Final = f"10 of {RUNS} example runs"  # so the load is half way
CHUNK: Final = 1024  # bytes that a terminal gives at once


@pytest.fixture(autouse=True)
def catalogue() -> None:
    store_catalogue()


@pytest.fixture
def environment() -> dict[str, str]:
    """What a process of the product is told, on the test's own database."""
    base, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    return {**os.environ, "DATABASE_URL": f"{base}/{connection.settings_dict['NAME']}"}


@contextmanager
def loading_on_a_terminal(
    environment: dict[str, str],
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Begin to load; yields the process and its terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "manage.py", "load_example_data", *ARGUMENTS],
        cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs,
    ) as process:  # fmt: skip
        os.close(theirs)
        try:
            yield process, ours
        finally:
            process.kill()
    os.close(ours)


def read_until(terminal: int, words: str) -> str:
    """Return what stood on the terminal when these words came; fails where it ends before."""
    seen = ""
    while words not in seen:
        seen += os.read(terminal, CHUNK).decode()
    return seen


def stopped_half_way(environment: dict[str, str], number: signal.Signals) -> tuple[int, str]:
    """Send this signal half way; return the status and what the terminal said after it."""
    with loading_on_a_terminal(environment) as (process, terminal):
        read_until(terminal, FIRST_WORDS)
        process.send_signal(number)
        said = read_until(terminal, "example runs.") if number == signal.SIGINT else ""
        return process.wait(), said


def examples() -> dict[str, list[Any]]:
    """Return what stands of the examples, without the keys that the database counts up."""
    cell = ("plan", "drive_family", "workload", "version", "region_group", "variant")
    of_example = "run__is_example"
    standings = Standing.objects.filter(evidence=Evidence.EXAMPLE).order_by(*cell)
    latencies = Latency.objects.filter(**{f"measurement__{of_example}": True})
    place = ("measurement__run", "measurement__workload", "side")
    return {
        "uploads": list(Upload.objects.filter(is_example=True).order_by("pk").values()),
        "runs": list(Run.objects.filter(is_example=True).order_by("pk").values()),
        "latencies": list(
            latencies.order_by(*place).values(*place, "sum_ns", "printed_curve", "histogram")
        ),
        "labels": list(
            Label.objects.filter(**{of_example: True})
            .order_by("run", "rule")
            .values("run", "rule", "figures")
        ),
        "standings": list(standings.values(*cell, "rate_per_s", "p99_ns", "n_runs", "curve")),
    }


@pytest.mark.daily
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_half_way_it_leaves_nothing_and_the_next_load_is_whole(
    environment: dict[str, str], number: signal.Signals
) -> None:
    call_command("load_example_data", *ARGUMENTS)
    whole = examples()
    assert len(whole["runs"]) == RUNS
    call_command("load_example_data", "--remove")
    nothing = examples()
    assert not any(nothing.values())

    status, said = stopped_half_way(environment, number)
    assert examples() == nothing
    if number == signal.SIGINT:
        assert status == INTERRUPTED
        assert "Stopped. As before there are 0 example runs." in said
        assert "Traceback" not in said
    else:
        assert status == -signal.SIGKILL

    with loading_on_a_terminal(environment) as (process, terminal):
        said = read_until(terminal, "takes them away again.")
        assert process.wait() == 0
    assert f"{RUNS} of {RUNS} example runs, now their standings" in said
    assert examples() == whole


@pytest.mark.daily
def test_stopped_half_way_it_leaves_the_examples_that_were_there(
    environment: dict[str, str],
) -> None:
    call_command("load_example_data", "--runs", "3", "--until", "2025-06-01")
    before = examples()
    status, said = stopped_half_way(environment, signal.SIGINT)
    assert status == INTERRUPTED
    assert "Stopped. As before there are 3 example runs." in said
    assert examples() == before
