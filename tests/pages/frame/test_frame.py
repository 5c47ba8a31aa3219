"""The frame of every page: its language, its links to itself in the other one, its navigation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from apps.pages.frame.addresses import canonical_path
from tests.pages.site import text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def vary(client: Client, address: str, **headers: str) -> set[str]:
    answer = client.get(address, headers=headers)
    return {name.strip() for name in answer.headers.get("Vary", "").split(",") if name.strip()}


@pytest.mark.parametrize("address", ["/plans/", "/zh-hans/plans/", "/robots.txt", "/api/v1/plans"])
def test_caches_keep_one_copy_whatever_languages_a_browser_asks_for(
    client: Client, address: str
) -> None:
    assert "Accept-Language" not in vary(client, address)
    plain = client.get(address).content
    assert client.get(address, headers={"Accept-Language": "zh-CN,zh;q=0.9"}).content == plain


def test_the_address_says_the_language(client: Client) -> None:
    assert client.get("/plans/").headers["Content-Language"] == "en"
    assert client.get("/zh-hans/plans/").headers["Content-Language"] == "zh-hans"
    assert '<html lang="zh-Hans">' in text(client, "/zh-hans/plans/")
    assert client.get("/en/plans/").status_code == 404


def test_the_api_and_badges_speak_english_at_one_address(client: Client) -> None:
    assert client.get("/zh-hans/api/v1/plans").status_code == 404
    answer = client.get("/badge/plan/nobody.svg", headers={"Accept-Language": "zh-CN"})
    assert answer.headers["Content-Language"] == "en"


def test_what_is_not_there_is_said_in_the_language_of_the_address(client: Client) -> None:
    answer = client.get("/zh-hans/nowhere/")
    assert answer.status_code == 404
    assert "这个地址上什么也没有" in answer.content.decode()
    # The page is in no language, so the switch leads to the first page.
    assert re.search(r'<a href="/"\s+lang="en"', answer.content.decode())
    assert "Nothing is at this address" in client.get("/nowhere/").content.decode()


def test_a_part_for_htmx_is_in_the_language_of_its_address(client: Client) -> None:
    part = client.get("/zh-hans/plans/", headers={"HX-Request": "true"})
    assert part.headers["Content-Language"] == "zh-hans"
    assert "<html" not in part.content.decode()


def test_the_switch_keeps_the_query_and_the_canonical_address_drops_it(client: Client) -> None:
    page = text(client, "/plans/?plp=full&sort=p99&page=1")
    assert 'href="/zh-hans/plans/?plp=full&amp;sort=p99&amp;page=1"' in page
    assert '/plans/">' in page.split('<link rel="canonical"')[1].split("\n")[0]


@pytest.mark.parametrize(
    ("address", "keys", "path"),
    [
        ("/plans/?plp=full&page=1", None, "/plans/"),
        ("/plans/?plp=full&page=3", None, "/plans/?page=3"),
        ("/c/?on=plan:a&x=1&on=plan:b&base=", ("on", "base"), "/c/?on=plan:a&on=plan:b"),
    ],
)
def test_what_makes_another_page_is_in_its_canonical_address(
    address: str, keys: tuple[str, ...] | None, path: str
) -> None:
    assert canonical_path(RequestFactory().get(address), keys) == path


def test_the_page_that_is_shown_is_marked_once(client: Client) -> None:
    page = text(client, "/plans/")
    head = page.split("wide-nav")[1].split("</nav>")[0]
    assert head.count("aria-current") == 1
    assert 'href="/plans/" aria-current="page"' in head


def test_data_for_programs_cannot_end_its_element() -> None:
    template = Template("{% load head %}{% json_ld data %}")
    name = "</script><script>alert(1)</script><!-- & \u2028"
    html = template.render(Context({"data": {"name": name}}))
    assert html.count("<") == 2
    assert "\\u003c/script\\u003e" in html


def test_a_title_is_kept_as_plain_text() -> None:
    template = Template(
        '{% load head %}{% keep "title" %}{{ x }} \u2013 Fsyncmark{% endkeep %}|{% kept "title" %}'
    )
    html = template.render(Context({"x": "A & <b>B"}))
    assert html == "A &amp; &lt;b&gt;B \u2013 Fsyncmark|A &amp; &lt;b&gt;B"
