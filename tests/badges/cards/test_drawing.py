"""Cards as pictures: every size and theme, whatever the words are, and nothing sticks out."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

import pytest

from apps.badges.badge_facts import Absence, BadgeLatency, BadgeTail, MissingFigure, Proof
from apps.badges.cards.card import COMPARED_MAX, CardSize
from apps.badges.cards.compare import draw_compared
from apps.badges.cards.drawing import draw
from apps.badges.cards.lines import in_lines, text_px
from apps.badges.cards.options import CardOptions
from apps.badges.cards.theme import DARK, LIGHT, SHEET
from apps.badges.cards.wording import card_of, compare_card_of
from apps.badges.drawing.badge import Tone
from apps.badges.options import BadgeTheme
from apps.pages.reading.styleguide.colours import colours
from tests.badges.facts import TODAY, some_facts

if TYPE_CHECKING:
    from apps.badges.badge_facts import Figures

SVG: Final = "{http://www.w3.org/2000/svg}"
EVERY_LOOK: Final = [
    CardOptions(size=size, theme=theme) for size in CardSize for theme in BadgeTheme
]
HOSTILE: Final = '<script>"x"</script> ]]> & \u202e 名 ' + "W" * 300
LOUD: Final = some_facts(
    name=HOSTILE,
    plan=HOSTILE,
    workload_title=HOSTILE,
    workload=HOSTILE,
    warning=HOSTILE,
    rate_per_s=6.5e11,
    uploaders=10**9,
    kinds=((10**9, 1e9), (10**9, 1e9), (10**9, 1e9)),
)
OFF_THE_SCALE: Final = some_facts(
    latency=BadgeLatency(ns=9 * 10**11, side="commit", is_median=True),
    tail=BadgeTail(ns=10**12, side="commit"),
)
OTHERS: Final[list[Figures]] = [
    some_facts(),
    LOUD,
    OFF_THE_SCALE,
    replace(OFF_THE_SCALE, latency=BadgeLatency(ns=1, side="commit", is_median=False)),
    some_facts(excluded_because=HOSTILE),
    some_facts(latency=None, tail=None, interval=None, cost=None, tier=None),
    *(MissingFigure(name=HOSTILE, absence=each) for each in Absence),
]


def drawn(figures: Figures, options: CardOptions | None = None) -> str:
    return draw(card_of(figures, today=TODAY), options or CardOptions())


def compared(figures: list[Figures], options: CardOptions | None = None) -> str:
    return draw_compared(compare_card_of(figures, today=TODAY), options or CardOptions())


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(picture).iter(f"{SVG}text")]  # noqa: S314 -- our own


def assert_inside(picture: str, size: CardSize) -> None:
    """Each text ends before the edge, and each line stands where no other begins."""
    root = ET.fromstring(picture)  # noqa: S314 -- our own
    assert (root.get("width"), root.get("height")) == (str(size.width), str(size.height))
    for each in root.iter(f"{SVG}text"):
        left = float(each.get("x", ""))
        assert left > 0
        assert left + float(each.get("textLength", "")) < size.width, each.text
        assert 0 < float(each.get("y", "")) < size.height, each.text


@pytest.mark.parametrize("options", EVERY_LOOK, ids=lambda each: each.query)
def test_whatever_the_words_are_nothing_sticks_out(options: CardOptions) -> None:
    for figures in OTHERS:
        assert_inside(drawn(figures, options), options.size)
    for count in range(COMPARED_MAX + 3):
        assert_inside(compared(OTHERS[:count], options), options.size)


@pytest.mark.parametrize("options", EVERY_LOOK, ids=lambda each: each.query)
def test_words_are_words_and_nothing_is_fetched_or_run(options: CardOptions) -> None:
    for picture in (drawn(LOUD, options), compared([LOUD, LOUD], options)):
        assert "<script" not in picture
        assert not re.search(r'href|url\(|src=|style="|\bon\w+=', picture)
        assert "&lt;script&gt;" in picture
        assert picture.count("<style>") == (options.theme is BadgeTheme.AUTO)


def test_a_card_says_what_its_badge_says_and_more() -> None:
    said = texts(drawn(some_facts()))
    assert said[:7] == [
        "Hetzner AX102", "fsyncmark", "10,318", "8,306\u201310,842", "durable commits/s",
        "1 run, witnessed · Nov 2026", "8 KiB overwrite, fdatasync after each",
    ]  # fmt: skip
    assert said[7:9] == ["p99 1.20 ms · tier 2", "€8.63 a billion, price of Nov 2026"]
    assert said[-1] == "half of all commits within 89 µs"
    assert "1 run, witnessed, November 2026." in drawn(some_facts())


@pytest.mark.parametrize("size", CardSize)
def test_what_does_not_count_is_grey_and_says_why(size: CardSize) -> None:
    options = CardOptions(size=size, theme=BadgeTheme.LIGHT)
    old = datetime(2025, 3, 1, tzinfo=UTC)
    for facts, standing, why in (
        (some_facts(excluded_because="in memory"), "excluded from standings", "in memory"),
        (some_facts(measured_at=old), "Mar 2025", "older than half a year"),
        (some_facts(proof=Proof.EXAMPLE), "example, made up", ""),
    ):
        picture = drawn(facts, options)
        assert Tone.NOTHING in picture
        assert not {Tone.WITNESSED, LIGHT.hot} & set(re.findall("#[0-9a-f]{6}", picture))
        assert standing in picture
        assert why in picture
    assert "durable" not in texts(drawn(some_facts(excluded_because="in memory"), options))[3]


def test_a_price_that_may_have_changed_is_called_old() -> None:
    cost = some_facts().cost
    assert cost
    assert "price of Nov 2026, old" in drawn(some_facts(cost=replace(cost, is_superseded=True)))


def test_a_lottery_says_who_got_what() -> None:
    said = texts(drawn(some_facts(uploaders=6, kinds=((6, 32_035.0), (3, 215.4)))))
    assert "6 of 9 uploaders, 215/s for 3 · Nov 2026" in said
    assert not any("8,306" in each for each in said)


def test_the_mark_stands_where_the_axis_says() -> None:
    picture = drawn(some_facts(latency=BadgeLatency(ns=100_000, side="commit", is_median=True)))
    (centre,) = re.findall(r'<circle cx="([0-9.]+)"', picture)
    assert float(centre) == pytest.approx(14 + 452 / 2)


def test_things_beside_each_other_name_the_work_once_or_each() -> None:
    same = texts(compared([some_facts(), some_facts(name="B")]))
    assert same[0] == "durable commits/s"
    assert same[-1] == "8 KiB overwrite, fdatasync after each"
    other = some_facts(name="B", workload="commit-4k", workload_title="4 KiB")
    apart = texts(compared([some_facts(), other]))
    assert apart[-1] == "the work differs, as each line says"
    assert "1 run, witnessed · Nov 2026 · commit-4k" in apart


def test_beside_what_is_left_out_nothing_is_called_durable() -> None:
    said = texts(compared([some_facts(), some_facts(excluded_because="in memory")]))
    assert said[0] == "commits/s"
    assert "durable commits/s" not in said


def test_things_without_room_are_counted() -> None:
    said = texts(compared([some_facts(name=f"N{number}") for number in range(6)]))
    assert said[-1].startswith("2 more · ")
    assert "N3" in said
    assert "N4" not in said
    assert texts(compared([]))[-1] == "nothing to compare"


def test_the_colours_are_those_of_the_pages() -> None:
    pages = colours()
    assert asdict(LIGHT) == {name: pages[name].light for name in asdict(LIGHT)}
    assert asdict(DARK) == {name: pages[name].dark for name in asdict(DARK)}
    for name, colour in asdict(DARK).items():
        assert f".f-{name}{{fill:{colour}}}" in SHEET


def test_notes_stand_whole_or_not_at_all_but_the_first_does() -> None:
    room = text_px("p99 1.20 ms · tier 2")
    notes = ["p99 1.20 ms", "tier 2", "cost"]
    assert in_lines(notes, rooms=[room, room]) == ["p99 1.20 ms · tier 2", "cost"]
    assert in_lines(notes, rooms=[room]) == ["p99 1.20 ms · tier 2"]
    assert in_lines(["x" * 99], rooms=[1.0, 2.0]) == ["", "x" * 99]
    assert in_lines([], rooms=[room]) == [""]
