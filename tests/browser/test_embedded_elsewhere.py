"""Badges and cards on the pages of others, seen in a browser: GitHub, WordPress, Discourse, a blog.

What each of them leaves of what it is given is done as their own code does it. The pictures of it
lie in build/embedded.
"""

from __future__ import annotations

import re
import urllib.parse
from html import unescape
from typing import TYPE_CHECKING, Final

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.support.browser import DECODED_WIDTH_PX
from tests.support.browsing.hosts import (
    GITHUB_POLICY,
    Host,
    as_discourse,
    as_github,
    as_wordpress,
    host,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, FrameLocator, Locator, Page

    from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser
SLUG: Final = "hetzner-ax102-15-36-tb-nvme-dc-drive"
PLAN: Final = f"/plans/{SLUG}/"
COMPARED: Final = f"/compare/?on=plan:{SLUG}&on=plan:hetzner-ax41-nvme"
RATE: Final = "10,318"
PICTURES: Final = settings.BASE_DIR / "build" / "embedded"


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Host]:
    with host() as other:
        yield other


@pytest.fixture(params=["light", pytest.param("dark", marks=pytest.mark.daily)])
def reader(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Somebody who reads the page of another site."""
    context = chromium.new_context(
        color_scheme=request.param, viewport={"width": 760, "height": 520}
    )
    yield context.new_page()
    context.close()


def keep(reader: Page, name: str) -> None:
    scheme = "dark" if reader.evaluate("matchMedia('(prefers-color-scheme:dark)').matches") else ""
    PICTURES.mkdir(parents=True, exist_ok=True)
    reader.screenshot(path=PICTURES / f"{name}{'-dark' if scheme else ''}.png")


def snippet(catalogue: BrowserPage, query: str, language: str) -> str:
    """Return the lines that our page gives to copy."""
    page = catalogue.open(f"/embed/?{query}")
    return page.locator(f"#badge-{language}").inner_text()


def assert_shown(picture: Locator, *, width_px: int | None = None) -> None:
    width = picture.evaluate(DECODED_WIDTH_PX)
    assert width == width_px if width_px else width > 100


def assert_card(frame: FrameLocator, *, width_px: int, height_px: int) -> None:
    """The card is there with its figure, whole, and nothing scrolls in it."""
    expect(frame.locator("svg text", has_text=RATE)).to_be_visible()
    box = frame.locator("svg").evaluate(
        "svg => [svg.clientWidth, svg.clientHeight, document.documentElement.scrollWidth]"
    )
    assert box == [width_px, height_px, width_px]


def test_github_shows_both_through_its_proxy(
    catalogue: BrowserPage, elsewhere: Host, reader: Page
) -> None:
    looks = ("", "&style=flat&theme=auto", "&style=card-480x160", "&style=card-320x200&theme=dark")
    lines = [snippet(catalogue, f"of=plan:{SLUG}{look}", "markdown") for look in looks]
    reader.goto(elsewhere.show("/readme", as_github("\n\n".join(lines)), policy=GITHUB_POLICY))
    pictures = reader.locator("img")
    expect(pictures).to_have_count(len(looks))
    for place, width_px in enumerate((None, None, 480, 320)):
        assert_shown(pictures.nth(place), width_px=width_px)
    keep(reader, "github")


@pytest.mark.parametrize("path", [PLAN, COMPARED])
def test_wordpress_finds_the_card_and_shows_it(
    catalogue: BrowserPage, elsewhere: Host, reader: Page, path: str
) -> None:
    address = catalogue.site_url + path
    page = reader.request.get(address).text()[:150_000]  # as much as it reads
    (link,) = re.findall(r'type="application/json\+oembed"\s+href="([^"]+)"', page)
    asked = f"{unescape(link)}&{urllib.parse.urlencode({'maxwidth': 600, 'maxheight': 900})}"
    document = reader.request.get(asked).json()
    post = f"<p>An article.</p>{as_wordpress(document['html'])}"
    name = "wordpress-compare" if path == COMPARED else "wordpress"
    reader.goto(elsewhere.show(f"/{name}", post))
    expect(reader.locator("iframe")).to_be_visible()
    assert_card(reader.frame_locator("iframe"), width_px=480, height_px=160)
    keep(reader, name)


def test_a_blog_frames_the_card_which_leads_to_its_page(
    catalogue: BrowserPage, elsewhere: Host, reader: Page
) -> None:
    frames = [
        snippet(catalogue, f"of=plan:{SLUG}&style=card-{size}", "html")
        for size in ("480x160", "320x200")
    ]
    reader.goto(elsewhere.show("/blog", f"<h1>A blog</h1>{''.join(frames)}"))
    for place, (width_px, height_px) in enumerate(((480, 160), (320, 200))):
        frame = reader.frame_locator(f"iframe >> nth={place}")
        assert_card(frame, width_px=width_px, height_px=height_px)
    is_dark = reader.evaluate("matchMedia('(prefers-color-scheme:dark)').matches")
    ground = reader.frame_locator("iframe >> nth=0").locator("path.f-bg").first
    colour = ground.evaluate("path => getComputedStyle(path).fill")
    assert colour == ("rgb(11, 13, 15)" if is_dark else "rgb(243, 244, 241)")
    keep(reader, "blog")
    with reader.context.expect_page() as opened:
        reader.frame_locator("iframe >> nth=0").locator("a").click()
    expect(opened.value).to_have_url(catalogue.site_url + PLAN)


@pytest.mark.parametrize("path", [PLAN, COMPARED, "/plans/"])
def test_discourse_shows_the_picture_of_the_page(
    catalogue: BrowserPage, elsewhere: Host, reader: Page, path: str
) -> None:
    head = reader.request.get(catalogue.site_url + path).text().partition("</head>")[0]
    reader.goto(elsewhere.show("/topic", as_discourse(head)))
    assert_shown(reader.locator("img"), width_px=1200)
    keep(reader, f"discourse-{path.strip('/').partition('/')[0]}{'-thing' if path == PLAN else ''}")


def test_no_other_page_of_ours_is_framed(
    catalogue: BrowserPage, elsewhere: Host, reader: Page
) -> None:
    refused = []
    reader.on("console", lambda message: refused.append(message.text))
    frame = f'<iframe src="{catalogue.site_url}{PLAN}"></iframe>'
    reader.goto(elsewhere.show("/thief", frame))
    assert any("frame-ancestors" in text for text in refused), refused
