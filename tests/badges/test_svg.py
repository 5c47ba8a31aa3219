"""The picture: well formed whatever it is given, readable on every fill, drawn where it belongs."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.badges.drawing.axis import AXIS_PX, DECADE_PX, axis_px
from apps.badges.drawing.badge import Badge, BadgeMark, Tone
from apps.badges.drawing.parts import INK
from apps.badges.drawing.render import render
from apps.badges.drawing.text import (
    ALPHABET,
    NAME_CHARACTERS_MAX,
    SENTENCE_CHARACTERS_MAX,
    clean,
)
from apps.badges.drawing.theme import DARK, LIGHT, Palette
from apps.badges.options import BadgeOptions, BadgeStyle, BadgeTheme
from apps.runs.rules import TABLE
from apps.runs.rules.rule import Rule

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {f"{SVG}{name}" for name in ("svg", "title", "path", "circle", "g", "text", "style")}
ATTRIBUTES = {
    "width", "height", "viewBox", "role", "aria-label", "d", "fill", "fill-opacity", "stroke",
    "stroke-width", "cx", "cy", "r", "font-family", "font-size", "font-weight", "x", "y",
    "textLength", "class",
}  # fmt: skip
PICTURE_BYTES_MAX = 8 * 1024  # two of the longest sentences and the drawing

TEXT = st.text(max_size=900)
AS_EVER = BadgeOptions()
OPTIONS = st.builds(
    BadgeOptions,
    style=st.sampled_from(BadgeStyle),
    theme=st.sampled_from(BadgeTheme),
    label=TEXT,
)


BADGES = st.builds(
    Badge,
    name=TEXT,
    figure=TEXT,
    remark=TEXT,
    brief=TEXT,
    sentence=TEXT,
    tone=st.sampled_from(Tone),
    latency_ns=st.none() | st.integers(min_value=0, max_value=2**63),
    mark=st.sampled_from(BadgeMark),
    bars=st.none() | st.integers(min_value=0, max_value=4),
)
HOSTILE = (
    '"><script>alert(1)</script>',
    "]]><foreignObject><body onload='x()'/></foreignObject>",
    "&lt;b&gt; &#x3c;image href=//example.org/a&#x3e;",
    "<!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
    "\u202egpj.exe\u2066\u0000\ufeff\ud800",
    "<\u0338script\uff1e ＜script＞",  # noqa: RUF001 -- full-width brackets that NFKC turns into real ones
    "\x1b]0;title\x07",
    "--> <?xml-stylesheet href='x'?>",
)


def a_badge(**changes: object) -> Badge:
    facts: dict[str, object] = {
        "name": "Hetzner AX102",
        "figure": "10,318",
        "remark": "commits/s · 1 run, witnessed",
        "sentence": "Fsyncmark, Hetzner AX102: 10,318 durable commits a second.",
        "tone": Tone.WITNESSED,
        "latency_ns": 89_000,
        "mark": BadgeMark.PROTECTED,
        "bars": 2,
    }
    return Badge(**(facts | changes))  # type: ignore[arg-type]  # the keys are Badge's own


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 -- our own output, and the point is that it parses


def assert_harmless(svg: str) -> None:
    root = parsed(svg)
    for element in root.iter():
        assert element.tag in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
    assert len(svg.encode()) <= PICTURE_BYTES_MAX


@given(BADGES, OPTIONS)
def test_any_text_gives_a_well_formed_picture_of_known_elements(
    badge: Badge, options: BadgeOptions
) -> None:
    svg = render(badge, options)
    assert_harmless(svg)
    assert svg == render(badge, options)


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("field", ["name", "figure", "remark", "brief", "sentence", "label"])
@pytest.mark.parametrize("style", BadgeStyle)
def test_hostile_text_is_shown_as_text(field: str, hostile: str, style: BadgeStyle) -> None:
    label = hostile if field == "label" else ""
    badge = a_badge() if label else a_badge(**{field: hostile})
    svg = render(badge, BadgeOptions(style=style, label=label))
    assert_harmless(svg)
    assert "<script" not in svg
    assert "<!" not in svg
    assert "<?" not in svg


@given(st.text(max_size=200), st.integers(min_value=1, max_value=60))
def test_cleaned_text_is_one_bounded_line_of_the_alphabet(text: str, characters_max: int) -> None:
    line = clean(text, characters_max=characters_max)
    assert ALPHABET.issuperset(line)
    assert len(line) <= characters_max
    assert clean(line, characters_max=characters_max) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  two\n\twords ", "two words"),
        ("Größe µ · Łódź", "Größe µ · Łódź"),
        ("ｆｕｌｌ", "full"),  # noqa: RUF001 -- full-width letters are the case
        ("硬盘 SSD", "?? SSD"),
        ("a" * 41, "a" * 39 + "…"),
    ],
)
def test_text_is_spelt_with_the_alphabet(text: str, line: str) -> None:
    assert clean(text, characters_max=NAME_CHARACTERS_MAX) == line


@pytest.mark.parametrize("rule", TABLE, ids=lambda rule: rule.id)
def test_the_words_of_a_label_are_spelt_whole(rule: Rule) -> None:
    assert clean(rule.text, characters_max=SENTENCE_CHARACTERS_MAX) == rule.text


def test_the_sentence_is_both_label_and_title() -> None:
    root = parsed(render(a_badge(sentence='Half of "all" <commits> & more'), AS_EVER))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == 'Half of "all" <commits> & more'
    assert root.findtext(f"{SVG}title") == root.attrib["aria-label"]


def test_a_sentence_without_end_is_cut() -> None:
    root = parsed(render(a_badge(sentence="word " * 1000), AS_EVER))
    assert len(root.attrib["aria-label"]) <= SENTENCE_CHARACTERS_MAX


@given(BADGES, OPTIONS)
def test_every_text_has_its_width_and_ends_inside_its_part(
    badge: Badge, options: BadgeOptions
) -> None:
    root = parsed(render(badge, options))
    total_px = int(root.attrib["width"])
    edges_px = [0.0]
    for text in root.iter(f"{SVG}text"):
        start_px, length_px = float(text.attrib["x"]), float(text.attrib["textLength"])
        assert length_px > 0
        assert start_px >= edges_px[-1]
        edges_px.append(start_px + length_px)
    assert edges_px[-1] <= total_px


@pytest.mark.parametrize("tone", Tone)
def test_white_is_readable_on_every_fill(tone: Tone) -> None:
    assert contrast(INK, tone.value) >= 4.5


@pytest.mark.parametrize("palette", [DARK, LIGHT])
def test_the_left_part_is_readable_on_both_grounds(palette: Palette) -> None:
    assert contrast(palette.ink, palette.ground) >= 4.5
    assert contrast(palette.mark, palette.ground) >= 3
    assert contrast(palette.axis, palette.ground) >= 3


def test_fills_of_different_proof_differ() -> None:
    assert len({tone.value for tone in Tone}) == len(Tone)


@pytest.mark.parametrize(
    ("latency_ns", "x_px"),
    [(100, 0), (1_000, DECADE_PX), (10_000, 2 * DECADE_PX), (100_000_000, AXIS_PX)],
)
def test_each_decade_of_latency_is_one_step_of_the_axis(latency_ns: int, x_px: float) -> None:
    assert axis_px(latency_ns) == pytest.approx(x_px)


@pytest.mark.parametrize(("latency_ns", "points"), [(99, "l6 -4"), (100_000_001, "l-6 -4")])
def test_a_latency_off_the_scale_is_an_arrow(latency_ns: int, points: str) -> None:
    svg = render(a_badge(latency_ns=latency_ns), AS_EVER)
    assert points in svg
    assert "<circle" not in svg


def test_protection_is_told_by_shape() -> None:
    pictures = {render(a_badge(mark=mark), AS_EVER) for mark in BadgeMark}
    grey = {re.sub(r"#[0-9a-f]{6}", "#777777", picture) for picture in pictures}
    assert len(grey) == len(BadgeMark)


@pytest.mark.parametrize("bars", range(5))
def test_bars_are_filled_up_to_the_level(bars: int) -> None:
    svg = render(a_badge(bars=bars, tone=Tone.NOTHING), AS_EVER)
    marks = re.findall(r'<path( fill-opacity="0\.35")? d="((?:M\d+ 17h2v-\d+h-2z)+)"/>', svg)
    filled = {"faint" if faint else "bright": drawn.count("M") for faint, drawn in marks}
    assert filled.get("bright", 0) == bars
    assert filled.get("faint", 0) == 4 - bars


def test_without_a_latency_the_axis_is_empty() -> None:
    assert "#ff6b2c" not in render(a_badge(latency_ns=None), AS_EVER)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    channels = (int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5))
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
