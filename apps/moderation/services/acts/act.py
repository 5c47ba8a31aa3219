"""What an action is made of: an order, what came of it, and how to take it back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.contrib.auth.models import User

    from apps.moderation.models import Decision, Subject


class DecisionError(Exception):
    """Something cannot be decided so; its text says why, in the language of the page."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a moderator wants with one thing."""

    action: str  # of Decision.Action
    subject: Subject
    subject_id: str
    reason: str
    by: User
    given: Mapping[str, str] = field(default_factory=dict)  # other fields of the form


@dataclass(frozen=True, slots=True)
class Done:
    """What the log says that a decision was about, and what its undo needs."""

    subject: Subject
    subject_id: str
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Act:
    """How an action is done and undone. Both run inside the transaction of the decision."""

    do: Callable[[Order], Done]
    undo: Callable[[Decision], None]


def nothing_to_undo(_decision: Decision) -> None:
    """The undo of what changed nothing."""
