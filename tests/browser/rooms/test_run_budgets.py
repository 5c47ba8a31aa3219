"""The page of a run is short in every state: evidence is folded, one note explains its marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from apps.runs.models import Run
from apps.runs.services import record_run
from tests import make
from tests.runs.rules.changes import disturbed
from tests.support.browser import HEIGHT_PX, WIDTHS_PX, BrowserPage
from tests.support.browsing.budgets import assert_within_budget, store_a_year

if TYPE_CHECKING:
    from tests.support.live_site import Scenes

pytestmark = pytest.mark.browser
EXAMPLE_RUNS: Final = 40  # a few of them standard, each with all its workloads


def runs_in_every_state() -> dict[str, str]:
    """Store the catalogue, examples, and a run that does not count; return slugs by state."""
    store_a_year(EXAMPLE_RUNS)
    document = make.payload()
    disturbed(device_permille=970)(document)
    out = record_run(upload=make.upload(document, witnessed=True, state="done"))
    standard = Run.objects.filter(is_example=True, suite="standard").first()
    quick = Run.objects.filter(is_example=True, suite="quick").first()
    assert standard is not None
    assert quick is not None
    return {
        "standard": standard.slug, "quick": quick.slug, "out": out.slug,
        "published": "webp-ax102-fio-fsync-8k",
    }  # fmt: skip


@pytest.fixture
def slugs(scenes: Scenes) -> dict[str, str]:
    return scenes.show(runs_in_every_state)


@pytest.mark.parametrize("state", ["standard", "quick", "out", "published"])
def test_the_page_of_a_run_is_short(
    slugs: dict[str, str], reading_page: BrowserPage, state: str
) -> None:
    address = f"/runs/{slugs[state]}/"
    assert_within_budget(reading_page, address)
    assert reading_page.open(address).locator(".thing-words > .fine").count() == 1


def test_the_first_screen_holds_the_answer_and_the_curve(
    slugs: dict[str, str], reading_page: BrowserPage
) -> None:
    reading_page.resize(width_px=WIDTHS_PX["desktop"])
    page = reading_page.open(f"/runs/{slugs['standard']}/")
    answer, curve = (
        page.locator(each).bounding_box() for each in (".answer", ".hero-chart canvas")
    )
    assert answer
    assert curve
    assert curve["x"] >= answer["x"] + answer["width"]
    assert curve["y"] < answer["y"] + answer["height"] < HEIGHT_PX


def test_no_two_runs_have_the_same_title(slugs: dict[str, str], reading_page: BrowserPage) -> None:
    titles = {reading_page.open(f"/runs/{slug}/").title() for slug in slugs.values()}
    assert len(titles) == len(slugs)
