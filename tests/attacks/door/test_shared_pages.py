"""Cookies, caches, hosts and redirects of pages that everybody shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
SHARED = ["/", "/plans/", "/drives/", "/providers/", "/runs/", "/import/", "/about/", "/method/",
          "/search/", "/advisor/", "/compare/", "/zh-hans/"]  # fmt: skip
FILES = ["/api/v1/plans", "/api/v1/runs", "/plans.csv", "/runs.csv", "/robots.txt"]


@pytest.mark.parametrize("path", SHARED + FILES)
def test_a_shared_page_sets_no_cookie_and_holds_no_token(
    weakened: Weakened, client: Client, path: str
) -> None:
    page: Any = client.get(path)
    assert page.status_code == 200
    assert not page.cookies
    assert "Cookie" not in page.headers.get("Vary", "")
    body = b"".join(page.streaming_content) if page.streaming else page.content
    assert b"csrfmiddlewaretoken" not in body
    with weakened.with_tokens_for_everybody():
        assert client.get(path).cookies


@pytest.mark.parametrize("path", SHARED + FILES)
def test_every_shared_page_says_how_long_it_may_be_kept(
    weakened: Weakened, client: Client, path: str
) -> None:
    assert client.get(path).headers["Cache-Control"]
    with weakened.without_cache_rules():
        assert "Cache-Control" not in client.get(path).headers


@pytest.mark.parametrize(
    "host", ["evil.example", "testserver.evil.example", "testserver@evil", "[::1]"]
)
def test_a_host_of_somebody_else_is_not_answered(
    weakened: Weakened, client: Client, host: str
) -> None:
    assert client.get("/", HTTP_HOST=host).status_code == 400
    with weakened.with_hosts_of_anybody():
        assert client.get("/", HTTP_HOST=host).status_code == 200


@pytest.mark.parametrize(
    "header", ["X_FORWARDED_HOST", "X_HOST", "FORWARDED", "X_ORIGINAL_URL", "X_REWRITE_URL"]
)
def test_a_header_of_a_proxy_writes_nothing_into_a_page(
    weakened: Weakened, client: Client, header: str
) -> None:
    sent: dict[str, Any] = {f"HTTP_{header}": "evil.example"}
    page = client.get("/", **sent)
    assert page.status_code == 200
    assert b"evil.example" not in page.content
    with weakened.with_addresses_by(header):
        assert b"evil.example" in client.get("/", **sent).content


@pytest.mark.parametrize(
    "path", ["//evil.example", "//evil.example/plans", "///evil.example", "//a@evil.example"]
)
def test_no_address_redirects_to_another_site(
    weakened: Weakened, client: Client, path: str
) -> None:
    def leads_away() -> bool:
        found = client.get("/", PATH_INFO=path).headers.get("Location", "")
        return found.startswith(("//", "http://evil", "https://evil"))

    assert not leads_away()
    with weakened.with_redirects_as_asked():
        assert leads_away()


@pytest.mark.parametrize(
    "sent",
    [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
     {"Origin": "https://evil.example"}, {"Origin": "null"}],
    ids=["cross-site", "same-site", "origin", "null"],
)  # fmt: skip
def test_a_form_of_another_site_is_refused(
    weakened: Weakened, client: Client, sent: dict[str, str]
) -> None:
    assert client.post("/import/", {"pasted": "x"}, headers=sent).status_code == 403
    with weakened.without_origin_checks():
        assert client.post("/import/", {"pasted": "x"}, headers=sent).status_code == 422


def test_a_pasted_output_is_kept_by_no_cache(weakened: Weakened, client: Client) -> None:
    answer = client.post("/import/", {"pasted": "x"})
    assert answer.headers["Cache-Control"] == "no-store"
    with weakened.without_cache_rules():
        assert "Cache-Control" not in client.post("/import/", {"pasted": "x"}).headers


def test_an_error_is_kept_by_no_cache(weakened: Weakened, client: Client) -> None:
    assert client.get("/nowhere/").headers["Cache-Control"] == "no-store"
    with weakened.without_cache_rules():
        assert "Cache-Control" not in client.get("/nowhere/").headers
