"""The processes of the product come up and answer, to a program and to a browser."""

import io
import os
import signal
from typing import Final

import pytest

from apps.config.one_machine.product import READY_SECONDS, site_answers
from apps.config.processes import PROCESSES, SWEEPER, Process
from apps.embedded.process import wait_until
from apps.embedded.progress import Progress
from apps.embedded.supervision import Supervisor
from tests.support.browser import BrowserPage
from tests.support.live_site import LiveSite

# what each writes into its log when it has come up
READY: Final = {"web": b"Started worker-1", "worker": b" ready.", "sweeper": b"looking for uploads"}


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


@pytest.mark.parametrize(
    "process",
    [
        pytest.param(each, id=each.name, marks=pytest.mark.daily if each is SWEEPER else ())
        for each in PROCESSES
    ],
)
def test_whichever_process_is_killed_comes_back_and_the_others_stay(
    live_site: LiveSite, process: Process
) -> None:
    children = live_site.product.children
    log = children[process.name].command.log
    starts = log.read_bytes().count(READY[process.name])
    others = {name: child.process for name, child in children.items() if name != process.name}
    supervisor = Supervisor(list(children.values()), Progress(io.StringIO()))
    os.kill(children[process.name].process.pid, signal.SIGKILL)

    def is_back() -> bool:
        supervisor.look()
        return log.read_bytes().count(READY[process.name]) > starts

    wait_until(is_back, what=f"{process.name} is back", seconds=READY_SECONDS)
    assert {name: children[name].process for name in others} == others
    wait_until(lambda: site_answers(live_site.url), what="it answers", seconds=READY_SECONDS)
