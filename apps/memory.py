"""Remembers answers of the database while many runs are made in one transaction.

A run asks some twenty times for rows of the catalogue, and the next run mostly for the same ones.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")
_answers: Final[ContextVar[dict[Any, Any] | None]] = ContextVar("answers", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """Ask each `remembered` question once in this block, which is inside one transaction."""
    token = _answers.set({})
    try:
        yield
    finally:
        _answers.reset(token)


def remembered(ask: Callable[_Asked, _Answer]) -> Callable[_Asked, _Answer]:
    """Decorate a question of hashable arguments, whose answer nobody changes."""

    @wraps(ask)
    def answer(*args: _Asked.args, **kwargs: _Asked.kwargs) -> _Answer:
        answers = _answers.get()
        if answers is None:
            return ask(*args, **kwargs)
        question = (ask, args, tuple(sorted(kwargs.items())))
        if question not in answers:
            answers[question] = ask(*args, **kwargs)
        found: _Answer = answers[question]
        return found

    return answer
