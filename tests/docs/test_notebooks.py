"""The notebooks of docs/notebooks run as written over a small dump."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from apps.config.one_machine.environment import ROOT
from apps.rankings.dumps.writing import write_dump
from tests.rankings.dumps.world import build_world

NOTEBOOKS = ROOT / "docs" / "notebooks"
RSCRIPT = shutil.which("Rscript")
pytestmark = pytest.mark.django_db


def code_of(notebook: Path) -> str:
    """Its cells as one program; what a cell ends with is shown."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def run(words: list[str], *, dump: Path) -> str:
    done = subprocess.run(
        words, check=False, capture_output=True, text=True, cwd=dump.parent,
        env={**os.environ, "FSYNCMARK_DUMP": str(dump)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    build_world()
    folder = tmp_path / "dump"
    folder.mkdir()
    write_dump(folder)
    return folder


def test_the_notebooks_read_a_dump_and_compute_a_board_again(dump: Path) -> None:
    notebooks = sorted(NOTEBOOKS.glob("*.ipynb"))
    assert [each.stem for each in notebooks] == ["duckdb", "pandas"]
    said = [run([sys.executable, "-c", code_of(each)], dump=dump) for each in notebooks]
    assert "acme-claimed" in said[0]


@pytest.mark.skipif(RSCRIPT is None, reason="R is not installed here (Debian: r-base-core)")
def test_r_reads_a_dump_and_computes_a_board_again(dump: Path) -> None:
    assert "acme-a" in run([str(RSCRIPT), str(NOTEBOOKS / "standings.R")], dump=dump)
