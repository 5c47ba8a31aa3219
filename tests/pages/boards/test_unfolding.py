"""A row unfolds to the other figures of its thing, and its mark says where its own come from."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Evidence, Standing
from tests import make
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
KEY = "acme-x-commit-8k-measured"


@pytest.fixture
def plan() -> Standing:
    """A plan with figures of three workloads, one not comparable, and one that was made up."""
    lead = plan_at(900, "X", p50_ns=70_000)
    for workload, rate, changes in (
        ("commit-8k-fsync", 700.0, {}),
        ("commit-8k", 800.0, {"evidence": Evidence.PUBLISHED}),
        ("direct-2m-fsync", 50.0, {}),
        ("commit-8k", 5.0, {"evidence": Evidence.EXAMPLE}),
    ):
        make.standing(
            plan=lead.plan, workload=workload, rate_per_s=rate,
            **{"is_durable_single_writer": True, **changes},
        )  # fmt: skip
    return lead


def keys_on(page: str) -> list[str]:
    """The keys of the rows, in order."""
    return re.findall(r'class="row[^"]*"\s+(?:data-below="[^"]*"\s+)?id="([^"]+)"', page)


@pytest.mark.usefixtures("plan")
def test_a_row_says_how_many_more_there_are_and_where(client: Client) -> None:
    page = " ".join(text(client, "/plans/").split())
    unfold = page[page.index('class="unfold"') :].split("</a>")[0]
    assert 'href="/plans/acme-x/#figures"' in unfold
    assert f'hx-get="/plans/acme-x/figures/?row={KEY}"' in unfold
    assert "> +2 <" in unfold
    assert "more figures of X" in unfold
    plan_at(5, "Alone")
    assert text(client, "/plans/").count('class="unfold"') == 1
    assert 'class="unfold"' not in text(client, "/plans/?workload=commit-8k")


@pytest.mark.usefixtures("plan")
def test_the_figures_of_a_plan_follow_its_row_measured_first(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(1):
        rows = text(client, f"/plans/acme-x/figures/?row={KEY}")
    assert keys_on(rows) == [
        "acme-x-commit-8k-fsync-measured", "acme-x-commit-8k-published",
    ]  # fmt: skip
    assert rows.count(f'data-below="{KEY}"') == 3
    below_other_work = text(client, "/plans/acme-x/figures/?row=acme-x-direct-2m-fsync-measured")
    assert "Other work" not in below_other_work
    assert "Overwrite, fsync" in rows
    assert rows.index("Heavier work") < rows.index("Overwrite with a data sync")
    assert '<a href="/plans/acme-x/#figures">Other work (1)</a>' in rows
    assert "<html" not in rows
    assert "<table" not in rows


@pytest.mark.usefixtures("plan")
def test_unfolded_rows_have_the_columns_of_the_board(client: Client) -> None:
    for cols, n_cells in (("rate,cost", 6), ("rate,p50", 6), ("rate,p50,p99,p999", 7)):
        rows = text(client, f"/plans/acme-x/figures/?cols={cols}&row={KEY}")
        first = rows.split("</tr>")[0]
        assert first.count('role="cell"') + first.count('role="rowheader"') == n_cells
        board = text(client, f"/plans/?cols={cols}")
        own = board[board.index(f'id="{KEY}"') :].split("</tr>")[0]
        assert own.count('role="cell"') + own.count('role="rowheader"') == n_cells
        asked = "" if cols == "rate,cost" else f"cols={cols}&amp;"
        assert f"figures/?{asked}row={KEY}" in own


def test_below_a_made_up_row_what_is_made_up_unfolds_too(client: Client, plan: Standing) -> None:
    page = " ".join(text(client, "/plans/?evidence=example").split())
    assert "> +3 <" in page[page.index('class="unfold"') :]
    rows = text(client, "/plans/acme-x/figures/?row=acme-x-commit-8k-example")
    assert len(keys_on(rows)) == 3
    Standing.objects.exclude(evidence=Evidence.EXAMPLE).delete()
    make.standing(
        plan=plan.plan, workload="commit-8k-fsync", evidence=Evidence.EXAMPLE,
        is_durable_single_writer=True,
    )  # fmt: skip
    page = " ".join(text(client, "/plans/").split())
    assert "> +1 <" in page[page.index('class="unfold"') :]
    rows = text(client, "/plans/acme-x/figures/?row=acme-x-commit-8k-example")
    assert keys_on(rows) == ["acme-x-commit-8k-fsync-example"]


def test_the_figures_of_a_drive_unfold(client: Client) -> None:
    family = make.drive_family(name="PM9A3")
    for workload in ("commit-8k", "commit-8k-fsync"):
        make.standing(drive_family=family, workload=workload, is_durable_single_writer=True)
    rows = text(client, f"/drives/{family.slug}/figures/?row={family.slug}-commit-8k-measured")
    assert keys_on(rows) == [f"{family.slug}-commit-8k-fsync-measured"]


@pytest.mark.parametrize("address", ["/plans/none/figures/", "/drives/none/figures/"])
def test_what_nobody_measured_has_no_figures(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def about(page: str) -> dict[str, str]:
    """What the mark of the first row says, by name."""
    mark = page[page.index('<details class="about') :].split("</details>", maxsplit=1)[0]
    pairs = re.findall(r"<dt[^>]*>(.*?)</dt>\s*<dd>(.*?)</dd>", mark, re.DOTALL)
    return {name: " ".join(re.sub(r"<[^>]+>", " ", words).split()) for name, words in pairs}


def test_the_mark_of_a_row_says_what_its_figures_rest_on(client: Client) -> None:
    standing = plan_at(
        900, "X", n_uploaders=6, n_machines=9, tier=2, rank_low=3, rank_high=7,
        rate_per_s_low=800.0, rate_per_s_high=950.0, interval_is="uploaders", coverage=0.96875,
        cost_per_billion=Decimal(9), currency="EUR", warnings=["A short run. Read this twice."],
    )  # fmt: skip
    assert standing.plan
    standing.price = make.price(
        plan=standing.plan, valid_from=date(2024, 3, 6), kind="superseded", source="a price list"
    )
    standing.save()
    page = text(client, "/plans/").replace("\u00a0", " ")
    said = about(page)
    assert "9 machines / 6 uploaders" in said["Rate"]
    assert "tier 2, rank 3\u20137" in said["Rate"]
    assert "96.9% interval" in said["Rate"]
    assert "8 KiB at a time" in said["Work"]
    assert "2024-03-06" in said["Price"]
    assert "superseded" in said["Price"]
    assert said["Price"].endswith("a price list")
    assert said["Note"] == "A short run. Read this twice."
    assert '<details class="about warns">' in page
    Standing.objects.update(warnings=["A short run."], filesystems=["ext4", "xfs"])
    assert '<details class="about warns">' not in text(client, "/plans/")
    assert f'href="/runs/{standing.newest_run_slug}/"' in page
    make.run(slug=standing.newest_run_slug, measured_at=datetime(2026, 11, 1, tzinfo=UTC))
    assert about(text(client, "/plans/"))["Measured"].startswith("2026-11-01")
    row = page[page.index(f'id="{KEY}"') :].split("</tr>")[0]
    without_mark = re.sub(r"<details.*?</details>", "", row, flags=re.DOTALL)
    for behind in ("2024-03-06", "superseded", "a price list", "Read this twice."):
        assert behind not in without_mark
    assert ">6 · 97%<" in without_mark
