"""The advisor and a comparison answer in the first screen, and are short until unfolded."""

from __future__ import annotations

from typing import Final

import pytest

from apps.rankings.models import Evidence, Standing
from tests.support.browser import HEIGHT_PX, WIDTHS_PX, BrowserPage
from tests.support.browsing.budgets import assert_within_budget, store_a_year
from tests.support.live_site import Scenes

pytestmark = pytest.mark.browser

AX102: Final = "plan:hetzner-ax102-15-36-tb-nvme-dc-drive"
OTHERS: Final = "on=run:webp-ax102-fio-fsync-8k&on=drive:micron-7500-pro&on=drive:crucial-mx500"
ADVISOR: Final = ("/advisor/", "/advisor/?rate=5000&p99=2", "/advisor/?software=etcd&region=Europe")
COMPARE: Final = (
    "/compare/?on=plan:hetzner-ccx33&on=plan:hetzner-ax102",
    f"/compare/?on={AX102}&on=plan:hetzner-ax41-nvme",
    "/compare/?on=drive:samsung-990-pro&on=drive:micron-7500-pro",
    f"/compare/?on={AX102}&on=plan:hetzner-ax41-nvme&on=plan:hetzner-ccx63&{OTHERS}",
)


@pytest.mark.parametrize("address", [*ADVISOR, *COMPARE])
def test_an_answer_is_short(catalogue: BrowserPage, address: str) -> None:
    assert_within_budget(catalogue, address, fine_max=1)


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


@pytest.mark.daily
def test_with_a_year_of_examples_they_are_as_short(
    scenes: Scenes, reading_page: BrowserPage
) -> None:
    scenes.show(store_a_year)
    made_up = Standing.objects.filter(evidence=Evidence.EXAMPLE, plan__isnull=False)
    plans = sorted(set(made_up.values_list("plan", flat=True)))
    assert len(plans) > 1
    six = "&".join(f"on=plan:{each}" for each in plans[:6])
    for address in (*ADVISOR, f"/compare/?{six}", *(f"/compare/?on=plan:{plans[0]}&on=plan:{each}"
                                                   for each in plans[1:])):  # fmt: skip
        assert_within_budget(reading_page, address)
