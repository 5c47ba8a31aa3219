"""Workloads, rules and versions of the method as lists, and names of drives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apps.rankings.versions.method import METHOD_VERSION
from apps.runs.rules import RULES
from apps.wire.suites import suites
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def rows(client: Client, path: str) -> list[dict[str, Any]]:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.content
    assert answer.json()["next"] is None
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def test_every_workload_of_a_suite_is_defined_to_the_byte(client: Client) -> None:
    found = {(row["id"], row["version"]): row for row in rows(client, "workloads")}
    for suite in suites().values():
        for each in suite.workloads:
            row = found[each.id, each.version]
            assert row["definition"]["block_bytes"] == each.block_bytes
            assert f"{suite.id}/{suite.version}" in row["suites"]
    assert found["commit-8k", 1]["comparable_class"] == 1


def test_a_workload_of_articles_says_what_is_known(client: Client) -> None:
    [row] = [row for row in rows(client, "workloads") if row["id"] == "pgbench-c16"]
    assert (row["suites"], row["definition"], row["operation"]) == ([], None, "transaction")


def test_every_rule_says_when_it_speaks_and_what_to_do(client: Client) -> None:
    found = rows(client, "rules")
    assert {row["id"]: row["version"] for row in found} == {
        rule.id: rule.version for rule in RULES.values()
    }
    assert all(row["text"] and row["why"] and row["remedy"] for row in found)
    assert found[0]["rule_url"] == f"http://testserver/rules/{found[0]['id']}/"


def test_the_newest_version_of_the_method_is_the_one_of_standings(client: Client) -> None:
    newest, *older = rows(client, "methods")
    assert (newest["version"], newest["is_current"]) == (METHOD_VERSION, True)
    assert older
    assert not any(each["is_current"] for each in older)


@pytest.mark.parametrize("path", ["workloads", "rules", "methods"])
def test_a_whole_list_takes_no_parameter(client: Client, path: str) -> None:
    answer = client.get(f"/api/v1/{path}?limit=5")
    assert answer.status_code == 400
    assert "limit: Unknown parameter; there are none." in answer.json()["detail"]


@pytest.mark.parametrize(
    ("query", "slug"),
    [
        ("vendor=ATA&model=SAMSUNG MZQL2960HCJR", "samsung-pm9a3"),
        ("model=SAMSUNG MZQL2960HCJR", "samsung-pm9a3"),
        ("model=no drive is called so", None),
    ],
)
def test_a_reported_name_is_recognised(client: Client, query: str, slug: str | None) -> None:
    store_catalogue()
    drive = client.get(f"/api/v1/recognise?{query}").json()["drive"]
    assert (drive and drive["slug"]) == slug


def test_recognising_needs_a_name(client: Client) -> None:
    answer = client.get("/api/v1/recognise?vendor=ATA")
    assert answer.status_code == 400
    assert "model: This field is required." in answer.json()["detail"]
