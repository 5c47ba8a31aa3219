"""A mark on a board means its row: a plan has one in each group of regions and kind of storage."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.pages.show.address.references import Ref
from apps.words.workloads import workload_title
from tests import make
from tests.pages.compare.build import against
from tests.pages.site import plan_at, text, tight

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_mark_on_the_board_compares_exactly_that_row(client: Client) -> None:
    plan = plan_at(2_455, "Many", n_uploaders=7).plan
    more = {"plan": plan, "is_durable_single_writer": True}
    make.standing(rate_per_s=2_234, region_group="europe", n_uploaders=13, **more)
    make.standing(
        rate_per_s=1_900, region_group="europe", variant=2, n_variants=2, n_uploaders=3, **more
    )
    make.standing(rate_per_s=2_036, region_group="north-america", n_uploaders=9, **more)
    board = text(client, "/plans/?workload=commit-8k")
    marks = re.findall(r'name="on"\s+value="([^"]+)"', board)
    kinds = ("@not-stated", "@europe", "@north-america", "@europe~2")
    assert marks == [f"plan:acme-many{kind}" for kind in kinds]
    heard = re.findall(r'class="hidden">\s+Compare ([^<]+?)\s+</span>', board)
    assert [each.replace("\u00a0", " ") for each in heard] == [
        "Many · region not stated", "Many · Europe", "Many · North America",
        "Many · Europe · storage kind 2 of 2",
    ]  # fmt: skip
    answer = client.get("/compare/figures.json?" + "&".join(f"on={mark}" for mark in marks)).json()
    rates = {row["on"]: row["value"] for row in answer["figures"] if row["measure"] == "rate"}
    assert rates == dict(zip(marks, (2_455, 2_234, 2_036, 1_900), strict=True))
    page = text(client, "/compare/?" + "&".join(f"on={mark}" for mark in marks))
    page = tight(page.replace("\u00a0", " "))
    for name in ("region not stated", "Europe", "North America", "Europe · storage kind 2 of 2"):
        assert f"Many · {name}</a></h3>" in page
    # An address without a row is that of the region with the most uploaders, as it always was.
    old = client.get(f"/compare/figures.json?on=plan:acme-many&on={marks[2]}").json()["figures"]
    assert [row["value"] for row in old if row["measure"] == "rate"] == [2_234, 2_036]


def test_an_address_names_a_row_or_is_not_read() -> None:
    for text_of in ("plan:a", "plan:a@europe", "plan:a@not-stated~2", "drive:b~1"):
        assert str(Ref.read(text_of)) == text_of
    for wrong in ("plan:a@mars", "plan:a@", "plan:a~0", "run:c@europe", "plan:a@europe~x"):
        assert Ref.read(wrong) is None, wrong


def test_curves_of_different_work_are_not_drawn_in_any_order(client: Client) -> None:
    curve = {"curve": [[0.5, 1_000_000], [0.99, 2_000_000]]}
    one, two = plan_at(1_000, "One", **curve), plan_at(500, "Two", **curve)
    other = plan_at(9_000, "Other", workload="commit-8k-fsync", **curve)
    assert 'id="compare-curves"' in text(client, against(one, two))
    for things in ((one, two, other), (other, one, two)):
        assert 'id="compare-curves"' not in text(client, against(*things))


def test_the_work_that_is_named_is_that_of_the_figure(client: Client) -> None:
    """Work that may not lead is measured, and so the first that could be compared."""
    one = plan_at(1_000, "One", evidence="published")
    other = plan_at(9_000, "Other", workload="commit-16k-elsewhere")
    page = text(client, against(one, other))
    assert f'<a href="#workloads">{workload_title(one.workload, "")}</a>' in tight(page)
