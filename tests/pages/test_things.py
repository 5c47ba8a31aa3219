"""The pages of a plan and of a drive family."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import make
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_drive_shows_its_data_sheet_beside_what_was_measured(client: Client) -> None:
    family = make.drive_family(slug="d", name="Drive D", rated_rand_write_iops=250_000)
    make.standing(drive_family=family, rate_per_s=1_000.0, is_durable_single_writer=True)
    page = " ".join(text(client, "/drives/d/").split())
    assert "250 times what one writer gets" in page
    assert "Drive D" in text(client, "/drives/")


def test_a_plan_shows_its_prices_with_their_sources(client: Client) -> None:
    plan = make.plan(slug="acme-x1", name="X1")
    make.price(plan=plan, source="a list of 2026", includes="net of tax")
    page = text(client, "/plans/acme-x1/")
    assert "a list of 2026" in page
    assert "net of tax" in page
    assert "Nobody has measured" in page


def test_a_plan_prints_how_many_stand_behind_a_figure_and_what_the_interval_is(
    client: Client,
) -> None:
    standing = plan_at(
        1_000, "X1", n_machines=3, n_uploaders=2, rate_per_s_low=800.0, rate_per_s_high=1_200.0,
        interval_is="uploaders",
    )  # fmt: skip
    page = " ".join(text(client, f"/plans/{standing.plan_id}/").split())
    assert "3 machines / 2 uploaders" in page
    assert "800\u20131,200" in page
    assert "lowest to highest uploader" in page
