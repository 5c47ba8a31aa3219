"""The picture in a real browser: shown by an image element, its words where they belong."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import pytest

from apps.badges.drawing.badge import Badge, BadgeMark, Tone
from apps.badges.drawing.render import render
from apps.badges.options import BadgeOptions
from tests.support.npm import NpmPackage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

BADGE = render(
    Badge(
        name="Hetzner AX41-NVMe",
        figure="10,318",
        remark="commits/s · 1 run, witnessed",
        sentence="Fsyncmark, Hetzner AX41-NVMe: 10,318 durable commits a second.",
        tone=Tone.WITNESSED,
        latency_ns=89_000,
        mark=BadgeMark.PROTECTED,
        bars=2,
    ),
    BadgeOptions(),
)
# A font of the badge's list, as a machine may have none of them.
DEJAVU_MONO = NpmPackage(
    "@fontsource/dejavu-mono@5.3.0",
    sha256="36b2f77eb2762b381e3893ff4425c4bbec3130bc2b2bb8b0e67720aa0c2cfb78",
)
# Fonts of one width differ by a tenth; textLength evens that out without anybody seeing it.
STRETCH_MAX = 0.1


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def test_an_image_element_shows_it_in_its_own_size(page: Page) -> None:
    source = b64encode(BADGE.encode()).decode()
    page.set_content(f'<img alt="" src="data:image/svg+xml;base64,{source}">')
    image = page.locator("img")
    size = image.evaluate("async (image) => { await image.decode(); return image.naturalWidth }")
    assert f'width="{size}"' in BADGE
    assert image.evaluate("(image) => image.naturalHeight") == 24


def test_a_screen_reader_finds_one_picture_with_its_sentence(page: Page) -> None:
    page.set_content(BADGE)
    picture = page.get_by_role("img")
    assert picture.count() == 1
    assert picture.get_attribute("aria-label") == (
        "Fsyncmark, Hetzner AX41-NVMe: 10,318 durable commits a second."
    )


@pytest.fixture(scope="module")
def dejavu_mono() -> str:
    """The style sheet that brings the font, in both weights."""
    faces = []
    with DEJAVU_MONO.archive() as package:
        for weight in (400, 700):
            file = package.extractfile(f"package/files/dejavu-mono-latin-{weight}-normal.woff2")
            assert file is not None
            source = b64encode(file.read()).decode()
            faces.append(
                f"@font-face {{ font-family: 'DejaVu Sans Mono'; font-weight: {weight};"
                f" src: url(data:font/woff2;base64,{source}) }}"
            )
    return "".join(faces)


def test_the_widths_given_are_those_of_the_font(page: Page, dejavu_mono: str) -> None:
    page.set_content(f"<style>{dejavu_mono}</style>{BADGE}")
    page.evaluate("Promise.all([...document.fonts].map(font => font.load()))")
    widths = page.locator("text").evaluate_all(
        """texts => texts.map(text => {
            const given = Number(text.getAttribute("textLength"));
            text.removeAttribute("textLength");
            return [given, text.getComputedTextLength()];
        })"""
    )
    assert len(widths) == 3
    for given_px, natural_px in widths:
        assert given_px == pytest.approx(natural_px, rel=STRETCH_MAX)
