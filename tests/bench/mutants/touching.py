"""A plugin of pytest that notes which lines each test executes, and how long it takes.

`-p tests.bench.mutants.touching --touched FILE --folders apps/stats,apps/wire` writes FILE. It is
coverage's tracer with a context for each test; processes that a test starts are not seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--touched", required=True, help="the file to write")
    parser.addoption("--folders", required=True, help="whose lines, with commas between")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Touching(config))


class Touching:
    """Switches the tracer's context as tests come and go."""

    def __init__(self, config: pytest.Config) -> None:
        self.file = Path(config.getoption("--touched"))
        self.root = config.rootpath
        folders = config.getoption("--folders").split(",")
        self.tracer = coverage.Coverage(
            data_file=None, config_file=False, source=[str(self.root / each) for each in folders],
            messages=False,
        )  # fmt: skip
        self.tracer.start()
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """What fixtures execute counts for the whole file, whose tests may share them."""
        self.tracer.switch_context(item.nodeid.partition("::")[0])
        yield
        self.tracer.switch_context("")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.tracer.switch_context(item.nodeid)
        yield
        self.tracer.switch_context(item.nodeid.partition("::")[0])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        self.tracer.stop()
        data = self.tracer.get_data()
        lines = {
            str(Path(path).relative_to(self.root)): {
                line: sorted(filter(None, contexts))
                for line, contexts in sorted(data.contexts_by_lineno(path).items())
            }
            for path in sorted(data.measured_files())
        }
        self.file.write_text(json.dumps({"seconds": self.seconds, "lines": lines}))
