"""A plan stands in each group of regions for itself: its rows, prices, marks and explanation."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.db import IntegrityError

from apps.rankings.choice import choice_key, choice_order, choose_standing
from apps.rankings.models import CellMark, Evidence, ProviderStanding, Standing
from apps.rankings.services import mark_cells, refresh_all, refresh_cells, refresh_marked
from apps.rankings.standings import points
from apps.runs.models import Run
from tests import make
from tests.rankings import build
from tests.rankings.build import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.plans.models import Plan
    from apps.rankings.standings.cells import CellKey

pytestmark = pytest.mark.django_db

Rates = dict[str, tuple[float, int]]  # by region group: rate and uploaders


def by_group(plan: Plan) -> Rates:
    return {
        row.region_group: (row.rate_per_s, row.n_uploaders)
        for row in Standing.objects.filter(plan=plan)
    }


def region_of_plan(plan: Plan, region: str, rates: list[float]) -> list[Run]:
    """Measure a plan in a region, each rate by another uploader on two machines."""
    return [
        build.run(
            rate, plan=plan, region=region, machine=f"{region} {number} {machine}",
            uploader=f"{region} {number}",
        )
        for number, rate in enumerate(rates)
        for machine in range(2)
    ]  # fmt: skip


def test_two_regions_of_one_plan_are_two_rows_of_one_board() -> None:
    plan = build.plan()
    region_of_plan(plan, "fsn1", [980, 990, 1000, 1010, 1020, 1030])
    region_of_plan(plan, "hel1", [1040])
    region_of_plan(plan, "sin", [280, 290, 300, 310, 320, 330, 340])
    refresh_all()
    rates = by_group(plan)
    assert rates["europe"] == pytest.approx((1010, 7), rel=1e-4)
    assert rates["asia"] == (310, 7)
    europe, asia = Standing.objects.order_by("-rate_per_s")
    assert (europe.tier, asia.tier) == (1, 2)  # ranked against each other
    assert (europe.rank_low, asia.rank_high) == (1, 2)
    found = ProviderStanding.objects.get()
    assert (found.best, found.n_plans) == (europe, 1)


def test_runs_that_surely_lie_in_another_group_are_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = build.plan()
    read: list[str] = []
    keys_of = points._keys

    def note(row: points.MeasurementRow) -> Iterator[CellKey]:
        read.append(row.run__region)
        return keys_of(row)

    for number, region in enumerate(("de", "DE", "fsn1", "us", "US", "", "Garden")):
        build.run(1000, plan=plan, region=region, machine=str(number), uploader=str(number))
    monkeypatch.setattr(points, "_keys", note)
    (key,) = points.keys_of_runs([Run.objects.get(region="de").pk])
    read.clear()
    (found,) = points.points_of({key}, day=NOW.date()).values()
    assert {point.place.country for point in found} == {"DE"}
    assert len(found) == 3
    assert sorted(read) == ["DE", "Garden", "de", "fsn1"]


def test_a_drive_is_computed_with_its_runs_of_all_regions_beside_a_plan_of_one() -> None:
    plan, drive = build.plan(), build.family()
    for number, region in enumerate(("de", "us")):
        build.run(
            1000, plan=plan, drive_family=drive, region=region, machine=str(number),
            uploader=str(number),
        )  # fmt: skip
    keys = points.keys_of_runs([Run.objects.get(region="de").pk])
    found = points.points_of(keys, day=NOW.date())
    assert {str(key.subject): len(found[key]) for key in keys} == {"plan": 1, "drive": 2}


def test_what_nobody_says_and_what_nobody_knows_stand_apart_from_the_known() -> None:
    plan = build.plan()
    build.run(1000, plan=plan, region="fsn1")
    build.run(400, plan=plan, machine="m2", uploader="u2")
    build.run(600, plan=plan, region="garden", machine="m3", uploader="u3")
    refresh_all()
    rates = by_group(plan)
    assert rates["europe"] == (1000, 1)
    assert rates[""] == pytest.approx((489.9, 2), rel=1e-4)


def test_a_region_means_what_its_provider_means() -> None:
    metal = make.provider(slug="equinix-metal", name="Equinix Metal")
    plan = make.plan(provider=metal, slug="equinix-metal-x", name="X")
    build.run(1000, plan=plan, region="ch")  # Chicago, to everybody else Switzerland
    refresh_all()
    assert set(by_group(plan)) == {"north-america"}


def test_a_drive_family_is_one_cell_wherever_it_was_found() -> None:
    family = build.family()
    for region in ("fsn1", "sin", ""):
        build.run(1000, drive_family=family, region=region, machine=f"m {region}")
    refresh_all()
    row = Standing.objects.get()
    assert (row.drive_family, row.region_group, row.n_runs) == (family, "", 3)
    row.region_group = "europe"
    with pytest.raises(IntegrityError, match="standing_of_a_drive_is_of_all_regions"):
        row.save()


def test_each_region_has_its_own_window_kinds_and_flags() -> None:
    plan = build.plan()
    region_of_plan(plan, "fsn1", [1000, 1020, 1010, 200, 205, 210])
    build.run(500, plan=plan, region="sin", measured_at=NOW - timedelta(days=200))
    refresh_all()
    rows = Standing.objects.order_by("region_group", "variant")
    assert [(row.region_group, row.variant, row.n_variants) for row in rows] == [
        ("asia", 0, 1),  # old, and the newest of its cell
        ("europe", 1, 2),
        ("europe", 2, 2),
    ]


def test_a_run_that_moves_leaves_its_old_cell() -> None:
    plan = build.plan()
    run = build.run(1000, plan=plan, region="fsn1")
    refresh_all()
    Run.objects.filter(pk=run.pk).update(region="ash")
    refresh_cells(run_ids=[run.id])
    assert set(by_group(plan)) == {"north-america"}


def test_marks_name_the_region() -> None:
    plan = build.plan()
    here = build.run(1000, plan=plan, region="fsn1")
    build.run(1000, plan=plan, region="sin", machine="m2")
    mark_cells(run_ids=[here.id])
    assert str(CellMark.objects.get()) == "plan/acme-x1/europe commit-8k v1"
    assert refresh_marked() == 1
    assert set(by_group(plan)) == {"europe"}  # the other was not marked


# --- prices --------------------------------------------------------------------------------------


def priced(plan: Plan, **amounts: int) -> None:
    for region, amount in amounts.items():
        price = build.price(plan, Decimal(amount))
        price.region = region.replace("_", "; ")
        price.save()


def months(plan: Plan) -> dict[str, Decimal | None]:
    return dict(
        Standing.objects.filter(plan=plan).values_list("region_group", "price_month_per_1000")
    )


def test_the_region_of_a_cell_chooses_its_price() -> None:
    plan = build.plan()
    priced(plan, DE_FI=50, US=40, SG=70)
    for region in ("fsn1", "ash", "sin", ""):
        build.run(1000, plan=plan, region=region, machine=f"m {region}", uploader=f"u {region}")
    refresh_all()
    assert months(plan) == {"europe": 50, "north-america": 40, "asia": 70, "": 40}


def test_regions_of_one_group_share_the_price_that_holds_for_most_of_them() -> None:
    plan = build.plan()
    priced(plan, DE=50, US=40)
    for region in ("fsn1", "hel1"):  # no price is of both, but one is of their group
        build.run(1000, plan=plan, region=region, machine=f"m {region}")
    refresh_all()
    assert months(plan) == {"europe": 50}


# --- which row stands for the plan ---------------------------------------------------------------


def row(**changes: object) -> Standing:
    usual = {"n_cell_uploaders": 1, "n_uploaders": 1, "n_runs": 1, "rate_per_s": 1}
    return Standing(**usual | changes)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"variant": 2, "n_variants": 2}, {"variant": 1, "n_variants": 2}),
        ({"variant": 1, "n_uploaders": 2}, {"variant": 2, "n_runs": 9}),
        ({"n_cell_uploaders": 3}, {"n_cell_uploaders": 2, "n_runs": 9}),
        ({"n_runs": 2}, {"n_runs": 3, "rate_per_s": 2}),
        ({"n_runs": 2, "region_group": "europe"}, {"n_runs": 3, "rate_per_s": 2}),
        ({}, {"region_group": "africa"}),
        ({"region_group": "africa"}, {"region_group": "asia"}),
        ({"n_cell_uploaders": 2}, {"n_uploaders": 2}),
        ({"evidence": "published", "n_runs": 6, "rate_per_s": 2}, {"evidence": "published"}),
    ],
)
def test_the_row_that_stands_for_the_others(
    first: dict[str, object], second: dict[str, object]
) -> None:
    chosen_row, other = row(**first), row(**second)
    assert choice_key(chosen_row) < choice_key(other)
    assert choose_standing([other, chosen_row]) is chosen_row
    assert choose_standing([chosen_row, other]) is chosen_row


def test_nothing_stands_for_nothing() -> None:
    assert choose_standing([]) is None


def test_the_uploaders_of_all_kinds_of_storage_speak_for_their_region() -> None:
    plan = build.plan()
    region_of_plan(plan, "fsn1", [1000, 1020, 1010, 200, 205, 210])
    region_of_plan(plan, "sin", [300, 310, 320, 330])
    refresh_all()
    found = choose_standing(Standing.objects.all())
    assert found is not None
    assert (found.region_group, found.variant, found.n_uploaders) == ("europe", 2, 3)
    assert found.n_cell_uploaders == 6


def test_the_database_chooses_the_same_row() -> None:
    plan = make.plan()
    kinds = [(0, 1), (1, 2), (2, 2)]
    for number, group in enumerate(("", "africa", "asia", "europe", "middle-east", "oceania")):
        for variant, of in kinds[number % 2 : 1 + 2 * (number % 2)]:
            make.standing(
                plan=plan, region_group=group, variant=variant, n_variants=of,
                n_uploaders=1 + number % 3, n_runs=1 + number % 2,
            )  # fmt: skip
            make.standing(
                plan=plan, region_group=group, variant=variant, n_variants=of,
                n_runs=1 + number % 4, evidence=Evidence.PUBLISHED,
            )  # fmt: skip
    rows = list(Standing.objects.order_by("pk"))
    assert list(Standing.objects.order_by(*choice_order())) == sorted(rows, key=choice_key)


# --- explanation ---------------------------------------------------------------------------------


def explained(cell: str) -> str:
    out = StringIO()
    call_command("rank", explain=cell, stdout=out)
    return out.getvalue()


def test_a_cell_is_named_with_its_region() -> None:
    plan = build.plan()
    region_of_plan(plan, "fsn1", [1000, 1010, 1020, 1030, 1040, 1050, 1060])
    region_of_plan(plan, "sin", [280, 290, 300, 310, 320, 330, 340])
    refresh_all()
    text = explained("plan/acme-x1/asia/measured/commit-8k/v1")
    assert text.startswith("Cell plan/acme-x1/asia/measured/commit-8k/v1\n  Asia: sin 14\n")
    assert "weighted median 310.00/s" in text
    assert "9. Rank: 2 " in text


def test_a_slug_alone_is_the_region_that_stands_for_the_plan() -> None:
    plan = build.plan()
    build.run(1000, plan=plan, region="ash")
    region_of_plan(plan, "sin", [300, 310])
    build.run(800, plan=plan)
    refresh_all()
    assert explained("acme-x1").startswith("Cell plan/acme-x1/asia/measured/commit-8k/v1\n")
    unknown = explained("plan/acme-x1/measured/commit-8k/v1")
    assert "region group not known: nobody said a region, or one that we do not know" in unknown


def test_what_nobody_ranked_yet_is_found_by_its_slug() -> None:
    build.run(1000, plan=build.plan(), region="Germany")
    assert "  Europe: DE 1\n" in explained("acme-x1")
