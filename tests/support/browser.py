"""Fixtures that drive a real Chromium and fail on anything it complains about."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.support.browsing.chromium import find_chromium
from tests.support.live_site import LiveSite

WIDTHS_PX = {"phone": 390, "desktop": 1440}
HEIGHT_PX = 900
# How long anything is awaited that must come: what takes tens of milliseconds alone takes seconds
# on two cores that ten programs share. Only a test that fails waits for so long.
AWAITED_MAX_S: Final = 30
# Fonts are in, and two frames were drawn: what is loaded once it is seen has been asked for.
TWO_FRAMES: Final = """async () => {
  await document.fonts.ready;
  for (const _ of [1, 2]) await new Promise((next) => requestAnimationFrame(next));
}"""
# The width of a picture once it has come, 0 of one that is broken.
DECODED_WIDTH_PX: Final = """async (image) => {
  await image.decode().catch(() => {});
  return image.naturalWidth;
}"""
# Whether Chromium says this of a font that is used hangs on how busy the machine is; that fonts are
# used is a test of its own.
BY_TIME: Final = "was preloaded using link preload but not used within a few seconds"
# Only what is wrong leaves the page: all that axe says of a thousand elements is 1 to 2 MB.
VIOLATIONS: Final = """async (options) => {
  const { violations } = await axe.run({ resultTypes: ["violations"], ...options });
  return { violations };
}"""


@dataclass
class BrowserPage:
    """A Playwright page on the live site, with everything that the console complained about."""

    page: Page
    site_url: str
    complaints: list[str] = field(default_factory=list)
    under_way: list[Request] = field(default_factory=list)

    def open(self, path: str) -> Page:
        """Go to a path of the site and wait until nothing more is being loaded."""
        self.under_way.clear()  # what the page before it began ends with it
        self.page.goto(self.site_url + path)
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until the page that is there has all that it asks for by itself, charts included."""
        until = time.monotonic() + AWAITED_MAX_S
        self.page.evaluate(TWO_FRAMES)
        while self.under_way:
            assert time.monotonic() < until, [each.url for each in self.under_way]
            self.page.evaluate(TWO_FRAMES)

    def assert_accessible(self, *rules: str) -> None:
        """axe-core finds no violation on the page as it stands, of these rules or of any."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        options = {"runOnly": list(rules)} if rules else {}
        found = AxeResults(self.page.evaluate(VIOLATIONS, options))
        assert found.violations_count == 0, found.generate_report()

    def resize(self, *, width_px: int) -> None:
        self.page.set_viewport_size({"width": width_px, "height": HEIGHT_PX})

    def listen(self) -> None:
        """Collect console errors, breaches of the security policy, exceptions, failed requests."""
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))
        self.page.on("response", self._response)
        self.page.on("request", self._begun)
        self.page.on("requestfinished", self._ended)
        self.page.on("requestfailed", self._ended)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and BY_TIME not in message.text:
            self.complaints.append(f"{message.type}: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self.complaints.append(f"{response.status}: {response.url}")

    def _begun(self, request: Request) -> None:
        self.under_way.append(request)

    def _ended(self, request: Request) -> None:
        if request in self.under_way:
            self.under_way.remove(request)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for the whole run of tests."""
    found = find_chromium()
    expect.set_options(timeout=AWAITED_MAX_S * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found.path,
            args=["--disable-dev-shm-usage"],  # /dev/shm is 64 MB in containers
            env={**os.environ, **found.environment},
        )
        yield browser
        browser.close()


@pytest.fixture
def browser_page(chromium: Browser, live_site: LiveSite) -> Iterator[BrowserPage]:
    """A fresh context on the live site over tables of its own."""
    with _tab(chromium, live_site) as tab:
        yield tab


@pytest.fixture
def reading_page(chromium: Browser, shared_site: LiveSite) -> Iterator[BrowserPage]:
    """A fresh context on the live site over a scene, for a test that writes nothing."""
    with _tab(chromium, shared_site) as tab:
        yield tab


@contextmanager
def _tab(chromium: Browser, site: LiveSite) -> Iterator[BrowserPage]:
    """The test fails when the console complained.

    A test that provokes a complaint on purpose clears `complaints` before its end.
    """
    context = chromium.new_context(
        base_url=site.url,
        viewport={"width": WIDTHS_PX["desktop"], "height": HEIGHT_PX},
        reduced_motion="reduce",
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(AWAITED_MAX_S * 1000)
    tab = BrowserPage(context.new_page(), site.url)
    tab.listen()
    yield tab
    complaints = list(tab.complaints)
    context.close()
    assert not complaints, "the browser complained:\n" + "\n".join(complaints)
