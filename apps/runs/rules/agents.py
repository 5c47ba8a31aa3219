"""The versions of the agent that were released, and the binaries of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

AGENTS_FILE: Final = Path(__file__).parents[1] / "data" / "agents.json"


@dataclass(frozen=True, slots=True)
class Release:
    """A version of the agent."""

    commit: str | None  # that its binaries were built from; None: no binary was released
    binaries: dict[str, str]  # SHA-256 by target


@cache
def released_agents() -> dict[str, Release]:
    """Return the released versions; read once in a process."""
    rows = json.loads(AGENTS_FILE.read_text(encoding="utf-8"))
    return {version: Release(**row) for version, row in rows.items()}
