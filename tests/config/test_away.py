"""The database goes away and comes back: calm answers meanwhile, none too many afterwards."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection
from django.test import Client

from apps.config.processes import WEB
from apps.embedded.process import wait_until
from tests.faults.site.own_site import BACK_SECONDS_MAX, OwnSite, own_site

pytestmark = pytest.mark.xdist_group("away")  # one site
PAGES = ("/", "/plans/", "/drives/", "/runs/", "/api/v1/plans")
# One of each kind of page that reads the database, and a POST that would write.
AWAY = ("/", "/zh-hans/", "/plans/", "/runs/no-such/", "/account/login/", "/runs.atom")


@pytest.fixture(scope="module")
def site() -> Iterator[OwnSite]:
    with own_site(processes=[WEB], web_workers=1, PAGES_BYTES="0") as site:
        yield site


def test_pages_that_were_seen_stay_while_the_database_is_away() -> None:
    with own_site(processes=[WEB], web_workers=1) as site:
        wait_until(lambda: is_kept(site, "/plans/"), what="a page is kept", seconds=10)
        seen = site.get("/plans/").text
        stop_at_once(site)
        assert site.get("/plans/").text == seen
        assert site.get("/drives/").status_code == 503
        start_again(site)
        assert site.get("/drives/").status_code == 200


def is_kept(site: OwnSite, path: str) -> bool:
    """Whether the server has read the version of the data, and answers from memory."""
    return "Age" in site.get(path).headers


@pytest.fixture
def away(site: OwnSite) -> Iterator[OwnSite]:
    """The site while its database is stopped."""
    assert site.get("/").status_code == 200
    stop_at_once(site)
    yield site
    start_again(site)


def stop_at_once(site: OwnSite) -> None:
    """As `pg_ctl stop -m immediate` does."""
    postmaster = site.server("PostgreSQL").process
    os.kill(postmaster.pid, signal.SIGQUIT)
    postmaster.wait()


def test_no_page_fails_because_of_a_connection_from_before_a_restart(site: OwnSite) -> None:
    with ThreadPoolExecutor(8) as many:  # each thread of the server has a connection
        assert {each.status_code for each in many.map(site.get, PAGES * 8)} == {200}
        stop_at_once(site)
        start_again(site)
        assert Counter(each.status_code for each in many.map(site.get, PAGES * 5)) == {200: 25}


def start_again(site: OwnSite) -> None:
    site.server("PostgreSQL").restart()
    wait_until(lambda: is_up(site), what="PostgreSQL is up", seconds=BACK_SECONDS_MAX)


def is_up(site: OwnSite) -> bool:
    try:
        psycopg.connect(site.database_url).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.mark.parametrize("path", AWAY)
def test_pages_are_calm_while_the_database_is_away(away: OwnSite, path: str) -> None:
    answer = away.get(path)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert "no-store" in answer.headers["Cache-Control"]
    said = "我们的一台服务器" if path.startswith("/zh-hans/") else "One of our servers is away"
    assert answer.text.count(f"<h1>{said}") == 1
    assert "psycopg" not in answer.text
    assert away.get("/static/css/failed.css").status_code == 200  # it looks as ever


BADGES = tuple(
    f"/badge/{kind}/{{slug}}.{form}{query}"
    for kind in ("plan", "drive", "run", "provider")
    for form in ("svg", "png", "json")
    for query in ("", "?style=flat&metric=p99", "?label=mine&theme=auto")
)
TYPES = {"svg": "image/svg+xml; charset=utf-8", "png": "image/png", "json": "application/json"}


@pytest.mark.parametrize("badge", BADGES)
def test_a_badge_is_a_picture_while_the_database_is_away(away: OwnSite, badge: str) -> None:
    answer = away.get(badge.format(slug="any"))
    form = badge.partition("}.")[2].partition("?")[0]
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, TYPES[form])
    assert answer.headers["Cache-Control"] == "no-store"
    if form != "png":
        assert "back in a moment" in answer.text


def test_who_reads_the_api_is_not_told_to_keep_a_file_and_who_writes_is(away: OwnSite) -> None:
    read = away.get("/api/v1/plans")
    assert (read.status_code, read.headers["Retry-After"]) == (503, "10")
    assert read.headers["Content-Type"] == "application/problem+json"
    assert read.json()["type"].endswith("/problems/unavailable")
    assert "stored" not in read.text
    key = away.get(f"/api/v1/keys/{'0' * 64}")
    assert (key.status_code, "stored" in key.text) == (503, False)


def test_ready_is_who_can_serve_and_healthy_who_answers(site: OwnSite) -> None:
    site.wait_until_ready()
    ready = site.get("/readyz", Host="10.0.0.7")  # of a container: no name of the site
    assert (ready.status_code, ready.json()) == (200, {"missing": []})
    assert ready.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in ready.headers
    assert site.get("/", Host="10.0.0.7").status_code == 400


def test_what_is_missing_is_said(away: OwnSite) -> None:
    wait_until(lambda: away.get("/readyz").status_code == 503, what="it is noticed", seconds=10)
    assert away.get("/readyz").json() == {"missing": ["database"]}
    assert away.get("/healthz").status_code == 200


def test_a_database_without_room_for_connections_is_away(site: OwnSite) -> None:
    name = urlsplit(site.database_url).path[1:]
    with psycopg.connect(site.database_url, autocommit=True) as kept:
        kept.execute(f"ALTER DATABASE {name} CONNECTION LIMIT 0")
        kept.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        try:
            assert {site.get("/").status_code for _ in range(10)} == {503}
        finally:
            kept.execute(f"ALTER DATABASE {name} CONNECTION LIMIT -1")
    assert site.get("/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_page_that_the_database_is_too_slow_for_is_a_503(client: Client) -> None:
    client.raise_request_exception = False
    with psycopg.connect(url_of_tests()) as other:
        other.execute("LOCK TABLE plans_plan")
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 50")
        try:
            answer = client.get("/plans/")
        finally:
            connection.close()
    assert answer.status_code == 503


def url_of_tests() -> str:
    base, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    return f"{base}/{connection.settings_dict['NAME']}"
