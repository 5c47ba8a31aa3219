"""What a page may say before anything is unfolded: words, height, size of text, a sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from apps.intake.examples import loading
from tests import make
from tests.support.browser import WIDTHS_PX
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Page

    from tests.support.browser import BrowserPage

WORDS_MAX: Final = 900
HEIGHTS_PX: Final[Mapping[str, int]] = {"desktop": 5_000, "phone": 6_500}
SENTENCE_WORDS_MAX: Final = 20
TEXT_MIN_PX: Final = 13
YEAR_RUNS: Final = 1_500
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


def store_a_year(runs: int = YEAR_RUNS) -> None:
    """A made-up year beside the catalogue."""
    store_catalogue()
    loading.load(runs=runs, until=make.NOON, tell=lambda _: None)


def assert_within_budget(
    tab: BrowserPage,
    *addresses: str,
    words_max: float = WORDS_MAX,
    heights_px: Mapping[str, int] = HEIGHTS_PX,
    answers: int = 1,
    fine_max: float = math.inf,
) -> None:
    """Pages have few words, no small print and one breath of an answer, and are short.

    `answers`: how many each has; `fine_max`: of notes in smaller type that nothing folds.
    """
    for address in addresses:
        for width, height_px in heights_px.items():
            tab.resize(width_px=WIDTHS_PX[width])
            page = tab.open(address)
            what = f"{address} ({width})"
            assert_short(page, what, words_max=words_max, height_px=height_px, answers=answers)
            assert page.locator("p.fine:visible").count() <= fine_max, what


def assert_short(
    page: Page, what: str, *, words_max: float, height_px: int, answers: int = 1
) -> None:
    """The page as it stands is within its budget."""
    seen = page.evaluate(SEEN)
    assert seen["words"] <= words_max, f"{what} has {seen['words']} words"
    assert seen["height"] <= height_px, f"{what} is {seen['height']} px high"
    assert seen["small"] == [], what
    said = page.locator(".answer-says").all_text_contents()
    assert len(said) == answers, f"{what}: {said}"
    for sentence in said:
        assert len(sentence.split()) <= SENTENCE_WORDS_MAX, f"{what}: {sentence}"
