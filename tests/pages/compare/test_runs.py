"""What a run costs in a comparison: its own rate, and the list price of its plan."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.pages.compare.query import CompareQuery
from apps.pages.compare.selectors.names import find_things
from apps.pages.show.address.references import (
    Ref,
    RefKind,
)
from apps.rankings.models import Standing
from apps.runs.models import Measurement, Run
from tests import make
from tests.pages.site import measured_run, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_run_costs_what_its_plan_is_listed_at_without_a_standing_of_it(client: Client) -> None:
    """Its own rate, and the dated price of the region where it ran."""
    plan = make.plan(name="Rented", provider=make.provider(name="Acme"))
    make.price(plan=plan, amount=Decimal(73), region="fsn1", valid_from=date(2026, 3, 1))
    make.price(plan=plan, amount=Decimal(146), region="ash", valid_from=date(2026, 4, 1))
    runs = [
        measured_run(slug=f"in-{region}", plan=plan, region=region) for region in ("fsn1", "ash")
    ]
    home = measured_run(slug="at-home", plan=None)
    address = "&".join(f"on=run:{run.slug}" for run in (*runs, home))
    page = text(client, f"/compare/?{address}")
    assert not Standing.objects.filter(plan=plan).exists()
    assert "Rented, 2026-03-01" in page
    assert "Rented, 2026-04-01" in page
    assert "no list price" in page
    rate = Measurement.objects.get(run=runs[0]).rate_per_s or 0
    near, far = (f"{Decimal(hour) * 10**9 / (3600 * Decimal(rate)):.2f}" for hour in ("0.1", "0.2"))
    assert f"€{near}" in page
    assert f"€{far}" in page


def test_the_plan_of_a_run_is_offered_only_where_it_is_looked_for() -> None:
    run = measured_run(slug="one", plan=make.plan(name="Rented"))
    asked = CompareQuery(on=(Ref(RefKind.RUN, run.slug),))
    assert find_things(asked).offers == ()
    assert [each.name for each in find_things(replace(asked, add="rent")).offers] == ["Rented"]
    assert find_things(replace(asked, add="other")).offers == ()
    assert set(find_things(asked).rented_plans) == {run.plan_id}


def test_two_runs_of_one_plan_rent_for_the_same(client: Client) -> None:
    plan = make.plan(name="Rented")
    make.price(plan=plan)
    slow, fast = (measured_run(slug=slug, plan=plan) for slug in ("slow", "fast"))
    Measurement.objects.filter(run=fast).update(rate_per_s=5_000.0, rate_per_s_low=None)
    Measurement.objects.filter(run=slow).update(rate_per_s=900.0, rate_per_s_low=None)
    page = text(client, f"/compare/?on=run:{slow.slug}&on=run:{fast.slug}")
    assert "The commits of Rented (2025-06-15) cost least." in page
    Run.objects.filter(pk=fast.pk).update(is_kept_out=True)
    page = text(client, f"/compare/?on=run:{slow.slug}&on=run:{fast.slug}")
    assert "cost least" not in page
