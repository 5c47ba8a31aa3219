"""Processes of the product that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from apps.config.one_machine.environment import ROOT
from tests.faults.site.grounds import catalogued, release_of, released
from tests.faults.site.rig import Rig
from tests.faults.trial import Fault

DEPLOY_SECONDS: Final = 4.0  # that the web server lets old and new workers overlap
LOOK_SECONDS: Final = 0.05
NEXT: Final = "9999_next_release"
MIGRATION: Final = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "{}")]
    operations = [
        migrations.AddField("upload", "of_the_next_release", models.BigIntegerField(null=True))
    ]
"""


def calm(_rig: Rig) -> Iterator[float]:
    """Do nothing: what the others are compared with."""
    yield 0


def kill_web(rig: Rig) -> Iterator[float]:
    rig.kill("web")
    yield 0


def kill_a_web_worker(rig: Rig) -> Iterator[float]:
    yield from rig.kill_a_child_of("web")
    yield 0


def kill_worker(rig: Rig) -> Iterator[float]:
    rig.kill("worker")
    yield 0


def kill_a_child_of_the_worker(rig: Rig) -> Iterator[float]:
    rig.arm("after-record")  # in the midst of its work, and one wherever it is
    yield from rig.kill_a_child_of("worker")
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
    """As an operator brings out a release with a migration, and goes back to the one before."""
    file = release_of(rig) / "apps" / "runs" / "migrations" / f"{NEXT}.py"
    before = max(each.stem for each in file.parent.glob("0*.py"))
    file.write_text(MIGRATION.format(before), encoding="utf-8")
    yield from _manage(rig, "migrate", at=release_of(rig))
    yield from _replace_code(rig)
    yield from _replace_code(rig)  # the one before works with the column that it does not know
    yield from _manage(rig, "migrate", "runs", before, at=release_of(rig))
    file.unlink()
    yield from _replace_code(rig)


def rebuild(rig: Rig) -> Iterator[float]:
    """Make everything again, twice, while uploads come in."""
    for _ in range(2):
        yield from _manage(rig, "rebuild")


def kill_a_rebuild(rig: Rig) -> Iterator[float]:
    """Kill a rebuild that has begun its tables, without its helpers, and call it again."""
    process = _begin(rig, "rebuild", at=ROOT)
    while not rig.sql("SELECT 1 FROM pg_namespace WHERE nspname = 'rebuild'"):
        if process.poll() is not None:
            rig.found.append("the rebuild was not seen at work")
            break
        yield LOOK_SECONDS
    process.kill()
    process.wait()
    yield from _manage(rig, "rebuild")


def _manage(rig: Rig, *words: str, at: Path = ROOT) -> Iterator[float]:
    process = _begin(rig, *words, at=at)
    while process.poll() is None:
        yield LOOK_SECONDS
    if process.returncode:
        rig.found.append(f"manage.py {words[0]} failed")


def _begin(rig: Rig, *words: str, at: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "manage.py", *words, "--verbosity", "0"],
        cwd=at, env=rig.site.product.setting.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


def _replace_code(rig: Rig) -> Iterator[float]:
    """One process after the other, each with the code that lies there now."""
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
    Fault(
        "deploy", "a release with a migration, and back, under load", deploy, ground=released,
        rate_per_s=4,
    ),
    Fault(
        "rebuild", "everything made again, twice, under load", rebuild, ground=catalogued,
        rate_per_s=8,
    ),
    Fault(
        "kill-rebuild", "kill -9 of a rebuild, and another", kill_a_rebuild, ground=catalogued,
        rate_per_s=8,
    ),
)  # fmt: skip
