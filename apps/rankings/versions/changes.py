"""What each version of the method changed, by the table that its page ends with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

PAGE: Final = Path("docs") / "methodology.md"
_LINE: Final = re.compile(
    r"^\| (?P<version>\d+) \| (?P<since>\d{4}-\d\d) \| (?P<text>.+) \|$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class MethodChange:
    """One version of the method."""

    version: int
    since: str  # the month: 2026-11
    text: str  # in English


@cache
def method_changes() -> tuple[MethodChange, ...]:
    """Return every version that the page names, the newest first."""
    page = (Path(settings.BASE_DIR) / PAGE).read_text(encoding="utf-8")
    _, _, table = page.partition("\n## Changes\n")
    found = [
        MethodChange(int(line["version"]), line["since"], line["text"])
        for line in _LINE.finditer(table)
    ]
    return tuple(sorted(found, key=lambda each: each.version, reverse=True))
