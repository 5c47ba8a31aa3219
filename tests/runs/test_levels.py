"""The level of a run: every combination of what it is decided by."""

from __future__ import annotations

from itertools import product

import pytest

from apps.runs.models import EXAMPLE, Level
from apps.runs.trust.levels import COUNTING, MEASURED, evidence_of, level_of

BOTH = (False, True)


@pytest.mark.parametrize(("is_placed", "is_lab"), list(product(BOTH, BOTH)))
@pytest.mark.parametrize(("is_fresh", "is_consistent"), [(0, 0), (0, 1), (1, 0)])
def test_nothing_lifts_what_is_late_or_contradicts_itself(
    is_fresh: int, is_consistent: int, *, is_placed: bool, is_lab: bool
) -> None:
    found = level_of(
        is_fresh=bool(is_fresh),
        is_consistent=bool(is_consistent),
        is_placed=is_placed,
        is_lab=is_lab,
    )
    assert found == Level.SIGNED
    assert found not in COUNTING


@pytest.mark.parametrize(
    ("is_placed", "is_lab", "expected"),
    [
        (False, False, Level.WITNESSED),
        (True, False, Level.PLACED),
        (False, True, Level.LAB),
        (True, True, Level.LAB),
    ],
)
def test_of_a_witnessed_run(*, is_placed: bool, is_lab: bool, expected: Level) -> None:
    found = level_of(is_fresh=True, is_consistent=True, is_placed=is_placed, is_lab=is_lab)
    assert found == expected
    assert found in COUNTING
    assert found in MEASURED


def test_laboratories_are_evidence_of_their_own() -> None:
    assert {each: evidence_of(each) for each in (*Level.values, EXAMPLE)} == {
        "published": "published", "imported": "imported", "signed": "measured",
        "witnessed": "measured", "placed": "measured", "lab": "lab", "example": "example",
    }  # fmt: skip
