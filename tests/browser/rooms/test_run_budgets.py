"""The page of a run is short in every state: evidence is folded, one note explains its marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from apps.intake.examples import loading
from apps.runs.models import Run
from apps.runs.services import record_run
from tests import make
from tests.runs.rules.changes import disturbed
from tests.support.browser import HEIGHT_PX, WIDTHS_PX, BrowserPage
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from tests.support.live_site import Scenes

pytestmark = pytest.mark.browser
WORDS_MAX: Final = 900
ANSWER_WORDS_MAX: Final = 20
HEIGHT_MAX_PX: Final = {"desktop": 5_000, "phone": 6_500}
TEXT_MIN_PX: Final = 13
EXAMPLE_RUNS: Final = 40  # a few of them standard, each with all its workloads
# What a reader sees: no words for the ear alone, nothing folded, nothing of forms; labels of
# drawings may be smaller than other text.
SEEN: Final = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isForTheEar = (e) =>
    e && (getComputedStyle(e).clipPath.startsWith("inset(50%") || isForTheEar(e.parentElement));
  const isOfForm = (e) => ["SCRIPT", "NOSCRIPT", "TEXTAREA", "OPTION"].includes(e.tagName);
  const options = { checkOpacity: true, checkVisibilityCSS: true };
  let [words, small] = [0, []];
  while (texts.nextNode()) {
    const [holder, said] = [texts.currentNode.parentElement, texts.currentNode.data.trim()];
    if (!said || isOfForm(holder) || isForTheEar(holder)) continue;
    if (!holder.checkVisibility(options)) continue;
    words += said.split(/\\s+/).length;
    const size_px = parseFloat(getComputedStyle(holder).fontSize);
    if (size_px < TEXT_MIN_PX && !holder.closest("svg, .ruler")) small.push(said);
  }
  return { words, small, height: document.documentElement.scrollHeight };
}""".replace("TEXT_MIN_PX", str(TEXT_MIN_PX))


def runs_in_every_state() -> dict[str, str]:
    """Store the catalogue, examples, and a run that does not count; return slugs by state."""
    store_catalogue()
    loading.load(runs=EXAMPLE_RUNS, until=make.NOON, tell=lambda _: None)
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


@pytest.mark.parametrize("width", list(HEIGHT_MAX_PX))
@pytest.mark.parametrize("state", ["standard", "quick", "out", "published"])
def test_the_page_of_a_run_is_short(
    slugs: dict[str, str], reading_page: BrowserPage, state: str, width: str
) -> None:
    reading_page.resize(width_px=WIDTHS_PX[width])
    page = reading_page.open(f"/runs/{slugs[state]}/")
    seen = page.evaluate(SEEN)
    assert seen["words"] <= WORDS_MAX
    assert seen["height"] <= HEIGHT_MAX_PX[width]
    assert seen["small"] == []
    assert len(page.locator(".answer-says").inner_text().split()) <= ANSWER_WORDS_MAX
    assert page.locator(".thing-words > .fine").count() == 1


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
