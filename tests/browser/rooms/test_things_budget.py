"""How much the pages of plans, drives and providers say before anything is unfolded."""

from __future__ import annotations

import pytest

from apps.plans.models import Provider
from apps.rankings.models import Evidence, Standing
from apps.wire.suites import suites
from tests import make
from tests.pages.measured import counted
from tests.support.browser import BrowserPage
from tests.support.browsing.budgets import assert_within_budget, store_a_year
from tests.support.live_site import Scenes

pytestmark = pytest.mark.browser


def store_much() -> None:
    """A plan and a drive with every workload in several regions, many runs, and their provider."""
    owner = Provider.objects.create(slug="acme", name="Acme", url="https://acme.example/")
    rung = make.ladder_class(name="NVMe SSD without power-loss protection")
    family = make.drive_family(
        slug="d", plp="none", rated_rand_write_iops=850_000, ladder_class=rung
    )
    plan = make.plan(provider=owner, slug="acme-x1", name="X1")
    price = make.price(plan=plan)
    shown = {"ladder_class": rung, "n_uploaders": 9, "n_cell_uploaders": 9, "n_machines": 9}
    for number, workload in enumerate(suites()["deep", 1].workloads):
        of = {**shown, "workload": workload.id, "rate_per_s": 1_000 + number,
              "is_durable_single_writer": workload.is_durable_single_writer,
              "rate_per_s_low": 900, "rate_per_s_high": 2_000}  # fmt: skip
        for region in ("europe", "north-america", "asia"):
            make.standing(plan=plan, region_group=region, price=price, currency="EUR", **of)
        make.standing(drive_family=family, **of)
    for n in range(60):
        counted(1_000 + n, uploader=n, plan=plan, provider=owner, drive_family=family)
    for n in range(40):
        other = make.plan(provider=owner, slug=f"acme-y{n}", name=f"Y{n} of a rather long name")
        make.standing(plan=other, workload="commit-8k", is_durable_single_writer=True,
                      rate_per_s=500 + n, price=make.price(plan=other), currency="EUR")  # fmt: skip


def test_a_page_with_much_evidence_is_short(scenes: Scenes, reading_page: BrowserPage) -> None:
    scenes.show(store_much)
    assert_within_budget(reading_page, "/plans/acme-x1/", "/drives/d/", "/providers/acme/")


def test_pages_of_published_figures_are_short(catalogue: BrowserPage) -> None:
    assert_within_budget(
        catalogue, "/plans/hetzner-cax41/", "/plans/aws-c6id-large/", "/drives/micron-7500-pro/",
        "/drives/samsung-990-pro/", "/drives/crucial-mx500/", "/providers/hetzner/",
        "/providers/aws/",
    )  # fmt: skip


@pytest.mark.daily
def test_pages_with_a_year_of_examples_are_short(scenes: Scenes, reading_page: BrowserPage) -> None:
    scenes.show(store_a_year)
    made_up = Standing.objects.filter(evidence=Evidence.EXAMPLE)
    plans = sorted(set(made_up.exclude(plan=None).values_list("plan", flat=True)))
    drives = sorted(set(made_up.exclude(drive_family=None).values_list("drive_family", flat=True)))
    assert plans
    assert drives
    assert_within_budget(
        reading_page,
        *(f"/plans/{each}/" for each in plans),
        *(f"/drives/{each}/" for each in drives),
    )
