"""The warm process reads the tree as it stands at each trial, and ends what hangs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.config.one_machine.environment import ROOT

TESTS = """\
import halves

def test_half():
    assert halves.half(8) == 4

def test_that_fails():
    assert not halves
"""
GREEN = "def half(number): return number // 2"


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Without the libraries: they make it quicker, and nothing else."""
    (tmp_path / "apps").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    (tmp_path / "test_halves.py").write_text(TESTS, encoding="utf-8")
    code = "from tests.bench.mutants import warm; warm.LIBRARIES = (); warm.main()"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield process


def answer(process: subprocess.Popen[str], **changes: Any) -> tuple[int | None, str]:
    trial = {
        "files": ["test_halves.py"], "order": ["test_halves.py::test_half"],
        "left_out": ["test_halves.py::test_that_fails"], "seconds_max": 120.0,
        "is_database_new": False,
    }  # fmt: skip
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(trial | changes) + "\n")
    process.stdin.flush()
    found = json.loads(process.stdout.readline())
    return found["status"], found["noticed_by"]


def test_each_trial_sees_the_file_as_it_is(tmp_path: Path, process: subprocess.Popen[str]) -> None:
    module = tmp_path / "halves.py"
    module.write_text(GREEN, encoding="utf-8")
    assert answer(process) == (0, "")
    assert answer(process, left_out=[]) == (1, "test_halves.py::test_that_fails")
    module.write_text(GREEN.replace("//", "*"), encoding="utf-8")
    assert answer(process) == (1, "test_halves.py::test_half")
    module.write_text("1 / 0", encoding="utf-8")
    assert answer(process)[0] == 2  # cannot be imported
    module.write_text("while True: pass", encoding="utf-8")
    assert answer(process, seconds_max=2.0) == (None, "")
    module.write_text(GREEN, encoding="utf-8")
    assert answer(process) == (0, "")
