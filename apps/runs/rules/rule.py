"""What a rule is: an id for ever, a version, its words, and a check that may find something."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from apps.runs.models import Label
    from apps.runs.rules.facts import RunFacts


class Kind(StrEnum):
    """What a rule is about."""

    FRESHNESS = "freshness"  # whether the run was made when we asked for it
    CONSISTENCY = "consistency"  # whether the figures fit each other; Witnessed demands it
    ENVIRONMENT = "environment"  # where the file lay, and what else went on
    PHYSICS = "physics"  # whether the medium can do that


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `check` returns the figures that make it speak, or None."""

    id: str
    version: int
    kind: Kind
    outcome: Label.Outcome
    text: str  # on the label
    explanation: str  # what it means and what to do
    check: Callable[[RunFacts], str | None]
