"""`./run test` runs what is asked for, and its gates leave no app out."""

from __future__ import annotations

import io

import pytest

from apps.embedded.progress import Progress
from tests.ci import suite
from tests.ci.checks import Check
from tests.ci.suite import coverage_gates


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["tests/tidy"], ["Python and browser tests"]),
        (["agent"], ["Rust tests"]),
        (["agent/", "tests/tidy"], ["Rust tests", "Python and browser tests"]),
    ],
)
def test_paths_choose_the_tests(
    words: list[str], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def note(checks: list[Check], _progress: Progress) -> int:
        ran.extend(check.name for check in checks)
        return 0

    monkeypatch.setattr(suite, "run", note)
    assert suite.test(words, Progress(io.StringIO())) == 0
    assert ran == names


def test_the_gates_leave_no_app_out() -> None:
    strict, rest = (" ".join(gate.argv) for gate in coverage_gates())
    assert "--fail-under=100" in strict
    assert "--fail-under=90" in rest
    for app in ("wire", "stats", "intake", "runs"):
        assert f"apps/{app}/*" in strict
        assert f"apps/{app}/*" in rest
