"""manage.py read_import prints what is understood and needs no database."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

FIXTURES = Path(__file__).parent / "importers" / "fixtures"


def run(file: str | Path) -> tuple[int, dict[str, Any]]:
    """Return the status and the JSON; pytest-django refuses any query of these tests."""
    out = io.StringIO()
    try:
        call_command("read_import", str(file), stdout=out)
    except SystemExit as ended:
        return int(str(ended.code)), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def test_it_prints_figures_with_their_lines() -> None:
    status, document = run(FIXTURES / "fio-3.33-debian.fsync.json")
    assert status == 0
    assert (document["kind"], document["tool_version"]) == ("fio-json", "3.33")
    (job,) = document["jobs"]
    assert job["figures"]["sync_p99_us"] == {
        "value": 305.152,
        "line": 191,
        "text": '"99.000000" : 305152,',
    }


def test_an_output_of_a_file_in_memory_is_not_called_durable() -> None:
    status, document = run(FIXTURES / "made/fio-3.33-tmpfs.json")
    assert status == 0
    assert not document["jobs"][0]["is_durable_single_writer"]
    assert {label["rule"] for label in document["labels"]} == {
        "faster-than-medium", "memory-filesystem",
    }  # fmt: skip
    status, document = run(FIXTURES / "fio-3.33-debian.fsync.json")
    assert document["jobs"][0]["is_durable_single_writer"]
    assert document["labels"] == []


def test_what_is_not_understood_is_an_error(tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_text("no output")
    status, document = run(odd)
    assert status == 1
    assert "no output that is read here" in str(document["error"])
    assert run(tmp_path / "none") == (
        1, {"error": f"cannot read {tmp_path / 'none'}: No such file or directory"},
    )  # fmt: skip


def test_a_file_is_not_read_beyond_its_bound() -> None:
    assert "larger than 2 MiB" in str(run("/dev/zero")[1]["error"])


def test_standard_input_is_read_too(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = (FIXTURES / "pg_test_fsync-15.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert run("-")[1]["kind"] == "pg_test_fsync"
