"""Patterns that a matcher which goes back and forth takes ages for, and texts made for them."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Final

import pytest

from apps.drives.recognition import Recogniser
from apps.intake.importers.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from tests.attacks.conftest import Weakened

pytestmark = pytest.mark.attack
CPU_SECONDS: Final = 0.5  # of this process; RE2 takes microseconds, and backtracking years
TEXT: Final = "a" * 60 + "!"
PATTERNS: Final = {
    "nested": "^(a+)+$", "choice": "^(a|aa)+$", "optional": "^(a?){60}a{60}$",
    "stars": "^(a*)*$", "twice": "^(.*a){40}$", "words": r"^(\w+\s?)*$",
}  # fmt: skip


class AgesError(Exception):
    """The time was over."""


@pytest.fixture(autouse=True)
def little_time() -> Iterator[None]:
    def end(_signal: int, _frame: FrameType | None) -> None:
        raise AgesError

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_a_pattern_of_a_drive_takes_no_ages(weakened: Weakened, pattern: str) -> None:
    Recogniser((("family", "physical", pattern),)).matches(TEXT)
    with weakened.with_backtracking(), pytest.raises(AgesError):
        Recogniser((("family", "physical", pattern),)).matches(TEXT)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_a_line_of_an_output_takes_no_ages(weakened: Weakened, pattern: str) -> None:
    Pattern(pattern, having="a").match(TEXT)
    with weakened.with_backtracking(), pytest.raises(AgesError):
        Pattern(pattern, having="a").match(TEXT)
