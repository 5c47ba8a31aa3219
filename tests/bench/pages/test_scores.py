"""What is made of Lighthouse's reports; the command itself needs minutes and npm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.rankings.catalogue import load_catalogue
from tests.bench.pages.scores import CATEGORIES, PAGES, Page, scored, table

if TYPE_CHECKING:
    from django.test import Client

HOME = Page("home", "/", has_chart=False)


def report(performance: float, *, script_bytes: int = 20_000) -> dict[str, Any]:
    """A report whose performance alone is not whole, in the form that Lighthouse 12.2 prints."""
    categories = {each: {"score": 1.0, "auditRefs": []} for each in CATEGORIES}
    categories["performance"] = {
        "score": performance,
        "auditRefs": [
            {"id": "largest-contentful-paint", "weight": 25},
            {"id": "total-blocking-time", "weight": 30},
            {"id": "speed-index", "weight": 10},
            {"id": "unscored", "weight": 0},
        ],
    }
    items = [
        {"resourceType": "document", "transferSize": 9_000},
        {"resourceType": "font", "transferSize": 75_000},
        {"resourceType": "script", "transferSize": script_bytes},
        {"resourceType": "total", "transferSize": 84_000 + script_bytes},
    ]
    audits = {
        "largest-contentful-paint": {"title": "LCP", "score": 0.9, "displayValue": "2.0 s"},
        "total-blocking-time": {"title": "TBT", "score": 0.5},
        "speed-index": {"title": "Speed Index", "score": 1},
        "unscored": {"title": "Unscored", "score": None},
        "resource-summary": {"details": {"items": items}},
    }
    return {"categories": categories, "audits": audits}


def test_the_score_is_the_median_of_the_rounds() -> None:
    page = scored(HOME, [report(0.97), report(0.61), report(0.95)])
    assert [page[each] for each in CATEGORIES] == [95, 100, 100, 100]
    assert page["rounds"] == 3


def test_fonts_do_not_weigh_and_the_dearest_audit_comes_first() -> None:
    page = scored(HOME, [report(0.9)])
    assert page["weight_bytes"] == 29_000
    assert page["lost"] == ["TBT (0.5)", "LCP (2.0 s)"]


def test_what_misses_its_goal_is_marked() -> None:
    met = table({"home": scored(HOME, [report(0.95, script_bytes=53_000)])})
    missed = table({"home": scored(HOME, [report(0.94, script_bytes=53_001)])})
    assert "95 " in met
    assert "62\n" in met
    assert "94!" in missed
    assert "62!" in missed


def test_every_page_that_is_measured_is_there(client: Client, db: None) -> None:
    load_catalogue()
    for page in PAGES:
        assert client.get(page.path).status_code == 200, page
