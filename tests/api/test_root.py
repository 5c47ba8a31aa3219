"""The root is a page for people and a list for programs; values are known or refused."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from tests import make

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_a_browser_gets_a_page_and_a_program_a_list(client: Client) -> None:
    page = client.get("/api/v1/", headers={"accept": BROWSER})
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    lists = [
        client.get("/api/v1/", headers={"accept": accept})
        for accept in ("*/*", "application/json", "")
    ]
    assert {each.headers["Content-Type"] for each in lists} == {"application/json"}
    for answer in (page, *lists):
        assert "Accept" in answer.headers["Vary"].split(", ")
        assert answer.headers["Cache-Control"] == "private, max-age=60"


def test_every_address_that_the_root_names_is_there(client: Client) -> None:
    root = client.get("/api/v1/").json()
    needs_a_query = {"advice", "recognise"}
    for name, url in (root["addresses"] | root["feeds"]).items():
        expected = 400 if name in needs_a_query else 200
        assert client.get(url).status_code == expected, url
    assert client.get(root["documentation"]).status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "runs?provider=nobody", "runs?plan=none", "runs?drive=none",
        "plans?provider=nobody", "drives?kind=tape", "drives?ladder_class=none",
        "standings?workload=commit-9k", "standings?provider=nobody", "prices?plan=none",
        "labels?rule=none",
    ],
)  # fmt: skip
def test_a_value_that_nothing_has_is_refused(client: Client, query: str) -> None:
    answer = client.get(f"/api/v1/{query}")
    assert answer.status_code == 400, query
    assert answer.json()["type"].endswith("/problems/bad-query")


def test_a_page_names_its_json(client: Client) -> None:
    plan = make.plan()
    for path, twin in (
        (f"/plans/{plan.slug}/", f"/api/v1/plans/{plan.slug}"),
        ("/drives/?plp=full", "/drives.json?plp=full"),
        ("/rules/stolen-time/", "/api/v1/labels?rule=stolen-time"),
    ):
        html = client.get(path).content.decode()
        assert f'<link rel="alternate" href="{twin}" type="application/json">' in html
        assert client.get(twin).status_code == 200


def test_a_file_of_runs_says_what_counts_and_why_not(client: Client) -> None:
    label = make.label(outcome="quarantine", keeps_out="run")
    label.run.in_standings = False
    label.run.save()
    body = b"".join(client.get("/runs.csv?shape=all").streaming_content).decode()  # type: ignore[attr-defined]  # streamed
    assert all(line.startswith('"') and line.endswith('"') for line in body.splitlines())
    [row] = csv.DictReader(io.StringIO(body))
    assert (row["labels"], row["in_standings"], row["reason"], row["licence"]) == (
        "stolen-time", "False", "stolen-time", "CC0-1.0",
    )  # fmt: skip
