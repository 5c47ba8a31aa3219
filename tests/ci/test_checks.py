"""Every check runs, whatever became of the one before it."""

from __future__ import annotations

import io
from pathlib import Path

from apps.embedded.progress import Progress
from tests.ci.checks import Check, run


def test_every_check_runs_and_each_is_listed(tmp_path: Path) -> None:
    stream = io.StringIO()
    touched = tmp_path / "touched"
    checks = [Check("first", ["false"]), Check("second", ["touch", str(touched)])]
    assert run(checks, Progress(stream)) == 1
    assert touched.exists()
    assert stream.getvalue().splitlines()[-2:] == ["FAILED  first", "ok      second"]
    assert run(checks[1:], Progress(stream)) == 0
