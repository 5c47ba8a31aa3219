"""The advisor and a comparison answer in the first screen, and are short until unfolded."""

from __future__ import annotations

from typing import Final

import pytest

from apps.intake.examples import loading
from apps.rankings.models import Evidence, Standing
from tests import make
from tests.support.browser import HEIGHT_PX, WIDTHS_PX, BrowserPage
from tests.support.catalogue import store_catalogue
from tests.support.live_site import Scenes

pytestmark = pytest.mark.browser

WORDS_MAX: Final = 900
HEIGHTS_PX: Final = {"desktop": 5_000, "phone": 6_500}
SENTENCE_WORDS_MAX: Final = 20
TEXT_MIN_PX: Final = 13
EXAMPLE_RUNS: Final = 400
SEEN: Final = """() => {
  const main = document.querySelector("main");
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const small = [];
  while (texts.nextNode()) {
    const [holder, said] = [texts.currentNode.parentElement, texts.currentNode.data.trim()];
    const isDrawn = holder.closest("svg, .ruler, .hidden, script, noscript, option");
    if (!said || isDrawn || !holder.checkVisibility()) continue;
    if (parseFloat(getComputedStyle(holder).fontSize) < TEXT_MIN_PX) small.push(said);
  }
  return {
    words: main.innerText.split(/\\s+/).filter(Boolean).length,
    height: document.documentElement.scrollHeight,
    small,
  };
}""".replace("TEXT_MIN_PX", str(TEXT_MIN_PX))

AX102: Final = "plan:hetzner-ax102-15-36-tb-nvme-dc-drive"
OTHERS: Final = "on=run:webp-ax102-fio-fsync-8k&on=drive:micron-7500-pro&on=drive:crucial-mx500"
ADVISOR: Final = ("/advisor/", "/advisor/?rate=5000&p99=2", "/advisor/?software=etcd&region=Europe")
COMPARE: Final = (
    "/compare/?on=plan:hetzner-ccx33&on=plan:hetzner-ax102",
    f"/compare/?on={AX102}&on=plan:hetzner-ax41-nvme",
    "/compare/?on=drive:samsung-990-pro&on=drive:micron-7500-pro",
    f"/compare/?on={AX102}&on=plan:hetzner-ax41-nvme&on=plan:hetzner-ccx63&{OTHERS}",
)


def assert_within_budget(tab: BrowserPage, address: str) -> None:
    for width, height_px in HEIGHTS_PX.items():
        tab.resize(width_px=WIDTHS_PX[width])
        page = tab.open(address)
        seen = page.evaluate(SEEN)
        assert seen["words"] <= WORDS_MAX, (address, width, seen["words"])
        assert seen["height"] <= height_px, (address, width, seen["height"])
        assert seen["small"] == [], (address, width)
        sentence = page.locator(".answer-says").inner_text()
        assert len(sentence.split()) <= SENTENCE_WORDS_MAX, sentence
        assert page.locator("p.fine:visible").count() <= 1, (address, width)


@pytest.mark.parametrize("address", [*ADVISOR, *COMPARE])
def test_an_answer_is_short(catalogue: BrowserPage, address: str) -> None:
    assert_within_budget(catalogue, address)


@pytest.mark.parametrize(
    ("address", "picture"),
    [*((each, ".need-picture") for each in ADVISOR), *((each, ".hero-chart") for each in COMPARE)],
)
def test_the_first_screen_holds_the_answer_and_its_picture(
    catalogue: BrowserPage, address: str, picture: str
) -> None:
    catalogue.resize(width_px=WIDTHS_PX["desktop"])
    page = catalogue.open(address)
    answer, drawn = (page.locator(each).bounding_box() for each in (".answer", picture))
    assert answer
    assert drawn
    assert answer["y"] + answer["height"] < HEIGHT_PX
    assert drawn["x"] >= answer["x"] + answer["width"]
    assert drawn["y"] + 200 < HEIGHT_PX


def store_examples() -> None:
    """A made-up year beside the catalogue."""
    store_catalogue()
    loading.load(runs=EXAMPLE_RUNS, until=make.NOON, tell=lambda _: None)


@pytest.mark.daily
def test_with_a_year_of_examples_they_are_as_short(
    scenes: Scenes, reading_page: BrowserPage
) -> None:
    scenes.show(store_examples)
    made_up = Standing.objects.filter(evidence=Evidence.EXAMPLE, plan__isnull=False)
    plans = sorted(set(made_up.values_list("plan", flat=True)))
    assert len(plans) > 1
    six = "&".join(f"on=plan:{each}" for each in plans[:6])
    for address in (*ADVISOR, f"/compare/?{six}", *(f"/compare/?on=plan:{plans[0]}&on=plan:{each}"
                                                   for each in plans[1:])):  # fmt: skip
        assert_within_budget(reading_page, address)
