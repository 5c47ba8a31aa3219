"""How sure the figure of one run is: by its level, its article, and whether it counts at all."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from apps.rankings.standings.confidence import support_of_run
from apps.runs.models import Level
from apps.stats.standings.confidence import Confidence, Support, sureness
from apps.words.confidence import basis_of_run
from tests import make

if TYPE_CHECKING:
    from apps.runs.models import Run

pytestmark = pytest.mark.django_db
TODAY = date(2026, 6, 1)
ARTICLE_OF_2025 = "webp-ax102-fio-fsync-8k"


def published(slug: str) -> Run:
    run = make.run(level=Level.PUBLISHED, slug=slug)
    make.citation(run=run)
    return run


@pytest.mark.parametrize(
    ("changes", "support", "word", "basis"),
    [
        ({}, Support.SOME, Confidence.LIKELY, "1 witnessed run"),
        ({"level": Level.SIGNED}, Support.WEAK, Confidence.BORDERLINE, "1 signed run"),
        ({"level": Level.IMPORTED}, Support.WEAK, Confidence.BORDERLINE, "1 imported run"),
        ({"is_kept_out": True}, Support.NONE, Confidence.UNKNOWN, "does not count"),
        ({"plan_in_doubt": True}, Support.SOME, Confidence.LIKELY, "1 witnessed run"),
        ({"is_example": True}, Support.NONE, Confidence.UNKNOWN, "made-up example"),
    ],
)
def test_a_run_is_as_sure_as_its_level(
    changes: dict[str, Any], support: Support, word: Confidence, basis: str
) -> None:
    run = make.run(**changes)
    assert support_of_run(run) is support
    assert sureness(support).confidence is word
    assert basis_of_run(run) == basis


def test_a_published_run_goes_by_its_article() -> None:
    recent = published(ARTICLE_OF_2025)
    assert support_of_run(recent, today=TODAY) is Support.SOME
    assert support_of_run(recent, today=date(2031, 6, 1)) is Support.WEAK
    assert support_of_run(published("of-no-month"), today=TODAY) is Support.WEAK
    recent.citation.is_illustrative = True
    assert support_of_run(recent, today=TODAY) is Support.WEAK
