"""What the browser tests stand on: the real catalogue, and one measured run with every figure."""

from __future__ import annotations

import pytest

from apps.plans.models import Plan
from apps.rankings.services import refresh_cells
from apps.runs.models import Run
from apps.runs.services import record_run
from tests import make
from tests.support.browser import BrowserPage
from tests.support.catalogue import store_catalogue


@pytest.fixture
def catalogue(browser_page: BrowserPage) -> BrowserPage:
    """The live site with the catalogue and all published results."""
    store_catalogue()
    return browser_page


@pytest.fixture
def measured_run(catalogue: BrowserPage) -> Run:
    """A witnessed run of a machine of one's own, in the standings."""
    run = record_run(upload=make.upload(witnessed=True, state="done"))
    refresh_cells(run_ids=[run.id])
    assert Plan.objects.filter(pk=run.plan_id).exists()
    return run


@pytest.fixture
def long_run(browser_page: BrowserPage) -> Run:
    """A run of every workload there is."""
    run = make.run()
    make.measurements_of(run, suite="deep")
    return run
