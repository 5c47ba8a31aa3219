"""Feeds of tiers, change points, prices and the method: what a reader gets, under lasting ids."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from apps.rankings.models import Evidence, Standing
from apps.rankings.versions.method import METHOD_VERSION
from apps.rankings.versions.ranks import note_rank_changes
from tests import make

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
DAY = date(2026, 11, 20)


def entries(client: Client, path: str) -> list[tuple[str, str]]:
    answer = client.get(path)
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answer.content)  # noqa: S314 -- made by our own server
    assert (feed.findtext(f"{ATOM}id") or "").startswith("tag:testserver,2026:")
    return [
        (entry.findtext(f"{ATOM}title") or "", entry.findtext(f"{ATOM}id") or "")
        for entry in feed.findall(f"{ATOM}entry")
    ]


def test_a_change_of_tier_is_an_entry(client: Client) -> None:
    plan = make.plan(name="Big <Box>")
    make.standing(plan=plan, tier=2)
    note_rank_changes(DAY)
    assert entries(client, "/ranks.atom") == []  # what was there first came from no other tier
    Standing.objects.update(tier=3)
    make.standing(drive_family=make.drive_family(name="Fast"), plan=None, tier=1)
    make.standing(plan=plan, evidence=Evidence.EXAMPLE, tier=1)
    note_rank_changes(DAY)
    titles = {title for title, _ in entries(client, "/ranks.atom")}
    assert titles == {f"{plan.full_name}: tier 2 → tier 3", "Fast: not ranked → tier 1"}


def test_rows_of_one_plan_are_told_apart(client: Client) -> None:
    plan = make.plan()
    make.standing(tier=1)
    note_rank_changes(DAY)
    make.standing(plan=plan, region_group="europe", variant=2, n_variants=2, tier=2)
    make.standing(plan=plan, region_group="asia", tier=1)
    note_rank_changes(DAY)
    assert {title for title, _ in entries(client, "/ranks.atom")} == {
        f"{plan.full_name}, Europe, storage kind 2: not ranked → tier 2",
        f"{plan.full_name}, Asia: not ranked → tier 1",
    }


def test_a_change_point_keeps_its_id_in_a_rebuild(client: Client) -> None:
    plan = make.plan()
    changed = {"changed_since": DAY, "rate_before_per_s": 900.0, "rate_since_per_s": 1200.0}
    make.standing(plan=plan, **changed)
    before = entries(client, "/shifts.atom")
    assert [title for title, _ in before] == [f"{plan.full_name}: 900 → 1,200 /s"]
    Standing.objects.all().delete()
    make.standing(plan=plan, **changed)
    assert entries(client, "/shifts.atom") == before


def test_prices_are_entries_the_newest_first(client: Client) -> None:
    plan = make.plan()
    make.price(plan=plan, valid_from=date(2026, 11, 2))
    make.price(plan=plan, valid_from=date(2026, 11, 3), is_disputed=True)
    make.price(plan=plan, valid_from=date(2026, 11, 1), amount="80")
    found = entries(client, "/prices.atom")
    assert [title.rpartition(": ")[2] for title, _ in found] == ["€73.00 /mo", "€80.00 /mo"]
    assert len({key for _, key in found}) == 2


def test_the_newest_version_of_the_method_leads_its_feed(client: Client) -> None:
    assert entries(client, "/method.atom")[0] == (
        f"Version {METHOD_VERSION}", f"tag:testserver,2026:method/{METHOD_VERSION}",
    )  # fmt: skip
