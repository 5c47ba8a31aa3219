"""What the browser tests stand on: the real catalogue, and one measured run with every figure.

Each is a scene that stays for the next test. A test that writes fills the tables of `browser_page`.
"""

from __future__ import annotations

import pytest

from apps.runs.models import Run
from tests.browser import scenes as filled
from tests.support.browser import BrowserPage
from tests.support.catalogue import store_catalogue
from tests.support.live_site import Scenes


@pytest.fixture
def catalogue(reading_page: BrowserPage, scenes: Scenes) -> BrowserPage:
    """The live site with the catalogue and all published results."""
    scenes.show(store_catalogue)
    return reading_page


@pytest.fixture
def measured_run(scenes: Scenes) -> Run:
    """A witnessed run of a machine of one's own, in the standings beside the catalogue."""
    return scenes.show(filled.measured_run)


@pytest.fixture
def long_run(scenes: Scenes) -> Run:
    """A run of every workload there is."""
    return scenes.show(filled.long_run)


@pytest.fixture
def long_board(reading_page: BrowserPage, scenes: Scenes) -> BrowserPage:
    """The live site with more plans of one provider than fit on a page, best first P00, P01 …"""
    scenes.show(filled.long_board)
    return reading_page
