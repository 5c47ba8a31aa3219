"""The API guide is true: its program signs and uploads, its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from apps.wire import limits
from apps.wire.problems import PROBLEMS

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "api.md"


def program() -> dict[str, Any]:
    """Return the names that the guide's Python blocks define, run in their order."""
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(block, str(GUIDE), "exec"), names)  # noqa: S102 -- our own documentation
    return names


def test_the_guide_lists_every_problem_with_its_advice() -> None:
    table = GUIDE.read_text().partition("<!-- problems:")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \| (.*?) \| (.*?) \|$", table, re.MULTILINE)
    assert rows == [
        (kind.slug, str(int(kind.status)), kind.title, kind.advice) for kind in PROBLEMS.values()
    ]


def test_the_guide_states_the_limits_of_the_code() -> None:
    text = GUIDE.read_text()
    mebibyte = 1024 * 1024
    assert f"| envelope | {limits.ENVELOPE_BYTES_MAX // mebibyte} MiB |" in text
    assert f"| payload | {limits.PAYLOAD_BYTES_MAX // mebibyte} MiB |" in text
    assert f"| {limits.STATEMENT_BYTES_MAX // 1024} KiB |" in text
    assert f"| at most {limits.COMPRESSION_RATIO_MAX} : 1," in text
    assert f"| nesting | {limits.DEPTH_MAX} levels |" in text
    assert f"| faults named in one answer | {limits.ERRORS_MAX} |" in text
    assert limits.INTEGER_MAX == 2**53 - 1
