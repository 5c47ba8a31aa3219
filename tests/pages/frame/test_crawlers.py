"""robots.txt, sitemaps and the feed: valid, complete, and without what is made up."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings

from apps.pages.frame import sitemap as listed
from tests import make

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LINK = "{http://www.w3.org/1999/xhtml}link"
ATOM = "{http://www.w3.org/2005/Atom}"


def xml(client: Client, path: str) -> ET.Element:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return ET.fromstring(answer.content)  # noqa: S314 -- our own


def addresses(client: Client, part: str) -> dict[str, str]:
    """Paths of one sitemap with their last change."""
    found = {}
    for url in xml(client, f"/sitemap-{part}.xml"):
        place = url.findtext(f"{MAP}loc") or ""
        found[place.removeprefix(settings.SITE_URL)] = url.findtext(f"{MAP}lastmod") or ""
    return found


def test_the_index_names_parts_that_are_there(client: Client) -> None:
    make.run()
    parts = [each.text or "" for each in xml(client, "/sitemap.xml").iter(f"{MAP}loc")]
    assert len(parts) == 6
    for part in parts:
        path = part.removeprefix(settings.SITE_URL)
        for url in xml(client, path):
            place = (url.findtext(f"{MAP}loc") or "").removeprefix(settings.SITE_URL)
            assert client.get(place).status_code == 200, place
    assert client.get("/sitemap-nothing.xml").status_code == 404
    assert client.get("/sitemap-runs-2.xml").status_code == 404


def test_every_page_names_its_translations(client: Client) -> None:
    make.plan(slug="a-plan")
    for url in xml(client, "/sitemap-plans.xml"):
        found = {link.attrib["hreflang"]: link.attrib["href"] for link in url.iter(LINK)}
        assert found == {
            "en": f"{settings.SITE_URL}/plans/a-plan/",
            "zh-Hans": f"{settings.SITE_URL}/zh-hans/plans/a-plan/",
        }


def test_a_page_changed_when_its_newest_run_or_price_came(client: Client) -> None:
    plan = make.plan(slug="a-plan")
    assert addresses(client, "plans") == {"/plans/a-plan/": "", "/zh-hans/plans/a-plan/": ""}
    make.run(plan=plan, measured_at=dt.datetime(2026, 3, 4, tzinfo=dt.UTC))
    assert addresses(client, "plans")["/plans/a-plan/"] == "2026-03-04"
    make.price(plan=plan, valid_from=dt.date(2026, 5, 6))
    assert addresses(client, "plans")["/plans/a-plan/"] == "2026-05-06"


def test_made_up_runs_are_not_told_of(client: Client) -> None:
    make.run(slug="real", measured_at=dt.datetime(2026, 3, 4, tzinfo=dt.UTC))
    make.run(slug="made-up", is_example=True, measured_at=dt.datetime(2026, 3, 5, tzinfo=dt.UTC))
    assert set(addresses(client, "runs-1")) == {"/runs/real/", "/zh-hans/runs/real/"}
    feed = client.get("/runs.atom").content.decode()
    assert "/runs/real/" in feed
    assert "made-up" not in feed


def test_many_runs_fill_several_files(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed, "ADDRESSES_A_FILE", 2)
    for number in range(3):
        make.run(slug=f"run-{number}")
    assert listed.run_files() == 2
    both = [addresses(client, "runs-1"), addresses(client, "runs-2")]
    assert [len(each) for each in both] == [4, 2]
    assert not both[0].keys() & both[1].keys()
    monkeypatch.setattr(listed, "RUN_FILES_MAX", 1)
    assert client.get("/sitemap-runs-2.xml").status_code == 404


def test_what_others_published_has_a_file_of_its_own(client: Client) -> None:
    make.run(slug="of-others", level="published", measured_at=None)
    make.run(slug="sent")
    assert set(addresses(client, "published")) == {"/runs/of-others/", "/zh-hans/runs/of-others/"}
    assert set(addresses(client, "runs-1")) == {"/runs/sent/", "/zh-hans/runs/sent/"}


def test_the_feed_is_atom_with_the_newest_first(client: Client) -> None:
    for day in (1, 3, 2):
        make.run(slug=f"day-{day}", measured_at=dt.datetime(2026, 3, day, tzinfo=dt.UTC))
    entries = xml(client, "/runs.atom").findall(f"{ATOM}entry")
    ids = [entry.findtext(f"{ATOM}id") or "" for entry in entries]
    assert [each.split("/")[-2] for each in ids] == ["day-3", "day-2", "day-1"]


def test_robots_are_told_what_is_made_for_one_reader(client: Client) -> None:
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Disallow: /search/" in lines
    assert "Disallow: /zh-hans/search/" in lines
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in lines


def test_an_entry_of_the_feed_says_what_was_measured(client: Client) -> None:
    family = make.drive_family(name="Samsung 990 PRO")
    run = make.run(drive_family=family, claimed_plan="AX102", measured_at=make.NOON)
    make.measurement(run=run, rate_per_s=476.2)
    [entry] = xml(client, "/runs.atom").iter(f"{ATOM}entry")
    title = f"AX102, Samsung 990 PRO, {make.NOON:%Y-%m-%d}: 476 durable commits/s"
    assert entry.findtext(f"{ATOM}title") == title
    assert entry.findtext(f"{ATOM}summary") == f"{title}. One run, witnessed."
