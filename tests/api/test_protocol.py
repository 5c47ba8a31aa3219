"""How the read API answers: pages, refusals, caching, other origins."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import OperationalError

from apps.api import selectors
from apps.api.paging import LIMIT_MAX
from apps.drives.catalogue import read_families, read_ladder
from apps.drives.models import DriveFamily, LadderClass
from tests import make

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

pytestmark = pytest.mark.django_db

LISTS = ("runs", "plans", "providers", "drives", "standings")
THINGS = ("runs/nothing", "plans/nothing", "providers/nothing", "drives/nothing")


def pages(client: Client, path: str) -> Iterator[list[dict[str, Any]]]:
    """Follow `next` to the end."""
    address: str | None = path
    while address:
        response = client.get(address)
        assert response.status_code == 200, response.content
        body = response.json()
        yield body["results"]
        address = body["next"]
        expected = f'<{address}>; rel="next"' if address else None
        assert response.headers.get("Link") == expected


def problem(client: Client, path: str, *, status: int, slug: str) -> dict[str, Any]:
    response = client.get(path)
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
    body: dict[str, Any] = response.json()
    assert body["type"] == f"http://testserver/problems/{slug}"
    assert (body["status"], body["instance"]) == (status, path.partition("?")[0])
    assert body["errors"] == []
    return body


def test_pages_hold_every_row_once(client: Client) -> None:
    LadderClass.objects.bulk_create(read_ladder())
    DriveFamily.objects.bulk_create(read_families())
    found = [row["slug"] for page in pages(client, "/api/v1/drives?limit=50") for row in page]
    assert found == sorted(found)
    assert len(found) == len(set(found)) == 506


def test_rows_with_equal_keys_are_neither_skipped_nor_repeated(client: Client) -> None:
    for rate in (3.0, 1.0, 2.0, 2.0, 2.0, 2.0, 1 / 3):
        make.standing(rate_per_s=rate, workload=f"w{make.number()}")
    rates = [
        row["rate_per_s"] for page in pages(client, "/api/v1/standings?limit=2") for row in page
    ]
    assert rates == [3.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1 / 3]


def test_undated_runs_are_paged_behind_the_dated_ones(client: Client) -> None:
    runs = [make.run(measured_at=None) for _ in range(3)] + [make.run() for _ in range(4)]
    found = [row["slug"] for page in pages(client, "/api/v1/runs?limit=2") for row in page]
    assert sorted(found) == sorted(run.slug for run in runs)
    assert set(found[:4]) == {run.slug for run in runs[3:]}


def test_a_row_that_comes_meanwhile_moves_nothing(client: Client) -> None:
    for letter in "bdf":
        make.provider(slug=letter, name=letter)
    first = client.get("/api/v1/providers?limit=1").json()
    make.provider(slug="a", name="a")
    second = client.get(first["next"]).json()
    assert [row["slug"] for row in first["results"] + second["results"]] == ["b", "d"]


def test_the_next_page_keeps_the_query(client: Client) -> None:
    for _ in range(2):
        make.standing(workload="commit-8k", plp="full")
    body = client.get("/api/v1/standings?workload=commit-8k&plp=full&limit=1").json()
    query = parse_qs(urlsplit(body["next"]).query)
    assert (query["workload"], query["plp"], query["limit"]) == (["commit-8k"], ["full"], ["1"])


def forged(values: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


@pytest.mark.parametrize("resource", LISTS)
@pytest.mark.parametrize(
    "cursor",
    [
        "!!!",
        "AAAA",
        "é",
        forged({"a": 1}),
        forged([]),
        forged([None, None]),
        forged([["nested"], 1]),
        forged(["not a date", "not a uuid"]),
        forged([1e308 * 10, 1]),
        forged(["a\x00b", 1]),
        forged(["a\x00b"]),
        forged(["\ud800"]),
        forged(["\ud800", 1]),
        forged(["9999-12-31T23:59:59-23:59", "01890a5d-ac96-774b-bcce-b302099a8057"]),
        forged([{"x": 1}]),
        forged([True, False]),
        "A" * 600,
        forged("[" * 200),
    ],
)
def test_a_cursor_that_is_not_ours_is_refused(client: Client, resource: str, cursor: str) -> None:
    response = client.get(f"/api/v1/{resource}", query_params={"cursor": cursor})
    assert response.status_code == 400, response.content
    assert response.json()["type"].endswith("/bad-query")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("limit=0", "limit:"),
        (f"limit={LIMIT_MAX + 1}", "limit:"),
        ("limit=many", "limit:"),
        ("wrokload=commit-8k", "wrokload: Unknown parameter; there are cursor, evidence"),
        ("evidence=hearsay", "evidence:"),
        ("workload=%00", "workload:"),
        ("provider=<b>", "provider:"),
        (f"provider={'a' * 200}", "provider:"),
        ("storage_kind=tape", "storage_kind:"),
    ],
)
def test_a_query_that_cannot_be_answered_is_refused(client: Client, query: str, said: str) -> None:
    body = problem(client, f"/api/v1/standings?{query}", status=400, slug="bad-query")
    assert said in body["detail"]
    assert "/api/v1/schema" in body["detail"]


def test_more_parameters_than_anybody_needs_are_refused(client: Client) -> None:
    query = "&".join(f"a{place}=1" for place in range(1000))
    body = problem(client, f"/api/v1/standings?{query}", status=400, slug="bad-query")
    assert "too many parameters" in body["detail"]


@pytest.mark.parametrize("path", THINGS)
def test_what_does_not_exist_is_a_problem_document(client: Client, path: str) -> None:
    problem(client, f"/api/v1/{path}", status=404, slug="not-found")


@pytest.mark.parametrize("name", ["%00", "a%00b", "%F0%9F%99%82", "%C3%A9", "a%0Ab"])
@pytest.mark.parametrize("resource", ["runs", "plans", "providers", "drives"])
def test_a_name_that_nothing_can_have_is_not_found(
    client: Client, resource: str, name: str
) -> None:
    assert client.get(f"/api/v1/{resource}/{name}").status_code == 404


@pytest.mark.parametrize("resource", LISTS)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_written(client: Client, resource: str, method: str) -> None:
    response = getattr(client, method)(f"/api/v1/{resource}")
    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert response.json()["type"].endswith("/method-not-allowed")


def test_a_database_that_is_away_is_said_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise OperationalError("the connection was lost, password=hunter2")

    monkeypatch.setattr(selectors, "providers", away)
    response = client.get("/api/v1/providers")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "10"
    assert "hunter2" not in response.content.decode()


def test_a_fault_of_ours_says_nothing_of_itself(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(selectors, "providers", broken)
    response = client.get("/api/v1/providers")
    assert response.status_code == 500
    assert response.json()["type"].endswith("/internal-error")
    assert "secret" not in response.content.decode()


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "*/*", "application/json"])
def test_the_answer_is_json_whatever_is_asked_for(client: Client, accept: str) -> None:
    response = client.get("/api/v1/providers", headers={"accept": accept})
    assert response.headers["Content-Type"] == "application/json"


def test_what_did_not_change_is_not_sent_again(client: Client) -> None:
    make.provider(slug="a", name="A")
    first = client.get("/api/v1/providers")
    assert first.headers["Cache-Control"] == "public, max-age=60, s-maxage=60"
    etag = first.headers["ETag"]
    again = client.get("/api/v1/providers", headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Access-Control-Allow-Origin"] == "*"
    make.provider(slug="b", name="B")
    changed = client.get("/api/v1/providers", headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag


@pytest.mark.parametrize("path", [*LISTS, *THINGS, "schema"])
def test_pages_of_other_origins_may_read_and_no_cookie_is_involved(
    client: Client, path: str
) -> None:
    response = client.get(f"/api/v1/{path}", headers={"origin": "https://example.org"})
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Link" in response.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert not response.cookies
    assert "Cookie" not in response.headers.get("Vary", "")


@pytest.mark.parametrize("path", ["runs", "runs/some-run", "standings"])
def test_a_preflight_allows_a_conditional_get(client: Client, path: str) -> None:
    response = client.options(f"/api/v1/{path}", headers={"origin": "https://example.org"})
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert response.headers["Access-Control-Allow-Headers"] == "If-None-Match"


def test_head_is_get_without_a_body(client: Client) -> None:
    run = make.run()
    response = client.head(f"/api/v1/runs/{run.slug}")
    assert (response.status_code, response.content) == (200, b"")
