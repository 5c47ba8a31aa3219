"""The processes of the product come up and answer, to a program and to a browser."""

import os
import signal

import pytest

from apps.config.processes import SWEEPER
from tests.support.browser import BrowserPage
from tests.support.live_site import LiveSite


def test_the_live_site_answers(live_site: LiveSite) -> None:
    assert live_site.get("/")[0] == 200
    assert live_site.get("/no-such-page/")[0] == 404


def test_a_killed_process_is_started_again(live_site: LiveSite) -> None:
    killed = live_site.product.children[SWEEPER.name].process
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    live_site.product.restart(SWEEPER)
    live_site.product.children[SWEEPER.name].check()


@pytest.mark.browser
def test_a_browser_opens_the_home_page(browser_page: BrowserPage) -> None:
    page = browser_page.open("/")
    assert "Fsyncmark" in page.title()


@pytest.mark.browser
def test_the_staff_s_pages_live_under_the_same_security_policy(browser_page: BrowserPage) -> None:
    page = browser_page.open("/staff/login/")
    assert page.get_by_label("Password", exact=True).is_visible()
